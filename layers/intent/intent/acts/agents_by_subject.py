"""Which agents a question means by what they are about: ``which of my agents deals with tenders?`` Pure."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Thing
from intent.acts.agent_questions import is_field_word
from intent.acts.lexicon import AGENT_NOUNS, LEADS, POINTERS
from intent.acts.references import is_content, name_parts, stem
from intent.acts.tokens import Token

_WHO = frozenset({"who", "what", "which"})
_SOMETHING = frozenset("anything something anybody anyone somebody someone one".split())
_ANY = (("is", "there"), ("is", "any"), ("do", "i"), ("do", "we"), ("have", "i"), ("have", "we"))
_NEAR = 5


def asks_who_does(tokens: Sequence[Token]) -> bool:
    """Return whether words ask which agent does something, or whether one does: ``what keeps an eye on the
    visits?``, ``is there an agent for tenders?``
    """
    words = [token.word for token in tokens if token.is_word]
    while words and words[0] in LEADS:
        words = words[1:]
    near = set(words[1:_NEAR])
    if words[:1] != [] and words[0] in _WHO:
        return bool(near & AGENT_NOUNS) or words[1:2] == ["one"] or _is_verb(words[1:2])
    return tuple(words[:2]) in _ANY and bool(near & (AGENT_NOUNS | _SOMETHING))


def _is_verb(words: Sequence[str]) -> bool:
    """Return whether a word behind ``who`` is a verb that says what somebody does, not when or where to."""
    return any(
        word.endswith("s") and len(word) > _SHORTEST and not is_field_word(word) for word in words
    ) or (list(words) in (["looks"], ["watches"]))


_SHORTEST = 3


def agents_on_subject(tokens: Sequence[Token], agents: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the agents whose name or description says most of what words are about; empty where none says
    half of it, or all say the same.
    """
    subject = {stem(part) for token in tokens if _is_subject(token) for part in name_parts(token.word)}
    hits = {one.id: len(subject & _described(one)) for one in agents}
    most = max(hits.values(), default=0)
    found = tuple(one for one in agents if hits[one.id] == most)
    is_told = most > 0 and 2 * most >= len(subject) - 1  # one word may be the verb: ``deals``
    return found if is_told and (len(found) < len(agents) or len(agents) == 1) else ()


def _is_subject(token: Token) -> bool:
    word = token.word
    is_about_agents = word in AGENT_NOUNS | LEADS | POINTERS | _SOMETHING or is_field_word(word)
    return token.is_word and is_content(token) and not is_about_agents


def _described(agent: Thing) -> frozenset[str]:
    return frozenset(stem(part) for part in (*name_parts(agent.name), *name_parts(agent.words)))
