"""Words of time that say nothing about when: past periods, names, greetings, numbers of things."""

from __future__ import annotations

from intent.times.words.clocks import number_at
from intent.times.words.items import Item, Noun, Past
from intent.times.words.lexicon import (
    COUNTS,
    FREQUENCIES,
    GROUPS,
    HOLIDAY_WORDS,
    MONTHS,
    PARTS,
    UNITS,
    WEEKDAYS,
    first_words,
)
from intent.times.words.tokens import Token, Tokens, at, words_at

_DIVISIBLE = ("day", "quarter", "week", "month", "weekend")
_PAST_UNITS = ("week", "month", "quarter", "year", "night", "weekend", "weeks", "months", "years", "quarters")


def noun_at(tokens: Tokens, place: int) -> Item | None:
    """Returns words of time that only name, greet or count something."""
    end = (
        _greeting(tokens, place)
        or _described_thing(tokens, place)
        or _numbered_thing(tokens, place)
        or _counted_things(tokens, place)
        or _compared_length(tokens, place)
        or _row_of_figures(tokens, place)
        or _passed_night(tokens, place)
        or _waved_through(tokens, place)
        or _reason_of_day(tokens, place)
    )
    return Noun(place, end) if end else None


_HAPPENED = frozenset(
    {"broke", "came", "in", "went", "fell", "rose", "up", "down", "sent", "ran", "grew", "new", "built",
    "hit",
     "got", "sold", "wrong", "the"}
)  # fmt: skip


def _passed_night(tokens: Tokens, place: int) -> int:
    """``what broke overnight``, ``overnight sales``: when it happened, not when it is told."""
    before = at(tokens, place - 1)
    if at(tokens, place).text != "overnight":
        return 0
    is_told = before.text in _HAPPENED or (before.text.endswith("ed") and len(before.text) > 4)
    return place + 1 if is_told or _is_thing(tokens, place + 1) else 0


_ALLOWED = frozenset(
    {"fine", "ok", "okay", "anyway", "anyways", "regardless", "matter", "problem", "whatever"}
)
_FAR = 10


def _waved_through(tokens: Tokens, place: int) -> int:
    """``even if it is a weekend``, ``if it falls on a Sunday also fine``: it changes nothing."""
    is_even = bool(words_at(tokens, place, "even if", "even when", "even though"))
    if not is_even and not words_at(
        tokens, place, "if its", "if it", "if that", "if thats", "when it", "when its"
    ):
        return 0
    for here in range(place + 1, place + _FAR):
        token = at(tokens, here)
        if token.text in _ALLOWED and at(tokens, here - 1).text not in ("not", "isnt"):
            return here + 1
        if not token.text or token.text in (".", ";", "!", "?", "then", "but") or token.is_number:
            return here if is_even and not token.is_number else 0
        if token.text == ",":
            if is_even:
                return here
            if at(tokens, here + 1).text not in (
                "that",
                "thats",
                "its",
                "also",
                "then",
                "it",
                "no",
                *_ALLOWED,
            ):
                return 0
    return 0


_TELLING = ("it is", "its", "that is", "thats", "which is", "being", "monday is", "that day is", "there is")
_CONDITIONS = frozenset(
    {"unless", "if", "when", "whenever", "except", "while", "until", "should", "not", "only"}
)


def _reason_of_day(tokens: Tokens, place: int) -> int:
    """``15 August, it is Independence Day``: what day a named one is, told as a reason."""
    here = words_at(tokens, place, *_TELLING) or (
        words_at(tokens, place + 1, "is", "being", "was") if at(tokens, place).text in WEEKDAYS else 0
    )
    if not here or {token.text for token in tokens[max(0, place - 2) : place]} & _CONDITIONS:
        return 0
    here = words_at(tokens, here, "a", "an", "the", "our") or here
    end = words_at(tokens, here, *HOLIDAY_WORDS, *_FESTIVE, "holiday", "day off")
    return end if end and not {"so", "same"} & {at(tokens, place - 1).text} else 0


