"""Qualifiers of a request: scopes, conditions, periods, deadlines, durations, formats, time zones.

Pure text functions. Each returns None when the text says nothing of the kind. Schedules are in
`intent.dates.schedules`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import cache

from intent.dates.time_zones import zone_names
from intent.dates.times import LONG_DAY, LONG_MONTH, MAX_DAYS, NUMBERS, TextSpan, days_in
from intent.entities.services import NamedSpan
from intent.regular_expressions import QUOTED, TO_STOP, either, pattern

MAX_PHRASE = 160

CONTAINER = either(
    "projects?|boards?|workspaces?|sheets?|tabs?|folders?|repositor(?:y|ies)|repos?|spaces?"
    "|channels?|queues?|labels?|pages?|bases?|tables?"
)
_ONE_CONTAINER = either(
    "project|board|workspace|sheet|tab|folder|repository|repo|space|channel|queue|page|base"
)
_BRANCH = either("branch|region|office|store|site|market|plant|warehouse|department|team|country|entity|area")
_MODIFIER = either(
    "the|our|my|your|an?|this|that|each|every|all|any|only|just|which|whole|new|same|right|from|in"
    "|on|for|of|to|and|is|it'?s|use"
)
ENDS = (
    r"(?=\s*(?:[,;.!?)]|$"
    r"|\b(?:and|or|for|in|with|only|on|please|from|to|that|which|every|each|is|are|at|when|if|into"
    r"|as|too|instead|rather|via|by|now|also)\b))"
)
_NO_SCOPE = pattern(
    rf"^(?:(?:{_MODIFIER}|markdown|pdf|csv|word|html|landing|front|home|web)|q[1-4]|h[12]|20\d\d|{LONG_DAY}"
    rf"|{LONG_MONTH})$"
)
_CALLED = pattern(rf"\b{CONTAINER} (?:called|named) [\"']?(\w[\w -]{{0,40}}?)[\"']?{ENDS}")
_AFTER_WORD = re.compile(
    r"\b(?:[Pp]roject|[Bb]oard|[Rr]epo|[Ss]heet|[Tt]ab|[Ss]pace|[Ff]older)\s+([A-Z0-9][\w-]*)"
)
_BEFORE_WORD = re.compile(
    rf"{QUOTED}\s+(?i:{CONTAINER})\b|(?<![#\w-])(?:([A-Z&][\w&/.-]*)\s+(?i:{CONTAINER})"
    rf"|([a-z][\w&/.-]*)\s+{_ONE_CONTAINER})\b(?i:{ENDS})"
)
_NARROWED = re.compile(
    r"\b(?i:again|same(?:\s+(?:thing|one|again))?|once\s+more|but|only|just|this\s+time|now|instead)[\s,]+"
    r"(?:(?i:but|only|just|now)\s+)?(?i:for|in|with)\s+(?:the\s+)?"
    rf"(?:([A-Z][\w&-]*(?:\s+[A-Z][\w&-]*)?)(?:\s+{_BRANCH})?\b|([\w-]+)\s+{_BRANCH}\b)"
)
_CONDITION = pattern(
    r"\b(?:past|beyond|after)(?: (?:the|their|its|an?|our))?(?: \w+){0,2} (?:due dates?|deadlines?"
    r"|slas?|expiry|target dates?)\b",
    r"\b(?:older|more|greater|less|fewer|higher|lower|longer|bigger|later|larger|smaller) than "
    rf"{TO_STOP}{{1,60}}",
    rf"\b(?:goes|go|gets|get|drops?|falls?|rises?|climbs?|is|are|stays?) (?:above|below|over|under|beyond) "
    rf"(?=[^,;.!?\n]{{0,24}}(?:\d|limit|budget|threshold|target|plan|zero|minimum|maximum)){TO_STOP}{{1,60}}",
    rf"\bexceed(?:s|ed)? {TO_STOP}{{1,60}}",
    rf"\b(?:above|below|exceeding|at least|at most) [-€$£]?\d{TO_STOP}{{0,40}}",
    r"\b(?:not|never|\w+n't) (?:been )?(?:updated|touched|answered|changed|closed|paid|opened"
    rf"|replied)\b{TO_STOP}{{0,40}}",
    rf"\boverdue (?:by|for) {TO_STOP}{{1,40}}",
    rf"\bunanswered for {TO_STOP}{{1,40}}",
    rf"\b(?:within|in) (?:the )?(?:next )?\d+ (?:days?|hours?|weeks?) of {TO_STOP}{{1,40}}",
)
_PERIOD = pattern(
    r"\bq[1-4](?: (?:of )?20\d\d)?\b",
    r"\bh[12](?: 20\d\d)?\b",
    r"\b(?:yesterday|year to date|ytd)\b",
    r"\b(?:last|this|previous|past|current) (?:\d+ )?(?:weeks?|months?|quarters?|years?|days?)\b(?! of)",
    rf"\b(?:last|this) {LONG_DAY}\b",
    rf"\b(?:in|for|since|the|our) {LONG_MONTH}(?: 20\d\d)?\b",
    r"\bweek \d{1,2}\b",
    r"\blast night\b",
    r"\b(?:in|for|of) 20\d\d\b",
)
_PERIOD_ALONE = pattern(
    rf"(?:q[1-4]|h[12]|{LONG_MONTH})(?: (?:of )?20\d\d)?", r"20\d\d", r"(?:last|this) \w+", r"yesterday"
)
_DEADLINE = pattern(
    rf"\b(?:by|before|until|due)(?: the)?(?: (?:next|this))? (?:{LONG_DAY}|tomorrow|tonight|noon"
    r"|lunch|today|eod)\b",
    r"\b(?:by|before|until|due) \d{1,2}(?::\d\d)?(?:\s*[ap]m)?\b",
    r"\b(?:by|before|until|due)(?: the)? end of(?: (?:the|next|this))? (?:day|week|month|quarter|year)\b",
    rf"\bnext (?:week|month|quarter|{LONG_DAY})\b",
    r"\b(?:tomorrow|tonight|today)\b",
    r"\bthis (?:week|afternoon|morning|evening)\b",
    r"\bin (?:\w+) (?:days?|weeks?|hours?|minutes?)\b",
)
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_SMALL = {"fourteen": 14, "fifteen": 15, **NUMBERS, "an": 1, "a": 1}
_LENGTH = pattern(
    rf"\b(?:(\d{{1,5}})|({'|'.join(_TENS)})(?:[- ]({'|'.join(NUMBERS)}))?|({'|'.join(_SMALL)}))[ -]?"
    r"(days?|weeks?|months?|years?)\b"
)

_FILE = either("pdf|csv|excel|xlsx|markdown|html|json|word")
_LAYOUT = either("table|bullet points|bullets|slides|plain text")
_PAGES = r"(?:\w+[- ]page )?"
_MADE = pattern(
    rf"\b(?:as|into) (?:an? )?{_PAGES}({_FILE}|{_LAYOUT}|spreadsheet)\b",
    rf"\b(?:an?|one) {_PAGES}({_FILE}) (?:report|summary|list|table|version|export|overview|of|with)\b",
    rf"\b\w+[- ]page ({_FILE})\b",
)
_SHOWN = pattern(rf"\bin (?:an? )?({_FILE}|{_LAYOUT})\b")
_CONTINENTS = (
    "Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
)  # fmt: skip
_ZONE = re.compile(rf"\b((?:{'|'.join(_CONTINENTS)})/[A-Za-z_]+(?:/[A-Za-z_]+)?|UTC|GMT)\b")
_AMERICAN = {
    "eastern": "America/New_York", "et": "America/New_York", "est": "America/New_York",
    "edt": "America/New_York",
    "central": "America/Chicago", "ct": "America/Chicago", "cst": "America/Chicago",
    "cdt": "America/Chicago",
    "mountain": "America/Denver", "mst": "America/Denver", "mdt": "America/Denver",
    "pacific": "America/Los_Angeles", "pt": "America/Los_Angeles", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "cet": "Europe/Berlin", "cest": "Europe/Berlin",
}  # fmt: skip
_LOCAL = re.compile(
    r"\b(Eastern|Central|Mountain|Pacific|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)(?:\s+standard)?\s+time\b"
    r"|(?<=[\dm])\s*(E[SD]?T|C[SD]?T|M[SD]T|P[SD]?T|CES?T)\b"
)
_CAPITALISED = re.compile(
    r"\b(?:from|in|out\s+of|inside|reads?|watch(?:es|ing)?|check(?:s|ing)?)\s+(?:(?:our|the|my)\s+)?"
    r"([A-Z][A-Za-z0-9]+(?:\.[a-z]{2,4})?)\b(?!\s+(?:project|team|office|department))"
)
_NO_SERVICE = pattern(rf"^(?:{LONG_DAY}|{LONG_MONTH}|I|[QH][1-4]|UTC|GMT|PDF|CSV|SLA)$")
_LEAD = pattern(
    r"^\W*(?:(?:well|so|ok|okay|yes|sure|just|only|please|actually|um+|hm+|it'?s|its|it|they|that|everything"
    r"|the data|we|i|is|are|lives?"
    r"|comes?|should|includes?|show|has|have|keep|store|use|in|on|from|at|with|would|be|want|need"
    r"|like|to|see|our|my|the|an?|let'?s|say"
    r"|think|guess|all)\b[\s,:]*+)++"
)


def find_scope(text: str, services: AbstractSet[str] = frozenset()) -> str | None:
    """Return the project, board or sheet: ``PLATFORM`` for ``the PLATFORM project``; never a service's name.

    Also returns the part of a business that work is narrowed to: ``EMEA`` for ``again but for EMEA``.
    """
    if match := _CALLED.search(text) or _AFTER_WORD.search(text):
        return match[1].strip()
    words = {word for service in services for word in service.split()}
    for match in (*_BEFORE_WORD.finditer(text), *_NARROWED.finditer(text)):
        zone_name = next(group for group in match.groups() if group)
        if match[1] and match.re is _BEFORE_WORD:
            return zone_name
        if zone_name.lower() not in words and not _NO_SCOPE.match(zone_name):
            return zone_name
    return None


def find_condition(text: str) -> str | None:
    """Return the condition under which something counts: ``past due date``, ``older than 5 days``."""
    match = _CONDITION.search(text)
    return " ".join(match[0].split())[:MAX_PHRASE].strip(" .,;") if match else None


def find_period(text: str, now: datetime) -> str | None:
    """Return the time period in the user's words, unless its year is more than 30 years from ``now``."""
    for match in _PERIOD.finditer(text):
        year = re.search(r"20\d\d", match[0])
        if year is None or abs(int(year[0]) - now.year) <= 30:
            return re.sub(r"^(?:in|for|since|of|the|our)\s+", "", match[0], flags=re.IGNORECASE)
    return None


