"""What of the last change words take back: a new agent that isn't wanted after all, one of several fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from agent.handler_interface import TurnRequest
from agent.undo import Change, ChangeKind
from intent.acts.act import Act, ActKind, Meant, Thing
from intent.acts.lexicon import AGENT_NOUNS, NEGATIONS, POINTERS, TASK_NOUNS
from intent.acts.references import find_name_place
from intent.acts.tokens import Token, tokenise

K = ActKind
_CREATING = frozenset({K.CREATE_AGENT.value, K.COPY_AGENT.value})
_TAKEN = frozenset(
    {
        K.NO, K.LATER, K.NONE, K.UNSURE, K.SMALL_TALK, K.REMEMBER, K.DELETE_AGENT, K.RESTORE_AGENT,
        K.CANCEL_RUN, K.PAUSE_AGENT, K.CHANGE_AGENT, K.UNDO, K.DO_IN_WORLD, K.CREATE_AGENT,
        K.UNSHARE_AGENT, K.DELETE_TASK, K.REMOVE_SKILL,
    }
)  # fmt: skip
"""The kinds that words may be read as that take a new agent back."""
_TAKING = frozenset("scrap forget cancel drop bin ditch undo revert".split())
_GOING_ON = frozenset("on at in to every by from as before so until for".split())
_MARKS = frozenset(",.;:!?\n()\u2013\u2014-")
_JOINTS = frozenset({"and", "but", "so", "because"})
_KEEPING = frozenset("keep keeps leave stay stays remain remains fine good right ok okay".split())
_FIELDS: Mapping[str, frozenset[str]] = {
    "name": frozenset("name named called title rename renamed renaming".split()),
    "schedule": frozenset(
        "time times hour hours day days schedule o'clock clock monday tuesday wednesday thursday friday"
        " saturday sunday weekdays".split()
    ),
    "delivery": frozenset("address addresses mail email e-mail slack teams channel recipient".split()),
    "sources": frozenset("source sources system".split()),
    "status": frozenset("pause paused pausing resume resumed resuming".split()),
    "shared": frozenset("share shared sharing unshare unsharing".split()),
}
"""The words by which each field of an agent is spoken of."""


class ChangeEvent(NamedTuple):
    """A kind of change as a noun names it: ``the pause``."""

    noun: str
    field: str
    former: JsonValue
    """The value of the field that it replaced."""

    def is_made_by(self, change: Change) -> bool:
        """Return whether a change did this to an agent."""
        is_change = change.subject == "agent" and change.kind is ChangeKind.CHANGED
        return is_change and self.field in change.former and change.former[self.field] == self.former


_EVENTS: Mapping[str, tuple[str, JsonValue]] = {
    **dict.fromkeys(("pause", "pausing"), ("status", "active")),
    **dict.fromkeys(("resume", "resuming", "restart"), ("status", "paused")),
    "sharing": ("shared", False),
    "unsharing": ("shared", True),
}
_UNDOING = frozenset("undo undoing revert reverse back".split())
_BEFORE_NOUN = frozenset("the that this my your our last".split())


def named_event(message: str) -> ChangeEvent | None:
    """Return the kind of change that words want undone by its noun: ``undo the pause``; None for others."""
    for part in _parts(tokenise(message)):
        words = [token.word for token in part]
        is_undo = bool(_UNDOING & set(words)) and not NEGATIONS & set(words)
        for before, word in pairwise(words) if is_undo else ():
            if before in _BEFORE_NOUN and word in _EVENTS:
                return ChangeEvent(word, *_EVENTS[word])
    return None


def as_taken_back(acts: Sequence[Act], turn: TurnRequest) -> list[Act]:
    """Return the acts; as an undo, where they say of the agent just made that it isn't wanted after all."""
    note = turn.note
    is_new = bool(_CREATING & set(note.kinds)) and note.question is None and note.draft is None
    if not is_new or not acts or acts[0].kind not in _TAKEN:
        return list(acts)
    # An undo is asked for in so many words: what is asked for beside it is no part of it.
    said = acts[0].clause.text if acts[0].kind is K.UNDO else turn.message
    if not _is_unwanted(tokenise(said)) or _names_others(acts[0], turn):
        return list(acts)
    if (meant := _named_or_both(said, turn)) is not None:
        deleted = replace(acts[0], kind=K.DELETE_AGENT, meant=meant, confidence=1.0, is_doubted=False)
        return [deleted, *acts[1:]]
    rest = [act for act in acts[1:] if act.kind not in _TAKEN or _names_others(act, turn)]
    return [replace(acts[0], kind=K.UNDO, confidence=1.0, is_doubted=False), *rest]


def _names_others(act: Act, turn: TurnRequest) -> bool:
    """Return whether an act names other agents than the new one, by themselves or beside it."""
    about = turn.note.about.id if turn.note.about is not None else ""
    return not act.meant.is_focus and any(thing.id != about for thing in act.meant.things)


