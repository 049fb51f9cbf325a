"""The postings of the search index as text: which message holds which word, with what weight. Pure.

A body is ``|term:group,group|term:group|``. A group begins with eight base-64 digits that name a user's
conversation, a block of 64 messages of it, and a week. Then follow two digits per message: its place in the
block, and the word's weight in it. So bodies are merged by joining groups, and searched without parsing them.

The weight is BM25's weight of a word in a message. The word's rarity is only known at search time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

from conversation.search.words import COMMON, words

PostingLines: TypeAlias = dict[str, str]
"""The groups of each term, joined with commas."""

BLOCK = 64
MAX_INDEXED_CHARACTERS = 16_000
"""Characters indexed of a document; the rest is not found."""

_DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_PLACE, _WEEK = slice(0, 4), slice(6, 8)
_HEADER = 8
_WEEK_S = 7 * 24 * 3600
_TYPICAL_TERMS = 60
_SATURATION, _LENGTH_SHARE = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """A message to index. ``number`` stands for its conversation; ``markers`` are terms that are not in its
    text."""

    number: int
    sequence: int
    said_at: datetime
    text: str
    markers: frozenset[str] = frozenset()


class MessagePosition(NamedTuple):
    """The position of a message: its conversation's number, and its sequence."""

    number: int
    sequence: int


def index_documents(documents: Iterable[SearchDocument]) -> PostingLines:
    """The postings of the documents."""
    grouped: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for document in documents:
        header, place = _header(document), _DIGITS[document.sequence % BLOCK]
        for term, weight in _weights(document):
            grouped[term][header].append(place + weight)
    return {
        term: ",".join(header + "".join(places) for header, places in groups.items())
        for term, groups in grouped.items()
    }


def merge_lines(many: Iterable[PostingLines], *, is_alive: Callable[[int], bool]) -> PostingLines:
    """Several postings merged into one, without the conversations whose number is not alive."""
    grouped: dict[str, dict[str, str]] = defaultdict(lambda: defaultdict(str))
    dead: dict[str, bool] = {}
    for lines in many:
        for term, groups in lines.items():
            for group in groups.split(","):
                place = group[_PLACE]
                if place not in dead:
                    dead[place] = not is_alive(_number(place))
                if not dead[place]:
                    grouped[term][group[:_HEADER]] += group[_HEADER:]
    return {term: ",".join(map("".join, groups.items())) for term, groups in grouped.items()}


def to_bodies(lines: PostingLines, *, max_characters: int) -> Iterator[str]:
    """The postings as text, in parts of about ``max_characters`` characters."""
    part: list[str] = []
    size = 0
    for term in sorted(lines):
        part.append(f"{term}:{lines[term]}")
        size += len(part[-1])
        if size >= max_characters:
            yield f"|{'|'.join(part)}|"
            part, size = [], 0
    if part:
        yield f"|{'|'.join(part)}|"


def parse_body(body: str) -> PostingLines:
    """The postings that a body was made of."""
    return dict(line.split(":") for line in body.strip("|").split("|") if line)


def find_terms(body: str, root: str, matches: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """All terms of a body that begin with the root and match, each with its groups."""
    start = body.find("|" + root)
    while start >= 0:
        middle = body.index(":", start)
        end = body.index("|", middle)
        term = body[start + 1 : middle]
        if matches(term):
            yield term, body[middle + 1 : end]
        start = body.find("|" + root, end)


def term_weights(
    found: Iterable[tuple[str, str]], *, since: datetime | None = None, until: datetime | None = None
) -> dict[str, int]:
    """The highest weight of the terms in each message, by the message's name.

    Messages of weeks outside the period are left out.
    """
    by_term: dict[str, dict[str, int]] = defaultdict(dict)
    first = _week(since) if since else ""
    last = _week(until) if until else "~"
    for term, groups in found:
        # Tens of thousands of messages may hold a word: there is no Python loop over single messages.
        for group in groups.split(","):
            if first <= group[_WEEK] <= last:
                names = map(group[:_HEADER].__add__, group[_HEADER::2])
                by_term[term].update(
                    zip(names, map(_VALUES.__getitem__, group[_HEADER + 1 :: 2]), strict=True)
                )
    return _heaviest(sorted(by_term.values(), key=len, reverse=True))


def _heaviest(parts: Sequence[dict[str, int]]) -> dict[str, int]:
    weights = parts[0] if parts else {}
    for part in parts[1:]:
        for name, weight in part.items():
            if weights.get(name, -1) < weight:
                weights[name] = weight
    return weights


def parse_position(name: str) -> MessagePosition:
    """The position of a message, from its name in `term_weights`."""
    return MessagePosition(_number(name[_PLACE]), _number(name[4:6]) * BLOCK + _VALUES[name[_HEADER]])


def _weights(document: SearchDocument) -> Iterator[tuple[str, str]]:
    counts = Counter(word.term for word in words(document.text[:MAX_INDEXED_CHARACTERS]))
    for term in COMMON & counts.keys():
        del counts[term]
    length = _LENGTH_SHARE * counts.total() / _TYPICAL_TERMS + 1 - _LENGTH_SHARE
    for term, count in counts.items():
        share = count / (count + _SATURATION * length)  # 0 to 1
        yield term, _DIGITS[round(share * (BLOCK - 1))]
    for term in document.markers:
        yield term, _DIGITS[0]


def _header(document: SearchDocument) -> str:
    block = document.sequence // BLOCK
    return _digits(document.number, 4) + _digits(block, 2) + _week(document.said_at)


def _week(moment: datetime) -> str:
    week = int(moment.astimezone(UTC).timestamp()) // _WEEK_S
    return _digits(max(0, min(week, BLOCK**2 - 1)), 2)


def _digits(number: int, width: int) -> str:
    digits = []
    for _ in range(width):
        number, last = divmod(number, BLOCK)
        digits.append(_DIGITS[last])
    return "".join(reversed(digits))


def _number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * BLOCK + _VALUES[digit]
    return number
