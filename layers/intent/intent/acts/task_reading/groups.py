"""Which of all tasks a clause means: the finished ones, those due then, those of somebody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from intent.acts.act import ActKind, Meant, Thing
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, NEGATIONS, TASK_NOUNS
from intent.acts.references import exception_place, find_meant, is_content, name_parts, stem
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.reading import Kind

FINISHED = frozenset("finished done completed ticked complete".split())
_GROUPS = frozenset("all both everything every each ones stuff things tasks jobs todos it items".split())
_NOUNS = TASK_NOUNS | {"ones", "stuff", "things", "jobs", "work", "everything", "all"}
_ALL = frozenset({"all", "everything", "every"})
_QUALIFYING = frozenset("of for about from with regarding re".split())
_TARGETS = frozenset({"to", "until", "till", "onto", "except", "but", ",", "off", "back"})


class DueGroup(NamedTuple):
    """The tasks due from the first to the last day, with the place of the words that say so."""

    first: date
    last: date
    start: int
    end: int
    said: str
    """The words."""
    overdue_at: datetime | None = None
    """The moment by which they are overdue; None: it is no group of tasks that are."""

    def holds(self, task: Thing) -> bool:
        """Return whether a task is one of them."""
        if self.overdue_at is not None and task.due_at is not None:
            return task.due_at < self.overdue_at
        return task.due is not None and self.first <= task.due <= self.last


def narrowed(meant: Meant, clause: Clause, kind: ActKind, scene: Scene) -> Meant:
    """Return what is meant of all tasks, by what a clause says of their state, their day or their subject."""
    meant = replace(meant, excepted=_excepted(meant, clause, scene))
    if kind is ActKind.DELETE_TASK and (finished := _finished(clause)):
        kept = tuple(thing for thing in scene.tasks if thing.is_done and thing not in meant.excepted)
        return Meant(things=kept, is_all=True, excepted=meant.excepted, words=finished)
    if (group := due_group(clause, scene)) is not None and (meant.is_all or not meant.is_named):
        due = (one for one in scene.tasks if group.holds(one))
        kept = tuple(one for one in due if not one.is_done and one not in meant.excepted)
        return Meant(things=kept, is_all=True, excepted=meant.excepted, words="" if kept else group.said)
    if not meant.is_all or not (words := _qualifier(clause)):
        return meant
    hits = {one.id: _hits(words, one) for one in scene.tasks}
    most = max(hits.values(), default=0)
    if not most:
        return Meant(words=" ".join(token.text for token in words), is_all=True)
    return replace(meant, things=tuple(one for one in meant.things if hits[one.id] == most))


def _excepted(meant: Meant, clause: Clause, scene: Scene) -> tuple[Thing, ...]:
    """Return what a clause leaves out, whatever else it names."""
    cut = exception_place(clause.tokens)
    behind = () if cut is None else clause.tokens[cut + 1 :]
    found = find_meant(Clause(clause.message, behind), scene.tasks) if behind else Meant()
    return tuple(dict.fromkeys((*meant.excepted, *(found.things or found.candidates))))


def _finished(clause: Clause) -> str:
    """Return the word by which a clause means what is ticked off already; empty without one."""
    words = clause.words
    for place, word in enumerate(words):
        if word not in FINISHED or NEGATIONS & set(words[max(0, place - 2) : place]):
            continue
        near = set(words[place + 1 : place + 3]) | {words[place - 1] if place else ""}
        if near & _NOUNS or _said_of(words[:place]) in _NOUNS | _ANY_NOUN:
            return word
    return ""


def _said_of(words: Sequence[str]) -> str:
    """Return the last word that is no link between a noun and what is said of it: ``tasks`` in ``the tasks
    that I have already``.
    """
    return next((word for word in reversed(words) if word not in _LINKS), "")


_LINKS = frozenset("that that's which are is were was i i've we we've have has been already now got".split())
_ANY_NOUN = frozenset({"what", "what's", "whatever", "those", "anything"})


def due_group(clause: Clause, scene: Scene) -> DueGroup | None:
    """Return the days by which a clause means its tasks: ``everything due this week``, ``today's tasks``."""
    tokens = clause.tokens
    cut = exception_place(tokens)
    tokens = tokens if cut is None else tokens[:cut]
    words = [token.word for token in tokens]
    if not set(words) & _GROUPS:
        return None
    if "overdue" in words:
        place = words.index("overdue")
        today = _today(scene)
        return DueGroup(date.min, today - timedelta(days=1), place, place + 1, "overdue", scene.now)
    found = _behind_due(tokens) or _before_noun(tokens) or _behind_noun(tokens)
    if found is None:
        return None
    start, end = found
    text = clause.message[tokens[start].start : tokens[end - 1].end]
    days = _days(text, scene)
    return None if days is None else DueGroup(*days, start, end, f"due {text}")


