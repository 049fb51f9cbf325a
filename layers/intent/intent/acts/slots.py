"""The slots of a clause: when, where to, by which name, which title, each with its place in the message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from intent.acts import lexicon
from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.naming.extent import find_extent
from intent.acts.tokens import Token
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading

_QUOTED = re.compile(r"[\"“”«]([^\"“”«»\n]{1,200})[\"“”»]|(?<![\w])['‘]([^'’\n]{2,200})['’](?![\w])")
_CHANNELS = {
    "slack": "slack", "teams": "teams", "email": "email", "e-mail": "email", "mail": "email", "sms": "sms",
    "text": "sms", "inbox": "email", "emails": "email", "mails": "email", "e-mails": "email",
}  # fmt: skip
_TOWARDS = frozenset("to into in on via by through over with onto per the a an our my as and or".split())
_AWAY = frozenset(["from", "of", "out"])


@dataclass(frozen=True, slots=True)
class Found:
    """What a message has besides its verbs: moments, addresses, quotations. All spans are in the message."""

    times: tuple[TimeReading, ...]
    addresses: tuple[Span, ...]
    """Channels, mail addresses, links and ``here``, each with the words that lead to it."""
    quoted: tuple[Span, ...]
    """The texts within quotation marks, without the marks."""

    @property
    def used(self) -> tuple[tuple[int, int], ...]:
        """Return the spans that say when or where to."""
        times = (part for reading in self.times for part in reading.spans)
        return (*times, *((span.start, span.end) for span in self.addresses))


def find_slots(text: str, tokens: Sequence[Token], *, now: datetime, zone: str, offset: int = 0) -> Found:
    """Return the times, addresses and quotations of a text that begins at ``offset`` in its message.

    ``tokens`` have their places in the message.
    """
    quoted = tuple(quotations(text, offset))
    times = tuple(
        _moved(reading, offset)
        for reading in read_times(text, now=now, zone=zone)
        if reading.kind is not Kind.PERIOD
        and not any(span.start <= reading.span[0] + offset < span.end for span in quoted)
    )
    return Found(times, tuple(_addresses(text, tokens, offset)), quoted)


def _moved(reading: TimeReading, by: int) -> TimeReading:
    spans = tuple((start + by, end + by) for start, end in reading.spans)
    return replace(reading, span=(reading.span[0] + by, reading.span[1] + by), spans=spans)


def quotations(text: str, offset: int = 0) -> Iterator[Span]:
    """Yield the texts within quotation marks, without the marks; ``offset`` is where the text begins."""
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] is not None else 2
        yield Span(match[group], match.start(group) + offset, match.end(group) + offset)


def without_quotations(text: str) -> str:
    """Return a text with what stands in quotation marks blanked out: no time is said there."""
    for span in quotations(text, 0):
        text = f"{text[: span.start]}{' ' * len(span.text)}{text[span.end :]}"
    return text


def _addresses(text: str, tokens: Sequence[Token], offset: int) -> Iterator[Span]:
    """Yield the places results may go to, each with the preposition before it."""
    place = 0
    while place < len(tokens):
        end = _address_end(tokens, place)
        if end == place:
            place += 1
            continue
        begin = place
        while begin and tokens[begin - 1].word in _TOWARDS:
            begin -= 1
        if begin and tokens[begin - 1].word in _AWAY:
            place = end
            continue
        start, stop = tokens[begin].start, tokens[end - 1].end
        yield Span(text[start - offset : stop - offset], start, stop)
        place = end


def _address_end(tokens: Sequence[Token], place: int) -> int:
    token = tokens[place]
    before = tokens[place - 1].word if place else ""
    behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
    if behind in {"is", "are", "was", "were"} and token.word in _CHANNELS:
        return place
    if ("@" in token.text and "." in token.text) or token.text.startswith("http"):
        return place + 1
    if token.text[0] == "#" and len(token.text) > 1 and not token.text[1:].isdigit():
        return place + 1
    if token.word in _CHANNELS and not (
        token.word in {"text", "mail", "email"} and before in {"the", "a", "of"}
    ):
        return place + 1
    if token.word == "here" and _is_place_of_results(tokens, place):
        return place + (
            4 if [one.word for one in tokens[place + 1 : place + 4]] == ["in", "the", "chat"] else 1
        )
    if token.word in {"this", "the", "our"} and place + 1 < len(tokens):
        return place + 2 if tokens[place + 1].word in {"chat", "conversation", "thread"} else place
    return place


_NEAR = 9
_BEFORE_HERE = frozenset(
    "right just only or am pm noon daily weekdays , it me us results result -> to in and them also : via"
    " by".split()
)
_DELIVERING = ("deliver", "list", "produce", "add", "want", "explain", "change")


def _is_place_of_results(tokens: Sequence[Token], place: int) -> bool:
    """Return whether ``here`` says where results go: not so in ``I'm sat here going through the log``."""
    if place == 0 or tokens[place - 1].word in _BEFORE_HERE or tokens[place - 1].text[0].isdigit():
        return True
    near = [lexicon.verb_forms().get(token.word) for token in tokens[max(0, place - _NEAR) : place]]
    classes = {name for form in near if form is not None for name in lexicon.classes_of(form.base)}
    return bool(classes.intersection(_DELIVERING)) and tokens[place - 1].word not in _BEING


