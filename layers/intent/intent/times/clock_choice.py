"""Decides which half of the day a time such as ``4`` or ``half six`` means, or that it has to be asked.

People name hours in the order of the day, and mean the hours in which they work: 8 to 11 is in the morning,
12 is noon, 1 to 5 is in the afternoon. Six and seven are asked, unless another word decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from intent.times.wording import clock_words
from intent.times.words.items import Clock, Window
from intent.times.words.parts_of_day import hour_in_part

_NOON = 12 * 60
_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Choice:
    """Times in minutes since midnight; ``is_open`` if they have to be asked."""

    times: tuple[int, ...] = ()
    assumed: tuple[str, ...] = ()
    is_open: bool = False


_OPEN = Choice(is_open=True)


def choose_times(clocks: Sequence[Clock], part: str, near: int | None = None) -> Choice:
    """Returns the times that clocks mean together.

    Args:
        clocks: in the order in which they were said.
        part: the part of the day that was named beside them, or an empty text.
        near: the time that is being changed; a bare hour is in its half of the day where that is close.
    """
    times: list[int] = []
    assumed: list[str] = []
    if not part and any(clock.hour > 12 and not clock.has_half and not clock.is_named for clock in clocks):
        clocks = [replace(clock, is_open=False) for clock in clocks]  # "6 and 18": on a clock of 24 hours
    if any(not _is_in_part(clock, part) for clock in clocks):
        return _OPEN
    for place, clock in enumerate(clocks):
        chosen = _chosen(clock, clocks[place + 1 :], part, times, near)
        if chosen is None:
            return _OPEN
        if clock.is_open and not part:
            assumed.append(f"{_bare(clock)} is taken as {clock_words(chosen)}")
        times.append(chosen)
    return Choice(tuple(times), tuple(dict.fromkeys(assumed)))


_HOURS_OF = {"m": (0, 12), "a": (12, 18), "e": (15, 24), "n": (0, 24), "t": (0, 24)}


def _is_in_part(clock: Clock, part: str) -> bool:
    """Whether a time may be in a part of the day: ``mornings at 5 pm`` has two meanings."""
    if not part or clock.is_open:
        return True
    first, last = _HOURS_OF[part[0]]
    return first <= clock.hour <= last or (part[0] == "e" and clock.hour == 0)


def _bare(clock: Clock) -> str:
    return f"{clock.hour}:{clock.minute:02d}" if clock.minute else str(clock.hour)


def _chosen(
    clock: Clock, later: Sequence[Clock], part: str, before: Sequence[int], near: int | None
) -> int | None:
    if not clock.is_open:
        return clock.minutes
    if part:
        return hour_in_part(clock.hour, part) * 60 + clock.minute
    early = clock.hour % 12 * 60 + clock.minute
    late = early + _NOON
    if near is not None and not before:
        return _near_or_usual(clock, early, late, near)
    halved = next((other for other in later if other.has_half), None)
    if halved is not None and early < halved.minutes % _NOON:
        return early if halved.minutes < _NOON else late
    usual = _usual(clock)
    if before and (not before or before[-1] < _DAY):
        ahead = [time for time in (early, late) if time > before[-1]]
        if len(ahead) == 1:
            return ahead[0]
        return usual if usual in ahead else None
    if usual is None and any(other.is_open and other.minutes <= clock.minutes for other in later):
        return early
    return usual


def _near_or_usual(clock: Clock, early: int, late: int, near: int) -> int | None:
    """The time close to the old one; None where that is farther away and another than people mostly mean.

    From 6:30 AM, 5:45 is a little earlier. Who was at work at night stays there: from 5 AM, so is 2:30.
    """
    closest, usual = _nearest(early, late, near), _usual(clock)
    distance = _DAY if closest is None else abs(closest - near)
    if distance < _CLOSE or (near not in _PEOPLE_ARE_UP and distance <= _CLOSE_AT_NIGHT):
        return closest
    if usual is None or closest is None or closest == usual:
        return closest if usual is None else usual
    return None if closest in _PEOPLE_ARE_UP or distance <= _CLOSE else usual


_PEOPLE_ARE_UP = range(6 * 60, 22 * 60 + 1)
_CLOSE = 120
"""Within how many minutes of the old time a bare hour is moved a little, whatever hour people mostly mean."""
_CLOSE_AT_NIGHT = 180


def _usual(clock: Clock) -> int | None:
    early = clock.hour % 12 * 60 + clock.minute
    if early >= 8 * 60 or (clock.is_digital and early >= 7 * 60):
        return early
    return early + _NOON if early < 6 * 60 else None


def _nearest(early: int, late: int, near: int) -> int | None:
    """The time in the same half of the day as the old one, if the other is much farther away."""
    by_distance = sorted((early, late), key=lambda time: abs(time - near))
    closest, other = (abs(time - near) for time in by_distance)
    return by_distance[0] if other - closest >= 120 else None


def choose_window(window: Window, part: str) -> tuple[int, int] | None:
    """Returns when a stretch of the day opens and closes; None if it has to be asked."""
    opens, closes = window.opens, window.closes
    start = _opening(opens, closes, part) if opens.is_open else opens.minutes
    if start is None:
        return None
    if not closes.is_open:
        end = closes.minutes or _DAY
        return (start, end) if end > start else None
    if part and opens.is_open:
        end = hour_in_part(closes.hour, part) * 60 + closes.minute
        if end > start:
            return start, end
    early = closes.hour % 12 * 60 + closes.minute
    end = next((time for time in (early, early + _NOON) if time > start), _DAY)
    return (start, end) if end < _DAY else None


def choose_night(window: Window, part: str) -> tuple[int, int] | None:
    """Returns a stretch over midnight, its end counted from the same midnight as its start; None for none."""
    opens, closes = window.opens, window.closes
    if opens.is_open and not part:
        return None
    start = hour_in_part(opens.hour, part) * 60 + opens.minute if opens.is_open else opens.minutes
    end = closes.hour % 12 * 60 + closes.minute if closes.is_open else closes.minutes
    return (start, end + _DAY) if start >= 17 * 60 and end <= 11 * 60 else None


def _opening(opens: Clock, closes: Clock, part: str) -> int | None:
    early = opens.hour % 12 * 60 + opens.minute
    if part:
        return hour_in_part(opens.hour, part) * 60 + opens.minute
    if closes.has_half and early < closes.minutes % _NOON:
        if closes.minutes < _NOON:
            return early
        return early + _NOON if early < 7 * 60 else None
    usual = _usual(opens)
    if usual is None or usual >= _NOON:
        shut = closes.hour % 12 * 60 + closes.minute if closes.is_open else closes.minutes
        if usual is None:
            return early if shut <= early or not closes.is_open else None
        return usual if not (not closes.is_open and closes.minutes <= usual) else early
    return usual
