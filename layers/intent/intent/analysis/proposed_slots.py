"""Checks the values that a model proposes for an act against the user's own words. Pure.

A value counts when its words stand in the message; a cron expression when it is valid and the act has words
that say when; a brief, a name or a place when the message has all that tells of it. Others are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from conversation.cron import normalise_cron
from conversation.timing import Timing
from intent.acts.act import Act, Span
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.dates.time_zones import zone_names
from intent.entities.services import find_services, names_channel
from intent.regular_expressions import normalise
from intent.rules.named_things import covers, names_addresses
from intent.times.reader import read_times
from intent.times.reading import Kind

JOB, BRIEF, CRON, ZONE, WHEN, DUE, SOURCE, WHERE, NAME = (
    "job", "brief", "cron", "zone", "when", "due", "source", "where", "name",
)  # fmt: skip
VERBATIM = ("title", "option", "period", WHEN, DUE, "old", "topic", "service", "number")
SLOTS = frozenset({*VERBATIM, JOB, BRIEF, CRON, ZONE, SOURCE, WHERE, NAME})
"""The slots that a model may fill."""


def find_words(message: str, words: str, begin: int = 0, end: int | None = None) -> Span | None:
    """Return where a message has these words in a row, whatever their case and the marks between them."""
    wanted = [token.text.casefold() for token in tokenise(words) if token.is_word]
    end = len(message) if end is None else end
    tokens = [one for one in tokenise(message) if one.is_word and begin <= one.start and one.end <= end]
    said = [token.text.casefold() for token in tokens]
    for place in range(len(said) - len(wanted) + 1) if wanted else ():
        if said[place : place + len(wanted)] == wanted:
            first, last = tokens[place].start, tokens[place + len(wanted) - 1].end
            return Span(message[first:last], first, last)
    return None


def with_proposed(act: Act, given: Mapping[str, str], message: str, scene: Scene) -> Act:
    """Return the act with the values that the message bears out in place of its own."""
    found = {name: span for name in VERBATIM if (span := _verbatim(act, given.get(name), message))}
    found |= _told(given, message)
    if DUE in found:
        found[WHEN] = found[DUE]
    slots = {**act.slots, **found}
    slots |= _timing(given, slots, scene)
    return replace(act, slots=slots)


def _verbatim(act: Act, value: str | None, message: str) -> Span | None:
    if not value:
        return None
    return find_words(message, value, act.clause.start, act.clause.end) or find_words(message, value)


def _told(given: Mapping[str, str], message: str) -> dict[str, Span]:
    """Return the values whose words may stand in another order in the message."""
    found = {}
    for name, says in _CHECKS.items():
        text = given.get(name)
        if text and says(message, text):
            found[name] = find_words(message, text) or Span(text, 0, len(text))
    return found


def _covers_name(message: str, text: str) -> bool:
    return covers(message, text.replace("-", " "))


def _names_source(message: str, text: str) -> bool:
    """Return whether the message names the same known service, or has all words of a source."""
    said = {service.name for service in find_services(normalise(message))}
    return bool(said & {service.name for service in find_services(normalise(text))}) or covers(message, text)


def _names_place(message: str, text: str) -> bool:
    """Return whether the message has all addresses of a place and names its channel, or all its words."""
    if not names_addresses(message, text):
        return False
    if find_words(message, text) is not None:
        return True
    words = [token.word for token in tokenise(text) if token.is_word and "@" not in token.text]
    named = [word for word in words if names_channel(normalise(message), word)]
    return bool(named) or (not words and bool(text.strip()))


_CHECKS: Mapping[str, Callable[[str, str], bool]] = {
    SOURCE: _names_source, WHERE: _names_place, NAME: _covers_name, BRIEF: covers, JOB: covers,
}  # fmt: skip


def _timing(given: Mapping[str, str], slots: Mapping[str, Span], scene: Scene) -> dict[str, Span]:
    """Return the cron expression of a schedule that the act's words name, and the zone it is read in."""
    when, cron = slots.get(WHEN), given.get(CRON)
    if when is None or not cron:
        return {}
    try:
        valid = normalise_cron(cron)
    except ValueError:
        return {}
    if Timing((valid,)).is_too_frequent:
        return {}
    zone = _zone(given.get(ZONE), when.text, scene)
    return {CRON: Span(valid, 0, 0), ZONE: Span(zone, 0, 0)} if zone else {CRON: Span(valid, 0, 0)}


def _zone(given: str | None, when: str, scene: Scene) -> str:
    """Return the zone that a model gives, if the words name it; empty otherwise."""
    if not given or given not in zone_names():
        return ""
    city = given.rpartition("/")[2].replace("_", " ")
    is_named = given == scene.zone or find_words(when, city) is not None
    return given if is_named or given in _zones_in(when, scene) else ""


def _zones_in(words: str, scene: Scene) -> Sequence[str]:
    readings = read_times(words, now=scene.now, zone=scene.zone, wanted=Kind.SCHEDULE)
    return [one.timing.zone for one in readings if one.timing is not None]


def contradicts_words(act: Act, scene: Scene) -> bool:
    """Return whether an act's cron expression is another schedule than the one its words name in full.

    Words such as ``first thing`` name no exact time, so that only the days are compared.
    """
    words = act.slot(WHEN)
    if not words or CRON not in act.slots:
        return False
    readings = read_times(words, now=scene.now, zone=scene.zone, wanted=Kind.SCHEDULE)
    named = [one for one in readings if one.kind is not Kind.PERIOD]
    if len(named) != 1 or named[0].timing is None or named[0].assumed:
        return False
    timing = named[0].timing
    given = Timing((act.slot(CRON),), act.slot(ZONE) or timing.zone)
    wanted, proposed = _next_moments(timing, scene), _next_moments(given, scene)
    if any(mark.isdigit() for mark in words) or set(words.lower().split()) & _EXACT:
        return wanted != proposed
    return {moment.date() for moment in wanted} != {moment.date() for moment in proposed}


_COMPARED = 12
_EXACT = frozenset(
    {
        "noon", "midnight", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "half", "quarter",
    }
)  # fmt: skip


def _next_moments(timing: Timing, scene: Scene) -> list[datetime]:
    return list(islice(timing.moments(scene.now), _COMPARED))
