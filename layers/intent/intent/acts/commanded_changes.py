"""Whether the words of a clause ask for the change that it was read as, or only tell something in passing:
``they say the sun comes out for the weekend``.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from intent.acts.act import Act, ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, LEADS, classes_of, verb_forms
from intent.acts.references import is_content, name_parts
from intent.acts.requests import asks_for_something
from intent.acts.slots import find_slots
from intent.acts.tokens import Token

_TOLD_ONLY = frozenset({"agent", "task", "job"})
"""The slots of words that may be anything: what it is about, and what may be a job."""
_OTHER_DEEDS = frozenset("delete pause stop resume share unshare cancel restore".split())
_LIMITING = frozenset(
    "only also include including without plus exclude excluding ignore always never means meaning"
    " counts".split()
)
"""Words by which what an agent does becomes more or less, or a word of it is defined, without a command."""
_WISHING = CORRECTIONS | frozenset(
    "instead rather better best please pls want wants need needs like prefer should must shall has have than"
    " earlier later sooner not never only".split()
)
_MOST_BESIDE = 3
"""How many words a change may have at most that are none of its values, where nothing says that it is one."""
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def commands_change(act: Act, clause: Clause) -> bool:
    """Return whether a clause asks for the change of a thing: by its values, a verb, or a word of wishing."""
    if not act.slots or not act.meant.things:
        return False
    if "job" in act.slots and not act.slots.keys() - _TOLD_ONLY:
        return (bool(_LIMITING & set(clause.words)) or _has_command(clause)) and not _names_deed(clause)
    return not act.meant.is_focus or bool(_WISHING & set(clause.words)) or not _tells_more(act, clause)


def tells_in_passing(act: Act, clause: Clause) -> bool:
    """Return whether a change of what was talked about before is only read out of what somebody tells.

    A clause that has nothing but what may be a job is not: it may say more of the job.
    """
    is_told = act.kind is ActKind.CHANGE_AGENT and act.meant.is_focus and act.confidence < _SURE
    return is_told and bool(act.slots.keys() - _TOLD_ONLY) and not commands_change(act, clause)


_SURE = 0.5


def says_instruction(words: Sequence[str]) -> bool:
    """Return whether words tell an agent how to do its work: ``always list the oldest first``, ``it should
    also show the names``. What only mentions something, names it anew or moves it tells nothing of the kind.
    """
    return any(map(_instructs, _parts(words))) and not _NAMING & set(words)


def begins_standing(words: Sequence[str]) -> bool:
    """Return whether words begin as an instruction for every time from now on: ``from now on mention …``."""
    said = [word for word in words if word not in LEADS]
    behind = _behind_opening(said)
    return len(said) > len(behind) > 1 and _is_work(behind[0])


def _parts(words: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word[0].isalnum():
            parts[-1].append(word)
        else:
            parts.append([])
    return parts


def _instructs(part: Sequence[str]) -> bool:
    """Return whether a part limits what is told, begins with a verb of telling, or says what to tell."""
    said = [word for word in part if word not in LEADS]
    if not said:
        return False
    is_place = bool(_PLACED & set(said)) and not set(said) & _WORKING
    if _LIMITING & set(said) or _adds(part):
        return not is_place and len(said) > 1
    begins = _behind_opening(said)
    if begins and _is_work(begins[0]):
        return len(begins) > 1
    return any(
        mark in _OBLIGING and _is_work(behind) for at, mark in enumerate(part)
        for behind in part[at + 1 : at + _FARTHEST_WORK]
    )  # fmt: skip


def _adds(part: Sequence[str]) -> bool:
    """Return whether a part adds something; ``too late`` does not."""
    return any(one in _ADDING and two not in _EXCESS for one, two in pairwise([*part, ""]))


_EXCESS = frozenset("early late soon often much many long short little few".split())


def _behind_opening(words: Sequence[str]) -> Sequence[str]:
    return words[len(_FROM_NOW_ON) :] if tuple(words[: len(_FROM_NOW_ON)]) == _FROM_NOW_ON else words


def _is_work(word: str) -> bool:
    form = verb_forms().get(word)
    is_known = (
        form is not None and form.is_base and bool(classes_of(form.base) & {"produce", "watch", "list"})
    )
    return word in _WORKING or is_known


_FROM_NOW_ON = ("from", "on")
"""``now`` is one of the words that lead in to others."""
_FARTHEST_WORK = 4
_OBLIGING = frozenset("should must shall has have needs need ought let make want".split())
_ADDING = frozenset({"too", "also"})
_NAMING = frozenset("name named called call rename renamed".split())
_PLACED = frozenset({"one", "ones"})
_WORKING = frozenset(
    "skip mention leave omit ignore include exclude sort order group round count drop focus stick report"
    " show list use put add keep say tell write give translate shorten summarise summarize highlight mark"
    " sum".split()
)


def _tells_more(act: Act, clause: Clause) -> bool:
    """Return whether most words of a clause are none of the values that it was read to give."""
    if asks_for_something(clause.tokens) or _has_change(clause):
        return False
    found = find_slots(clause.text, clause.tokens, now=_ANY_TIME, zone="UTC", offset=clause.start)
    told = [*found.used, *((span.start, span.end) for span in found.quoted)]
    told += [(act.slots[name].start, act.slots[name].end) for name in ("name", "source") if name in act.slots]
    known = {part for thing in act.meant.things for part in name_parts(thing.name)}
    rest = [token for token in clause.tokens if not _is_within(token, told) and token.word not in known]
    return sum(map(is_content, rest)) >= _MOST_BESIDE


def _is_within(token: Token, stretches: list[tuple[int, int]]) -> bool:
    return any(start <= token.start < end for start, end in stretches)


def _has_change(clause: Clause) -> bool:
    """Return whether a clause has a verb of changing or sending in its base form."""
    return any("change" in classes_of(word) or "deliver" in classes_of(word) for word in clause.words)


def _has_command(clause: Clause) -> bool:
    """Return whether a sentence of a clause begins with a verb in its base form."""
    return asks_for_something(clause.tokens) or any(
        (form := verb_forms().get(token.word)) is not None and form.is_base and _begins(clause, place)
        for place, token in enumerate(clause.tokens)
    )


def _begins(clause: Clause, place: int) -> bool:
    """Return whether a word begins a part: nothing, a mark or ``and`` stands before it."""
    before = clause.tokens[place - 1] if place else None
    return before is None or not before.is_word or before.word in {"and", "then", "please", "also", "to"}


def _names_deed(clause: Clause) -> bool:
    """Return whether a clause has a verb, in any form, of a deed that is no change: ``only paused``."""
    forms = (verb_forms().get(word) for word in clause.words)
    return any(form is not None and classes_of(form.base) & _OTHER_DEEDS for form in forms)
