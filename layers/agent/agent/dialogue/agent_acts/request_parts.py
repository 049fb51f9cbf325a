"""The sentences of a request for a new agent: what its owner wishes, and what they tell of their work today.

``Every evening I go through all orders`` tells a story: its time is when the owner works, not yet when the
agent shall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from agent.workspace.delivery_targets import is_mail_address
from intent.acts.lexicon import EXCEPTIONS, LEADS, NEGATIONS
from intent.acts.tokens import Token, tokenise
from intent.times.reader import read_times

_ENDS = frozenset(".!?;\n\u2026")
_JOINTS = frozenset({",", ":", "-", "\u2013", "(", "and", "but", "so", "because", "cos", "as"})
_TELLERS = frozenset({"i", "we", "i've", "we've", "i'm", "we're", "im", "ive"})
_OWN_TIME = frozenset(
    "evening evenings morning mornings night nights day days week weeks weekend weekends afternoon monday"
    " tuesday wednesday thursday friday saturday sunday".split()
)
_GO = frozenset({"go", "goes", "is", "are", "disappear", "disappears", "vanish"})
_BEFORE_TELLER = LEADS | frozenset(
    "half most all of my our every each evry evrey once a an at the on in until till by when then well"
    " usually always again today day night nite week month quarter year morning evening afternoon".split()
)
_ADVERBS = frozenset("always usually still just honestly really often only also then normally".split())
_WISHES = frozenset(
    "want need like love prefer wish appreciate require expect would should 'd wonder hope wanna fancy shall"
    " will must".split()
)
_WISHED = frozenset("please pls plz kindly i'd we'd id wed i'll".split())
_ASKED = frozenset("can could would will may might".split())
_ASKED_WHOM = frozenset("you u ya i we it something somebody someone anything".split())
_TELLING = frozenset("tell send give show mail email let remind warn alert post notify ping".split())
_TOLD = frozenset({"me", "us"})


class RequestPart(NamedTuple):
    """A sentence from ``start`` to ``end`` in the text."""

    start: int
    end: int
    is_story: bool


def parts_of(text: str) -> list[RequestPart]:
    """Return the sentences of a request in order."""
    parts: list[RequestPart] = []
    for tokens in _sentences(tokenise(text)):
        follows_story = bool(parts) and parts[-1].is_story
        tells = _tells(tokens) and not _leaves_out_day(tokens)
        is_story = not _is_wish(tokens) and (tells or (follows_story and not _says_when(tokens)))
        parts.append(RequestPart(tokens[0].start, tokens[-1].end, is_story))
    return parts


def wished(text: str) -> str:
    """Return a text of the same length in which the sentences that only tell a story are blank."""
    kept = list(text)
    for part in parts_of(text):
        if part.is_story:
            kept[part.start : part.end] = " " * (part.end - part.start)
    return "".join(kept)


def is_wish(text: str) -> bool:
    """Return whether words ask for something: ``I'd like to know``, ``could you``, ``tell me``."""
    return any(_is_wish(tokens) for tokens in _sentences(tokenise(text)))


def _sentences(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text in _ENDS:
            if any(one.is_word for one in tokens[begin : place + 1]):
                yield tokens[begin : place + 1]
            begin = place + 1
    if any(one.is_word for one in tokens[begin:]):
        yield tokens[begin:]


def _is_wish(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence asks for something, or says where results shall go."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        behind, before = words[place + 1 : place + 2], words[max(0, place - 2) : place]
        is_mine = bool(_TELLERS & set(before)) or place == 0
        if word in _WISHED or is_mail_address(tokens[place].text) or tokens[place].text.startswith("#"):
            return True
        if word in _ASKED and behind and behind[0] in _ASKED_WHOM:
            return True
        if word in _WISHES and is_mine and not (word == "need" and behind == ["to"]):
            return True
        if word in _TELLING and behind and behind[0] in _TOLD and not _TELLERS & set(before):
            return True
        if word in {"you", "u"} and behind and behind[0] in _ASKED:
            return True
    return False


def _tells(tokens: Sequence[Token]) -> bool:
    """Return whether somebody tells what they or others do: they are the subject of a clause of its own."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        begin = place
        while begin and words[begin - 1] not in _JOINTS:
            begin -= 1
        leads = words[begin:place]
        is_own_time = word in _OWN_TIME and bool({"my", "our"} & set(leads))
        is_teller = word in _TELLERS or (is_own_time and bool(_GO & set(words[place + 1 : place + 2])))
        is_teller = is_teller or (word in {"nobody", "someone", "somebody", "everyone"} and begin == place)
        is_clock = [one[0].isdigit() or one in _HOURS for one in leads]
        if (
            is_teller
            and _LEAVING_OUT.isdisjoint(words[:begin])
            and all(
                one in _BEFORE_TELLER or one.endswith(("day", "days")) or clock
                for one, clock in zip(leads, is_clock, strict=True)
            )
        ):
            behind = [one for one in words[place + 1 :] if one not in _ADVERBS]
            if behind[:1] != [] and behind[0] in _AIMED_AT and "so" in words[max(0, place - 2) : place]:
                continue  # what it is for: ``so I know what to buy``
            return bool(behind) and behind[0] not in _WISHES
    return False


_AIMED_AT = frozenset("know see can could don't dont won't have get remember".split())
_LEAVING_OUT = (NEGATIONS | EXCEPTIONS | {"exception", "exceptions", "skip", "apart"}) - {"but"}


def _leaves_out_day(tokens: Sequence[Token]) -> bool:
    """Return whether somebody tells of a day only to leave it out: ``Mondays I'm off, so skip those``."""
    words = [token.word for token in tokens if token.is_word]
    is_left_out = "skip" in words or words[-1:] == ["not"] or words[-2:] == ["not", "then"]
    is_left_out = is_left_out or bool({"closed", "shut"} & set(words))
    return is_left_out and any(word.removesuffix("s").endswith(("day", "weekend")) for word in words)


_HOURS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve noon midnight pm am".split()
)


def _says_when(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence names a time of day, so that it says more than how often."""
    text = " ".join(token.text for token in tokens)
    readings = read_times(text, now=_ANY_TIME, zone="UTC")
    return any(
        one.at is not None
        or (one.timing is not None and not any(said.startswith("no time") for said in one.assumed))
        for one in readings
    )


_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)
