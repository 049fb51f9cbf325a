"""What the words between two numbers tell to do with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from intent.sums.quantities import WEEKDAYS, Quantity, noun_stem


class Operation(Enum):
    """What is done with two numbers."""

    TIMES = "times"
    DIVIDED = "divided"
    INTO = "into"
    """The second by the first: ``how often does 12 go into 100``."""
    PLUS = "plus"
    MINUS = "minus"
    FROM = "from"
    """The first from the second: ``take 5 from 20``."""
    OF = "of"
    WITH = "with"
    """A percentage is added."""
    OFF = "off"
    """A percentage is taken off."""
    WITHOUT = "without"
    """A percentage that was added before is taken out."""
    PART = "part"
    """A part of the rate before: ``62 pay 28.50 and eight pay half``."""


@dataclass(frozen=True, slots=True)
class Step:
    """An operation. ``is_loose``: it takes all that was said before it, not just the last number."""

    operation: Operation
    is_loose: bool = False
    is_weak: bool = False
    """Whether only an ``and`` or a comma says so."""


_TIMES = frozenset({"times", "x", "*", "×", "·", "à", "multiplied", "@", "multiply"})
_DIVIDED = frozenset({"÷", "/", "divided", "divide"})
_SPLIT = frozenset({"split", "shared", "share", "between", "among", "amongst", "spread", "over", "across"})
_SHARING = frozenset({"split", "share", "shared", "sharing", "splitting"})
_MINUS = frozenset({"minus", "-", "−", "less", "subtract", "deduct", "subtracting", "deducting", "away"})
_PLUS = frozenset({"plus", "+", "add", "adding"})
_LINKS = frozenset({"and", "&", ",", "then", "also", ";"})
_RATES = frozenset(
    {"at", "for", "paying", "pay", "pays", "cost", "costs", "costing", "charge", "charging", "of"}
)
_PAYS = frozenset({"pay", "pays", "paying", "at", "get", "gets", "cost", "costs"})
_OFF = frozenset(
    "off discount reduction reduced reduce cheaper rebate deduction knock knocked don't doesn't didn't cancel"
    " cut cancelled fewer drop dropped lost leave missing decrease decreased no-shows".split()
)
_SHARES = frozenset("commission deposit interest bonus royalty royalties share retainer cashback".split())
"""What a percentage is when it is asked for alone, and neither added nor taken off."""
_WITHOUT = frozenset(
    {"without", "excluding", "excl", "ex", "net", "before", "strip", "remove", "out", "inclusive"}
)
_TAXES = frozenset({"vat", "tax", "gst", "mwst", "iva", "sales"})
_WITH = frozenset(
    "plus + with w add incl including extra on to more tip service fee fees markup increase increased raise"
    " raised".split()
)


def step_between(
    left: Quantity | None, gap: Sequence[str], right: Quantity, after: Sequence[str]
) -> Step | None:
    """Return what to do with two numbers, None when the words between them don't say.

    ``left`` None: the result of an earlier sum, or of what stands in brackets. ``after`` are the words behind
    the second number.
    """
    if right.is_percent:
        return _with_percent(gap, after)
    if left is not None and (left.is_percent or left.is_part):
        return _of_percent(gap, left)
    if right.is_part and set(gap) & _PAYS:
        return Step(Operation.PART)
    return _plain(left, gap, right, after)


def leading_step(lead: Sequence[str], right: Quantity, after: Sequence[str]) -> Step | None:
    """Return what words before the first number do to an earlier result: ``and split over our 3 shops``."""
    words = [word for word in lead if word not in _FILLERS]
    if not words:
        return None
    if right.is_percent:
        step = _with_percent(words, after)
        return step if step and words[0] in _OPENERS else None
    if words[0] not in _OPENERS:
        return None
    step = _plain(None, words, right, ())
    return None if step is None or step.is_weak else Step(step.operation, is_loose=True)


_OPENERS = _TIMES | _DIVIDED | _MINUS | _PLUS | frozenset(
    {"split", "shared", "share", "spread", "between", "among", "over", "with", "without", "take", "knock"}
)  # fmt: skip
_FILLERS = frozenset(
    "and so then ok okay now what about if we i ? , . what's whats is how much that it this them all the on"
    " top please can you could will right sorry hmm oh".split()
)


def _with_percent(gap: Sequence[str], after: Sequence[str]) -> Step | None:
    near, words = set(gap) | set(after[:2]), set(gap) | set(after)
    if _is_told_net(gap) and not _NET_ASKED & set(after):
        return Step(Operation.WITH, is_loose=True)
    if words & _TAXES and (near & _WITHOUT or _NET_ASKED & words):
        return Step(Operation.WITHOUT, is_loose=True)
    if near & _OFF or near & _MINUS or "take" in gap:
        return Step(Operation.OFF, is_loose=True)
    if _asks_share(gap):
        return Step(Operation.OF, is_loose=True)
    if near & (_TAXES | _WITH):
        return Step(Operation.WITH, is_loose=True)
    return Step(Operation.OF, is_loose=True) if "at" in gap else None


def _asks_share(gap: Sequence[str]) -> bool:
    """Return whether only the percentage is asked for: ``the salary is 64,000. What's an 18% fee?``"""
    is_of_it = gap[-1:] != () and gap[-1] in {"a", "an", "the"} and bool(_WHATS & set(gap[-4:]))
    return is_of_it and not {"with", "plus", "including", "incl", "add", "after"} & set(gap)


_WHATS = frozenset({"what's", "whats", "what", "much"})


