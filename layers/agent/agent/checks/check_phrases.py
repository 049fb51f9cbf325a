"""Reads a check of a web address from a user's words: ``tell me when acme.com is down``. Pure.

It decides word by word, and returns None where anything essential is missing or unknown: the address, a wish
to be told or to have it watched, or what is expected of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import ValidationError

from agent.checks.check import DEFAULT_DAYS, Check, Expectation
from intent.dates.times import NUMBERS
from intent.regular_expressions import MAX_CHARACTERS, straighten_quotes
from intent.web_addresses import bare_word, web_address


def _vocabulary(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WATCHING = _vocabulary(
    "watch watches watching watcher monitor monitors monitoring check checks checking track ping pings uptime"
    " observe ensure ensures verify supervise probe test tests"
)
_TELLING = _vocabulary(
    "tell tells told notify notifies alert alerts warn warns warning message email e-mail mail text remind"
    " shout inform heads know notice notification notifications alarm wake poke buzz"
)
_MINDING = tuple(
    (verb, *rest) for verb in ("keep", "keeps", "keeping") for rest in (("tabs",), ("an", "eye"))
)
_CUES = (
    *_MINDING, ("keep", "checking"), ("keep", "watch"), ("make", "sure"),
    ("look", "at"), ("look", "out"), ("look", "if"), ("look", "whether"), ("look", "every"), ("see", "if"),
    ("see", "whether"), ("write", "to", "me"), ("want", "an", "email"), ("send", "me"), ("let", "us", "know"),
    ("i", "want"), ("ring", "me"), ("call", "me"),
)  # fmt: skip
_NEWS = (
    ("what", "new"), ("what", "is", "new"), ("what", "changed"), ("what", "has", "changed"),
    ("whats", "new"), ("whats", "changed"), ("anything", "new"), ("any", "changes"), ("any", "updates"),
    ("the", "changes"), ("the", "updates"),
)  # fmt: skip
"""Words for what is to be told of a page that is watched for changes."""
_OTHER_REQUESTS = _vocabulary(
    "stop don't dont never delete remove pause resume cancel rename change why add run connect summarise"
    " summarize undo restore show list share unshare"
)
"""Words that make the message a request about something else where they begin it."""
_POLITE = _vocabulary("please hey hi hello ok okay so can could would you")
_HOW = (("how", "do"), ("how", "can"), ("how", "would"), ("what", "does"), ("what", "is"))

_CERTIFICATES = _vocabulary("certificate certificates cert certs ssl tls")
_ABSENT = _vocabulary(
    "disappears disappear gone missing removed vanishes vanish without stops stop longer doesn't doesnt isn't"
    " isnt not never anymore lacks lack loses"
)
_REQUIRED = _vocabulary("ensure ensures sure must should always stays stay keeps keep still")
_REQUIRING = (
    ("check", "that"), ("verify", "that"), ("confirm", "that"), ("make", "sure"),
    ("check", "it", "says"), ("check", "it", "has"), ("check", "it", "contains"), ("check", "it", "shows"),
    ("verify", "it", "says"), ("verify", "it", "contains"),
)  # fmt: skip
"""Words before what is to be so, whether or not somebody is to be told otherwise."""
_CONDITIONS = _vocabulary(
    "if when whenever once soon moment before whether for case any about until unless less fewer ever"
)
"""Words of which a wish to be told has one: "tell Ann that acme.com is down" has none."""
_NAMING = _vocabulary("word text phrase words")
_STATUS_WORDS = _vocabulary(
    "goes turns status code http return returns returning returned answer answers answering give gives"
    " giving respond responds responding than a an"
)
_CHANGES = _vocabulary(
    "change changes changed changing modified modification update updates updated different differs"
    " differences edits edited edit new"
)
_OUTAGES = _vocabulary(
    "down downtime dies died dying offline outage outages unreachable unavailable available availability"
    " reachable up uptime online alive respond responds responding load loads loading work works working"
    " answer answers answering dead breaks broken fails failing fail error errors problem problems falling"
    " crash crashes crashed accessible live"
)
_PLAIN = _vocabulary(
    "my our the a an site website page homepage web address url server shop store at on in it its is for me"
    " us and please now from once every each hour hourly day daily week weekly minute minutes minutely"
    " mins min hours hrs morning evening night nightly weekday weekdays whether if i want to can could you"
    " would keep tabs eye set make create agent that this here hey hi at by am pm of"
)
"""Words around a bare request to watch an address."""
_BEFORE_UP = _vocabulary("set heads show shows showing look follow sign come comes end")
"""Words that take an "up" which says nothing of an address."""
_DESTINATION_LEADS = frozenset({"to", "into", "from", "via"})
_UNIT_DAYS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
_RECURRING = frozenset({"every", "each", "per"})


class _Quoted(NamedTuple):
    """A message whose quotations are replaced by blanks, and the first of them. An address in quotation marks
    is none.
    """

    rest: str
    text: str | None


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a message in lower case; the watched address is left out."""

    url: str
    all: tuple[str, ...]
    quoted: str | None

    def has(self, words: Collection[str]) -> bool:
        return any(word in words for word in self.all)

    def has_row(self, row: Sequence[str]) -> bool:
        return any(self.all[at : at + len(row)] == tuple(row) for at in range(len(self.all)))


def check_from_words(text: str) -> Check | None:
    """Returns the check that the words ask for; None when they ask for none, or not clearly enough.

    A schedule and a way of delivery in the words are left to others. What is quoted is only ever the text to
    look for: it asks for nothing.
    """
    # A cut message could end in a cut address.
    words = _words_of(straighten_quotes(text)) if len(text) <= MAX_CHARACTERS else None
    if words is None or _is_another_request(words) or not _asks_to_watch(words):
        return None
    try:
        return _certificate(words) or _text(words) or _status(words) or _changed(words) or _up(words)
    except ValidationError:
        return None  # the certificate of an address without https