_FESTIVE = (
    "independence day", "christmas", "christmas day", "christmas eve", "easter", "easter monday",
    "good friday",
    "new years day", "new years eve", "thanksgiving", "labor day", "labour day", "memorial day",
    "republic day",
    "boxing day", "halloween", "diwali", "eid", "may day", "mothers day", "fathers day", "carnival",
)  # fmt: skip

_GREETED = frozenset(
    {"all", "everyone", "everybody", "team", "folks", "there", "guys", "friends", "both", "to"}
)
_AFTER_TIME = frozenset(
    {"at", "around", "about", "say", "every", "each", "on", "by", "ish", "and", "or", "before", "after",
     "only", "please", "pls", "is", "would", "works", "then", "from", "until", "preferably", "if", "not"}
)  # fmt: skip


def _greeting(tokens: Tokens, place: int) -> int:
    """``Good morning``, ``Morning all,``, ``Evening! ...`` at the beginning."""
    word = at(tokens, place).text
    if word in ("good", "gd") and at(tokens, place + 1).text in PARTS:
        return place + 2
    if place or word not in ("morning", "afternoon", "evening"):
        return 0
    after, following = at(tokens, 1), at(tokens, 2)
    if after.text in _GREETED:
        return 2
    starts = following.is_word and following.text not in _AFTER_TIME | {*WEEKDAYS, *GROUPS, *FREQUENCIES}
    return 1 if after.text in (",", "!", ".", "-") and starts else 0


_DETERMINERS = frozenset({"the", "my", "our", "his", "her", "their", "your"})
_NO_THINGS = frozenset(
    {"at", "and", "or", "in", "on", "of", "to", "instead", "rather", "please", "pls", "is", "as", "too",
     "only", "for", "by", "before", "after", "from", "until", "till", "not", "but", "one", "ones", "same",
     "week", "fortnight", "then", "would", "if", "every", "each", "with", "into", "that", "this", "will",
     "does", "was", "works", "when", "because", "so", "also", "off", "out", "just", "except", "between",
     "do", "half", "quarter", "noon", "midday", "midnight", "around", "about", "next", "following",
     "afterwards", "latest", "through", "thru", "again", "i", "we", "you", "he", "she", "they", "it", "us",
     "me", "send", "remind", "post", "run", "unless", "eod", "cob", "first", "last", "stays", "stay", "th",
     "st", "nd", "rd", "thing", "things", "though"}
)  # fmt: skip


def _described_thing(tokens: Tokens, place: int) -> int:
    """``the Monday report``, ``the Sunday Times``, ``friday-report``."""
    if (end := words_at(tokens, place, *_ENDS)) and _is_thing(tokens, end):
        return end
    here = place + (at(tokens, place).text in _DETERMINERS)
    word = at(tokens, here)
    if word.text in PARTS and here > place and at(tokens, here + 1).text in _OF_A_PART:
        return here + 2
    if word.text not in WEEKDAYS or word.is_possessive:
        return 0
    mark, after = at(tokens, here + 1), at(tokens, here + 2)
    if mark.text == "being":
        return here + 1
    if mark.text == "-" and mark.is_glued and after.is_word and after.is_glued:
        return 0 if after.text in {*WEEKDAYS, *PARTS, *GROUPS, "to"} else here + 3
    end = here + 1 + (at(tokens, here + 1).text in ("morning", "afternoon", "evening", "night"))
    return end if here > place and _is_thing(tokens, end) and word.text not in _SHORT else 0


_OF_A_PART = frozenset(
    {"shift", "sister", "nurse", "team", "crew", "staff", "porter", "manager", "meeting", "news", "report",
     "standup", "handover", "round", "rounds", "class", "run", "train", "bus", "flight", "service", "show",
     "edition", "briefing", "call", "session", "post", "batch", "job", "sync", "audit"}
)  # fmt: skip


def _is_thing(tokens: Tokens, place: int) -> bool:
    """Whether a word may be the thing that the words of time before it describe."""
    word = at(tokens, place)
    return word.is_word and word.text not in _NO_THINGS and word.text not in _TIME_WORDS


