"""Schedules as words change them: what is said of days stays when only the time changes, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from agent.dialogue.agent_acts.schedule_steps import first_choice, plain_change, second_choice, steps
from agent.workspace.agents import Agent, Schedule
from conversation.cron import Cron
from conversation.timing import Timing
from intent.acts.act import Act, Span
from intent.acts.lexicon import CORRECTIONS, NEGATIONS
from intent.acts.references import find_name_place, is_content
from intent.acts.tokens import Token, tokenise
from intent.acts.wished_deeds import says_shift
from intent.times.reader import read_times
from intent.times.reading import Kind, Offer, Problem, TimeReading
from intent.times.wording import describe


@dataclass(frozen=True, slots=True)
class Requested:
    """A schedule that words ask for. Without ``schedule``, ``asks`` or ``offers`` say what to do about it;
    with one, ``asks`` says what of it was taken for granted.
    """

    schedule: Schedule | None = None
    asks: tuple[str, ...] = ()
    """What has to be asked: ``time``, ``day``, ``am_pm``, …"""
    offers: tuple[Offer, ...] = ()
    """What comes near a schedule that can't be had."""
    why: str = ""
    assumed: tuple[str, ...] = ()


def given_schedule(act: Act, zone: str) -> Requested | None:
    """Return the schedule that an act brings as a cron expression; None when it brings none."""
    cron = act.slot("cron")
    if not cron:
        return None
    timing = Timing((cron,), act.slot("zone") or zone)
    return Requested(schedule=Schedule.of(timing, describe(timing)))


def requested_schedule(
    words: str, *, now: datetime, zone: str, was: Schedule | None = None
) -> Requested | None:
    """Return the schedule that words ask for; None when they name no time."""
    if was is not None and (instead := second_choice(words)) != words:
        return _instead(instead, now=now, zone=zone, was=was)
    words = words if was is None else _without_staying(_without_refused_rate(words), was)
    found = _read(words, now, zone, was)
    if was is None and found is not None and (found.schedule is None or "rest" in found.asks):
        return _in_steps(words, now, zone) or found
    if was is None or found is None:
        return found
    if found.asks == ("rest",):
        found = _for_some_days(words, now, zone, was) or found
    if found.schedule is not None and (affirmed := _affirmed(words)) != words:
        same = _read(affirmed, now, zone, was)
        if same is not None and same.schedule == found.schedule:
            return Requested(asks=("rest",))  # what is refused was read as what is wanted
    return found


def _for_some_days(words: str, now: datetime, zone: str, was: Schedule) -> Requested | None:
    """Return the schedule of words that give some of its days another time and don't say what the others
    become: those stay, unless the words correct what was said, or the days are all that changes.
    """
    anew = _read(words, now, zone, None)
    anew = anew if anew is not None and anew.schedule is not None and not anew.asks else None
    same_time = anew is not None and anew.schedule is not None and _times_of(anew.schedule) == _times_of(was)
    if (
        same_time
        or _WHOLE & set(_words(words))
        or (anew is not None and not _is_minority(anew.schedule, was))
    ):
        return anew
    reading = _reading(f"{words.rstrip(' .!;,')}, {_OTHERS_STAY}", now, zone, was)
    beside = None if reading is None else _requested(reading)
    return beside if beside is not None and beside.schedule is not None and not beside.asks else anew


def _is_minority(named: Schedule | None, was: Schedule) -> bool:
    """Return whether a schedule runs on no more than half of the days of another."""
    return named is not None and 2 * len(_days_of(named)) <= len(_days_of(was))


def _days_of(schedule: Schedule) -> frozenset[int]:
    return frozenset(day for cron in schedule.timing().crons for day in Cron.parse(cron).weekdays)


def _times_of(schedule: Schedule) -> frozenset[str]:
    return frozenset(" ".join(cron.split()[:2]) for cron in schedule.timing().crons)


