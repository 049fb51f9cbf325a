"""The titles of chores that people tell: ``I still haven't sent Ana the keys`` is ``send Ana the keys``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.lexicon import LEADS
from intent.acts.past_forms import base_of_past
from intent.acts.tokens import Token, tokenise

_SPEAKERS = frozenset("i we i've we've ive weve i'm we're im".split())
_ADVERBS = frozenset("still really also just never even yet only probably definitely always".split())
_NOT_DONE = frozenset("haven't havent hasn't hasnt haven hadn't hadnt".split())
_NOT_DOING = frozenset("didn't didnt".split())
_BEFORE_VERB = (
    "haven't had time to", "haven't had the time to", "haven't had a chance to", "haven't managed to",
    "haven't got round to", "haven't got around to", "haven't gotten around to", "didn't get round to",
    "didn't get around to", "didn't manage to", "never got round to", "never got around to",
    "forgot to", "keep forgetting to", "keep meaning to", "have been meaning to", "been meaning to",
    "meant to", "was going to", "were going to", "was meant to", "were meant to", "was supposed to",
    "were supposed to", "am supposed to", "are supposed to", "supposed to", "promised to",
)  # fmt: skip
_PHRASES = tuple(tuple(one.split()) for one in sorted(_BEFORE_VERB, key=len, reverse=True))
_BEHIND = frozenset("yet though either already still anyway".split())
_ENDS = frozenset(".!?;\n")


def chore_title(told: str) -> str:
    """Return the title of the chore in the last sentence that tells one; empty where none does."""
    for sentence in reversed(_sentences(told)):
        if title := _title(sentence, told):
            return title
    return ""


def _sentences(text: str) -> list[list[Token]]:
    sentences: list[list[Token]] = [[]]
    for token in tokenise(text):
        if token.text in _ENDS:
            sentences.append([])
        else:
            sentences[-1].append(token)
    return [one for one in sentences if one]


def _title(sentence: Sequence[Token], text: str) -> str:
    tokens = [token for token in sentence if token.is_word]
    while tokens and tokens[0].word in LEADS | _SPEAKERS:
        tokens = tokens[1:]
    plain = [token for token in tokens if token.word not in _ADVERBS - {"never"}]
    words = tuple(token.word for token in plain)
    phrase = next((one for one in _PHRASES if words[: len(one)] == one), ())
    if phrase:
        return _from(plain[len(phrase) :], text, _base_of_gerund(plain[len(phrase) :]))
    if len(words) < _FEWEST:
        return ""
    if words[0] in _NOT_DONE or words[:2] == ("have", "not"):
        rest = plain[2 if words[0] == "have" else 1 :]
        return _from(rest, text, base_of_past(rest[0].word)) if base_of_past(rest[0].word) else ""
    if words[0] in _NOT_DOING:
        return _from(plain[1:], text, plain[1].word)
    base = base_of_past(words[1]) if words[0] == "never" else ""
    return _from(plain[1:], text, base) if base else ""


_FEWEST = 3


def _base_of_gerund(tokens: Sequence[Token]) -> str:
    word = tokens[0].word if tokens else ""
    return base_of_past(f"{word[:-3]}ed") if word.endswith("ing") and len(word) > _SHORTEST_GERUND else word


_SHORTEST_GERUND = 5


def _from(tokens: Sequence[Token], text: str, base: str) -> str:
    """Return the words from a verb on, with its base form in its place."""
    kept = list(tokens)
    while kept and kept[-1].word in _BEHIND:
        kept.pop()
    if len(kept) < 2:
        return ""
    return f"{base} {text[kept[1].start : kept[-1].end]}"
