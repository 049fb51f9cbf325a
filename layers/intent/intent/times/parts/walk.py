"""The state of a walk through the pieces of words about times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from intent.times.parts.assembly import Assembly
from intent.times.parts.single_days import next_month_day, single_weekday
from intent.times.words.dates import Present, next_year_day
from intent.times.words.items import Days, Item, MonthDays, OneDay, Rate, YearDay
from intent.times.words.tokens import Tokens, at


@dataclass(slots=True)
class Walk:
    """The pieces, how far the walk has come, and what was found on the way."""

    items: Sequence[Item]
    tokens: Tokens
    now: Present
    scanned: Sequence[Item] = ()
    """All pieces, with those that were taken back."""
    is_change: bool = False
    """Whether the words change something known."""
    place: int = 0
    """The index of the piece that comes next."""
    found: Assembly = field(default_factory=Assembly)

    def next(self, distance: int) -> Item | None:
        """The piece that comes next, if at most so many tokens stand before it."""
        if self.place >= len(self.items):
            return None
        previous_end = self.items[self.place - 1].end if self.place else 0
        item = self.items[self.place]
        return item if item.first - previous_end <= distance else None

    def take(self, *items: Item) -> None:
        """Counts pieces as used."""
        self.found.used.extend(items)

    def words(self, first: int, end: int) -> list[str]:
        """The words from a token up to, but without, another."""
        return [token.text for token in self.tokens[first:end]]

    def word(self, place: int) -> str:
        """The word at a place; empty outside the text."""
        return at(self.tokens, place).text

    def is_sub_daily(self) -> bool:
        """Whether an interval of minutes or hours is among the pieces."""
        return any(isinstance(item, Rate) and item.unit in ("minute", "hour") for item in self.items)

    def single_day(self, item: Item) -> date | None:
        """The day that a piece names as a start or an end."""
        today = self.now.today
        match item:
            case OneDay():
                return item.day
            case YearDay():
                return next_year_day(item, today)
            case Days() if len(item.days) == 1 and not item.is_each:
                return single_weekday(item, today)
            case MonthDays() if len(item.names) == 1:
                return next_month_day(item.names[0], today)
            case _:
                return None
