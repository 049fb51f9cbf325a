"""How much processor time an expression takes for the texts that are generated from it.

A timer of processor time interrupts a match that would take far too long, so that an exponential expression
is reported and not waited for.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from tests.expressions.collection import Expression
from tests.expressions.pumps import ENDINGS, Pump, structural_pumps, word_pumps

LIMIT_MS: Final = 50.0
_INTERRUPTED_MS: Final = 1_000.0
_REPETITIONS = 26
"""Enough for an exponential match to take minutes."""
_FIRST_LENGTH = 2_000
_SUSPICIOUS = 0.4
"""Texts are tried at full length from this share of what a quadratic match at the limit would take."""


class Timing(NamedTuple):
    """A match and its processor time, which is `_INTERRUPTED_MS` for one that was interrupted."""

    ms: float
    length: int
    expression: Expression
    method: str
    pump: Pump

    def __str__(self) -> str:
        source = self.expression.source
        shown = source if len(source) < 100 else f"{source[:97]}..."
        return (
            f"{self.expression.place}: {self.method} takes {self.ms:.0f} ms for {self.length} characters, "
            f"{self.pump.lead[-40:]!r} and {self.pump.body!r} repeated: {shown}"
        )


class _Interrupted(Exception):
    """A match took too long."""


def slowest_match(expression: Expression) -> Timing:
    """Return the slowest match of the expression with its generated texts, or the first above the limit.

    The process must `interrupt_long_matches`.
    """
    compiled = re.compile(expression.source, expression.flags)
    longest = expression.longest
    slowest = Timing(0.0, 0, expression, "", Pump("", ""))
    for method in sorted(expression.methods):
        match = _matching(compiled, method)
        for pump, text, most_ms in chain(_short_texts(expression), _long_texts(expression)):
            timing = Timing(_ms(match, text), len(text), expression, method, pump)
            if timing.ms > most_ms:
                timing = _again(match, timing, text if most_ms == LIMIT_MS else pump.text(longest, text[-1:]))
            slowest = max(slowest, timing)
            if slowest.ms > LIMIT_MS:
                return slowest
    return slowest


def _again(match: Callable[[str], object], timing: Timing, text: str) -> Timing:
    """The shorter time of two: other processes share the processor's caches."""
    return timing._replace(ms=min(_ms(match, text), _ms(match, text)), length=len(text))


_Text: TypeAlias = tuple[Pump, str, float]
"""A text, and the milliseconds above which a text of the full length is tried as well."""


def _short_texts(expression: Expression) -> Iterator[_Text]:
    """For exponential time."""
    for pump in word_pumps(expression.source, expression.flags):
        for ending in ENDINGS[:2] if pump.lead or not pump.body[-1:].isalnum() else ENDINGS[:1]:
            yield pump, pump.repeated(_REPETITIONS, ending)[-expression.longest :], LIMIT_MS


def _long_texts(expression: Expression) -> Iterator[_Text]:
    """For polynomial time."""
    length = min(_FIRST_LENGTH, expression.longest)
    most_ms = LIMIT_MS * _SUSPICIOUS * (length / expression.longest) ** 2
    for pump in structural_pumps(expression.source, expression.flags):
        for ending in ENDINGS:
            yield pump, pump.text(length, ending), most_ms


def _matching(compiled: re.Pattern[str], method: str) -> Callable[[str], object]:
    if method == "finditer":
        return lambda text: sum(1 for _ in compiled.finditer(text))
    found: Callable[[str], object] = getattr(compiled, method)
    return found


def _ms(match: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    try:
        with _interruption():
            match(text)
    except _Interrupted:
        return _INTERRUPTED_MS
    return (time.process_time() - started) * 1_000


@contextmanager
def _interruption() -> Iterator[None]:
    signal.setitimer(signal.ITIMER_PROF, _INTERRUPTED_MS / 1_000)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def interrupt_long_matches() -> None:
    """Let a timer of processor time interrupt this process from now on. Only in a main thread."""

    def interrupt(*_: object) -> None:
        raise _Interrupted

    signal.signal(signal.SIGPROF, interrupt)


def slow_matches(expressions: Iterable[Expression]) -> tuple[list[Timing], Timing | None]:
    """Return the matches above the limit, at most one of each expression, and the slowest of the others; None
    where there are no others.
    """
    timings = [slowest_match(expression) for expression in expressions]
    slow = [timing for timing in timings if timing.ms > LIMIT_MS]
    others = (timing for timing in timings if timing.ms <= LIMIT_MS)
    return slow, max(others, key=lambda timing: timing.ms, default=None)
