"""What words leave out: ``except Wednesdays``, ``not 9 eastern``."""

from __future__ import annotations

from intent.times.parts.schedule_parts import SINGLE_DAYS
from intent.times.parts.walk import Walk
from intent.times.words.denied_days import is_passed_over
from intent.times.words.items import (
    Blocker,
    Clock,
    Days,
    Holiday,
    Item,
    Length,
    Mark,
    MinuteOfHour,
    MonthDays,
    Months,
    Noun,
    OneDay,
    Part,
    Past,
    PlacedDays,
    Rate,
    Sign,
    Window,
    YearDay,
)
from intent.times.words.lexicon import ALL_DAYS

_STRICT = frozenset(
    {"except", "apart", "excluding", "aside", "besides", "other", "minus", "omitting", "skipping", "skip"}
)
_NEAR = 3
_FAR = 6
_LIST_WORDS = frozenset(
    {"and", "&", ",", "or", "on", "the", "n", "in", "for", "nor", "any", "every", "all", "not", "it"}
)
_SMALL_WORDS = frozenset(
    "a an of that this these those my our at to when run runs running from - ' one ones".split()
)
_PREPOSITIONS = frozenset({"on", "in", "for", "at", "the", "every", "of", "all", "any"})
_OTHER_TIMES = (Window, Rate, MinuteOfHour, Part)
_PERIODS = frozenset(
    {"week", "weeks", "day", "days", "month", "months", "time", "times", "one", "ones", "run", "hour"}
)
_RUNS = frozenset({"one", "run", "time", "report", "mail", "message", "post"})


def leave_out(walk: Walk, mark: Mark) -> None:
    """Leaves out the days, months and times that follow the sign; asks where none does."""
    removed = walk.found.removed_days[-1:]
    if removed and 0 < mark.first - removed[0].end <= 1 and is_passed_over(walk.tokens, removed[0].end):
        walk.take(mark)  # the verb of "August we skip"
        return
    taken = 0
    while (item := walk.next(_NEAR)) is not None and (
        _is_listed(walk, item) if taken else not _is_of_job(walk, mark, item)
    ):
        if not _leave_out(walk, item, is_first=not taken):
            break
        taken += not (isinstance(item, Mark))
    if taken:
        walk.take(mark)
        walk.found.signs.add(Sign.EXCEPT)
    elif _is_about_time(walk, mark) and not isinstance(walk.next(_NEAR), Blocker):
        walk.found.unclear.append("rest")


def _is_of_job(walk: Walk, mark: Mark, item: Item) -> bool:
    """Whether the sign leaves out a thing and the piece stands apart: ``without an owner, weekdays at 9``."""
    between = walk.words(mark.end, item.first)
    if not set(between) - _LIST_WORDS - _SMALL_WORDS:
        return False
    has_days = any(isinstance(one, Days | Rate) for one in walk.items if one is not item)
    return between[-1] not in _PREPOSITIONS or not has_days


def _is_about_time(walk: Walk, mark: Mark) -> bool:
    """Whether an exception that leaves out nothing known belongs to the times: ``except the first week``."""
    following = walk.next(1)
    if isinstance(following, _OTHER_TIMES) or (isinstance(following, Past) and walk.found.used):
        return True
    before = [item for item in walk.items[: walk.place - 1] if not isinstance(item, Mark | Past | Noun)]
    if walk.word(mark.first) not in _STRICT or not before:
        return False
    return mark.first - before[-1].end <= 1 or bool(set(walk.words(mark.end, mark.end + 4)) & _PERIODS)


def forbid(walk: Walk, mark: Mark) -> None:
    """Leaves out the days after ``don't run it``; anything else that is forbidden is asked."""
    item = walk.next(_FAR)
    if item is None or isinstance(item, Mark | Past | Noun | Blocker | Length):
        return
    others = [
        other
        for other in walk.items
        if isinstance(other, Days | Rate | PlacedDays | MonthDays) and other is not item
    ]
    if isinstance(item, Days) and (others or walk.is_change):
        _leave_out(walk, item, is_first=True)
        walk.take(mark)
        walk.found.signs.add(Sign.EXCEPT)
    elif isinstance(item, Window) and _can_leave_window(walk):
        _leave_out(walk, item, is_first=True)
        walk.take(mark)
    else:
        walk.found.unclear.append("rest")


def _leave_out(walk: Walk, item: Item, *, is_first: bool) -> bool:
    """Whether a piece belongs to what is left out."""
    found = walk.found
    if isinstance(item, Mark):
        walk.place += item.sign in (Sign.ONLY, Sign.EXCEPT)
        return item.sign in (Sign.ONLY, Sign.EXCEPT)
    match item:
        case Days():
            found.parts.without_days |= item.days
            found.removed_days.append(item)
        case Months():
            found.parts.without_months |= item.months
        case Part() if not is_first or _leave_out_night(walk, item):
            pass
        case Part() if walk.is_change and walk.word(item.end).rstrip("s") in _RUNS:
            found.dropped_parts.append(item)
        case Clock() if is_first:
            found.dropped_clocks.append(item)
            if not walk.is_change:
                found.unclear.append("rest")
        case Window() if (is_first or _is_behind_night(walk)) and _can_leave_window(walk):
            found.parts.without_window = item
        case MonthDays() | YearDay() | PlacedDays() | Holiday() | OneDay():
            _leave_out_date(walk, item)
        case _:
            return False
    walk.take(item)
    walk.place += 1
    return True