def is_period(text: str) -> bool:
    """Return whether the words name a time period and nothing else."""
    return _PERIOD_ALONE.fullmatch(text) is not None


def find_deadline(text: str) -> str | None:
    """Return the deadline in the user's words: ``next week``."""
    match = _DEADLINE.search(text)
    return re.sub(r"^(?:by|before|until|due)\s+", "", match[0], flags=re.IGNORECASE) if match else None


def remove_deadlines(text: str) -> str:
    """Return the text without its deadlines."""
    return _DEADLINE.replace_matches(text, replacement=" ")


def duration_days(text: str) -> int | None:
    """Return a duration in days: 90 for ``ninety days``, 14 for ``two weeks``; None beyond 100 years."""
    match = _LENGTH.search(text)
    if match is None:
        return None
    length = days_in(_count(match), match[5].lower().removesuffix("s"))
    return length if length <= MAX_DAYS else None


def _count(match: re.Match[str]) -> int:
    digits, tens, ones, small = match.groups()[:4]
    if digits:
        return int(digits)
    return _TENS[tens.lower()] + NUMBERS.get((ones or "zero").lower(), 0) if tens else _SMALL[small.lower()]


def find_result_format(text: str) -> str | None:
    """Return the format of the result: ``pdf``."""
    match = _MADE.search(text) or _SHOWN.search(text)
    return next(group for group in match.groups() if group).lower() if match else None


