"""Addresses at which other people's messages come in today: ``parents mail their notes to a@b.example``.

They tell where the data are. They are no place for results, which nobody has named yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Span
from intent.acts.lexicon import AGENT_NOUNS, AUXILIARIES, LEADS, POINTERS, RUN_NOUNS, verb_forms
from intent.acts.tokens import Token

_SENDING = frozenset("mail email e-mail send post write forward submit report".split())
_ARRIVING = frozenset("come arrive land drop get pour".split())
_ADVERBS = frozenset("always usually still just all often sometimes mostly normally then typically".split())
_OTHERS = frozenset("they people everyone everybody somebody someone who".split())
_LEADING = frozenset("to at in into on via by our the".split())
_ENDS = frozenset(".!?;:\n,")
_FARTHEST = 12
_NO_SENDERS = (
    LEADS | AUXILIARIES | POINTERS | AGENT_NOUNS | RUN_NOUNS
    | frozenset(
        "i we you to and or please that which let's let not never don't every each daily weekly hourly"
        " monthly list lists report reports digest digests summary summaries weekdays weekends mondays"
        " tuesdays wednesdays thursdays fridays saturdays sundays days weeks months mornings evenings nights"
        " noon hours minutes be been being two three four five six seven eight nine ten both several few"
        " couple some more new".split()
    )
) - {"they"}  # fmt: skip


def told_places(tokens: Sequence[Token], addresses: Sequence[Span]) -> list[Span]:
    """Return what tells where other people's messages come in: from the verb up to the address."""
    found: list[Span] = []
    for address in addresses:
        if "@" not in address.text and "#" not in address.text:
            continue
        at = next((place for place, one in enumerate(tokens) if one.end >= address.end), len(tokens) - 1)
        verb = _verb_before(tokens, at)
        if verb is not None:
            found.append(Span("", tokens[verb].start, address.end))
    return found


def apart_from(told: Sequence[Span], places: Sequence[Span]) -> list[Span]:
    """Return the places that stand apart from what is told."""
    return [one for one in places if not any(it.start < one.end and one.start < it.end for it in told)]


def mailbox(tokens: Sequence[Token], told: Span) -> Span:
    """Return the address itself, without the words that lead to it."""
    last = next(token for token in reversed(tokens) if token.end <= told.end)
    return Span(last.text, last.start, last.end)


def _verb_before(tokens: Sequence[Token], at: int) -> int | None:
    """Return the verb by which something comes in at an address; None when it is a command or a wish."""
    start = at - 1
    while start > 0 and tokens[start].word in _LEADING:
        start -= 1
    for place in range(start, max(-1, at - _FARTHEST), -1):
        token = tokens[place]
        if token.text in _ENDS or token.word in {"and", "but"}:
            return None
        base = _base(token.word)
        if base is None or base not in _SENDING | _ARRIVING or not place:
            continue
        between = [one.word for one in tokens[place + 1 : at] if one.word not in _LEADING]
        if base in _ARRIVING:
            return place if set(between) <= {"in", "up"} and _sends(tokens, place) else None
        is_told = bool(between) or _has_object_before(tokens, place)
        is_object = not between or not set(between) <= POINTERS | {"all"}
        return place if is_told and is_object and _sends(tokens, place) else None
    return None


def _base(word: str) -> str | None:
    form = verb_forms().get(word)
    if form is not None:
        return form.base
    base = _UNLISTED.get(word)
    return base if base is not None else word if word in _ARRIVING | _SENDING else None


_UNLISTED = {
    "arrives": "arrive", "arrived": "arrive", "lands": "land", "landing": "land", "submits": "submit",
    "submitted": "submit", "pours": "pour",
}  # fmt: skip


def _has_object_before(tokens: Sequence[Token], verb: int) -> bool:
    """Return whether what is sent stands before who sends it: ``what customers send to``."""
    return any(
        one.word in {"what", "whatever", "everything", "anything"} for one in tokens[max(0, verb - 4) : verb]
    )


def _sends(tokens: Sequence[Token], verb: int) -> bool:
    """Return whether others than the speaker are the subject of a verb: ``our parents``, ``they``."""
    at = verb - 1
    while at >= 0 and tokens[at].word in _ADVERBS:
        at -= 1
    if at < 0:
        return False
    word = tokens[at].word
    if word in _OTHERS:
        return at == 0 or tokens[at - 1].word not in AGENT_NOUNS | {"one", "something"}
    if not tokens[at].is_word or word in _NO_SENDERS or not word[0].isalpha():
        return False
    is_plural = word.endswith("s") or word in {"children", "men", "women", "staff", "team", "clients"}
    return is_plural if tokens[verb].word == _base(tokens[verb].word) else not word.endswith("s")
