"""The scene of a situation: the user's things and what was talked about, as the reader of acts takes them.

What a note keeps of a question was stored by us, but an import may hold anything: what has another form
counts as absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from conversation.messages.models import Note, Reference, Role
from intent.acts.act import ActKind, Thing
from intent.acts.scene import Asked, Question, Scene
from intent.amounts.told import told_series
from intent.analysis.unsure_talk import kinds_read, told_while_unsure
from intent.situation import KnownAgent, Situation
from intent.sums.result import EarlierSum


def scene_of(situation: Situation) -> Scene:
    """Return what the reader of the situation's message has to know. Reads no tasks yet."""
    notes = list(situation.reply_notes())
    focus = next((note.subject for note in notes if note.subject is not None), None)
    listed = next((note.listed for note in notes if note.listed), ())
    last = situation.last_note()
    return Scene(
        now=situation.now,
        zone=situation.time_zone,
        agents=tuple(map(_agent, situation.agents)),
        read_tasks=lambda: tuple(
            Thing(
                task.id,
                task.title,
                is_done=task.completed,
                due=task.due_date,
                due_at=task.due_moment,
            )
            for task in situation.read_tasks()
        ),
        focus_kind=focus.kind if focus else "",
        focus=_focus(focus, situation),
        listed_kind=listed[0].kind if listed else "",
        listed=tuple(Thing(item.id, item.name) for item in listed),
        question=_question(last, situation),
        has_draft=has_draft(last),
        did=last.kinds[-1] if last.kinds else "",
        last_deed=next((note.kinds[-1] for note in notes[:_RECENT] if note.kinds), ""),
        undone=_undone(notes[:_RECENT]),
        said_before=situation.last_text(Role.USER),
        is_unsure=bool(told_while_unsure(situation)),
        pair=_pair(notes[:_RECENT]),
        last=_last_kinds(situation),
        read_amounts=lambda: told_series(situation.history),
        earlier_sum=None if last.sum is None else EarlierSum.of_note(last.sum),
    )


def has_draft(note: Note) -> bool:
    """Return whether a reply left an unfinished agent that was begun by an act."""
    return note.draft is not None and "brief" in note.draft


_RECENT = 3
"""How many replies back something counts as just talked about."""


def _undone(notes: Sequence[Note]) -> str:
    """Return the kind of act that the last reply took back; empty where it took nothing back."""
    deeds = [note.kinds[-1] for note in notes if note.kinds]
    is_undo = bool(notes) and notes[0].kinds[-1:] != () and notes[0].kinds[-1] in _TAKING_BACK
    return deeds[1] if is_undo and len(deeds) > 1 else ""


_TAKING_BACK = frozenset({ActKind.UNDO, ActKind.RESTORE_AGENT, ActKind.RESTORE_TASK})


def _pair(notes: Sequence[Note]) -> tuple[Thing, ...]:
    """Return the two things that replies asked to choose from, listed, or changed one after the other."""
    seen: dict[str, Reference] = {}
    for note in notes:
        asked = note.question or {}
        options = _mappings(asked.get("options")) if asked.get("asked") == Asked.WHICH else ()
        named = tuple(
            Thing(option_id, name)
            for one in options
            if isinstance(option_id := one.get("id"), str) and isinstance(name := one.get("name"), str)
        )
        named = named or tuple(Thing(one.id, one.name) for one in note.listed)
        if len(named) == _PAIR:
            return named
        if note.did and note.about is not None and note.about.kind in {"agent", "task"}:
            seen.setdefault(note.about.id, note.about)
        if len(seen) == _PAIR:
            kinds = {one.kind for one in seen.values()}
            return tuple(Thing(one.id, one.name) for one in seen.values()) if len(kinds) == 1 else ()
    return ()


_PAIR = 2


def _last_kinds(situation: Situation) -> tuple[str, ...]:
    """Return the kinds of the acts of the user's previous message."""
    reply = next((one for one in reversed(situation.history) if one.role is Role.ASSISTANT), None)
    return () if reply is None else kinds_read(reply)


def _agent(known: KnownAgent) -> Thing:
    return Thing(known.id, known.name, known.summary)


def _focus(focus: Reference | None, situation: Situation) -> Thing | None:
    """Return what was talked about; for a run, its agent."""
    if focus is None:
        return None
    if focus.kind == "run":
        named = next((agent for agent in situation.agents if agent.name == focus.name), None)
        return None if named is None else _agent(named)
    return Thing(focus.id, focus.name)


def _question(note: Note, situation: Situation) -> Question | None:
    stored = note.question
    if stored is None:
        parts = _texts((note.draft or {}).get("asked")) if has_draft(note) else ()
        slots = tuple(dict.fromkeys("when" if part == "time" else part for part in parts))
        return Question(Asked.SLOTS, slots, of=ActKind.CREATE_AGENT) if slots else None
    if stored.get("is_suggestion"):
        return None
    asked = stored.get("asked")
    if not isinstance(asked, str) or asked not in Asked.__members__.values():
        return None
    waiting = next(iter(_mappings(stored.get("waiting"))), {})
    kind = waiting.get("kind")
    of = kind if isinstance(kind, str) else ""
    if asked == Asked.CONFIRM and waiting:
        text = waiting.get("text")
        return Question(
            Asked.CONFIRM,
            _texts(stored.get("slots")),
            _held_things(waiting),
            of,
            is_offer=bool(stored.get("is_offer")),
            about=text if isinstance(text, str) else "",
        )
    known = {agent.id: agent.summary for agent in situation.agents}
    options = tuple(
        Thing(option_id, name, known.get(option_id, ""))
        for each in _mappings(stored.get("options"))
        if isinstance(option_id := each.get("id"), str) and isinstance(name := each.get("name"), str)
    )
    return Question(Asked(asked), _texts(stored.get("slots")), options, of)


def _held_things(waiting: Mapping[str, JsonValue]) -> tuple[Thing, ...]:
    """Return the things that an act waits to be done to, each stored as its id and its name."""
    things = waiting.get("things")
    pairs = [_texts(each) for each in things] if isinstance(things, list | tuple) else []
    return tuple(Thing(*pair) for pair in pairs if len(pair) == 2)


def _texts(value: object) -> tuple[str, ...]:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return tuple(one for one in several if isinstance(one, str))


def _mappings(value: object) -> tuple[Mapping[str, JsonValue], ...]:
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return tuple(one for one in several if isinstance(one, Mapping))