_OTHERS_STAY = "the other days stay"
_WHOLE = CORRECTIONS | frozenset({"instead", "rather", "only", "just", "change", "switch", "reschedule"})
"""Words by which days with their own time take the place of the whole schedule."""


def schedule_beside(act: Act, agent: Agent, *, now: datetime, zone: str) -> Requested | None:
    """Return the other schedule that all words of a change name beside the agent's own; None without one.

    Words such as ``an hour later`` say a time only beside the one that they change.
    """
    if agent.schedule is None:
        return None
    if _CHANGED & act.slots.keys() and not act.slot("when") and not says_shift(_words(act.clause.text)):
        return None  # it says what else changes; a number in it is no hour
    words = list(act.clause.text)
    for start, end in _told_otherwise(act, agent):
        words[start:end] = " " * (end - start)
    said = "".join(words)
    whole = requested_schedule(said, now=now, zone=zone, was=agent.schedule)
    if _is_other(whole, agent):
        return whole
    parts = (requested_schedule(part, now=now, zone=zone, was=agent.schedule) for part in _sentences(said))
    others = [part for part in parts if _is_other(part, agent)]
    return others[0] if len(others) == 1 else None


_CHANGED = frozenset({"where", "source", "name"})


def _words(text: str) -> list[str]:
    return [token.word for token in tokenise(text)]


def schedule_in_sentence(act: Act, agent: Agent, *, now: datetime, zone: str) -> Requested | None:
    """Return the schedule of the only sentence of a change that names both days and a time of day.

    The others may tell of days, too: ``On Sundays we are at the table. Mondays at 8 in the morning.``
    """
    found = [requested_schedule(part, now=now, zone=zone) for part in _sentences(act.clause.text)]
    whole = [one for one in found if one is not None and one.schedule is not None and not one.asks]
    exact = [one for one in whole if not one.assumed]
    return exact[0] if len(exact) == len(whole) == 1 and agent.schedule is not None else None


def _is_other(found: Requested | None, agent: Agent) -> bool:
    return found is not None and not found.asks and found.schedule not in {None, agent.schedule}


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text that has several, from the last one on that corrects those before."""
    tokens = tokenise(text)
    ends = [token.end for token in tokens if token.text[0] in _SENTENCE_ENDS]
    bounds = [0, *ends, len(text)]
    found = [text[begin:end] for begin, end in pairwise(bounds) if ends and text[begin:end].strip()]
    corrects = (at for at in range(len(found) - 1, 0, -1) if _words(found[at])[0] in CORRECTIONS)
    return found[next(corrects, 0) :]


_SENTENCE_ENDS = frozenset(".!?;\n")


def _told_otherwise(act: Act, agent: Agent) -> Iterator[tuple[int, int]]:
    """Yield the stretches of an act's words that say something else than when."""
    begin, text = act.clause.start, act.clause.text
    for slot in ("name", "job", "source"):
        span = act.slots.get(slot)
        if span is not None and (slot != "job" or _is_job(span.text, agent)):
            yield max(0, span.start - begin), max(0, span.end - begin)
    tokens = tokenise(text)
    if (named := find_name_place([token.word for token in tokens], agent.name)) is not None:
        yield tokens[named[0]].start, tokens[named[1] - 1].end
    yield from ((token.start, token.end) for token in tokens if "@" in token.text or token.text[0] == "#")


def _is_job(words: str, agent: Agent) -> bool:
    """Return whether words tell of a job, and not of a time alone: ``leave out the weekends``."""
    was = None if agent.schedule is None else agent.schedule.timing()
    readings = read_times(words, now=_ANY_TIME, zone="UTC", was=was, wanted=Kind.SCHEDULE)
    spans = [span for reading in readings for span in reading.spans]
    rest = [
        token
        for token in tokenise(words)
        if not any(start <= token.start < end for start, end in spans) and token.word not in _OF_TIMES
    ]
    if agent.name in words.lower() or says_shift([token.word for token in tokenise(words)]):
        return False
    return not spans or any(map(is_content, rest))


