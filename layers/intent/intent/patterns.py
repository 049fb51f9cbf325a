"""Building blocks for the offline tier's regular expressions.

Words are written as people write them: a blank stands for any white space, a blank and a question mark for
none or some, and letter case is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from re import Match, Pattern

MAX_CHARACTERS = 1_000


def either(phrases: str) -> str:
    """One of the phrases that ``|`` separates; of two with the same beginning the longer must come first."""
    return f"(?:{_spaced(phrases)})"


class Form:
    """A regular expression that ignores letter case, compiled when it is first used.

    Compiling all of them costs a quarter of a cold start, and many calls of a function match none.
    """

    def __init__(self, expression: str) -> None:
        self._expression = expression

    @cached_property
    def _compiled(self) -> Pattern[str]:
        return re.compile(self._expression, re.IGNORECASE)

    def search(self, text: str) -> Match[str] | None:
        """The first place it matches."""
        return self._compiled.search(text)

    def match(self, text: str) -> Match[str] | None:
        """Its match at the beginning."""
        return self._compiled.match(text)

    def fullmatch(self, text: str) -> Match[str] | None:
        """Its match of the whole text."""
        return self._compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Every place it matches, in order."""
        return self._compiled.finditer(text)

    def without(self, text: str, *, most: int = 0, instead: str = "") -> str:
        """The text with its first ``most`` matches (0: all) replaced."""
        return self._compiled.sub(instead, text, count=most)

    def before(self, text: str) -> str:
        """The text up to its first match."""
        return self._compiled.split(text, maxsplit=1)[0]


class LowerForm:
    """A form for what only has to be noticed: it is matched against the text in lower case, in half the time.

    What it finds is in lower case too, and stands where it stands in the text.
    """

    def __init__(self, expression: str) -> None:
        self._expression = expression

    @cached_property
    def _compiled(self) -> Pattern[str]:
        return re.compile(self._expression)

    def search(self, text: str) -> Match[str] | None:
        """The first place it matches."""
        return self._compiled.search(lower(text))

    def match(self, text: str, start: int = 0) -> Match[str] | None:
        """Its match at the beginning, or at ``start``."""
        return self._compiled.match(lower(text), start)

    def fullmatch(self, text: str) -> Match[str] | None:
        """Its match of the whole text."""
        return self._compiled.fullmatch(lower(text))

    def finditer(self, text: str) -> Iterator[Match[str]]:
        """Every place it matches, in order."""
        return self._compiled.finditer(lower(text))


def pattern(*alternatives: str) -> Form:
    """The alternatives as one form that finds text as it is written."""
    return Form("|".join(map(_spaced, alternatives)))


def notice(*alternatives: str) -> LowerForm:
    """The alternatives, in lower case, as one form for what only has to be noticed."""
    return LowerForm("|".join(map(_spaced, alternatives)))


@lru_cache(maxsize=64)
def lower(text: str) -> str:
    """The text in lower case, as long as before."""
    small = text.lower()
    # A few letters become two: İ.
    return (
        small
        if len(small) == len(text)
        else "".join(one if len(one) == 1 else "i" for one in map(str.lower, text))
    )


def straight(text: str) -> str:
    """The text with straight quotes and plain hyphens, as long as before."""
    return text.translate(_STRAIGHT)


@lru_cache(maxsize=64)
def gist(text: str, limit: int = MAX_CHARACTERS) -> str:
    """The text with straight quotes and without runs of blanks and punctuation, cut to its beginning and end.

    What expressions cost grows faster than the text, so none is ever matched against more than this.
    """
    words = _BETWEEN_WORDS.sub(lambda run: run[0][:2] + run[0][-2:], straight(text[: limit * 8]))
    short = _BLANKS.sub(" ", _LINES.sub("\n", words))
    return short if len(short) <= limit else f"{short[: limit * 2 // 3]}\n{short[-limit // 3 :]}"


def _spaced(phrases: str) -> str:
    return phrases.replace(" ?", r"\s*").replace(" ", r"\s+")


_BETWEEN_WORDS = re.compile(r"\W{5,}")
_LINES = re.compile(r"[^\S\n]*\n\s*")
_BLANKS = re.compile(r"[^\S\n]+")
_STRAIGHT = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u2012\u2013\u2014", "''\"\"-----")
TO_STOP = r"[^,;.!?\n]"
QUOTED = r"[\"']([^\"']{1,60})[\"']"