_BEING = frozenset("is are from i'm we're sat sit sitting stood stand standing live work been being".split())


_NAMED = frozenset({"agent", "called", "named", "name", "bot", "one", ":", "agent:", "is"})


_BEFORE_NAME = frozenset({",", "another", "third", "second", "one", "agent", "named", "new", "next"})
_LATEST_NAME = 6
_NO_NAMES = frozenset({"more", "one", "agent", "bot", "thing", "please", "name", "job"})


def find_new_name(clause: Clause, known: Sequence[str]) -> Span | None:
    """Return the name that a request for a new agent gives it: ``called X``, ``agent stock-watch``."""
    words = clause.words
    if (quoted := _opening_quotation(clause)) is not None:
        return quoted
    for place, token in enumerate(clause.tokens):
        before = words[place - 1] if place else ""
        behind = words[place + 1] if place + 1 < len(words) else ""
        is_compound = "-" in token.text.strip("-") and token.text[0].isalpha()
        is_given = before == ":" and place > 1 and words[place - 2] in _NAMED
        is_introduced = before in _NAMED - {":"} or is_given or (place <= 3 and behind in {":", ","})
        if is_compound and is_introduced and token.text.lower() not in known:
            return Span(token.text, token.start, token.end)
        if (
            token.text.isalpha()
            and token.word not in _NO_NAMES
            and 0 < place <= _LATEST_NAME
            and before in _BEFORE_NAME
            and behind == ":"
        ):
            return Span(token.text, token.start, token.end)
        is_named = before in {"called", "named"} and not _is_of_data(words[place - 2] if place > 1 else "")
        if is_named and (name := find_extent(clause.message, clause.tokens, place)):
            return name
    return None


def _is_of_data(noun: str) -> bool:
    """Return whether what has a name is something that an agent reads: ``files named draft``."""
    return noun in _DATA or (noun.endswith("s") and noun not in lexicon.AGENT_NOUNS | {"is"})


_DATA = frozenset("sheet board channel folder project table page tab file document column label".split())


def _opening_quotation(clause: Clause) -> Span | None:
    """Return the quotation that a request opens with, set off by a mark: ``set up 'Monday numbers' - …``."""
    found = next(quotations(clause.text, clause.start), None)
    if found is None or len(found.text) > _LONGEST_NAME:
        return None
    before = [token.word for token in clause.tokens if token.end <= found.start and token.is_word]
    behind = clause.message[found.end + 1 : clause.end].lstrip()[:1]
    return found if set(before) <= _OPENING_NAME and before and behind in _MARKS_BEHIND_NAME else None


_LONGEST_NAME = 40
_MARKS_BEHIND_NAME = tuple(":,-\u2013\u2014;(=")
_OPENING_NAME = (
    lexicon.LEADS
    | lexicon.AGENT_NOUNS
    | frozenset(
        "set up create make build add new a an the me us can could you i want need called named".split()
    )
)


def find_name(clause: Clause, quoted: Sequence[Span]) -> Span | None:
    """Return the name that a clause gives: ``call it X``, ``rename … to X``, ``named X``, quoted or bare.

    Where it only points at one (``rename it to that``), that is the compound word before.
    """
    name = _given_name(clause, quoted)
    if name is None or name.text.lower() not in {"that", "this"}:
        return name
    before = (token for token in reversed(clause.tokens) if token.end <= name.start)
    spelt = next((one for one in before if "-" in one.text.strip("-") and one.text[0].isalpha()), None)
    return None if spelt is None else Span(spelt.text, spelt.start, spelt.end)