_OF_TIMES = frozenset("days day hours hour times time same rather instead still usual naturally".split())
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def _instead(words: str, *, now: datetime, zone: str, was: Schedule) -> Requested | None:
    """Return the schedule that shall be in place of one that is doubted: its interval doesn't stay."""
    plain = was.model_copy(update={"every": 1, "start": None})
    first = words.partition(",")[0]
    found = (
        requested_schedule(said, now=now, zone=zone, was=plain) for said in dict.fromkeys([words, first])
    )
    read = [one for one in found if one is not None]
    return next((one for one in read if one.schedule is not None), read[0] if read else None)


def _in_steps(words: str, now: datetime, zone: str) -> Requested | None:
    """Return the schedule of words that correct themselves, or name a second choice; None without those."""
    wanted = first_choice(words)
    first, *later = steps(wanted)
    found = _read(first, now, zone, None) if later or wanted != words else None
    for step in later:
        if found is None or found.schedule is None:
            return None
        changed = requested_schedule(plain_change(step), now=now, zone=zone, was=found.schedule)
        if changed is not None and changed.schedule is None:
            return None
        found = changed or found
    return found if found is not None and found.schedule is not None else None


def _read(words: str, now: datetime, zone: str, was: Schedule | None) -> Requested | None:
    reading = _reading(words, now, zone, was)
    if reading is not None and reading.problem is not None and was is not None:
        parts = _PARTS.split(words)
        is_range = "between" in _words(words)
        if (
            len(parts) > 1
            and not is_range
            and (found := _one_after_another(parts, now=now, zone=zone, was=was)) is not None
        ):
            return found
    return None if reading is None else _requested(reading)


def _reading(words: str, now: datetime, zone: str, was: Schedule | None) -> TimeReading | None:
    former = None if was is None else was.timing()
    readings = read_times(words, now=now, zone=zone, was=former, wanted=Kind.SCHEDULE)
    return next((one for one in readings if one.kind is not Kind.PERIOD), None)


def _affirmed(words: str) -> str:
    """Return words without the negations in their parts that name a time; a ``no`` before a comma or a stop
    refuses nothing in them.
    """
    kept, begin = [], 0
    for token, after in pairwise([*tokenise(words), None]):
        is_answer = token is not None and token.word == "no" and after is not None and _begins_anew(after)
        is_refusal = token is not None and token.word in NEGATIONS and not is_answer
        is_alone = after is not None and after.word in _ALONE
        if token is not None and is_refusal and not is_alone and _names_time_around(words, token):
            kept.append(words[begin : token.start])
            begin = token.end
    return "".join([*kept, words[begin:]])


def _names_time_around(words: str, token: Token) -> bool:
    """Return whether the part around a word names a time: ``and not to me`` does not."""
    before, behind = words[: token.start], words[token.end :]
    start = max(before.rfind(mark) for mark in ",.;") + 1
    end = min((at for mark in ",.;" if (at := behind.find(mark)) >= 0), default=len(behind))
    return _names_time(f"{before[start:]} {behind[:end]}")


def _without_staying(words: str, was: Schedule) -> str:
    """Return words without the part that only says which of several times stays: ``the one at 8 stays``."""
    parts = _PARTS.split(words)
    kept = [part for part in parts if not _says_one_stays(_words(part))]
    is_several = len({time for cron in was.timing().crons for time in cron.split()[1].split(",")}) > 1
    rest = ", ".join(kept)
    return rest if is_several and len(kept) < len(parts) and _names_time(rest) else words


def _says_one_stays(words: Sequence[str]) -> bool:
    stays = bool(_STAYING & set(words)) or words[:1] in (["leave"], ["keep"])
    names_one = bool(_RUNS & set(words)) or any(word[0].isdigit() for word in words)
    return stays and names_one and not {"day", "days", "rest", "others", "other"} & set(words)


_STAYING = frozenset("stay stays remain remains unchanged".split())
_RUNS = frozenset("one run morning afternoon evening noon".split())


