"""What a message is read as in which somebody tells of a trouble and doesn't know what to ask for."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_TASKS
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.overload import tells_overload
from intent.acts.page_troubles import page_trouble_in
from intent.acts.parts import Part
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.task_reading.forgotten import event_not_to_forget, habitually_forgotten, not_to_forget
from intent.acts.task_titles import names_deed
from intent.acts.tokens import Token, stretches
from intent.acts.told_troubles import begins_with_cleft, trouble_in
from intent.acts.unsure_chores import with_chores
from intent.times.reader import read_times

K = ActKind
_TELLING = frozenset(
    {
        K.NONE,
        K.REMEMBER,
        K.UNSURE,
        K.CREATE_AGENT,
        K.ADD_TASK,
        K.ASK_WORLD,
        K.SMALL_TALK,
        K.RECALL,
        K.LIST_TASKS,
    }
)
"""What the parts of such a message are taken for."""


def of_unsure(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> list[Part]:
    """Return the parts; as one, where they only tell of a trouble."""
    if scene.has_draft or scene.question is not None or not parts:
        return list(parts)
    found = _of_page(parts, marked, scene) or _of_forgetful(parts, marked, scene)
    found = found or _of_overload(parts, marked) or _of_trouble(parts, marked, scene)
    return [found] if found is not None else with_chores(parts, marked, scene)


def _of_page(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> Part | None:
    """Return the request for a new agent that a trouble with a page is; None for any other message."""
    trouble = page_trouble_in(marked.text)
    if trouble is None or any(part.kind in ON_TASKS for part in parts):
        return None
    whole = _whole(marked, K.CREATE_AGENT)
    is_watched = any(
        "://" in one.words and (not trouble.url or trouble.url in one.words) for one in scene.agents
    )
    is_known = find_meant(whole.clause, scene.agents).is_named or (is_watched and scene.focus_kind == "agent")
    return None if is_known else whole


def _of_forgetful(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> Part | None:
    """Return the task that somebody must not forget, or what they say of always forgetting one."""
    if any(part.kind not in _TELLING for part in parts):
        return None
    tokens = [one.token for one in marked.tokens]
    if kept := not_to_forget(tokens):
        before = Clause(marked.text, tuple(one for one in tokens if one.end <= kept[0].start))
        is_read = parts[0].kind is K.ADD_TASK and len(before.words) <= _MOST_BEFORE
        is_all = len(parts) == 1 and not (before.tokens and names_deed(before))
        return Part(Clause(marked.text, kept), K.ADD_TASK, 1.0, {}) if is_all and not is_read else None
    if (event := event_not_to_forget(tokens)) and _is_dated(event, marked, scene):
        return Part(Clause(marked.text, event), K.ADD_TASK, 1.0, {})
    if not habitually_forgotten(marked.text):
        return None
    is_timed = bool(read_times(marked.text, now=scene.now, zone=scene.zone))
    is_task = is_timed and any(part.kind is K.ADD_TASK for part in parts)
    return None if is_task else _whole(marked, K.UNSURE)


def _is_dated(event: Sequence[Token], marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether a statement tells one day or time, and it only."""
    text = marked.text[event[0].start : event[-1].end]
    times = read_times(text, now=scene.now, zone=scene.zone)
    return len(times) == 1 and not times[0].is_recurring and times[0].problem is None


_MOST_BEFORE = 8


def _of_overload(parts: Sequence[Part], marked: MarkedMessage) -> Part | None:
    """Return what somebody says of having too much to keep in mind."""
    is_told = all(part.kind in _TELLING - {K.ADD_TASK, K.RECALL} for part in parts)
    is_told = is_told and not any("service" in one.classes for one in marked.tokens)
    return _whole(marked, K.UNSURE) if is_told and tells_overload(marked.text) else None


def _of_trouble(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> Part | None:
    """Return what somebody tells of a thing that goes wrong or that they do by hand; None where they ask for
    something.
    """
    if any(part.kind not in _TELLING_TROUBLE for part in parts):
        return None
    is_request = any(part.kind in _REQUESTS and part.sure >= _SURE_OF_REQUEST for part in parts)
    is_request = is_request or (scene.is_unsure and any(part.kind is K.CREATE_AGENT for part in parts))
    tokens = [one.token for one in marked.tokens]
    if is_request or not trouble_in(marked.text):
        return None
    if any(asks_for_something(one) for one in stretches(_behind_cleft(tokens), _MARKS)):
        return None
    whole = _whole(marked, K.UNSURE)
    return None if find_meant(whole.clause, scene.agents).is_named else whole


def _behind_cleft(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the words behind a first sentence that only looks like a question; all where none does."""
    if not begins_with_cleft(tokens):
        return tokens
    return tokens[next((at for at, token in enumerate(tokens) if token.text in ".!"), len(tokens)) :]


_MARKS = frozenset(".,;:!")
_TELLING_TROUBLE = _TELLING | {K.NO, K.WHY, K.ASK_PRODUCT}
_REQUESTS = frozenset({K.CREATE_AGENT, K.ADD_TASK})
_SURE_OF_REQUEST = 0.8


def _whole(marked: MarkedMessage, kind: ActKind) -> Part:
    return Part(Clause(marked.text, tuple(one.token for one in marked.tokens)), kind, 1.0, {})