def _is_told_net(gap: Sequence[str]) -> bool:
    """Return whether an amount was told without its tax: ``6,200 before VAT. With 20% …``, ``240 net. add``
    20%.
    """
    if gap and gap[0] in _NET_ASKED and _ADDED & set(gap[1:]):
        return True
    place = next((at for at, word in enumerate(gap) if word in _WITHOUT), len(gap))
    behind = gap[place + 1 : place + _NEAR_TAX]
    return place <= 1 and bool(_TAXES & set(behind)) and len(gap) > place + len(behind)


_ADDED = frozenset({"add", "plus", "with", "adding", "+", "including", "incl"})
_NET_ASKED = frozenset({"net", "without", "netto"})
_NEAR_TAX = 3


def takes_off(words: Sequence[str]) -> bool:
    """Return whether words say that a percentage is taken off."""
    return bool(_OFF & set(words))


def _of_percent(gap: Sequence[str], left: Quantity) -> Step | None:
    words = set(gap)
    if words & _SHARES:
        return Step(Operation.OF)
    if words & _OFF or "from" in words:
        return Step(Operation.OFF)
    if words & _WITHOUT and words & _TAXES:
        return Step(Operation.WITHOUT)
    if "of" in words and "top" not in words:
        return Step(Operation.OF)
    if words & {"on", "to", "onto"}:
        return Step(Operation.WITH)
    if left.is_part and words <= {"the", "that", "of"}:
        return Step(Operation.OF)
    return Step(Operation.PLUS, is_weak=True) if words and words <= _LINKS else None


def _plain(left: Quantity | None, gap: Sequence[str], right: Quantity, after: Sequence[str]) -> Step | None:
    gap = _without_rate_mark(gap)
    words, is_loose = set(gap), bool(gap) and gap[0] in {",", "then", ";"} and len(gap) > 1
    if left is not None and gap[-1:] and gap[-1] in _SHARING and right.unit != "ways":
        return Step(Operation.INTO, is_loose=True)  # ``two of us split 90``
    if words & _SPLIT and not words & (_TIMES | _DIVIDED):
        return Step(Operation.DIVIDED, is_loose=True)
    if right.unit == "ways":
        return Step(Operation.DIVIDED, is_loose=True)
    if (_is_rate_of(gap, right) and not words & _DIVIDED) or _is_count_of(left, gap, right, after):
        return Step(Operation.TIMES, is_loose)
    if left is not None and _names_another(left, gap):
        return None
    if (said := next((one for marks, one in _SAID if words & marks), None)) is not None:
        return Step(said, is_loose and said is not Operation.PLUS)
    if is_each(after, left) or (words & _RATES and right.currency):
        return Step(Operation.TIMES)
    if (words and words <= _LINKS) or words & {"with", "including"}:
        return Step(Operation.PLUS, is_weak=True)
    return None


def _names_another(left: Quantity, gap: Sequence[str]) -> bool:
    """Return whether a price follows of something else than the price before: ``a book at 6.40 and a pen at``
    1.20.
    """
    is_next = bool(gap) and gap[0] in _LINKS and len(gap) > _LINK_AND_MARK
    return (
        is_next and gap[-1] == "at" and not left.unit and not set(gap) & (_TIMES | _DIVIDED | _MINUS | _PLUS)
    )


_LINK_AND_MARK = 2
_SAID = (
    (_DIVIDED, Operation.DIVIDED), (_TIMES, Operation.TIMES), (_MINUS, Operation.MINUS),
    (_PLUS, Operation.PLUS),
    (frozenset({"by", "at"}), Operation.TIMES), (frozenset({"into"}), Operation.INTO),
    (frozenset({"from"}), Operation.FROM),
)  # fmt: skip
"""The operation that one of some words tells; the first counts."""


def is_each(after: Sequence[str], counted: Quantity | None) -> bool:
    """Return whether a number is a price or size of one: ``23.75 each``, ``89 a night``."""
    if after and after[0] in {"each", "apiece"}:
        return True
    if len(after) < 2 or after[0] not in {"a", "an", "per", "every", "/"}:
        return False
    return after[1] in {"head", "person", "piece", "pop", "unit"} or (
        counted is not None and bool(counted.head) and noun_stem(after[1]) == counted.head
    )


def _is_count_of(left: Quantity | None, gap: Sequence[str], right: Quantity, after: Sequence[str]) -> bool:
    """Return whether each of what is counted has the second number: ``20 boxes of 24``, ``22 tables with 8
    seats``.
    """
    if left is None or not left.unit or left.currency:
        return False
    has_others = tuple(gap) in _HAVING and bool(right.unit) and not right.currency and not _ALIKE & set(after)
    return tuple(gap) == ("of",) or (has_others and noun_stem(left.unit) != right.head)


_ALIKE = frozenset({"things", "items", "pieces", "altogether", "total", "together"})
"""Words of questions that count unlike things together."""
_HAVING = (("for",), ("with",), ("having",))


def _without_rate_mark(gap: Sequence[str]) -> Sequence[str]:
    """Return the words behind ``each`` and weekdays, which belong to the number before them."""
    behind = gap[1:] if gap[:1] and gap[0] in {"each", "apiece"} else gap
    days = {place for place, word in enumerate(behind) if word in WEEKDAYS}
    return [
        word
        for place, word in enumerate(behind)
        if place not in days and not (word == "on" and place + 1 in days)
    ]


def _is_rate_of(gap: Sequence[str], right: Quantity) -> bool:
    """Return whether the gap names what the second number counts: ``0.5 mg per kg for a 62 kg patient``."""
    return any(
        word in {"a", "an", "per", "each", "every", "/"} and noun_stem(gap[place + 1]) == right.head
        for place, word in enumerate(gap[:-1])
    )