def _names_time(words: str) -> bool:
    return bool(read_times(words, now=_ANY_TIME, zone="UTC"))


def _without_refused_rate(words: str) -> str:
    """Return words without the rate that they refuse beside a time: ``on Mondays, not daily``."""
    rest = _REFUSED_RATE.sub(" ", words)
    return rest if rest != words and _names_time(rest) else words


_REFUSED_RATE = re.compile(
    r"(?i),? ?(?:and )?\bnot (?:daily|weekly|hourly|monthly|every (?:day|week|hour|month))\b(?: any ?more)?"
)


def _begins_anew(token: Token) -> bool:
    """Return whether what follows ``no`` takes back what was said before, instead of being refused."""
    return not token.is_word or token.word in CORRECTIONS | {"hang", "hold", "better", "make", "i"}


_ALONE = frozenset({"only", "just"})
"""Words behind ``not`` with which nothing is refused: ``not only on Mondays``."""
_PARTS = re.compile(r",(?: and\b)?|\band\b")


def _one_after_another(parts: Sequence[str], *, now: datetime, zone: str, was: Schedule) -> Requested | None:
    """Return the schedule after several changes in a row; None when one of them leaves something open."""
    schedule = was
    for part in parts:
        found = requested_schedule(part, now=now, zone=zone, was=schedule)
        if found is None or found.schedule is None or found.asks:
            return None
        schedule = found.schedule
    return Requested(schedule=schedule)


def _requested(reading: TimeReading) -> Requested:
    if reading.problem is Problem.ASK and reading.missing == ("am_pm",) and reading.nearest:
        likely = reading.nearest[0]
        return Requested(
            schedule=Schedule.of(likely.timing, likely.said), assumed=("if you mean the evening, tell me",)
        )
    if reading.problem is Problem.ASK:
        return Requested(asks=reading.missing, offers=reading.nearest, assumed=reading.assumed)
    if reading.timing is None:
        return Requested(offers=reading.nearest, why=reading.why, asks=() if reading.problem else ("day",))
    if reading.timing.is_too_frequent:
        most = Timing(("*/5 * * * *",), reading.timing.zone)
        why = "the most an agent can do is to run every five minutes"
        return Requested(offers=(Offer(most, describe(most)),), why=why)
    lacks_time = any(taken.startswith(_NO_TIME) for taken in reading.assumed)
    assumed = tuple(taken for taken in reading.assumed if not taken.startswith(_NO_TIME))
    schedule = Schedule.of(reading.timing, reading.said)
    return Requested(schedule=schedule, asks=("time",) if lacks_time else (), assumed=assumed)


def plainly_answered(slots: Mapping[str, Span]) -> dict[str, Span]:
    """Return the slots of an answer to when something runs, without words by which it is only likely:
    ``maybe just Mondays`` is what somebody settles on.
    """
    when = slots.get("when")
    if when is None:
        return dict(slots)
    words = list(when.text)
    for token in tokenise(when.text):
        if token.word in _LIKELY:
            words[token.start : token.end] = " " * (token.end - token.start)
    return {**slots, "when": when._replace(text="".join(words))}


_LIKELY = frozenset({"maybe", "perhaps", "possibly"})


def without_events(words: str) -> str:
    """Return words without what a check waits for anyway: ``tell me if it goes down``."""
    tokens = tokenise(words)
    kept, is_event = [], False
    begin = 0
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        if token.word in _EVENT_WORDS:
            kept.append(words[begin : token.start])
            is_event = True
        elif is_event and (token.word in _EVENT_ENDS or (before is not None and before.text in _MARKS)):
            is_event, begin = False, token.start
    return " ".join([*kept, *([] if is_event else [words[begin:]])])


_EVENT_WORDS = frozenset({"if", "when", "whenever", "once", "should", "unless"})
_EVENT_ENDS = frozenset(
    "and every each on at daily hourly weekdays but check look from between during".split()
)
_MARKS = frozenset(",.;!?")
_NO_TIME = "no time was named"