_ENDS = ("month end", "monthend", "quarter end", "year end")


_TIME_WORDS = frozenset({*WEEKDAYS, *PARTS, *MONTHS, *FREQUENCIES})
_SHORT = frozenset({"sun", "sat", "wed"})
_NUMBERED = frozenset(
    {"version", "versions", "release", "room", "rooms", "page", "pages", "section", "chapter", "chapters",
     "invoice", "ticket", "issue", "pr", "table", "line", "lines", "step", "steps", "gate", "flight",
     "platform", "building", "floor", "unit", "ext", "extension", "phone", "column", "columns", "row",
     "rows", "level", "apartment", "apt", "flat", "suite", "number", "server", "port", "build", "phase",
     "sprint", "python", "node", "highway", "exit", "lot", "box", "batch", "case", "top", "option", "task",
     "file", "code", "pin", "zip", "size", "episode", "volume", "bay", "dock", "store", "form", "figure",
     "slide", "rule", "ward", "bed", "area", "zone", "district", "route",
     "article", "paragraph", "aisle", "lane", "order", "v", "ver", "iso", "gb", "usd",
     "eur", "$", "\u20ac", "\u00a3", "\u00a5"}
)  # fmt: skip
_JOINED = (".", ":", ",", "-", "to", "and", "/", "\u2013", "&", "x")


_WHOLE_DAY = (
    "24 / 7", "24 x 7", "24 hours a day", "day and night", "night and day", "all day and all night",
    "around the clock", "round the clock", "all day long", "all day",
)  # fmt: skip


def _numbered_thing(tokens: Tokens, place: int) -> int:
    """``room 1430``, ``pages 9 to 12``, ``version past 3.12``, ``$10``."""
    if whole := words_at(tokens, place, *_WHOLE_DAY):
        return whole
    if at(tokens, place).text not in _NUMBERED:
        return 0
    here = (
        words_at(tokens, place + 1, "past", "above", "over", "after", "no .", "nr .", "no", "nr") or place + 1
    )
    if not at(tokens, here).is_number:
        return 0
    end = here + 1
    while at(tokens, end).text in _JOINED and at(tokens, end + 1).is_number:
        if at(tokens, end).text in (",", "and") and not at(tokens, end + 1).is_glued:
            break
        end += 2
    return 0 if at(tokens, end).text in ("am", "pm") or _ends_date(tokens, end) else end


def _counted_things(tokens: Tokens, place: int) -> int:
    """``all three for tomorrow``, ``about the one in Leith``: so many of what was told."""
    count = at(tokens, place + 1)
    if at(tokens, place).text == "the" and count.text in ("one", "ones"):
        return place + 2
    is_count = at(tokens, place).text in _COUNTED and count.text in _FEW
    behind = at(tokens, place + 2)
    return place + 2 if is_count and (not behind.is_word or behind.text in _BEHIND_COUNT) else 0


_COUNTED = frozenset({"all", "last", "first", "other", "these", "those"})
_FEW = frozenset("two three four five six 2 3 4 5 6".split())
_BEHIND_COUNT = frozenset("for by on at until till before due are please to".split())


def _ends_date(tokens: Tokens, place: int) -> bool:
    """Whether a month ends a date here, so that the number before it numbers no thing: ``form 13 March``."""
    behind = at(tokens, place + 1)
    is_end = not behind.is_number and (not behind.is_word or behind.text in _BEHIND_DATE)
    return at(tokens, place).text in MONTHS and is_end


_BEHIND_DATE = frozenset({"and", "at", "to", "please", "then", "or", "by"})


def _compared_length(tokens: Tokens, place: int) -> int:
    """``older than 30 days``, ``at least 2 hours``."""
    here = words_at(
        tokens, place, "than", "at least", "at most", "up to", "as long as", "more than", "less than"
    )
    number = number_at(tokens, here) if here else None
    return number[1] + 1 if number and at(tokens, number[1]).text in UNITS else 0