def _leave_out_date(walk: Walk, item: MonthDays | YearDay | PlacedDays | Holiday | OneDay) -> None:
    if isinstance(item, MonthDays | YearDay | PlacedDays) and not walk.is_change and _is_each_time(item):
        walk.found.parts.without_dates += (item,)
    else:
        walk.found.blockers.append(Blocker(item.first, item.end, why=SINGLE_DAYS))


def _is_each_time(item: MonthDays | YearDay | PlacedDays) -> bool:
    """Whether a day that is left out comes again and has a number: ``the 1st``, ``25 December``."""
    match item:
        case YearDay():
            return item.year is None
        case MonthDays():
            return all(name.isdigit() for name in item.names) and not (item.is_of_quarter or item.is_of_year)
        case _:
            return min(item.places) > 0 and not (item.is_of_quarter or item.is_of_year)


def _leave_out_night(walk: Walk, part: Part) -> bool:
    """Leaves out the hours of ``not at night``, unless others are named; whether a change says so."""
    if not walk.is_change or part.name != "night":
        return False
    if not any(isinstance(one, Window) for one in walk.items):
        opens, closes = (Clock(part.first, part.end, hour, 0) for hour in (_NIGHT_BEGINS, _NIGHT_ENDS))
        walk.found.parts.without_window = Window(part.first, part.end, opens, closes)
    return True


_NIGHT_BEGINS, _NIGHT_ENDS = 22, 6


def _is_behind_night(walk: Walk) -> bool:
    before = walk.items[walk.place - 1]
    return isinstance(before, Part) and before.name == "night"


def _can_leave_window(walk: Walk) -> bool:
    """Whether an interval may be among the pieces, and nothing else says in which hours it runs."""
    windows = [item for item in walk.items if isinstance(item, Window)]
    return len(windows) == 1 and (walk.is_sub_daily() or walk.is_change)


def _is_listed(walk: Walk, item: Item) -> bool:
    return set(walk.words(walk.items[walk.place - 1].end, item.first)) <= _LIST_WORDS


def _is_other_side(walk: Walk, item: Item, mark: Mark) -> bool:
    """Whether a comma divides what is denied from what is meant, where nothing else was said before."""
    before = walk.items[walk.place - 1]
    says = walk.found.parts.days or walk.found.days or walk.found.parts.clocks or walk.found.parts.rates
    words = walk.words(before.end, item.first)
    return before is not mark and not says and bool({",", "but", "-", ";", "."} & set(words))


def leave_out_denied(walk: Walk, mark: Mark) -> None:
    """Leaves out what is denied: ``not 9 eastern``; days that are part of the others are an exception."""
    if walk.is_change and _keep_old(walk, mark):
        return
    left_out, before = False, None
    while (item := walk.next(2)) is not None and not isinstance(item, Mark | Blocker):
        if left_out and isinstance(item, Clock) and not walk.found.parts.clocks:
            break  # "not Wednesday, 10am": the time of the others
        if _is_other_side(walk, item, mark):
            break  # "not Mondays, Fridays": what is meant instead
        if isinstance(before, Rate) and "," in walk.words(before.end, item.first):
            break  # "not daily, on Thursdays"
        left_out |= _leave_out_denied(walk, item)
        before = item
        walk.take(item)
        walk.take(mark)
        walk.place += 1


def _leave_out_denied(walk: Walk, item: Item) -> bool:
    """Takes one denied piece; returns whether it is an exception to the days that are meant."""
    parts, found = walk.found.parts, walk.found
    main = frozenset(day for one in parts.days if isinstance(one, Days) for day in one.days)
    is_daily = any(rate.unit == "day" for rate in parts.rates) and not main
    is_placed = any(not isinstance(one, Days) for one in parts.days) and not main and not walk.is_change
    match item:
        case Days() if item.days < main or ((is_daily or is_placed) and item.days < ALL_DAYS):
            parts.without_days |= item.days
            return True
        case Days() | PlacedDays() | MonthDays():
            found.replaced_days.append(item)
            if main and not isinstance(item, Days) and not walk.is_change:
                found.unclear.append("rest")
        case Clock():
            found.dropped_clocks.append(item)
        case Window() if _can_leave_window(walk):
            parts.without_window = item
        case Part() if _leave_out_night(walk, item):
            pass
        case Window() | Part() if not walk.is_change:
            found.unclear.append("rest")
        case _:
            pass
    return False


def _keep_old(walk: Walk, mark: Mark) -> bool:
    """Passes over what is said to stay: ``on Saturdays, not only Monday to Friday``; whether it is so said.

    What stands beside it comes in addition.
    """
    only = walk.next(0)
    if not isinstance(only, Mark) or only.sign is not Sign.ONLY or walk.word(mark.first) != "not":
        return False
    walk.place += 1
    others = [item for item in walk.items[walk.place + 1 :] if isinstance(item, Days | Clock | MonthDays)]
    while others and isinstance(item := walk.next(2), Days | Clock | Part | MonthDays | PlacedDays | Rate):
        if "but" in walk.words(walk.items[walk.place - 1].end, item.first):
            break
        walk.place += 1
    walk.take(mark, only)
    walk.found.signs.add(Sign.ALSO)
    return True
