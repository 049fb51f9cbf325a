"""Tasks told one after the other, each with a day of its own: ``note: form 11B 20 March, rota 13 March``,
``I've got until Friday to file it and until the 17th to pay. Jot both down``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import (
    ASKING_YOU,
    CORRECTIONS,
    LEADS,
    NEGATIONS,
    QUESTION_WORDS,
    classes_of,
)
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.task_reading.commands import asks_to_put_down
from intent.acts.task_reading.due_offsets import find_offset
from intent.acts.task_reading.lists import Listed, asks_for_tasks
from intent.acts.task_titles import names_deed
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.reading import Kind
from intent.times.words.lexicon import MONTHS, WEEKDAYS

_JOINTS = frozenset({",", ";", "and", "plus", "&"})
_SENTENCE_ENDS = frozenset(".!?\n")
_HEADING_MARKS = frozenset(":-\u2013\u2014")
_MOST_OF_HEADING = 14
_BEFORE_TIME = frozenset("by on for at until till due before from the next this around about".split())
_NO_TITLE = _BEFORE_TIME | LEADS | frozenset("is are it's that's in a to of then both i'm my i".split())
_HAVING = (
    ("i've", "got"), ("we've", "got"), ("i", "have", "got"), ("i", "have"), ("we", "have"), ("i", "got"),
)  # fmt: skip
_OTHER_COMMANDS = frozenset({"tick", "untick", "reopen", "show"})


class _Piece(NamedTuple):
    """A stretch between two joints: what it has of a task."""

    tokens: tuple[Token, ...]
    has_time: bool
    begins_with_time: bool
    has_title: bool

    @property
    def is_deed(self) -> bool:
        """Whether it is a whole deed by itself, such as ``ring the plumber``."""
        return sum(one.is_word for one in self.tokens) > 1 and names_deed(Clause("", self.tokens))


def find_dated_tasks(tokens: Sequence[Token], message: str, scene: Scene) -> Listed | None:
    """Return the tasks of a message that are told with a day each; None where fewer than two are, or where
    nothing asks for tasks.
    """
    closing = _closing_place(tokens, message)
    begin = _opening_end(tokens, is_asked=closing is not None)
    if begin is None:
        return None
    end = _sentence_end(tokens, begin) if closing is None else closing
    stretch = tokens[begin:end]
    if not stretch or any(one.text == "?" for one in stretch):
        return None
    items = _items(list(_pieces(stretch, message, scene, has_sentences=closing is not None)))
    if not items or not all(_is_clear(one, message, scene) for one in items):
        return None
    dated = sum(any(piece.has_time for piece in one) for one in items)
    found = tuple(tuple(tokens_of) for one in items if (tokens_of := _tokens_between(tokens, one)))
    is_one_asked = closing is not None and bool(_ON_LIST & {token.word for token in tokens[closing:]})
    last = end if closing is None else len(tokens)
    return Listed(tuple(tokens[:begin]), found, last) if dated >= _FEWEST - is_one_asked else None


def _opening_end(tokens: Sequence[Token], *, is_asked: bool) -> int | None:
    """Return where the first task begins, behind the words that ask for it; None where none ask."""
    words = [token.word for token in tokens]
    if QUESTION_WORDS & set(words[:2]):
        return None
    mark = next((at for at, one in enumerate(tokens[:_MOST_OF_HEADING]) if one.text in _HEADING_MARKS), None)
    is_heading = is_asked and not any(map(_is_of_day, words[:mark]))
    if mark and (is_heading or asks_for_tasks(tokens[:mark]) or _HEADINGS & set(words[:mark])):
        return mark + 1
    if (forgetting := _forgetting_end(words)) is not None:
        return forgetting
    start = _behind_preface(tokens)
    start += 2 if tuple(words[start : start + 2]) in ASKING_YOU else 0
    if "remind" in classes_of(words[start]) and words[start + 1 : start + 2] in (["me"], ["us"]):
        return start + 2
    if "add" in classes_of(words[start]) or words[start] == "jot":
        return start + 2 if words[start + 1 : start + 2] == ["down"] else start + 1
    had = next((len(one) for one in _HAVING if tuple(words[start : start + len(one)]) == one), 0)
    return start + had if is_asked else None


def _behind_preface(tokens: Sequence[Token]) -> int:
    """Return where a request begins: behind words that lead up to it, or behind a colon or a dash before
    which nothing is asked: ``quick before the bus comes: remind me …``.
    """
    words = [token.word for token in tokens]
    for mark, token in enumerate(tokens[:_MOST_OF_HEADING]):
        behind = next((at for at in range(mark + 1, len(words)) if words[at] not in LEADS), len(words))
        behind += 2 if tuple(words[behind : behind + 2]) in ASKING_YOU else 0
        reminds = tuple(words[behind : behind + 2]) in {("remind", "me"), ("remind", "us")}
        if token.text in _HEADING_MARKS and reminds and not asks_for_something(tokens[:mark]):
            return behind
    return next((at for at, word in enumerate(words) if word not in LEADS), 0)


_HEADINGS = frozenset({"deadlines", "deadline", "diary", "calendar", "dates"})


def _forgetting_end(words: Sequence[str]) -> int | None:
    """Return the place behind the words that ask for help against forgetting: ``don't let me forget``."""
    place = next((at for at, word in enumerate(words[:_MOST_BEFORE_FORGETTING]) if word == "forget"), None)
    if place is None or not NEGATIONS & set(words[:place]):
        return None
    return place + 1 + (words[place + 1 : place + 2] in (["about"], [":"]))


