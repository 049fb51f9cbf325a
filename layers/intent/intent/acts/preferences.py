"""Which of several times in a clause is wanted: ``thursday is better, friday I'm at the market``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, LEADS, NEGATIONS, classes_of
from intent.acts.reasons import (
    AROUND_HOUR,
    STATED,
    SUBJECTS,
    TIME_WORDS,
    is_hour,
    reason_place,
    without_reason,
)
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.reading import Kind

_MARKS = frozenset(",.;:!?\n\u2013\u2014-()")
_JOINTS = frozenset("because since as cause cos but and so".split())
_WANTED = frozenset(
    "better best rather instead prefer prefers preferred preferable suits suit suits easier nicer".split()
)
_WANTED_PHRASES = ("make it", "make that", "make them", "works for", "move it to", "move them to", "is fine")
_UNWANTED = (
    frozenset(
        "bad worse worst busy closed shut holiday away booked taken impossible gone unavailable full".split()
    )
    | NEGATIONS
)
_ADDING = frozenset("too also well plus add both".split())
_FEWEST = 2
"""Of so many parts with a time one may be wanted, and not the others."""


def preferred_part(clause: Clause, words: str, *, now: datetime, zone: str) -> tuple[int, int] | None:
    """Return where in ``words`` the part stands whose time is wanted; None where the parts don't say it.

    ``words`` are the clause's text, in which other slots may be blank.
    """
    parts = _parts(clause, words, now, zone)
    if len(parts) < _FEWEST:
        return None
    if any(part[0].word in CORRECTIONS for part in parts[1:]):
        return None  # what is corrected is none of the choices: ``6:15. sorry, 6:30``
    timed = [part for part in parts if _names_day(part) or _has_time(_text(clause, part, words), now, zone)]
    wanted = [part for part in timed if _is_wanted(part)]
    if not wanted and len(timed) > 1:
        rest = [part for part in timed if not _is_unwanted(part)]
        wanted = [part for part in rest if _is_wish(part)] if len(rest) < len(timed) else _only_bare(timed)
    if len(wanted) != 1 or len(timed) < _FEWEST or _GROUPS & {token.word for token in wanted[0]}:
        return None  # ``every day but not sundays`` is one time with an exception
    if not all(_is_unwanted(part) for part in timed if part is not wanted[0]):
        return None  # it may be wanted as well: ``make it 8, and saturdays too``
    return wanted[0][0].start - clause.start, wanted[0][-1].end - clause.start


def bare_hour(clause: Clause) -> str:
    """Return the time of day in a clause that says nothing else: ``8 instead``; empty for any other.

    What is told behind it as the reason counts for nothing: ``make it 4, they shut for lunch``.
    """
    said = clause.words[: reason_place(clause.words)]
    words = [word for word in said if word[0].isalnum() and word not in AROUND_HOUR | _MOVING]
    if len(words) != 1 or not set(said) & (_CORRECTING | _MOVING):
        return ""
    return words[0] if is_hour(words[0]) else _without_colon(words[0])


def _without_colon(word: str) -> str:
    """Return a time of day that is written without its colon, ``5:30`` of ``530``; empty for other words. A
    number of whole hundreds is an amount.
    """
    if not (word.isascii() and word.isdigit() and len(word) in {3, 4}):
        return ""
    hour, minute = int(word[:-2]), int(word[-2:])
    is_time = hour < 24 and minute < 60 and minute % 5 == 0 and (minute > 0 or word[0] == "0")
    return f"{hour}:{word[-2:]}" if is_time else ""


def before_reason(clause: Clause) -> Clause:
    """Return a clause that amends a time of day up to that; any other as it is: ``make it 10`` of ``make it
    10, rent runs at 9``.
    """
    return without_reason(clause) if bare_hour(clause) else clause


def says_preference(clause: Clause) -> bool:
    """Return whether a clause says that something would be better."""
    return bool(_WANTED & set(clause.words))


_CORRECTING = frozenset(
    "instead rather better no nope wait actually sorry oops hmm make say meant mean correction".split()
)


def _parts(clause: Clause, words: str, now: datetime, zone: str) -> list[Sequence[Token]]:
    """Return the parts of a clause; one that only says a time belongs to the part before it."""
    parts: list[Sequence[Token]] = []
    for first, last in _bounds(clause):
        part = clause.tokens[first:last]
        is_bare = all(not one.is_word or _is_of_time(one) for one in _without_approval(part))
        is_apart = bool(parts) and _is_unwanted(parts[-1]) and _names_day(parts[-1])
        if parts and is_bare and not is_apart and _has_time(_text(clause, part, words), now, zone):
            begin = clause.tokens.index(parts[-1][0])
            parts[-1] = clause.tokens[begin:last]
        else:
            parts.append(part)
    return parts


def _without_approval(part: Sequence[Token]) -> Sequence[Token]:
    """Return the words of a part without those that approve of the time in it: ``8 is grand``."""
    words = [token.word for token in part]
    return part[:-2] if len(part) > 2 and words[-2] in STATED and words[-1] in _APPROVING else part


_APPROVING = frozenset("grand fine good great ok okay perfect ideal plenty enough lovely best".split())


def _is_of_time(token: Token) -> bool:
    return token.text[0].isdigit() or token.word in TIME_WORDS


def _names_day(part: Sequence[Token]) -> bool:
    """Return whether a part names a weekday, in whatever form: ``tuesday's``."""
    return any(token.word.removesuffix("'s").removesuffix("s").endswith("day") for token in part)