def _words_of(text: str) -> _Words | None:
    unquoted = _without_quotations(text)
    plain = unquoted.rest.split()
    found = [(place, url) for place, word in enumerate(plain) if (url := web_address(word))]
    watched = [(place, url) for place, url in found if not _is_destination(plain, place)]
    if not watched:
        return None
    addresses = {place for place, _ in found}
    words = [bare_word(word).lower() for place, word in enumerate(plain) if place not in addresses]
    telling = (
        word for before, word in zip(["", *words], words, strict=False) if not _is_particle(before, word)
    )
    return _Words(watched[0][1], tuple(filter(None, telling)), unquoted.text)


def _is_particle(before: str, word: str) -> bool:
    return word == "up" and before in _BEFORE_UP


def _without_quotations(text: str) -> _Quoted:
    pieces, quoted, begin = list[str](), list[str](), 0
    for start, mark in enumerate(text):
        if start < begin or mark not in "\"'" or text[start - 1 : start].isalnum():
            continue
        end = _end_of_quotation(text, start)
        inner = text[start + 1 : end].strip() if end > 0 else ""
        if inner and web_address(inner) is None:
            pieces.append(text[begin:start])
            quoted.append(inner)
            begin = end + 1
    return _Quoted(" ".join([*pieces, text[begin:]]), quoted[0] if quoted else None)


def _end_of_quotation(text: str, start: int) -> int:
    end = text.find(text[start], start + 1)
    while end > 0 and text[end + 1 : end + 2].isalnum():
        end = text.find(text[start], end + 1)
    return end


def _is_destination(words: Sequence[str], place: int) -> bool:
    """Whether results are to go to the address, or come from it: ``post it to https://acme.com``."""
    before = [bare_word(word).lower() for word in words[max(0, place - 2) : place]]
    is_of_page = len(before) > 1 and (before[0] in _CHANGES or before[0] in _ABSENT)
    return bool(before) and before[-1] in _DESTINATION_LEADS and not is_of_page


def _is_another_request(words: _Words) -> bool:
    first = [word for word in words.all[:6] if word not in _POLITE][:2]
    asks_how = any(map(words.has_row, _HOW)) and not words.has_row(("what", "is", "new"))
    return (bool(first) and first[0] in _OTHER_REQUESTS) or asks_how


def _asks_to_watch(words: _Words) -> bool:
    is_news = any(map(words.has_row, _NEWS))
    is_told = words.has(_TELLING) and (words.has(_CONDITIONS) or words.has(_CERTIFICATES) or is_news)
    return is_told or words.has(_WATCHING) or any(map(words.has_row, _CUES))


def _certificate(words: _Words) -> Check | None:
    if not words.has(_CERTIFICATES):
        return None
    days = next(_days_named(words.all), DEFAULT_DAYS)
    return Check(url=words.url, expect=Expectation.CERTIFICATE, days=days)


def _days_named(words: Sequence[str]) -> Iterator[int]:
    for place, word in enumerate(words[1:], 1):
        number = words[place - 1]
        count = 1 if number in ("a", "one", "an") else NUMBERS.get(number) or _as_int(number)
        is_rate = place > 1 and words[place - 2] in _RECURRING
        if word in _UNIT_DAYS and count and not is_rate:
            yield count * _UNIT_DAYS[word]


def _as_int(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 4 else 0


def _text(words: _Words) -> Check | None:
    text = words.quoted or _named_text(words.all)
    if text is None:
        return None
    is_wish = words.has(_REQUIRED) and not words.has(_TELLING)
    is_required = is_wish or any(map(words.has_row, _REQUIRING))
    is_denied = words.has(_ABSENT)
    # What is told is the opposite of what is expected.
    expect = Expectation.CONTAINS if is_denied != is_required else Expectation.LACKS
    return Check(url=words.url, expect=expect, text=text)


def _named_text(words: Sequence[str]) -> str | None:
    """Returns the word behind ``the word``, where no text is quoted."""
    for place, word in enumerate(words[:-1]):
        if word in _NAMING and place and words[place - 1] in ("the", "a"):
            return words[place + 1]
    return None


def _status(words: _Words) -> Check | None:
    for place, word in enumerate(words.all):
        status = _as_int(word)
        if not 100 <= status <= 599 or not set(words.all[max(0, place - 3) : place]) & _STATUS_WORDS:
            continue
        is_expected = words.has(_REQUIRED) or words.has({"stops", "stop", "other", "besides", "except"})
        if status >= 400 and not is_expected:
            return Check(url=words.url)  # it is the outage that is to be told
        return Check(url=words.url, expect=Expectation.STATUS, status=status)
    return None


def _changed(words: _Words) -> Check | None:
    if not words.has(_CHANGES) or words.has(_OUTAGES):
        return None
    return Check(url=words.url, expect=Expectation.UNCHANGED)


def _up(words: _Words) -> Check | None:
    rest = (word for word in words.all if word not in _WATCHING and not word[:1].isdigit())
    is_plain = all(word in _PLAIN or word in _TELLING or word in NUMBERS for word in rest)
    is_watch = words.has(_WATCHING) or any(map(words.has_row, _MINDING))
    is_up = words.has(_OUTAGES) or words.all[-1:] == ("back",)
    return Check(url=words.url) if is_up or (is_plain and is_watch) else None
