"""Words that say how the pieces of a time are meant, and words that no schedule can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter

from intent.times.words.items import Blocker, Item, Mark, Sign
from intent.times.words.lexicon import (
    EVENTS,
    FREQUENCIES,
    GROUPS,
    HOLIDAY_WORDS,
    MONTHS,
    NUMBERS,
    ORDINALS,
    PARTS,
    PLURAL_WEEKDAYS,
    SEASONS,
    SKY_WORDS,
    UNKNOWN_TIMES,
    WEEKDAYS,
    first_words,
)
from intent.times.words.tokens import NAME, Tokens, at, words_at

_EVENT = "that is an event, not a time"
_OTHERS = ("the other days", "other days", "all other days", "the rest", "rest", "the others", "others",
           "all the others", "everything else", "all else", "the remaining days", "the other ones",
           "other ones", "the rest of the week", "rest of the week", "all the other days")  # fmt: skip
_STAYING = (
    "stay the same", "stays the same", "stay as they are", "stays as it is", "stay", "stays", "unchanged",
    "can stay", "should stay", "as before", "as is", "as it is", "as they are", "as usual", "remain",
    "remains", "the same", "same", "keep their time", "are fine", "is fine", "dont change", "do not change",
    "as now", "as normal", "like now", "like before", "as always", "are ok", "is ok", "are good", "is good",
    "stay as is", "stay put", "stay like it is", "stay like that", "should remain", "can remain", "are right",
    "remain as they are", "like it is", "like they are", "are the same", "is the same",
)  # fmt: skip
_LEAVING = ("leave", "keep", "dont touch", "do not touch", "dont change", "do not change")
_REST_STAYS = (
    *(f"{others} {staying}" for others in _OTHERS for staying in _STAYING),
    *(f"{verb} {others}" for verb in _LEAVING for others in _OTHERS),
    *(f"otherwise {staying}" for staying in _STAYING),
)
_STOPPED = tuple(
    f"{verb} {one} {before}"
    for verb in (
        "skip",
        "stop",
        "pause",
        "suspend",
        "mute",
        "hold",
        "drop",
        "leave out",
        "turn off",
        "switch off",
        "silence",
        "halt",
    )
    for one in ("it", "that", "this", "them", "him", "her", "those", NAME)
    for before in ("on", "for", "at", "over", "during", "between")
)
_UNNEEDED = (
    "no need on", "no need for", "not needed on", "not needed for", "no need for it on", "dont need it on",
    "do not need it on", "dont need that on", "dont want it on",
)  # fmt: skip
_SIGNS: tuple[tuple[Sign, tuple[str, ...]], ...] = (
    (Sign.REPAIR, ("no wait", "wait no", "i mean", "i meant", "scratch that", "or rather", "no sorry",
                   "sorry i mean", "no i mean", "sorry no", "no actually", "no hang on", "no hold on",
                   "no make that", "make that", "actually no", "no no", "correction", "was too early",
                   "was too late", "was too much", "was too often", "is too early", "is too late",
                   "is too much", "is too often")),
    (Sign.REST_STAYS, _REST_STAYS),
    (Sign.SAME, ("same time", "same days", "same day", "same thing", "same hour", "keep it", "keep the")),
    (Sign.DAY_BEFORE, ("the day before", "a day before", "one day before", "the day prior",
                       "the previous day", "day before", "the evening before", "the night before",
                       "the morning before", "the afternoon before")),
    (Sign.ONCE, ("just the once", "just once", "only once", "once only", "one time only", "one time",
                 "one off", "a single time", "a single run", "single run", "one shot", "once on", "once at",
                 "a one off", "just one time", "only one time")),
    (Sign.EXCEPT, (*_STOPPED, "except for", "except on", "except", "apart from", "other than", "excluding",
                   "besides", "bar",
                   "but not on", "but not", "but never", "never on", "never", "not on", "skip", "skipping",
                   "drop", "without", "leave out", "leave off", "minus", "but no", "take out", "remove",
                   "no longer on", "closed on", "closed", "take off", "knock off", "cut", "ditch", "scrap",
                   "cancel", "aside from", "save for", "not counting", "with the exception of", "exept",
                   "lose", "cut out",
                   "everything but", "any day but", "no more", "omit", "omitting", "not in", "stop on",
                   "pause on", "not run on", "no run on", "off on", "no runs on", *_UNNEEDED)),
    (Sign.UNTIL, ("stop after", "stops after", "ends after", "end after", "finish after", "finishes after",
                  "until", "till", "til", "up to and including", "through to",
                  "ending on", "ending", "ends on", "finishing", "up until", "up to", "through", "thru")),
    (Sign.START, ("starting on", "starting from", "starting with", "starting in", "starting at", "starting",
                  "beginning on", "beginning with", "beginning in", "beginning", "first time on",
                  "first time", "first one on", "first one at", "first one", "first at", "first on",
                  "start on", "starts on", "start with", "from", "next one is", "next is", "next one on",
                  "the next is",
                  "the next one is", "effective", "as of", "as from", "commencing", "kicking off", "start",
                  "first run on", "first run", "the first being", "first being", "the first one being",
                  "the first one on", "the first on", "the first time on", "since", "begins on",
                  "begins", "begin on", "begin", "beg", "not earlier than", "no earlier than",
                  "not sooner than",
                  "no sooner than")),
    (Sign.LAST_ONE, ("the last at", "last at", "the last one at", "last one at", "last run at",
                     "the last run at")),
    (Sign.BEFORE, ("before", "ahead of", "prior to")),
    (Sign.AFTER, ("after",)),
    (Sign.BY, ("no later than", "not later than", "by", "due by", "due on", "due")),
    (Sign.INSTEAD, ("instead of", "rather than", "insted of", "in place of", "in lieu of", "and not", "not")),
    (Sign.ALSO, ("as well", "too", "also", "add one", "included", "add", "another one", "plus",
                 "in addition")),
    (Sign.ONLY, ("on no other days", "no other days", "on no other day", "no other day", "lose the rest",
                 "drop the rest", "skip the rest", "not the rest", "cancel the rest",
                 "only", "just", "solely", "exclusively")),
)  # fmt: skip


def sign_at(tokens: Tokens, place: int) -> Item | None:
    """Returns the sign that words give to the pieces after them."""
    word = at(tokens, place).text
    if word not in _FIRST_WORDS:
        return None
    if found := _pause_until(tokens, place) or _once(tokens, place) or _prohibition(tokens, place):
        return found
    ends = ((words_at(tokens, place, *phrases), sign) for sign, phrases in _signs_of(word))
    if longest := max(ends, key=itemgetter(0), default=None):
        end, sign = longest
        if end:
            return Mark(place, end, sign)
    if word == "first" and _is_date(tokens, place + 1):
        return Mark(place, place + 1, Sign.START)
    if place and word in _HESITATIONS and _is_followed_by_time(tokens, words_at(tokens, place, *_REPAIRS)):
        return Mark(place, words_at(tokens, place, *_REPAIRS), Sign.REPAIR)
    after = at(tokens, place + 1).text
    if word == "no" and _is_exception(after):
        return Mark(place, place + 1, Sign.EXCEPT)
    if word == "save" and place and _is_exception(after):
        return Mark(place, place + 1, Sign.EXCEPT)
    return Mark(place, place + 1, Sign.EXCEPT) if word == "but" and _is_all_but(tokens, place) else None


@cache
def _signs_of(word: str) -> Sequence[tuple[Sign, tuple[str, ...]]]:
    """The signs that begin with a word, each with its phrases, the longest first."""
    found = ((sign, [each for each in phrases if each.split()[0] == word]) for sign, phrases in _SIGNS)
    return [(sign, tuple(sorted(own, key=len, reverse=True))) for sign, own in found if own]


def says_rest_stays(words: Sequence[str]) -> bool:
    """Whether words say that the other days of a schedule stay as they are."""
    line = f" {' '.join(word.replace(_APOSTROPHE, '') for word in words)} "
    return any(f" {phrase} " in line for phrase in _REST_STAYS)


_APOSTROPHE = "'"


def _is_date(tokens: Tokens, place: int) -> bool:
    """Whether ``16 march`` or ``march 16`` stands at a place."""
    one, two = at(tokens, place), at(tokens, place + 1)
    return (one.is_number and two.text in MONTHS) or (one.text in MONTHS and two.is_number)


def _is_all_but(tokens: Tokens, place: int) -> bool:
    """Whether ``but`` leaves out a day: ``every day but Sunday``, ``every evening but Sunday``."""
    before = {token.text for token in tokens[max(0, place - 4) : place]}
    return at(tokens, place - 1).text in _WHOLE or (bool(_WHOLE & before) and _is_day(tokens, place + 1))


_WHOLE = frozenset(
    {"day", "days", "everyday", "weekday", "weekdays", "daily", "morning", "evening", "night", "afternoon",
     "mornings", "evenings", "nights", "afternoons"}
)  # fmt: skip
_REPAIRS = ("hang on", "hold on", "actually", "sorry", "wait", "oops", "make it", "no")
_HESITATIONS = frozenset({"hang", "hold", "actually", "sorry", "wait", "oops", "make", "no"})
_PAUSES = frozenset(
    {
        "hold",
        "pause",
        "suspend",
        "nothing",
        "not",
        "dont",
        "stop",
        "wait",
        "mute",
        "freeze",
        "paused",
        "never",
    }
)
_PROHIBITIONS = (
    "dont",
    "do not",
    "doesnt",
    "does not",
    "shouldnt",
    "should not",
    "must not",
    "mustnt",
    "never",
    "stop sending",
    "stop running",
    "stop mailing",
    "stop posting",
    "stop emailing",
    "stop delivering",
    "stop doing",
    "stop checking",
    "stop it coming",
    "stop it running",
    "stop it going",
)
_HARMLESS = frozenset(
    {"forget", "worry", "mind", "wait", "hesitate", "want", "care", "know", "think", "need", "let", "miss",
     "be", "have", "fail", "stop", "see", "use"}
)  # fmt: skip
_FAR = 6
_FIRST_WORDS = first_words(
    _PROHIBITIONS,
    _HESITATIONS,
    _PAUSES,
    ("but", "no", "once", "first", "save"),
    *(phrases for _, phrases in _SIGNS),
)
_TIME_WORDS = frozenset(
    {*WEEKDAYS, *MONTHS, *PARTS, *GROUPS, *FREQUENCIES, *NUMBERS, *ORDINALS, "noon", "midday", "midnight",
     "half", "quarter", "tomorrow", "today", "every", "each"}
)  # fmt: skip


def _is_followed_by_time(tokens: Tokens, end: int) -> bool:
    """Whether a word of time is among the next three tokens, and nothing else but ``at``, ``on``, ``the``."""
    for here in range(end, end + 4) if end else ():
        token = at(tokens, here)
        if token.is_number or token.text in _TIME_WORDS:
            return not (here == end and at(tokens, end - 1).text == "no" and _is_exception(token.text))
        if token.text not in (
            "at",
            "on",
            "the",
            ",",
            "make",
            "it",
            "that",
            "to",
            "in",
            ".",
            "-",
            "i",
            "mean",
        ):
            return False
    return False


def _is_day(tokens: Tokens, place: int) -> bool:
    """Whether a day without a time of its own stands at a place, maybe after ``the`` or ``on``."""
    here = words_at(tokens, place, "on", "the", "on the", "every") or place
    after = at(tokens, here + 1)
    has_time = after.is_number or after.text in ("at", "@")
    return (at(tokens, here).text in WEEKDAYS or at(tokens, here).text in GROUPS) and not has_time


def _is_exception(word: str) -> bool:
    """``no Mondays`` leaves them out."""
    return word in PLURAL_WEEKDAYS or word in GROUPS


def _pause_until(tokens: Tokens, place: int) -> Mark | None:
    """Returns the start in ``pause it until 4 May``; ``do not stop until`` is an end."""
    if at(tokens, place).text not in _PAUSES:
        return None
    for here in range(place + 1, place + _FAR):
        word = at(tokens, here).text
        if word in ("until", "till", "til") or (word == "before" and here <= place + 2):
            return Mark(place, here + 1, Sign.START)
        if not at(tokens, here).is_word or word in _PAUSES:
            return None
    return None


def _once(tokens: Tokens, place: int) -> Mark | None:
    """Returns ``once`` where no period follows it: ``once, on 24 December``."""
    if at(tokens, place).text != "once":
        return None
    follower = at(tokens, place + 1)
    is_single = not follower.is_word or follower.text in ("tomorrow", "today", "tonight", "this", "next")
    return Mark(place, place + 1, Sign.ONCE) if is_single else None


def _prohibition(tokens: Tokens, place: int) -> Mark | None:
    """Returns ``don't`` before what isn't to be done: ``don't run it on Fridays``."""
    end = words_at(tokens, place, *_PROHIBITIONS)
    if not end or is_harmless(tokens, place) or words_at(tokens, place, "never on"):
        return None
    return Mark(place, end, Sign.NEVER)


