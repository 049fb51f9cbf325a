"""Finds the pieces of words about times in a text, from left to right, the longest reading first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from intent.times.words import (
    clocks,
    dates,
    days,
    lexicon,
    minutes_of_hour,
    month_days,
    nouns,
    parts_of_day,
    period_days,
    rates,
    reckoned_days,
    signs,
    zones,
)
from intent.times.words.clocks import clock_at
from intent.times.words.dates import Present
from intent.times.words.items import (
    Blocker,
    Clock,
    Item,
    Length,
    Mark,
    Noun,
    Past,
    Sign,
    Window,
    YearDay,
    ZoneName,
)
from intent.times.words.lexicon import MONTHS, OFFICE_HOURS, ORDINAL_ENDINGS, UNITS, first_words
from intent.times.words.tokens import Token, Tokens, at, words_at

Rule: TypeAlias = Callable[[Tokens, int, Present], Item | None]

_TO = ("to", "till", "til", "until", "-", "\u2013", "through", "thru", "and")
_TIME_NOUNS = frozenset(
    {"train", "flight", "bus", "news", "show", "standup", "huddle", "call", "meeting", "preshift", "sync",
    "slot", "shift", "start", "bell", "class", "rush", "deadline", "cutoff", "appointment", "bulletin",
    "kickoff", "club"}
)  # fmt: skip
_CLOSE_WORDS = frozenset(
    {
        "and",
        "&",
        ",",
        "n",
        "or",
        "both",
        "on",
        "at",
        "the",
        "@",
        "plus",
        "-",
        "/",
        "+",
        ";",
        ":",
        "a",
        "again",
        "then",
        "around",
        "about",
        "roughly",
        "approximately",
    }
)


def scan(tokens: Tokens, now: Present, *, is_answer: bool) -> tuple[Item, ...]:
    """Returns the pieces in order. In an answer to "when?" mere numbers count as times of day."""
    found = list(_pieces(tokens, now))
    return tuple(_supported(tokens, found, is_answer=is_answer))


def _pieces(tokens: Tokens, now: Present) -> Iterator[Item]:
    place, last = 0, None
    while place < len(tokens):
        zone = _zone_at(tokens, place, last) if _may_begin(tokens[place], zones.starts()) else None
        item = zone or _longest(tokens, place, now)
        if item is None:
            place += 1
            continue
        yield item
        last, place = item, max(item.end, place + 1)


def _may_begin(token: Token, starts: frozenset[str]) -> bool:
    """Whether a token may be the first of a piece: every figure may, and the known words and marks."""
    return token.is_number or token.text in starts


@cache
def _rules_by_word() -> Mapping[str, Sequence[Rule]]:
    """The rules whose pieces may begin with a word or mark, in their order."""
    found: dict[str, list[Rule]] = {}
    for starts, read in RULES:
        for word in starts:
            found.setdefault(word, []).append(read)
    return found


def _longest(tokens: Tokens, place: int, now: Present) -> Item | None:
    """Returns the piece that takes up the most words; of equally long ones the first rule's."""
    token = tokens[place]
    rules = [read for _, read in RULES] if token.is_number else _rules_by_word().get(token.text, ())
    best: Item | None = None
    for read in rules:
        item = read(tokens, place, now)
        if item is not None and (best is None or item.end > best.end):
            best = item
    return best


def _plain_clock_at(tokens: Tokens, place: int) -> Clock | None:
    clock = clock_at(tokens, place)
    if clock is None:
        return None
    before, after = at(tokens, clock.first - 1).text, at(tokens, clock.end)
    describes = (
        before in ("the", "my", "our", "a", "their", "that", "this")
        and (
            after.is_word and (after.text in _TIME_NOUNS or not clock.is_weak) and after.text not in _NO_NOUNS
        )
        and not clock.is_named
    )
    is_mine = before in ("my", "our") and not clock.is_weak and not after.is_word
    return replace(clock, is_noun=True) if describes or is_mine or before == "my" else clock


_NO_NOUNS = frozenset(
    {
        "and",
        "on",
        "every",
        "each",
        "in",
        "at",
        "to",
        "for",
        "please",
        "pls",
        "with",
        "w",
        "is",
        "or",
        "instead",
        "too",
    }
)


def _window_at(tokens: Tokens, place: int) -> Window | None:
    """Returns ``between 8 and 18``, ``from 9 to 5``, ``5 to 9pm``, ``during office hours``."""
    if end := words_at(tokens, place, *OFFICE_HOURS):
        opens, closes = Clock(place, end, 9, 0), Clock(place, end, 17, 0)
        said = _window_at(tokens, end + (at(tokens, end).text in (",", "(", ":")))
        if said is not None:
            return replace(said, first=place)
        return Window(place, end, opens, closes, is_assumed=True)
    lead = words_at(tokens, place, "between", "from") or place
    opens_at = clock_at(tokens, lead)
    if opens_at is None:
        return None
    here = opens_at.end
    word = at(tokens, here).text
    if word not in _TO or (word == "and" and at(tokens, place).text != "between"):
        return None
    closes_at = clock_at(tokens, here + 1)
    if closes_at is None or (lead == place and word in ("until", "till", "til") and not opens_at.is_weak):
        return None
    after = at(tokens, closes_at.end).text
    if closes_at.is_weak and (after in UNITS or after in MONTHS or after in ORDINAL_ENDINGS):
        return None
    return Window(place, closes_at.end, opens_at, closes_at)


