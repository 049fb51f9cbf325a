"""Words that say how the pieces of a time are meant, and words that no schedule can follow."""

from __future__ import annotations

from dataclasses import replace

from intent.times.words.items import Blocker, Item, Mark, Sign
from intent.times.words.lexicon import (
    EVENTS,
    GROUPS,
    HOLIDAY_WORDS,
    PLURAL_WEEKDAYS,
    SEASONS,
    SKY_WORDS,
    UNKNOWN_TIMES,
)
from intent.times.words.tokens import Tokens, at, words_at

_EVENT = "that is an event, not a time"
_SIGNS: tuple[tuple[Sign, tuple[str, ...]], ...] = (
    (Sign.REPAIR, ("no wait", "wait no", "i mean", "i meant", "scratch that", "or rather", "no sorry",
                   "sorry i mean",
                   "no make that", "make that", "actually no", "no no", "correction")),
    (Sign.SAME, ("same time", "same days", "same day", "same thing", "same hour", "keep it", "keep the")),
    (Sign.DAY_BEFORE, ("the day before", "a day before", "one day before", "the day prior",
                       "the evening before",
                       "the night before", "the previous day")),
    (Sign.EXCEPT, ("except for", "except on", "except", "apart from", "other than", "excluding", "besides",
                   "bar",
                   "but not on", "but not", "but never", "never on", "never", "not on", "skip", "skipping",
                   "drop", "without", "leave out", "leave off", "minus", "but no", "take out", "remove",
                   "no longer on", "closed on", "closed", "take off", "knock off", "cut", "ditch", "scrap",
                   "cancel", "aside from", "save for", "not counting", "with the exception of", "exept",
                   "lose", "cut out",
                   "everything but", "any day but", "no more", "omit", "omitting", "not in")),
    (Sign.UNTIL, ("until", "till", "til", "up to and including", "through to",
                  "ending on", "ending", "ends on", "finishing", "up until", "up to")),
    (Sign.START, ("starting on", "starting from", "starting with", "starting in", "starting at", "starting",
                  "beginning on", "beginning with", "beginning in", "beginning", "first time on",
                  "first time", "first one on", "first one at", "first one", "first at", "first on",
                  "start on", "starts on", "start with", "from", "next one is", "next one on",
                  "the next one is", "effective", "as of", "as from", "commencing", "kicking off", "start",
                  "first run on", "first run", "since", "begins on",
                  "begins", "begin on", "begin", "beg")),
    (Sign.LAST_ONE, ("the last at", "last at", "the last one at", "last one at", "last run at",
                     "the last run at")),
    (Sign.BEFORE, ("before", "ahead of", "prior to")),
    (Sign.AFTER, ("after",)),
    (Sign.BY, ("no later than", "not later than", "by", "due by", "due on", "due")),
    (Sign.INSTEAD, ("instead of", "rather than", "insted of", "and not", "not")),
    (Sign.ALSO, ("as well", "too", "also", "add one", "add", "another one", "plus", "in addition")),
    (Sign.ONLY, ("only", "just", "solely", "exclusively")),
)  # fmt: skip


def sign_at(tokens: Tokens, place: int) -> Item | None:
    """Returns the sign that words give to the pieces after them."""
    word = at(tokens, place).text
    if word not in _FIRST_WORDS:
        return None
    for sign, phrases in _SIGNS:
        if end := words_at(tokens, place, *phrases):
            return Mark(place, end, sign)
    after = at(tokens, place + 1).text
    if word == "no" and (after in PLURAL_WEEKDAYS or after in GROUPS):
        return Mark(place, place + 1, Sign.EXCEPT)
    if word == "but" and at(tokens, place - 1).text in (
        "day",
        "days",
        "everyday",
        "weekday",
        "weekdays",
        "daily",
    ):
        return Mark(place, place + 1, Sign.EXCEPT)
    return None


_WHOLE = frozenset({"day", "days", "everyday", "weekday", "weekdays", "daily"})
_FIRST_WORDS = frozenset({phrase.split()[0] for _, phrases in _SIGNS for phrase in phrases} | {"but", "no"})


_BLOCKERS: tuple[tuple[tuple[str, ...], Blocker], ...] = (
    (HOLIDAY_WORDS, Blocker(0, 0, why="no schedule knows public holidays")),
    (SKY_WORDS, Blocker(0, 0, why="that moves every day, and a schedule has fixed times")),
    (UNKNOWN_TIMES, Blocker(0, 0, missing="time")),
    (
        ("day after", "days after", "week after next", "after next", "day following"),
        Blocker(0, 0, missing="day"),
    ),
    (SEASONS, Blocker(0, 0, missing="day", is_weak=True)),
    (
        ("once on", "once at", "just once", "only once", "one time only", "one off", "just the once"),
        Blocker(0, 0, missing="rate", is_weak=True),
    ),
    (EVENTS, Blocker(0, 0, why=_EVENT, is_event=True)),
    (
        ("remind me when", "ping me when", "nudge me when"),
        Blocker(0, 0, missing="time", why=_EVENT, is_event=True),
    ),
    (
        ("random", "randomly", "at random"),
        Blocker(0, 0, why="a schedule has fixed times, not random ones", is_weak=True),
    ),
    (
        ("unless", "if thats", "if its", "if it falls", "if the", "when its a"),
        Blocker(0, 0, why="a schedule can't decide from day to day", is_weak=True),
    ),
    (("me later", "later today", "later this week", "some other time"), Blocker(0, 0, missing="time")),
    (
        ("some day", "sometime", "some time", "at some point", "later on", "soon"),
        Blocker(0, 0, missing="day", is_weak=True),
    ),
)


def blocker_at(tokens: Tokens, place: int) -> Item | None:
    """Returns words that no schedule can follow: the sun, public holidays, events, unknown hours."""
    if place == 0 and words_at(tokens, place, "when"):
        return Blocker(0, 1, missing="time", why=_EVENT, is_event=True)
    for phrases, blocker in _BLOCKERS:
        if end := words_at(tokens, place, *phrases):
            names_when = blocker.missing == "day" and at(tokens, end).text in ("next", "this", "in", "on")
            return replace(blocker, first=place, end=end, is_weak=blocker.is_weak and not names_when)
    return None