def is_harmless(tokens: Tokens, place: int) -> bool:
    """Whether a prohibition at a place forbids no time: ``don't let me forget``."""
    end = words_at(tokens, place, *_PROHIBITIONS)
    return bool(end) and at(tokens, end).text in _HARMLESS


_CONDITIONS = (
    "unless", "not when", "not if", "except when", "except if", "but not when", "but not if", "if thats",
    "if its", "if it falls", "if the", "if it", "if i", "if im", "if we", "if there",
    "if theres", "when its a", "as long as", "provided", "assuming", "only if", "only when",
)  # fmt: skip
_BLOCKERS: tuple[tuple[tuple[str, ...], Blocker], ...] = (
    (HOLIDAY_WORDS, Blocker(0, 0, why="no schedule knows public holidays")),
    (SKY_WORDS, Blocker(0, 0, why="that moves every day, and a schedule has fixed times")),
    (UNKNOWN_TIMES, Blocker(0, 0, missing="time")),
    (
        ("day after", "days after", "week after next", "after next", "day following"),
        Blocker(0, 0, missing="day"),
    ),
    (SEASONS, Blocker(0, 0, missing="day", is_weak=True)),
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
        _CONDITIONS,
        Blocker(0, 0, why="a schedule can't decide from day to day", is_weak=True, is_condition=True),
    ),
    (("now and then", "every so often", "from time to time"), Blocker(0, 0, missing="rate")),
    (
        ("regularly", "frequently", "periodically", "constantly", "as often as", "on and off"),
        Blocker(0, 0, missing="rate", is_weak=True),
    ),
    (("early next", "mid next", "late next", "middle of next"), Blocker(0, 0, missing="day")),
    (
        (
            "in a bit",
            "in a while",
            "in a few",
            "in a moment",
            "in a sec",
            "in some time",
            "one of these days",
            "eventually",
            "asap",
            "as soon as possible",
            "at your convenience",
            "when possible",
            "right away",
            "after lunch",
            "after work",
            "after dinner",
            "after breakfast",
            "after school",
        ),
        Blocker(0, 0, missing="time", is_weak=True),
    ),
    (("me later", "later today", "later this week", "some other time"), Blocker(0, 0, missing="time")),
    (
        ("some day", "sometime", "some time", "at some point", "later on", "soon"),
        Blocker(0, 0, missing="day", is_weak=True),
    ),
)


