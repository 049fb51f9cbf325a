"""Holidays that the calendar fixes, and those that move."""

from __future__ import annotations

from intent.times.words.dates import Present
from intent.times.words.items import Blocker, Holiday, Item, YearDay
from intent.times.words.tokens import Tokens, words_at


def holiday_at(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns a holiday that the calendar fixes; a `Blocker` where it depends on the country or moves."""
    here = words_at(tokens, place, "every", "each", "on", "the") or place
    for names, found in _HOLIDAYS:
        if end := words_at(tokens, here, *names):
            if len(found) == 2:
                return YearDay(place, end, found[1], found[0])
            month, weekday, position, plus, is_american = found
            if is_american and not now.zone.startswith(("America/", "US/", "Pacific/Honolulu")):
                return Blocker(place, end, missing="day")
            return Holiday(place, end, month, weekday, position, plus)
    if end := words_at(tokens, here, *_MOVING):
        return Blocker(place, end, missing="day", why="that day is another one every year")
    return None


_HOLIDAYS: tuple[tuple[tuple[str, ...], tuple[int, int] | tuple[int, int, int, int, bool]], ...] = (
    (("christmas eve", "xmas eve"), (12, 24)),
    (("christmas day", "christmas", "xmas"), (12, 25)),
    (("boxing day",), (12, 26)),
    (("new years eve", "nye"), (12, 31)),
    (("new years day", "new years"), (1, 1)),
    (("halloween",), (10, 31)),
    (("valentines day", "valentines"), (2, 14)),
    (("4th of july", "fourth of july", "independence day", "4 th of july"), (7, 4)),
    (("juneteenth",), (6, 19)),
    (("veterans day",), (11, 11)),
    (("st patricks day", "saint patricks day"), (3, 17)),
    (("cinco de mayo",), (5, 5)),
    (("thanksgiving day", "thanksgiving"), (11, 4, 4, 0, True)),
    (("black friday",), (11, 4, 4, 1, False)),
    (("cyber monday",), (11, 4, 4, 4, False)),
    (("mothers day",), (5, 0, 2, 0, True)),
    (("fathers day",), (6, 0, 3, 0, False)),
    (("memorial day",), (5, 1, -1, 0, True)),
    (("labor day",), (9, 1, 1, 0, True)),
    (("mlk day", "martin luther king day"), (1, 1, 3, 0, True)),
    (("presidents day",), (2, 1, 3, 0, True)),
    (("columbus day",), (10, 1, 2, 0, True)),
)


_MOVING = (
    "easter monday", "easter sunday", "easter", "good friday", "ramadan", "diwali", "lunar new year",
    "chinese new year", "passover", "hanukkah", "eid", "mardi gras", "ash wednesday", "pentecost", "whitsun",
)  # fmt: skip
