"""Ways that people want results by and that delivery has none for: text messages, calls, messengers.

``text me if it's down`` names no place that results can go to. The rest of what is said stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.act import Act, Span
from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.tokens import Token, tokenise

_TEXT, _CALL = "text message", "phone"
_WAYS = {
    **dict.fromkeys(("sms", "text", "texts", "txt", "sms's", "smses"), _TEXT),
    **dict.fromkeys(("phone", "telephone", "mobile", "cell", "cellphone", "landline", "handy"), _CALL),
    "call": _CALL, "whatsapp": "WhatsApp", "whatsap": "WhatsApp", "watsapp": "WhatsApp",
    "telegram": "Telegram", "signal": "Signal", "messenger": "Messenger", "imessage": "iMessage",
    "viber": "Viber", "wechat": "WeChat", "pager": "pager", "beeper": "pager", "fax": "fax",
    "push": "push notification", "dm": "direct message", "dms": "direct message",
}  # fmt: skip
_VERBS = {
    **dict.fromkeys(("text", "sms", "txt"), _TEXT), **dict.fromkeys(("call", "phone", "ring"), _CALL),
    "whatsapp": "WhatsApp", "telegram": "Telegram", "page": "pager", "beep": "pager", "fax": "fax",
    "dm": "direct message",
}  # fmt: skip
_TOLD = frozenset({"me", "us"})
_BEFORE_WAY = frozenset("on via by over through thru per to as in using with".split())
_PLAIN_BEFORE = frozenset("to as in with".split())
"""Words before a way that lead to it only where something is sent: ``send it to my phone``."""
_DETERMINERS = frozenset("a an the my our your me us".split())
_SENDING = frozenset(
    "send sends sent sending notify alert message tell ping deliver deliver get give post drop shoot want let"
    " know results result report alerts notification notifications it them that".split()
)
_MESSAGES = frozenset(
    "message messages msg msgs call notification notifications app chat please pls then".split()
)
_MARKS = frozenset(",.;:!?\n\u2013\u2014-()")
_JOINTS = _MARKS | LEADS | CORRECTIONS | frozenset("to you u it should can could will would rather".split())
_NEAR = 7


class UnsendableWay(NamedTuple):
    """A way that was named, with the stretch of the text that names it."""

    name: str
    start: int
    end: int


def find_unsendable(text: str) -> UnsendableWay | None:
    """Return the first way in a text by which nothing can be sent; None where it names none."""
    return next(find_unsendables(text), None)


def find_unsendables(text: str) -> Iterator[UnsendableWay]:
    """Yield all ways in a text by which nothing can be sent, in order."""
    yield from _ways(tokenise(text))


def without_unsendable(act: Act) -> Act:
    """Return the act with the words blank, in its clause and its slots, that name such a way."""
    text, begin = act.clause.text, act.clause.start
    stretches = [(way.start, way.end) for way in find_unsendables(text)]
    if not stretches:
        return act
    slots = {
        name: Span(_blanked(span.text, [(start + begin - span.start, end + begin - span.start)
                                        for start, end in stretches]), span.start, span.end)
        for name, span in act.slots.items()
    }  # fmt: skip
    kept = {name: span for name, span in slots.items() if any(mark.isalnum() for mark in span.text)}
    return replace(act, clause=act.clause._replace(text=_blanked(text, stretches)), slots=kept)


def _blanked(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    marks = list(text)
    for start, end in stretches:
        first, last = max(0, start), min(len(marks), end)
        marks[first:last] = " " * max(0, last - first)
    return "".join(marks)


def _ways(tokens: Sequence[Token]) -> Iterator[UnsendableWay]:
    place = 0
    while place < len(tokens):
        found = _by_verb(tokens, place) or _by_place(tokens, place) or _alone(tokens, place)
        if found is None:
            place += 1
            continue
        first, end, name = found
        yield UnsendableWay(name, tokens[first].start, tokens[end - 1].end)
        place = end


def _by_verb(tokens: Sequence[Token], place: int) -> tuple[int, int, str] | None:
    """Return the stretch of ``text me``, with ``and`` or a comma before it."""
    name = _VERBS.get(tokens[place].word)
    behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
    if name is None or behind not in _TOLD or (place and tokens[place - 1].word not in _JOINTS):
        return None
    first = place
    while first and tokens[first - 1].word in {",", "and", "then", "please", "pls", "just", "also"}:
        first -= 1
    return first, place + 2, name


def _by_place(tokens: Sequence[Token], place: int) -> tuple[int, int, str] | None:
    """Return the stretch of ``by text``, ``on my phone`` or ``a text message``."""
    name = _WAYS.get(tokens[place].word)
    if name is None:
        return None
    first = place
    while first and tokens[first - 1].word in _DETERMINERS:
        first -= 1
    before = tokens[first - 1].word if first else ""
    near = {token.word for token in tokens[max(0, first - _NEAR) : place]}
    is_sent = bool(near & (_SENDING | _TOLD))
    is_own = {token.word for token in tokens[first:place]} & {"my", "me"} and before == "to"
    is_led = before in _BEFORE_WAY and (before not in _PLAIN_BEFORE or is_sent or bool(is_own))
    is_object = first < place and bool(near & _TOLD) and is_sent and before not in {"from", "of", "for"}
    if not is_led and not is_object:
        return None
    first = first - 1 if is_led else max(first, place - 1)
    end = place + 1
    while end < len(tokens) and tokens[end].word in _MESSAGES:
        end += 1
    is_thing = end < len(tokens) and tokens[end].is_word and end == place + 1 and name == _CALL
    return None if is_thing and tokens[end].word in _OF_PHONE else (first, end, name)


_OF_PHONE = frozenset(
    "calls lines line system systems bill bills contract contracts orders numbers log".split()
)


def _alone(tokens: Sequence[Token], place: int) -> tuple[int, int, str] | None:
    """Return the stretch of a way that is all that a part says: ``every morning at 7, whatsapp``."""
    name = _WAYS.get(tokens[place].word)
    begin, end = place, place + 1
    while begin and tokens[begin - 1].word not in _MARKS:
        begin -= 1
    while end < len(tokens) and tokens[end].word not in _MARKS:
        end += 1
    rest = {token.word for at, token in enumerate(tokens[begin:end], begin) if at != place}
    return None if name is None or rest - LEADS - _MESSAGES - _DETERMINERS else (begin, end, name)
