"""Words that move a known time to the day or week beside it: ``the day before``, ``the following week``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.regular_expressions import pattern

_NEIGHBOUR = pattern(
    r"\b(?:(?:the|one|a) (?P<unit>day|week) (?P<side>before|after|prior)"
    r"|the (?P<next>following|previous|preceding) (?P<other>day|week))"
    r"(?= ?(?:(?:that|it|then|please|pls|instead|though|would|is|suits|works|might)\b|[.,;!?)]|$))"
)
_KNOWN_DAY = pattern(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|\d|\b(?:today|tomorrow|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)"
)
_ENDS = ".!?;\n"
_BEFORE = frozenset({"before", "prior", "previous", "preceding"})
_PLAIN = {
    ("day", True): "1 day sooner", ("day", False): "1 day later",
    ("week", True): "1 wk sooner", ("week", False): "1 wk later",
}  # fmt: skip


def with_plain_neighbours(text: str) -> str:
    """Return a text of the same length that says the lengths that a known time is moved by: ``the day after``
    as ``1 day later``. A sentence that names a day by itself stays as it is.
    """
    small = text.lower()
    for found in _NEIGHBOUR.finditer(small):
        begin = max(small.rfind(mark, 0, found.start()) for mark in _ENDS) + 1
        end = min((at for mark in _ENDS if (at := small.find(mark, found.end())) >= 0), default=len(small))
        if _KNOWN_DAY.search(small[begin:end]):
            continue
        is_sooner = (found["side"] or found["next"]) in _BEFORE
        plain = _PLAIN[found["unit"] or found["other"], is_sooner]
        text = f"{text[: found.start()]}{plain.ljust(found.end() - found.start())}{text[found.end() :]}"
    return text


def says_neighbour(text: str) -> bool:
    """Return whether a text moves a known time to the day or week beside it."""
    return with_plain_neighbours(text) != text


def tells_past(words: Sequence[str]) -> bool:
    """Return whether words end by telling what happened, so that a day before behind them is the day of that:
    ``tickets closed``, ``any reading that went over 8 degrees``.
    """
    said = next((at for at in range(len(words), 0, -1) if _is_past(words[at - 1])), 0)
    return bool(said) and not _STOPS & set(words[said:])


def _is_past(word: str) -> bool:
    return word in _PAST or (word[-2:] == "ed" and len(word) > len("need"))


_STOPS = frozenset({".", ",", ";", "!", "?"})
_PAST = frozenset(
    "was were had did went came got took made sold paid sent won lost left bought done fell rose broke ran"
    " spent wrote built began cost met gave overran used".split()
)