def _bounds(clause: Clause) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < len(clause.tokens) and clause.tokens[begin].word in CORRECTIONS | _MARKS:
        begin += 1
    for place, token in enumerate(clause.tokens):
        if place < begin:
            continue
        adds = token.word == "as" and clause.words[place + 1 : place + 2] == ("well",)
        if token.text in _MARKS or (token.word in _JOINTS and not adds):
            if place > begin:
                yield begin, place
            begin = place + 1
    if begin < len(clause.tokens):
        yield begin, len(clause.tokens)


def _text(clause: Clause, part: Sequence[Token], words: str) -> str:
    return words[part[0].start - clause.start : part[-1].end - clause.start]


def _has_time(text: str, now: datetime, zone: str) -> bool:
    return any(one.kind is not Kind.PERIOD for one in read_times(text, now=now, zone=zone))


def _is_wanted(part: Sequence[Token]) -> bool:
    words = [token.word for token in part]
    line = f" {' '.join(words)} "
    is_said = bool(_WANTED & set(words)) or any(f" {phrase} " in line for phrase in _WANTED_PHRASES)
    return (is_said or _moves(words)) and not _UNWANTED & set(words)


def _moves(words: Sequence[str]) -> bool:
    """Return whether a part begins by moving something to a time: ``push the steamer to saturday``."""
    first = next((word for word in words if word not in LEADS), "")
    return first in _MOVING and bool({"to", "for", "till", "until"} & set(words))


_MOVING = frozenset("move push shift change put make bring switch reschedule postpone bump".split())


_GROUPS = frozenset("every each daily all any weekdays weekday days day".split())


def _is_wish(part: Sequence[Token]) -> bool:
    """Return whether a part says no more than a time, or asks for it: ``so sundays then``."""
    words = [token.word for token in part if token.is_word]
    commands = any("change" in classes_of(word) for word in words)
    said = [token for token in _without_approval(part) if token.is_word and token.word not in _ALONE]
    return commands or words[-1] == "then" or all(_is_of_time(token) for token in said)


_ALONE = frozenset({"only", "just", "as", "well", "too", "also", "plus"})
"""Words around a time that say no other one."""


def _only_bare(timed: Sequence[Sequence[Token]]) -> list[Sequence[Token]]:
    """Return the first part where only that is a bare time: ``wednesday. the van comes thursday``."""
    bare = [part for part in timed if all(map(_is_bare, part))]
    return bare if len(bare) == 1 and bare[0] is timed[0] else []


def _is_bare(token: Token) -> bool:
    return not token.is_word or _is_of_time(token) or token.word in _ALONE


def _is_unwanted(part: Sequence[Token]) -> bool:
    """Return whether a part says why a time won't do: it denies it, or tells what is on then."""
    said = [token.word for token in part]
    words = set(said)
    if any(word == "too" and behind in _EXCESS for word, behind in pairwise(said)):
        return True
    if words & _ADDING:
        return False
    stated = {word for word, behind in pairwise((*said, "")) if behind not in _PERIODS}
    return bool(words & (_UNWANTED | SUBJECTS) or stated & STATED) or _says_of_day(said)


_PERIODS = frozenset("month months week weeks year day quarter weekend".split())
"""What ``the`` may stand before in a time: ``3rd of the month``."""


def _says_of_day(said: Sequence[str]) -> bool:
    """Return whether a part begins with a day and says something of it: ``fridays mad``."""
    is_day = said[0].removesuffix("'s").removesuffix("s").endswith("day")
    known = TIME_WORDS | _ALONE | LEADS | _LIKELY
    return is_day and any(word[0].isalpha() and word not in known for word in said[1:])


_LIKELY = frozenset({"maybe", "perhaps", "possibly", "probably"})


_EXCESS = frozenset("much many often early late soon frequent".split())