def _named_or_both(said: str, turn: TurnRequest) -> Meant | None:
    """Return the agents that words mean beside the one just made: those that they name, or both of two.

    None where they mean only what the last reply made.
    """
    words = [token.word for token in tokenise(said)]
    about = turn.note.about.id if turn.note.about is not None else ""
    cards = turn.own_agents()
    named = [card for card in cards if find_name_place(words, card.name) is not None]
    made = sum(kind in _CREATING for kind in turn.note.kinds)
    if made == 1 and len(cards) == _PAIR and _BOTH & set(words):
        named = list(cards)
    if not any(card.id != about for card in named) or made > 1:
        return None
    return Meant(things=tuple(Thing(card.id, card.name, card.summary) for card in named))


_PAIR = 2
_BOTH = frozenset({"both", "either", "neither"})


def _is_unwanted(tokens: Sequence[Token]) -> bool:
    """Return whether words say that what was just made isn't wanted."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        near, behind = words[max(0, place - 2) : place], words[place + 1 :]
        is_denied = bool(NEGATIONS & set(near))
        points = behind[:1] != [] and behind[0] in POINTERS
        is_whole = points and (
            behind[1:2] == [] or behind[1] not in _GOING_ON or behind[1:3] == ["at", "all"]
        )
        if word in _TAKING and is_whole and not is_denied:
            return True
        if word == "take" and points and _is_away(behind[1:4]) and not is_denied:
            return True
        is_either = behind[:1] in (["either"], ["both"]) or behind[:2] == ["any", "of"]
        if word in {"want", "need"} and (is_whole or is_either) and is_denied:
            return True
        if word == "no" and behind[:1] in (["agent"], ["bot"]):
            return True
    return words[:2] == ["never", "mind"]


def _is_away(words: Sequence[str]) -> bool:
    """Return whether a thing is taken away as a whole, and not away from something."""
    at = next((at for at, word in enumerate(words[:2]) if word in {"away", "back", "out"}), None)
    return at is not None and words[at + 1 : at + 2] not in (["from"], ["of"])


def says_renaming(message: str) -> bool:
    """Return whether words speak of a change of a name: ``please take the renaming back``."""
    return bool(_RENAMING & {token.word for token in tokenise(message)})


_RENAMING = frozenset({"renaming", "rename", "renamed"})


def chosen(changes: Sequence[Change], message: str) -> tuple[Change, ...]:
    """Return what words want back of the changes of one turn: those of a field that they speak of, or those
    of a thing that they name; all of them where they do neither.
    """
    if len(changes) > 1:
        wanted, kept = _spoken(message, {field for one in changes for field in one.former})
        words = [token.word for token in tokenise(message)]
        fitting = [one for one in changes if wanted & one.former.keys()]
        named = [one for one in changes if _is_named(one, words)]
        left = [one for one in changes if not one.former or not one.former.keys() <= kept]
        changes = fitting or named or _of_subject(left, message) or left or list(changes)
    return tuple(narrowed(change, message) for change in changes)


def _of_subject(changes: Sequence[Change], message: str) -> list[Change]:
    """Return the changes of the sort of thing that words want undone: ``undo the task``."""
    for part in _parts(tokenise(message)):
        words = {token.word for token in part}
        subject = next((one for one, nouns in _SUBJECTS.items() if nouns & words), "")
        if subject and _UNDOING & words and not NEGATIONS & words:
            return [change for change in changes if change.subject == subject]
    return []


_SUBJECTS = {"task": TASK_NOUNS, "agent": AGENT_NOUNS}


def _is_named(change: Change, words: Sequence[str]) -> bool:
    return find_name_place(words, change.name) is not None


def narrowed(change: Change, message: str) -> Change:
    """Return a change with only those of its fields that words want back: ``the name, the time is fine``."""
    fields = change.former.keys() & _FIELDS.keys()
    if change.kind is not ChangeKind.CHANGED or change.subject != "agent" or len(fields) < 2:
        return change
    wanted, kept = _spoken(message, fields)
    former = str(change.former.get("name", ""))
    if not wanted and former and find_name_place([one.word for one in tokenise(message)], former) is not None:
        wanted = {"name"}
    left = (wanted - kept) or (set(fields) - kept if kept else set())
    if not left:
        return change
    return change.model_copy(update={"former": {name: change.former[name] for name in sorted(left)}})


def _spoken(message: str, fields: Set[str]) -> tuple[set[str], set[str]]:
    """Return which fields words want back, and which they want to stay as they are now."""
    kept: set[str] = set()
    wanted: set[str] = set()
    for part in _parts(tokenise(message)):
        words = {token.word for token in part}
        spoken = {field for field in fields & _FIELDS.keys() if _speaks_of(field, part)}
        is_denied = bool(part) and part[0].word == "not"
        is_kept = is_denied or (bool(_KEEPING & words) and not _FORMER & words)
        (kept if is_kept else wanted).update(spoken)
    return wanted, kept - wanted


_FORMER = frozenset("was were old former before previous originally back again".split())
"""Words by which a part speaks of what was before the change."""


def _speaks_of(field: str, part: Sequence[Token]) -> bool:
    words = {token.word.removesuffix("'s") for token in part}
    if field == "schedule" and any(word[0].isdigit() and "@" not in word for word in words):
        return True
    if field == "delivery" and any("@" in word or word[0] == "#" for word in words):
        return True
    return bool(_FIELDS[field] & words)


def _parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text[0] in _MARKS or token.word in _JOINTS:
            yield tokens[begin:place]
            begin = place + 1
    yield tokens[begin:]
