"""The items of a message that lists several new agents, each with a time and a source or a place of its own:
``SLA breaches from Zendesk hourly to #support, churned accounts from HubSpot on Mondays at 8 by mail``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from intent.acts.act import ActKind
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import LEADS, POINTERS, verb_forms
from intent.acts.references import is_content

_MARKS = frozenset(",;.\n-*\u2022\u2013\u2014:")
_JOINTS = _MARKS | {"and", "plus", "&"}
_DAYS = frozenset({"weekday", "rate", "every"})
_TIMES = _DAYS | {"clock"}
_MOST_TOKENS = 160
_OTHER_SUBJECTS = frozenset("it he she they them those these this".split())
_SPEAKERS = frozenset("i we i've we've".split())
_WISHES = frozenset("want need would like wish love".split())
_CLAUSES = frozenset("if when because which that where who so but not except unless until".split())
_NUMBERING = frozenset("a an the one other another second third fourth first last more".split())
_PLACES = frozenset("here mail email e-mail slack teams".split())
_SUBJECT_MARKS = frozenset({"on", "for", "about", "of", "with", "to", "that", ":"})


class ListedAgent(NamedTuple):
    """The request for one of several new agents, as places of tokens."""

    start: int
    end: int


class _Chunk(NamedTuple):
    """The words between two joints, and what they tell."""

    start: int
    end: int
    has_time: bool
    has_days_and_clock: bool
    has_source: bool
    has_place: bool
    has_job: bool
    is_bound: bool
    """Whether it belongs to the words before it: ``post them to #dev``."""

    @property
    def is_whole(self) -> bool:
        return self.has_job and not self.is_bound and (self.has_source or self.has_place)

    @property
    def goes_on(self) -> bool:
        """Whether it may be one more item of a list that has begun, with nothing but a job and its times."""
        return self.has_job and not self.is_bound and self.has_days_and_clock


def listed_agents(marked: MarkedMessage, segments: Sequence[Segment]) -> tuple[ListedAgent, ...]:
    """Return the requests for new agents that a message lists; empty for fewer than two."""
    if sum(one.kind is ActKind.CREATE_AGENT for one in segments) < 1 or len(marked.tokens) > _MOST_TOKENS:
        return ()
    begin = next(one.start for one in segments if one.kind is ActKind.CREATE_AGENT)
    tokens = marked.tokens
    chunks = [_chunk(tokens, start, end) for start, end in _stretches(tokens, begin, marked.text)]
    starts: list[int] = []
    is_complete = False
    head = chunks[0] if chunks and tokens[chunks[0].end : chunks[0].end + 1] else None
    is_timed_above = head is not None and head.has_time and tokens[head.end].token.text == ":"
    for chunk, behind in zip(chunks, [*chunks[1:], None], strict=True):
        is_timed = chunk.has_time or (is_timed_above and chunk.has_source and chunk.has_place)
        is_timed = is_timed or (
            behind is not None and behind.has_time and not behind.has_source and not behind.has_job
        )
        is_request = (chunk.is_whole and is_timed) or (bool(starts) and chunk.goes_on)
        if is_request and (is_complete or not starts):
            starts.append(chunk.start)
            is_complete = True
        elif starts and chunk.has_job and not chunk.is_bound and not chunk.has_time:
            is_complete = False  # what is told without a time belongs to what comes next, or to neither
    if len(starts) < _FEWEST or not all(_is_in_creation(at, segments) for at in starts):
        return ()
    ends = [*starts[1:], _end(segments, starts[-1], len(tokens))]
    return tuple(
        ListedAgent(
            _behind_opening(tokens, start, end), _before_joints(tokens, end, is_last=at == len(starts))
        )
        for at, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
    )


_FEWEST = 2


def _stretches(tokens: Sequence[MarkedToken], begin: int, text: str) -> Iterator[tuple[int, int]]:
    """Yield the words between joints: marks, ``and``, the ends of lines, the numbers of a list."""
    start = begin
    for place in range(begin, len(tokens)):
        token = tokens[place].token
        is_line = place > start and "\n" in text[tokens[place - 1].token.end : token.start]
        is_joint = (token.word in _JOINTS or token.text in _MARKS) and not _joins_days(tokens, start, place)
        if is_line and not is_joint:
            if place > start:
                yield start, place
            start = place
        elif is_joint:
            if place > start:
                yield start, place
            start = place + 1
    if start < len(tokens):
        yield start, len(tokens)