def _given_name(clause: Clause, quoted: Sequence[Span]) -> Span | None:
    words = clause.words
    for place, word in enumerate(words):
        form = lexicon.verb_forms().get(word)
        base = form.base if form else ""
        if base == "rename":
            at = _position(words, place, ("to", "as", "into", "->", "=>", "\u2192"))
            if at == len(words) and words[place + 1 : place + 2] and words[place + 1] in _POINTED:
                at = place + 2  # ``rename it receivables``
            return _after(clause, quoted, at)
        if base in _NAMING_VERBS and _names(words, place) and place + 1 < len(words):
            at = _skip_reference(words, place + 1)
            return _after(clause, quoted, at) if at < len(words) else None
        if word == "name" and gives_name(words[: place + 1]):
            return _after(clause, quoted, place + 1 + ("".join(words[place + 1 : place + 2]) in {":", "of"}))
        if word == "name" and place + 1 < len(words) and words[place + 1] in {"to", "is", ":", "should"}:
            return _after(clause, quoted, place + 2 if words[place + 1] != "should" else place + 3)
    return None


def gives_name(words: Sequence[str]) -> bool:
    """Return whether words that end with ``name`` give a thing one: ``give to rota the new name``, ``let it
    have the name``.
    """
    if {"me", "us"} & set(words):
        return False
    before = words[-2:-1]
    forms = (lexicon.verb_forms().get(word) for word in words[:-1])
    gives = any(form is not None and form.base in {"give", "have", "get", "bear", "carry"} for form in forms)
    return gives and bool(before) and before[0] in {"new", "the", "other", "another"} and words[-1] == "name"


def says_naming(clause: Clause) -> bool:
    """Return whether a clause commands to name something, or speaks of its name: ``the new name: X``."""
    words = clause.words
    return any(
        (form is not None and form.base == "rename")
        or (form is not None and form.base in _NAMING_VERBS and _names(words, place))
        or (word in {"name", "title"} and _is_own_name(words, place))
        or gives_name(words[: place + 1])
        for place, word in enumerate(words)
        for form in (lexicon.verb_forms().get(word),)
    )


def _is_own_name(words: Sequence[str], place: int) -> bool:
    """Return whether a noun stands for the name of something, and not for those of people in a report."""
    before, behind = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
    return before in _BEFORE_NAME_NOUN or (before.endswith("'s") and behind in {"to", "should", ":"})


def _names(words: Sequence[str], place: int) -> bool:
    """Return whether a form of ``call`` or ``name`` gives a name: a command, or what something shall be
    called. ``People's names`` and ``the one called parcels`` give none.
    """
    word, before = words[place], words[place - 1] if place else ""
    form = lexicon.verb_forms()[word]
    if words[place + 1 : place + 2] in (("it",), ("that",)) and words[place + 2 : place + 3] in _IDIOMS:
        return False
    if form.is_base:
        return not before or not before[0].isalnum() or before in lexicon.LEADS | _BEFORE_NAMING
    if word.endswith("ing"):
        return words[place + 1 : place + 2] != () and words[place + 1] in lexicon.POINTERS
    return word.endswith("ed") and before in _TO_BE_NAMED


_NAMING_VERBS = frozenset({"call", "name", "title", "dub"})
_BEFORE_NAMING = frozenset(
    "and to you we us let's lets i'd i'll we'll rather it reflection thought thoughts".split()
)
_IDIOMS = (("off",), ("a",), ("quits",), ("in",), ("done",))
"""What follows in ``call it off`` and ``call it a day``."""
_TO_BE_NAMED = frozenset("be get gets being it them that this now".split())
_BEFORE_NAME_NOUN = frozenset("the its it's old new a another different".split())


def _position(words: Sequence[str], start: int, marks: Sequence[str]) -> int:
    found = [place for place, word in enumerate(words) if place > start and word in marks]
    return found[-1] + 1 if found else len(words)


_POINTED = frozenset({"it", "that", "this", "him", "her", "them"})


def _skip_reference(words: Sequence[str], place: int) -> int:
    """Return where the name begins behind ``call``: after ``it``, ``the parcels one``, or at once."""
    if words[place] in _POINTED:
        return place + 1
    for at in range(place, min(place + 7, len(words))):
        if words[at] in {"one", "agent", "bot", "task", "automation", "thing", "copy", "clone", "duplicate"}:
            return at + 1
    return place


def _after(clause: Clause, quoted: Sequence[Span], place: int) -> Span | None:
    if quoted:
        return quoted[-1]
    tokens = clause.tokens
    while place + 1 < len(tokens) and tokens[place].word in _BEFORE_GIVEN:
        place += 1
    return find_extent(clause.message, tokens, place, is_last=True) if place < len(tokens) else None


_BEFORE_GIVEN = frozenset({"to", "as", "be", "please", "called", "named"})
