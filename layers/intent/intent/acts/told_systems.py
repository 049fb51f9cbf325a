"""Sentences that only say where data are: ``they're in a list in SharePoint``, ``the till is Square``.

They name the source of an agent, and never its job.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from conversation.sentences import sentence_spans
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import LEADS, POINTERS, QUESTION_WORDS, SUBJECTS
from intent.acts.requests import asks_for_something
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, known_words, tokenise

_LEADING = frozenset("in on via through from with into using use uses inside within called".split())
_BEING = frozenset("is are was were it's that's be uses called named they're".split())
_SYSTEMS = frozenset(
    "till system systems software program programme programs tool app crm erp database website site"
    " shop store calendar inbox mailbox sheet spreadsheet register list accounts bookings booking records"
    " orders data".split()
)
"""What people call the thing that their data are in."""
_KEEPING = frozenset(
    "kept keep keeps stored logged recorded written saved entered listed filed tracked managed lives live"
    " sits sit come comes came arrive arrives go goes land lands book booked email mail send use uses"
    " have has store pile piles piled".split()
)
_NO_SYSTEMS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july"
    " august september october november december english slack teams whatsapp".split()
)
_CONTAINERS = frozenset({"sheet", "spreadsheet", "excel", "mailbox", "inbox", "calendar", "list", "folder"})
_MOST_WORDS = 14
_MOST_TELLING = 3


def system_told_in(text: str) -> str:
    """Return the system that a sentence says something is kept in, as written; empty without one."""
    for begin, end in sentence_spans(text):
        if name := _told_by(text[begin:end]) or _told_in_part(text[begin:end]):
            return name
    return ""


def _told_in_part(sentence: str) -> str:
    """Return the system in which a part of a long sentence says that something is kept: ``…, and they all
    land in Xero``; empty without one.
    """
    part: list[Token] = []
    for token in (*tokenise(sentence), None):
        if token is not None and token.text not in _PART_MARKS and token.word not in _PART_JOINTS:
            part.append(token)
            continue
        led = _led_place(part)
        if name := _service(part[led:]) or _name(part[led:]):
            return name
        part = []
    return ""


def _led_place(part: Sequence[Token]) -> int:
    """Return where the word stands that leads to where something is kept, or was moved; the length of the
    part without one.
    """
    words = [one.word for one in part]
    if moved := [at for at, (verb, to) in enumerate(pairwise(words)) if verb in _MOVING and to == "to"]:
        return moved[0] + 1
    kept = next((at for at, word in enumerate(words) if word in _KEEPING), len(part))
    pointing = next((at for at, word in enumerate(words) if word in _POINTING_TO_DATA), len(part))
    kept = pointing if pointing < kept and len(part) - pointing <= _LONGEST_POINTING else kept
    return next((at for at in range(kept, len(part)) if words[at] in _LEADING), len(part))


_MOVING = frozenset({"moved", "switched", "migrated", "changed", "over"})
_POINTING_TO_DATA = frozenset({"they're", "it's", "they", "it", "that's", "those"})
_LONGEST_POINTING = 7
_PART_MARKS = frozenset(",;:\n\u2013\u2014-")
_PART_JOINTS = frozenset({"and", "but", "so", "because", "which", "where"})


def without_system_told(text: str) -> str:
    """Return a text without the sentences that only say where something is kept."""
    kept: list[str] = []
    was_told = False
    for begin, end in sentence_spans(text):
        was_told = bool(_told_by(text[begin:end])) or (was_told and _goes_on(text[begin:end]))
        if not was_told:
            kept.append(text[begin:end].strip())
    return " ".join(filter(None, kept))


def _goes_on(sentence: str) -> bool:
    """Return whether a sentence only says what else is kept there: ``and for the invoices too``."""
    words = [token.word for token in tokenise(sentence) if token.is_word]
    return tuple(words[:2]) in {("and", "for"), ("also", "for"), ("and", "the")} and bool(_ALSO & set(words))


_ALSO = frozenset({"too", "also", "well"})


def _told_by(sentence: str) -> str:
    """Return the system of a sentence that says only where something is kept; empty for any other."""
    tokens = tokenise(sentence)
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    if not words or len(words) > _MOST_WORDS or sentence.rstrip().endswith("?"):
        return ""
    if words[0] in QUESTION_WORDS or asks_for_something(tokens):
        return ""
    name = _service(tokens) or _name(tokens)
    if not name:
        return ""
    tells_where = words[0] in SUBJECTS | POINTERS or bool(_KEEPING & set(words)) or bool(_BEING & set(words))
    own = {token.word for token in tokens if token.is_word} - CLOSED_CLASS - LEADS - _KEEPING - _SYSTEMS
    own -= set(name.lower().split()) | _CONTAINERS
    return name if tells_where or len(own) <= _MOST_TELLING else ""


def systems_in(text: str) -> tuple[str, ...]:
    """Return the systems that a text names as places of data, in order, as written."""
    tokens = tokenise(text)
    found = []
    for place in range(1, len(tokens)):
        token, before = tokens[place], tokens[place - 1].word
        is_written = token.text[:1].isupper() and token.text.isalnum() and before in _LEADING | {"or", "and"}
        if token.word not in _NO_SYSTEMS and (token.word in SERVICES or is_written):
            found.append(token.text)
    return tuple(dict.fromkeys(found))


_HOLDING = frozenset("sit sits kept keep stored logged recorded saved listed filed tracked all".split())
"""Words before ``in`` behind which a word with a capital is a system, whatever else it means."""


def _service(tokens: Sequence[Token]) -> str:
    """Return the first known service among words; empty without one."""
    return next((one.text for one in tokens if one.word in SERVICES - _NO_SYSTEMS), "")


def _name(tokens: Sequence[Token]) -> str:
    """Return the word written as a name that stands where a system does; empty without one."""
    for place, token in enumerate(tokens):
        is_name = token.text[:1].isupper() and token.text.isalnum() and token.word not in _NO_SYSTEMS
        if not place or not is_name:
            continue
        before = tokens[place - 1].word
        is_kept = bool(_HOLDING & {one.word for one in tokens[max(0, place - 4) : place]})
        is_led = before in _LEADING and (is_kept or token.word not in known_words())
        is_called = before in _BEING and bool(_SYSTEMS & {one.word for one in tokens[:place]})
        if is_led or is_called:
            behind = tokens[place + 1] if place + 1 < len(tokens) else None
            is_joined = behind is not None and behind.start == token.end and behind.text.isdigit()
            return (
                f"{token.text}{behind.text}" if behind is not None and is_joined else token.text
            )  # ``Cin7``
    return ""
