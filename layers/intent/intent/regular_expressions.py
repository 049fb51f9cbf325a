"""Building blocks for the offline tier's regular expressions.

In these expressions a space matches any white space, a space with a question mark matches optional white
space, and letter case is ignored. Matched white space is never given back, which keeps long rows of blanks
cheap: what follows a space must not begin with white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from re import Match, Pattern

from intent.required_pieces import holds_any, pieces_of

MAX_CHARACTERS = 1_000


def either(phrases: str) -> str:
    """Return an expression for one of the phrases, separated by ``|``. Put ``ab`` before its prefix ``a``."""
    return f"(?:{_spaced(phrases)})"


def longest_first(words: Iterable[str]) -> str:
    """Return alternatives in an order that is the same in every process, and has ``ab`` before ``a``."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


class LazyPattern:
    """A case-insensitive regular expression, compiled when a text first holds what it requires.

    Compiling all of them takes a quarter of a cold start, and many invocations need none of them.
    """

    flags = re.IGNORECASE

    def __init__(self, expression: str) -> None:
        self._expression = expression

    @property
    def expression(self) -> str:
        """The expression as it was written."""
        return self._expression

    @cached_property
    def _compiled(self) -> Pattern[str]:
        return re.compile(self._expression, self.flags)

    @cached_property
    def _required(self) -> Sequence[str]:
        return pieces_of(self._expression)

    def _may_match(self, text: str) -> bool:
        return holds_any(_without_case(text), self._required)

    def search(self, text: str) -> Match[str] | None:
        """Return the first match."""
        return self._compiled.search(text) if self._may_match(text) else None

    def match(self, text: str) -> Match[str] | None:
        """Return the match at the start of the text."""
        return self._compiled.match(text) if self._may_match(text) else None

    def fullmatch(self, text: str) -> Match[str] | None:
        """Return the match of the whole text."""
        return self._compiled.fullmatch(text) if self._may_match(text) else None

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Return all matches in order."""
        return self._compiled.finditer(text) if self._may_match(text) else iter(())

    def replace_matches(self, text: str, *, max_count: int = 0, replacement: str = "") -> str:
        """Return the text with its first ``max_count`` matches (0: all) replaced."""
        return self._compiled.sub(replacement, text, count=max_count) if self._may_match(text) else text

    def text_before(self, text: str) -> str:
        """Return the text up to the first match."""
        return self._compiled.split(text, maxsplit=1)[0] if self._may_match(text) else text


class LowerPattern:
    """A pattern matched against the lower-cased text, in half the time of `LazyPattern`.

    Its matches are in lower case; their positions are those in the original text.
    """

    flags = 0

    def __init__(self, expression: str) -> None:
        self._expression = expression

    @property
    def expression(self) -> str:
        """The expression as it was written."""
        return self._expression

    @cached_property
    def _compiled(self) -> Pattern[str]:
        return re.compile(self._expression)

    @cached_property
    def _required(self) -> Sequence[str]:
        return pieces_of(self._expression)

    def search(self, text: str) -> Match[str] | None:
        """Return the first match."""
        small = lower(text)
        return self._compiled.search(small) if holds_any(small, self._required) else None

    def match(self, text: str, start: int = 0) -> Match[str] | None:
        """Return the match at position ``start``."""
        small = lower(text)
        return self._compiled.match(small, start) if holds_any(small, self._required) else None

    def fullmatch(self, text: str) -> Match[str] | None:
        """Return the match of the whole text."""
        small = lower(text)
        return self._compiled.fullmatch(small) if holds_any(small, self._required) else None

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Return all matches in order."""
        small = lower(text)
        return self._compiled.finditer(small) if holds_any(small, self._required) else iter(())


def pattern(*alternatives: str) -> LazyPattern:
    """Return the alternatives as one `LazyPattern`; its matches keep the original letter case."""
    return LazyPattern("|".join(map(_spaced, alternatives)))


def lower_pattern(*alternatives: str) -> LowerPattern:
    """Return the alternatives, written in lower case, as one `LowerPattern`."""
    return LowerPattern("|".join(map(_spaced, alternatives)))


@lru_cache(maxsize=64)
def lower(text: str) -> str:
    """Return the text in lower case with its length unchanged."""
    small = text.lower()
    # A few letters, such as İ, become two.
    return (
        small
        if len(small) == len(text)
        else "".join(one if len(one) == 1 else "i" for one in map(str.lower, text))
    )


@lru_cache(maxsize=64)
def _without_case(text: str) -> str:
    """Return the text in lower case, with the other letters that an expression takes for i and s."""
    small = lower(text)
    return small if small.isascii() else small.replace(_DOTLESS_I, "i").replace(_LONG_S, "s")


def straighten_quotes(text: str) -> str:
    """Return the text with straight quotes and plain hyphens, its length unchanged."""
    return text.translate(_STRAIGHT)


@lru_cache(maxsize=64)
def normalise(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Return a normalised text: straight quotes, no long runs of blanks or punctuation, a bounded length.

    A longer text is cut to its beginning and end. Matching time grows faster than the text, so match
    expressions only against this.
    """
    words = _BETWEEN_WORDS.sub(lambda run: run[0][:2] + run[0][-2:], straighten_quotes(text[: limit * 8]))
    short = _BLANKS.sub(" ", _LINES.sub("\n", words))
    return short if len(short) <= limit else f"{short[: limit * 2 // 3]}\n{short[-limit // 3 :]}"


def _spaced(phrases: str) -> str:
    return _SPACES.sub(_white_space, phrases)


def _white_space(part: Match[str]) -> str:
    match part[0]:
        case " ":
            return r"\s++"
        case " ?":
            return r"\s*+"
        case other:
            return other.replace(" ", r"\s+")  # in a class of characters


_SPACES = re.compile(r"\\.| \??|\[\^?(?:\\.|[^\]\\])++\]", re.DOTALL)
_BETWEEN_WORDS = re.compile(r"\W{5,}")
_LINES = re.compile(r"[^\S\n]*\n\s*")
_BLANKS = re.compile(r"[^\S\n]+")
_DOTLESS_I, _LONG_S = "\u0131", "\u017f"
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u2012\u2013\u2014", "''\"\"-----")
TO_STOP = r"[^,;.!?\n]"
QUOTED = r"[\"']([^\"']{1,60})[\"']"