def _part_of_month(tokens: Tokens, place: int) -> int:
    """Returns the place after ``early May``; 0 for none."""
    end = words_at(tokens, place, "early", "late", "early in", "late in")
    end += bool(end) and at(tokens, end).text == "-"
    return end + 1 if end and at(tokens, end).text in MONTHS else 0


_BLOCKER_STARTS = first_words(*(phrases for phrases, _ in _BLOCKERS))
STARTS = _FIRST_WORDS | _BLOCKER_STARTS | {"early", "late", "when"}


def blocker_at(tokens: Tokens, place: int) -> Item | None:
    """Returns words that no schedule can follow: the sun, public holidays, events, unknown hours."""
    if place == 0 and words_at(tokens, place, "when"):
        return Blocker(0, 1, missing="time", why=_EVENT, is_event=True)
    if end := _part_of_month(tokens, place):
        return Blocker(place, end, missing="day")
    if at(tokens, place).text not in _BLOCKER_STARTS:
        return None
    if words_at(tokens, place, "if i may"):
        return None  # politeness, no condition
    if at(tokens, place - 1).text == "as" and words_at(tokens, place, "frequently", "regularly"):
        return None  # "twice as frequently"
    for phrases, blocker in _BLOCKERS:
        if end := words_at(tokens, place, *phrases):
            names_when = blocker.missing == "day" and at(tokens, end).text in ("next", "this", "in", "on")
            return replace(blocker, first=place, end=end, is_weak=blocker.is_weak and not names_when)
    return None