_MOST_BEFORE_FORGETTING = 7


def _closing_place(tokens: Sequence[Token], message: str) -> int | None:
    """Return where the words begin that ask to put down what was told before them; None without any."""
    first = max(0, len(tokens) - _MOST_OF_CLOSING)
    marks = [
        at for at in range(first, len(tokens) - 1)
        if tokens[at].text in _SENTENCE_ENDS | _JOINTS | {"-", "\u2013"}
    ]  # fmt: skip
    for mark in reversed(marks):
        behind = tuple(tokens[mark + 1 :])
        if any(one.is_word for one in behind) and asks_to_put_down(Clause(message, behind)):
            return mark
    return None


_MOST_OF_CLOSING = 24


def _sentence_end(tokens: Sequence[Token], begin: int) -> int:
    ends = (at for at in range(begin, len(tokens)) if tokens[at].text in _SENTENCE_ENDS)
    return next(ends, len(tokens))


def _pieces(tokens: Sequence[Token], message: str, scene: Scene, *, has_sentences: bool) -> Iterator[_Piece]:
    marks = _JOINTS | _SENTENCE_ENDS if has_sentences else _JOINTS
    begin = 0
    for place in range(len(tokens) + 1):
        if place < len(tokens) and tokens[place].word not in marks:
            continue
        own = tuple(tokens[begin:place])
        if any(one.is_word for one in own):
            yield _piece(own, message, scene)
        begin = place + 1


def _piece(tokens: tuple[Token, ...], message: str, scene: Scene) -> _Piece:
    start = tokens[0].start
    readings = read_times(message[start : tokens[-1].end], now=scene.now, zone=scene.zone)
    spans = [
        (start + first, start + last)
        for one in readings
        if one.kind is not Kind.PERIOD
        for first, last in one.spans
    ]
    timed = [any(first <= one.start < last for first, last in spans) for one in tokens]
    untimed = [one for one, is_time in zip(tokens, timed, strict=True) if not is_time and one.is_word]
    lead = (
        at
        for at, one in enumerate(tokens)
        if timed[at] or (one.is_word and one.word not in _BEFORE_TIME | LEADS)
    )
    first = next(lead, 0)
    has_title = any(one.word not in _NO_TITLE for one in untimed)
    return _Piece(tokens, any(timed), timed[first], has_title)