def _zone_at(tokens: Tokens, place: int, last: Item | None) -> ZoneName | None:
    """Returns a zone: an abbreviation after a time of day, ``Tokyo time``, ``their time``, ``in Berlin``."""
    is_after_clock = isinstance(last, Clock | Window) and last.end == place
    if end := words_at(tokens, place, "my time", "our time", "local time", "my local time", "here time"):
        return ZoneName(place, end, "")
    if end := words_at(tokens, place, "their time", "his time", "her time", "your time"):
        return ZoneName(place, end, "?")
    if is_after_clock and at(tokens, place).text == "z" and at(tokens, place).is_glued:
        return ZoneName(place, place + 1, "UTC")
    named = zones.zone_name_at(tokens, place)
    is_alone = at(tokens, place).text in zones.UNMISTAKABLE
    if named and (is_after_clock or is_alone or at(tokens, named[1] - 1).text in ("time", "tz")):
        return ZoneName(place, named[1], named[0])
    if is_after_clock and at(tokens, place).text in zones.AMBIGUOUS:
        return ZoneName(place, place + 1, "?", meanings=zones.AMBIGUOUS[at(tokens, place).text])
    here = words_at(tokens, place, "in", "for") if is_after_clock else 0
    if here and (found := zones.place_at(tokens, here)):
        return ZoneName(place, words_at(tokens, found[1], "time") or found[1], found[0])
    if is_after_clock and (found := zones.place_at(tokens, place)) and len(at(tokens, found[1] - 1).text) > 3:
        return ZoneName(place, found[1], found[0] if _ends_time(tokens, found[1]) else "?")
    found = zones.place_at(tokens, place) if _names_time(tokens, place) else None
    end = words_at(tokens, found[1], "time", "local time", "tz") if found else 0
    return ZoneName(place, end, found[0]) if found and end else None


def _ends_time(tokens: Tokens, end: int) -> bool:
    """Whether no word follows to which a place belongs: ``9 am London``, not ``London office``."""
    after = at(tokens, end)
    return not after.is_word or after.text in _AFTER_PLACES


_AFTER_PLACES = frozenset(
    {"and", "every", "each", "on", "today", "tomorrow", "tonight", "next", "this", "please", "pls", "to",
     "for", "so", "from", "until", "till", "but", "in", "when", "starting", "instead", "not", *lexicon.GROUPS,
     *lexicon.WEEKDAYS, *lexicon.FREQUENCIES, *lexicon.MONTHS}
)  # fmt: skip


def _names_time(tokens: Tokens, place: int) -> bool:
    return any(
        at(tokens, place + step).text in ("time", "tz", "local") for step in range(1, zones.MAX_WORDS + 1)
    )


def _supported(tokens: Tokens, items: Sequence[Item], *, is_answer: bool) -> Iterator[Item]:
    """Leaves out mere numbers that stand by no other word of time, and weekly adjectives beside schedules."""
    strong = [item for item in items if not _is_weak(item)]
    has_time = any(not isinstance(item, Mark | Past | Length | Blocker | Noun | ZoneName) for item in strong)
    kept: list[Item] = []
    for item in items:
        if isinstance(item, ZoneName) and not (is_answer or has_time):
            continue
        if _is_weak(item) and not _is_backed(
            tokens, item, kept, items, is_answer=is_answer, has_time=has_time
        ):
            continue
        kept.append(item)
    yield from kept


def _is_weak(item: Item) -> bool:
    if isinstance(item, Window):
        return item.opens.is_weak and item.closes.is_weak and not item.is_assumed
    return isinstance(item, Clock) and item.is_weak


def _is_backed(
    tokens: Tokens,
    item: Item,
    kept: Sequence[Item],
    items: Sequence[Item],
    *,
    is_answer: bool,
    has_time: bool,
) -> bool:
    after = at(tokens, item.end)
    before = at(tokens, item.first - 1)
    if _counts_something(tokens, item.end, after.text, has_at=before.text in ("at", "@")):
        return False
    if before.text in ("at", "@") or (
        isinstance(item, Window) and at(tokens, item.first).text in ("from", "between")
    ):
        return True
    following = next((other for other in items if other.first >= item.end), None)
    is_range = after.text in ("-", "\u2013", "to", "and", "&") and isinstance(following, YearDay)
    if is_range and following is not None and following.first == item.end + 1:
        return False  # "5-9 March"
    if isinstance(following, Clock | Window) and before.is_word and before.text not in _LEADS_OF_NUMBERS:
        between = [token.text for token in tokens[item.end : following.first]]
        if between and set(between) <= {"at", "@", "by", "around"}:  # "ward 5 at 05:50"
            return False
    if kept and _is_close(tokens, kept[-1], item) and _can_back(kept[-1]):
        return True
    if following is not None and _is_close(tokens, item, following) and _can_back(following):
        return True
    if is_answer and _is_changed_to(tokens, item.first):
        return True
    return is_answer and (has_time or _is_alone(tokens, item)) and before.text in _LEADS_IN_ANSWERS


