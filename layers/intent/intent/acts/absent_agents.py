"""Agents that a clause describes and that don't exist: ``the Jira one`` where none has to do with Jira.

Such words are never taken for the only agent there is, nor for the one that was talked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.act import ActKind, Thing
from intent.acts.clauses import Clause
from intent.acts.learned.marked_tokens import SERVICES, word_classes
from intent.acts.lexicon import AUXILIARIES, LEADS
from intent.acts.references import exception_place, find_meant, is_content
from intent.acts.scene import Scene
from intent.acts.tokens import Token

_HEADS = frozenset("one ones agent agents bot bots automation automations".split())
_BEFORE = frozenset("the my our that this".split())
_BEHIND = LEADS | AUXILIARIES | frozenset(
    "to at from on in for by until till with again today tomorrow tonight every each daily weekly hourly off"
    " back up down out instead only too not earlier later first it as please anymore longer yet already"
    " paused active running".split()
)  # fmt: skip
_JOINTS = frozenset({",", "and", "or", "&", ".", ";", "!"})
_PLAIN = frozenset(
    "first second third fourth last latest newest oldest next other same new old only right wrong whole"
    " entire"
    " big small little long short slow fast busy noisy loud annoying broken failing failed faulty failing"
    " paused active stopped running shared private inactive disabled working silent late early good bad"
    " better"
    " best worst main current present previous former latter later earlier top bottom upper lower recent odd"
    " stupid silly dumb bloody damn morning evening nightly remaining existing actual single sole middle mine"
    " yours ours".split()
)
_TIME_CLASSES = frozenset("weekday month rate unit relative clock number channel people".split()) | {
    "day part", "number word", "agent noun",
}  # fmt: skip
_MOST_WORDS = 4


def absent_agent(clause: Clause, things: Sequence[Thing]) -> str:
    """Return how a clause describes an agent that isn't among ``things``; empty where it describes none."""
    if not things or exception_place(clause.tokens) is not None:
        return ""
    for phrase in _phrases(clause.tokens):
        described = Clause(clause.message, tuple(phrase))
        found = find_meant(described, things)
        if not found.things and not found.candidates and (words := _telling(phrase)):
            return words
    return ""


def absent_exception(clause: Clause, things: Sequence[Thing]) -> str:
    """Return how a clause describes an agent to leave out that isn't among ``things``; empty without."""
    cut = exception_place(clause.tokens) if things else None
    if cut is None:
        return ""
    for part in _parts(clause.tokens[cut + 1 :]):
        described = Clause(clause.message, tuple(part))
        is_agent = any(token.word in SERVICES - {"slack", "teams"} for token in part[:_MOST_WORDS])
        if not is_agent and not any(True for _ in _phrases(part)):
            continue
        found = find_meant(described, things)
        if not found.things and not found.candidates and (words := _telling(part)):
            return words
    return ""


def spares_agent(kind: ActKind, clause: Clause, scene: Scene) -> bool:
    """Return whether what looks like the erasure of everything leaves out an agent: ``delete everything
    except jira``. Then it is about agents.
    """
    cut = exception_place(clause.tokens) if kind is ActKind.ERASE and scene.agents else None
    if cut is None:
        return False
    behind = Clause(clause.message, clause.tokens[cut + 1 :]) if clause.tokens[cut + 1 :] else None
    is_known = behind is not None and bool(find_meant(behind, scene.agents).things)
    return is_known or bool(absent_exception(clause, scene.agents))


def _phrases(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the words between ``the`` and ``one`` or ``agent``."""
    for place, token in enumerate(tokens):
        behind = tokens[place + 1] if place + 1 < len(tokens) else None
        is_end = behind is None or not behind.is_word or behind.word in _BEHIND or behind.text[0].isdigit()
        if token.word not in _HEADS or not is_end:
            continue
        start = place
        while start and place - start < _MOST_WORDS and tokens[start - 1].is_word:
            start -= 1
            if tokens[start].word in _BEFORE:
                if start + 1 < place:
                    yield tokens[start + 1 : place]
                break


def _telling(tokens: Sequence[Token]) -> str:
    """Return the words that say which one it is by its job or source; empty where they say it otherwise."""
    said = [token for token in tokens if is_content(token)]
    tells = any(
        token.word not in _PLAIN and not _TIME_CLASSES & set(word_classes(token.word)[0]) for token in said
    )
    return " ".join(token.text for token in said) if tells else ""


def _parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.word in _JOINTS:
            if place > begin:
                yield tokens[begin:place]
            begin = place + 1
    if begin < len(tokens):
        yield tokens[begin:]
