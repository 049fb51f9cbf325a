"""The deeds on agents that a clause mentions: asked for, turned down, or only told of.

``I'd rather not have it deleted, only stopped`` asks for a pause; ``I was told I had to delete it`` and
``I had only stopped it`` ask for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, POINTERS, classes_of, verb_forms
from intent.acts.polarity import is_turned_down
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise

_DEEDS = {
    "delete": ActKind.DELETE_AGENT, "pause": ActKind.PAUSE_AGENT, "stop": ActKind.PAUSE_AGENT,
    "resume": ActKind.RESUME_AGENT, "share": ActKind.SHARE_AGENT, "unshare": ActKind.UNSHARE_AGENT,
}  # fmt: skip
_REPORTING = frozenset(
    "told asked ordered advised supposed meant thought had said wanted tried about going planned planning"
    " nearly almost".split()
)
"""Words before ``to delete`` that tell of a wish or an order, and give none."""
_HAVING = frozenset(
    "had have has i've we've he's she's they've i'd i we he she they who somebody someone".split()
)
_ADVERBS = frozenset(
    "only just already never accidentally also once really temporarily merely myself".split()
)
_NEAR = 4


class Stance(Enum):
    """How a clause mentions a deed."""

    ASKED = auto()
    TURNED_DOWN = auto()
    TOLD = auto()


class Mention(NamedTuple):
    """A deed that a clause mentions, and how."""

    kind: ActKind
    stance: Stance


def mentions(clause: Clause) -> Iterator[Mention]:
    """Yield the deeds on agents that a clause mentions, in order."""
    words = clause.words
    for place, token in enumerate(clause.tokens):
        form = verb_forms().get(token.word)
        kind = None if form is None or token.word in LEADS else _kind_of(form.base)
        behind = words[place + 1] if place + 1 < len(words) else ""
        is_ended = kind is ActKind.PAUSE_AGENT and behind.endswith("ing") and behind in verb_forms()
        if form is None or kind is None or is_ended:
            continue  # ``stop mailing me`` ends the mails, and no agent
        if _is_told(words, place, is_base=form.is_base):
            yield Mention(kind, Stance.TOLD)
        elif is_turned_down(clause, Span(token.text, token.start, token.end)):
            yield Mention(kind, Stance.TURNED_DOWN)
        else:
            yield Mention(kind, Stance.ASKED)


def _kind_of(base: str) -> ActKind | None:
    classes = classes_of(base)
    return next((kind for name, kind in _DEEDS.items() if name in classes), None)


def _is_told(words: Sequence[str], place: int, *, is_base: bool) -> bool:
    """Return whether a deed is only told of: ``I was told to delete``, ``I had only stopped``."""
    before = place - 1
    while before >= 0 and words[before] in _ADVERBS:
        before -= 1
    if before < 0:
        return False
    if not is_base:
        return words[before] in _HAVING and words[place] not in {"stops", "pauses"}
    return words[before] == "to" and bool(_REPORTING & set(words[max(0, before - _NEAR) : before]))


def contrasted_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the only deed that a clause asks for, where it turns down or only tells of another one; None for
    any other clause, and where no agent is meant.
    """
    said = list(mentions(clause))
    asked = {one.kind for one in said if one.stance is Stance.ASKED}
    others = {one.kind for one in said if one.stance is not Stance.ASKED}
    if len(asked) != 1 or not others - asked:
        return None
    points = bool(POINTERS & set(clause.words))
    is_on_focus = points and (scene.focus_kind == "agent" or _is_named_before(clause, scene))
    is_named = bool(find_meant(clause, scene.agents).things)
    return next(iter(asked)) if is_named or is_on_focus else None


def _is_named_before(clause: Clause, scene: Scene) -> bool:
    """Return whether the message names an agent before the clause."""
    before = tokenise(clause.message[: clause.start])
    return bool(before) and find_meant(Clause(clause.message, before), scene.agents).is_named


def deed_or_report(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed that a clause asks for in place of another; REMEMBER where it only tells of deeds."""
    if (asked := contrasted_deed(clause, scene)) is not None:
        return asked
    stances = {one.stance for one in mentions(clause)}
    is_report = stances == {Stance.TOLD} and not clause.is_question and scene.question is None
    return ActKind.REMEMBER if is_report and not asks_for_something(clause.tokens) else None