def _behind_due(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the words behind ``due`` up to what they are moved to."""
    place = next((at for at, token in enumerate(tokens) if token.word == "due"), None)
    if place is None:
        return None
    start = place + 1
    end = next((at for at in range(start, len(tokens)) if tokens[at].word in _TARGETS), len(tokens))
    return (start, end) if end > start else None


def _before_noun(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the words of ``this week's stuff`` and ``tomorrow's two tasks`` that say when."""
    for place, token in enumerate(tokens):
        end = place
        while end and tokens[end - 1].word in _COUNTING:
            end -= 1
        if end and token.word in _NOUNS and tokens[end - 1].word.endswith(("'s", "s")):
            start = end - 2 if end > 1 and tokens[end - 2].word in {"this", "next"} else end - 1
            if _names_time(tokens[start:end]):
                return start, end
    return None


def _behind_noun(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the words of ``my two tasks of today`` that say when."""
    for place, token in enumerate(tokens[:-2]):
        if token.word not in _NOUNS or tokens[place + 1].word not in {"of", "for", "from", "on"}:
            continue
        start = place + 2
        end = start + (2 if tokens[start].word in {"this", "next"} and len(tokens) > start + 1 else 1)
        if _names_time(tokens[start:end]):
            return start, end
    return None


_COUNTING = frozenset("two three four five six open other remaining both".split())


def _names_time(tokens: Sequence[Token]) -> bool:
    word = tokens[-1].word.removesuffix("'s").removesuffix("s")
    return word in {"week", "month", "today", "tomorrow"} or word.endswith("day")


def _days(text: str, scene: Scene) -> tuple[date, date] | None:
    """Return the first and last day that words name: of a week or month, or one or more days."""
    today = _today(scene)
    words = text.lower().replace("'s", "").replace("weeks", "week").split()
    monday = today - timedelta(days=today.weekday())
    if "week" in words:
        first = monday + timedelta(days=7) if "next" in words else monday
        return first, first + timedelta(days=6)
    if "month" in words:
        first = today.replace(day=1)
        later = (first + timedelta(days=32)).replace(day=1)
        return (later, later + timedelta(days=27)) if "next" in words else (first, later - timedelta(days=1))
    parts = " ".join(words).split(" or ")
    found = [day for part in parts for word in part.split(" and ") if (day := _day(word, scene)) is not None]
    return (min(found), max(found)) if found else None


def _day(words: str, scene: Scene) -> date | None:
    readings = read_times(words, now=scene.now, zone=scene.zone)
    return next((one.day for one in readings if one.kind is not Kind.PERIOD and one.day is not None), None)


def _today(scene: Scene) -> date:
    return scene.now.astimezone(ZoneInfo(scene.zone)).date()


def _qualifier(clause: Clause) -> tuple[Token, ...]:
    """Return the words that say whose or which of all tasks: ``all tasks of Maria K``."""
    tokens = clause.tokens
    cut = exception_place(tokens)
    tokens = tokens if cut is None else tokens[:cut]
    start = next((at for at, token in enumerate(tokens) if token.word in _ALL), None)
    if start is None:
        return ()
    behind = tokens[start + 1 :]
    mark = next((at for at, token in enumerate(behind) if token.word in _QUALIFYING), None)
    noun = next((at for at, token in enumerate(behind) if token.word in _NOUNS), None)
    if mark is not None and (noun is None or mark >= noun or tokens[start].word == "everything"):
        said = behind[mark + 1 :]
    elif noun is not None:
        said = behind[:noun]
    else:
        return ()
    end = next((at for at, one in enumerate(said) if one.text in {",", ".", ";", "!"}), len(said))
    kept = (one for one in said[:end] if is_content(one) and one.word not in LEADS | _LIST_WORDS)
    return tuple(kept)


_LIST_WORDS = frozenset({"list", "lists", "my", "our", "the", "open", "remaining", "left"})


def _hits(words: Sequence[Token], thing: Thing) -> int:
    parts = {stem(part) for part in name_parts(thing.name)}
    return sum(any(stem(part) in parts for part in name_parts(word.word)) for word in words)


def begins_exception(tokens: Sequence[Token]) -> bool:
    """Return whether words begin by leaving something out: ``but not the dentist``, ``except the rota``."""
    words = [token.word for token in tokens if token.is_word][:_FEW]
    return tuple(words[:2]) in _LEAVING_OUT or words[:1] in (["except"], ["exept"], ["excluding"])


_FEW = 3
_LEAVING_OUT = (
    ("but", "not"), ("just", "not"), ("only", "not"), ("apart", "from"), ("aside", "from"), ("other", "than"),
    ("but", "keep"), ("but", "leave"),
)  # fmt: skip