_CHANGES = frozenset("change move switch shift set push bring put bump reschedule".split())
_CHANGED = frozenset("it that this them time start back forward".split())


def _is_changed_to(tokens: Tokens, place: int) -> bool:
    """Whether a number is what a time is changed to: ``move it to six, I am up early``."""
    *before, what, to = ["", "", *(token.text for token in tokens[max(0, place - 5) : place])]
    return to == "to" and what in _CHANGED and bool(_CHANGES & set(before))


_LEADS_OF_NUMBERS = frozenset(
    {"at", "and", "or", "then", "to", "from", "until", "till", "by", "around", "about"}
)
_LEADS_IN_ANSWERS = frozenset(
    {"to", "by", "around", "about", "it", "is", "say", "until", "", ",", "make", "no", "then", "for", "only"}
)


def _is_alone(tokens: Tokens, item: Item) -> bool:
    return item.end - item.first + 6 >= len(tokens)


def _can_back(item: Item) -> bool:
    if isinstance(item, Mark):
        return item.sign in (
            Sign.START,
            Sign.UNTIL,
            Sign.BY,
            Sign.BEFORE,
            Sign.AFTER,
            Sign.REPAIR,
            Sign.LAST_ONE,
            Sign.ALSO,
            Sign.INSTEAD,
            Sign.SAME,
            Sign.EXCEPT,
        )
    if isinstance(item, Length):
        return item.use in ("before", "after")
    return not isinstance(item, Past | Blocker | Noun)


def _is_close(tokens: Tokens, before: Item, after: Item) -> bool:
    return all(token.text in _CLOSE_WORDS for token in tokens[before.end : after.first])


def _counts_something(tokens: Tokens, end: int, word: str, *, has_at: bool) -> bool:
    """Whether a number counts what follows it: ``4 stores``, ``5%``."""
    if word in ("%", "percent", "x", "$", "°") or (word in UNITS and word != "h"):
        return True
    if word in (":", ".", "/") and at(tokens, end).is_glued and at(tokens, end + 1).is_number:
        return True
    is_plural = word.endswith("s") and len(word) > 3 and word not in _NOT_PLURAL
    return is_plural and (
        not has_at or word in ("stores", "sites", "locations", "places", "shops", "offices")
    )


_NOT_PLURAL = frozenset(
    {"please", "pls", "always", "thanks", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays",
    "saturdays", "sundays", "weekdays", "weekends", "weds", "tues", "thurs", "wknds", "workdays", "this",
    "across", "plus", "unless", "hours", "mornings", "evenings", "nights", "afternoons", "does", "was",
    "goes", "yes", "its", "thats", "less"}
)  # fmt: skip


def _undated(read: Callable[[Tokens, int], Item | None]) -> Rule:
    """Returns the rule of a reader that needs no present."""
    return lambda tokens, place, _now: read(tokens, place)


RULES: tuple[tuple[frozenset[str], Rule], ...] = (
    (nouns.STARTS, _undated(nouns.noun_at)),
    (nouns.STARTS, _undated(nouns.past_at)),
    (signs.STARTS, _undated(signs.blocker_at)),
    (rates.STARTS, _undated(rates.rate_at)),
    (days.STARTS, _undated(days.placed_days_at)),
    (dates.STARTS, dates.year_day_at),
    (period_days.STARTS, period_days.period_day_at),
    (dates.STARTS, dates.holiday_at),
    (reckoned_days.STARTS, reckoned_days.one_day_at),
    (month_days.STARTS, _undated(month_days.month_days_at)),
    (days.STARTS, _undated(days.days_at)),
    (clocks.STARTS | first_words(OFFICE_HOURS, ("between", "from")), _undated(_window_at)),
    (clocks.STARTS, _undated(minutes_of_hour.several_minutes_at)),
    (clocks.STARTS, _undated(minutes_of_hour.minute_of_hour_at)),
    (clocks.STARTS, _undated(_plain_clock_at)),
    (rates.STARTS, _undated(rates.length_at)),
    (dates.STARTS, _undated(dates.months_at)),
    (parts_of_day.STARTS, _undated(parts_of_day.part_at)),
    (signs.STARTS, _undated(signs.sign_at)),
)
"""What finds pieces, each with the words with which its pieces begin: other words aren't tried."""