def find_format_spans(text: str) -> list[TextSpan]:
    """Return the spans of result formats such as ``as a spreadsheet``, which are not sources."""
    return [TextSpan(*match.span(match.lastindex or 0)) for match in _MADE.finditer(text)]


def find_time_zone(text: str) -> str | None:
    """Return the IANA time zone that a text names itself, or by a city or American zone (``London time``)."""
    return found.name if (found := find_time_zone_span(text)) else None


def find_time_zone_span(text: str) -> NamedSpan | None:
    """Return the same time zone with the span of the words that name it."""
    if match := _ZONE.search(text):
        return NamedSpan(match[1].replace("GMT", "UTC"), *match.span())
    match = _LOCAL.search(text)
    zone_name = next(group for group in match.groups() if group).lower() if match else ""
    name = _AMERICAN.get(zone_name) or _zone_of_city(zone_name)
    return NamedSpan(name, *match.span()) if match and name else None


def _zone_of_city(city: str) -> str | None:
    return _cities().get(city.replace(" ", "_")) if city else None


@cache
def _cities() -> Mapping[str, str]:
    """Time zones by lower-case city. For duplicate cities, the alphabetically first zone."""
    zones = [name for name in zone_names() if name.partition("/")[0] in _CONTINENTS]
    return {name.rpartition("/")[2].lower(): name for name in sorted(zones, reverse=True)}


def find_unknown_source(text: str) -> str | None:
    """Return the lower-cased name of an unknown service that data comes from: a capitalised word."""
    for match in _CAPITALISED.finditer(text):
        if not _NO_SERVICE.match(match[1]):
            return match[1].lower()
    return None


def strip_introduction(text: str) -> str:
    """Return an answer without introductory words: ``Airtable base`` for ``It's in our Airtable base.``"""
    plain = text.strip(" .!\t\n")
    return (_LEAD.replace_matches(plain, max_count=1).strip() or plain)[:MAX_PHRASE]