def _row_of_figures(tokens: Tokens, place: int) -> int:
    """``0161 496 0000``, unless all could be times of day: ``0900 1300``."""
    end = place
    while _is_figure(at(tokens, end)) and (end == place or not at(tokens, end).is_glued):
        end += 1
    figures = [token.text for token in tokens[place:end]]
    is_long = len(figures) > 1 and sum(map(len, figures)) > 6
    return end if is_long and not all(map(_may_be_time, figures)) else 0


def _is_figure(token: Token) -> bool:
    return token.is_number and len(token.text) > 1


def _may_be_time(figure: str) -> bool:
    return len(figure) in (3, 4) and int(figure[:-2]) < 24 and int(figure[-2:]) < 60


def past_at(tokens: Tokens, place: int) -> Item | None:
    """Returns a past or present period that filters what is asked for: ``last week's``, ``this month``."""
    if end := words_at(
        tokens, place, "the day before yesterday", "yesterdays", "yesterday", "todays", "tomorrows"
    ):
        return Past(place, end)
    if (end := words_at(tokens, place, "this morning")) and not _says_clock(tokens, place, end):
        return Past(place, end)
    here = words_at(tokens, place, "the") or place
    if at(tokens, place - 1).text in ("and", "&", "or", "on") and words_at(tokens, here, "last day"):
        return None
    if at(tokens, here).text in ("last", "past", "previous", "prior"):
        number = number_at(tokens, here + 1)
        end = number[1] if number else here + 1
        end = words_at(tokens, end, "few", "couple of", "couple") or end
        if (
            at(tokens, end).text in UNITS
            or at(tokens, end).text in _PAST_UNITS
            or (at(tokens, end).is_possessive)
        ):
            return None if _is_last_of(tokens, end) else Past(place, end + 1)
    if at(tokens, here).text in ("this", "current"):
        token = at(tokens, here + 1)
        if token.is_possessive or (
            token.text.endswith("s") and token.text[:-1] in ("week", "month", "quarter", "year")
        ):
            return Past(place, here + 2)
    if end := _past_day(tokens, place):
        return Past(place, end)
    number = number_at(tokens, place)
    if number and at(tokens, number[1]).text in UNITS and at(tokens, number[1] + 1).text == "ago":
        return Past(place, number[1] + 2)
    return None


def _past_day(tokens: Tokens, place: int) -> int:
    """Returns the place after ``Monday's`` or ``Monday just gone``; 0 for none."""
    token = at(tokens, place)
    if token.is_possessive and token.text.removesuffix("s") in (*WEEKDAYS, *MONTHS, "week", "month"):
        return place + 1
    return (
        words_at(tokens, place + 1, "just gone", "just past", "just passed") if token.text in WEEKDAYS else 0
    )


def _says_clock(tokens: Tokens, first: int, end: int) -> bool:
    """Whether a time of day stands beside a stretch: ``at 11 this morning``."""
    near = (at(tokens, first - 1), at(tokens, end), at(tokens, end + 1))
    return any(token.is_number or token.text in ("oclock", "am", "noon") for token in near)


def _is_last_of(tokens: Tokens, place: int) -> bool:
    return at(tokens, place).text in _DIVISIBLE and at(tokens, place + 1).text in (
        "of",
        "each",
        "every",
        "in",
        "past",
        "to",
    )


_OTHER_STARTS = frozenset(
    {"as", "at", "current", "gd", "good", "last", "less", "month", "months", "more", "past", "previous",
     "prior", "all", "day", "night", "around", "round", "overnight", "even", "if", "when", "it", "its",
     "that", "thats", "which", "being", "there",
     "than", "this", "todays", "tomorrows", "up", "week", "weeks", "yesterday", "yesterdays"}
)  # fmt: skip
STARTS = first_words(COUNTS, PARTS, WEEKDAYS, _DETERMINERS, _ENDS, _NUMBERED, _OTHER_STARTS) | {
    f"{month}s" for month in MONTHS
}