def _joins_days(tokens: Sequence[MarkedToken], start: int, place: int) -> bool:
    """Return whether a joint stands between two days of one time: ``every monday and thursday at 9``, and no
    system is named before it.
    """
    around = (tokens[place - 1 : place], tokens[place + 1 : place + 2])
    are_days = all(one and "weekday" in one[0].classes for one in around)
    own = tokens[start:place]
    return are_days and not any(_is_source(own, at) for at in range(len(own)))


def _chunk(tokens: Sequence[MarkedToken], start: int, end: int) -> _Chunk:
    own = tokens[start:end]
    words = [one.token.word for one in own]
    first = next((word for word in words if word not in LEADS), "")
    tells = any(
        word in _SPEAKERS and (at + 1 == len(words) or words[at + 1] not in _WISHES)
        for at, word in enumerate(words)
    )
    return _Chunk(
        start, end,
        has_time=any(_TIMES & set(one.classes) for one in own) or _has_clock(own),
        has_days_and_clock=any(_DAYS & set(one.classes) for one in own)
        and (_has_clock(own) or any("clock" in one.classes for one in own)),
        has_source=any(_is_source(own, at) for at in range(len(own))),
        has_place=any("address" in one.classes or one.token.word in _PLACES for one in own),
        has_job=any(_is_job(own, at) for at in range(len(own))),
        is_bound=tells or first in _CLAUSES or bool((_OTHER_SUBJECTS | (POINTERS & {"it"})) & set(words)),
    )  # fmt: skip


def _has_clock(own: Sequence[MarkedToken]) -> bool:
    return any(one.token.word == "at" and behind.token.text[0].isdigit() for one, behind in pairwise(own))


def _is_source(own: Sequence[MarkedToken], at: int) -> bool:
    """Return whether a system is named: a known one, or what stands behind ``from``."""
    one = own[at]
    if "service" in one.classes:
        return "channel" not in one.classes and one.mask != "TIME"
    before = own[at - 1].token.word if at else ""
    return before in {"from", "in"} and bool({"capital", "upper"} & set(one.classes)) and one.mask != "TIME"


def _is_job(own: Sequence[MarkedToken], at: int) -> bool:
    one = own[at]
    is_used = bool(
        {"service", "channel", "address", "number", "unit", "month", "day part", "relative"}
        & set(one.classes)
    )
    before = own[at - 1].token.word if at else ""
    is_name = _is_source(own, at) or before in {"from", "to", "by", "at"}
    form = verb_forms().get(one.token.word)
    is_noun = form is not None and not form.is_base and one.token.word.endswith("s")  # ``new reviews``
    return (is_content(one.token) or is_noun) and one.mask != "TIME" and not is_used and not is_name


def _is_in_creation(place: int, segments: Sequence[Segment]) -> bool:
    return any(one.start <= place < one.end and one.kind is ActKind.CREATE_AGENT for one in segments)


def _end(segments: Sequence[Segment], start: int, default: int) -> int:
    return next((one.end for one in segments if one.start <= start < one.end), default)


def _behind_opening(tokens: Sequence[MarkedToken], start: int, end: int) -> int:
    """Return the place behind ``and also``, ``one on``, ``the other for``."""
    at = start
    while at < end - 1 and (tokens[at].token.word in LEADS or tokens[at].token.text in _JOINTS):
        at += 1
    behind = at
    while behind < end - 1 and tokens[behind].token.word in _NUMBERING:
        behind += 1
    is_one = behind > at and tokens[behind - 1].token.word not in {"a", "an", "the"}
    if is_one and tokens[behind].token.word in _SUBJECT_MARKS and behind < end - 1:
        return behind + 1
    return at


def _before_joints(tokens: Sequence[MarkedToken], end: int, *, is_last: bool) -> int:
    """Return the end of an item without the joint, or the number of the next one, behind it."""
    at = end
    while at > 1 and (
        tokens[at - 1].token.text in _JOINTS
        or tokens[at - 1].token.word in {"and", "also", "then"}
        or (not is_last and _is_numbering(tokens, at - 1))
    ):
        at -= 1
    return at


def _is_numbering(tokens: Sequence[MarkedToken], place: int) -> bool:
    """Return whether a token is a number or a bracket of ``2)`` or ``2.`` before the next item."""
    text, before = tokens[place].token.text, tokens[place - 1].token.word
    return text == ")" or (text.isdigit() and len(text) == 1 and before not in {"at", "every", "to"})