def _items(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Return the pieces by the task that they tell of; empty where that is unclear."""
    refused = NEGATIONS | CORRECTIONS | _OTHER_COMMANDS
    words = [
        next((one.word for one in piece.tokens if one.word not in LEADS - CORRECTIONS), "")
        for piece in pieces
    ]
    if not pieces or refused & set(words):
        return []
    return _led_by_times(pieces) if pieces[0].begins_with_time else _closed_by_times(pieces)


_FEWEST = 2
_ON_LIST = frozenset({"add", "put", "pop", "stick", "list", "task", "reminder"})


def _led_by_times(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Return the pieces of ``Monday send the return, Friday book the van and the driver``."""
    items: list[list[_Piece]] = []
    for piece in pieces:
        is_new = piece.begins_with_time or (piece.has_time and piece.has_title)
        if is_new or not items:
            items.append([piece])
        else:
            items[-1].append(piece)
    return items if all(any(one.has_title for one in item) for item in items) else []


def _closed_by_times(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Return the pieces of ``pens and paper by Monday, ring Ana, the vet on Friday at 3``."""
    items: list[list[_Piece]] = []
    is_open = False
    for piece in pieces:
        goes_on = is_open and not (piece.is_deed and items[-1][-1].is_deed)
        if items and (goes_on or not piece.has_title):
            items[-1].append(piece)
        else:
            items.append([piece])
        is_open = not any(one.has_time for one in items[-1])
    return items


def _is_clear(item: Sequence[_Piece], message: str, scene: Scene) -> bool:
    """Return whether a task has at most one time, which comes once."""
    text = message[item[0].tokens[0].start : item[-1].tokens[-1].end]
    readings = [
        one for one in read_times(text, now=scene.now, zone=scene.zone) if one.kind is not Kind.PERIOD
    ]
    if not any(piece.has_title for piece in item) or len(readings) > 1:
        return False
    if any(find_offset(piece.tokens, is_free=True) is not None for piece in item):
        return False  # its day is told by another date
    return all(one.day is not None or one.missing == ("am_pm",) for one in readings)


def _tokens_between(tokens: Sequence[Token], item: Sequence[_Piece]) -> list[Token]:
    start, end = item[0].tokens[0].start, item[-1].tokens[-1].end
    return [one for one in tokens if start <= one.start and one.end <= end]


def on_day_before(dues: Sequence[str], scene: Scene) -> list[str]:
    """Return the words for when tasks are due; one that only names a time of day is on the day of the task
    before it: ``tomorrow at 8 …, and at 12 …``.
    """
    dated: list[str] = []
    day = ""
    for words in dues:
        readings = read_times(words, now=scene.now, zone=scene.zone) if words else ()
        told = next((one.day for one in readings if one.day is not None), None)
        names_day = any(map(_is_of_day, words.lower().split()))
        dated.append(f"{day} {words}" if day and told is not None and not names_day else words)
        day = told.isoformat() if told is not None and names_day else day
    return dated


def _is_of_day(written: str) -> bool:
    word = written.strip(".,;:!?()")
    is_date = word[:1].isdigit() and (word.endswith(("st", "nd", "rd", "th")) or "/" in word or "-" in word)
    return is_date or word in _DAYS


_DAYS = frozenset(WEEKDAYS) | frozenset(MONTHS) | frozenset(
    "today tomorrow tonight day days week weeks weekend month fortnight minutes minute hour hours min mins"
    " now tmrw tmr 2moro tmoro tomorow".split()
)  # fmt: skip


def with_noun_of_one(titles: Sequence[Span]) -> list[Span]:
    """Return the titles; one that begins ``the one at …`` with the noun of the title before it."""
    told: list[Span] = []
    for title in titles:
        words = title.text.split()
        before = told[-1].text.split() if told else []
        cut = next((at for at, word in enumerate(before) if word.lower() in _PREPOSITIONS), 0)
        is_one = [word.lower() for word in words[:2]] == ["the", "one"] and cut
        told.append(title._replace(text=" ".join((*before[:cut], *words[2:]))) if is_one else title)
    return told


_PREPOSITIONS = frozenset("at in on for with of from about to near by".split())
