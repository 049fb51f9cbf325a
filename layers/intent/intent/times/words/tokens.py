"""Words, numbers and marks of a text with their places, misspelt time words put right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from intent.times.words.lexicon import LONG_WORDS, MISSPELT, SHORT_WEEKDAYS, SINGULAR_WEEKDAYS
from intent.times.words.street_addresses import street_end

MAX_TOKENS = 600
"""What follows is not read: no one says when after six hundred words."""

NAME = "_name"
"""The text of a token that is a name: a quotation, an address, a channel."""
LEFT_OUT = "\ufffc"
"""The mark for words that a caller left out of a text: it stands for them as a name does."""
_TOKEN = re.compile(
    r"https?://\S+|(?i:b4)\b|2(?i:mor?row|moro|mrw|day|nite|night)\b|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+|[^\w\s]"
)


class Token(NamedTuple):
    """A word in lower case without apostrophes, a row of digits, or one mark."""

    text: str
    start: int
    end: int
    is_glued: bool
    """Whether no space stands before it."""
    is_possessive: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is digits."""
        return self.text.isdigit()

    @property
    def is_word(self) -> bool:
        """Whether it is letters."""
        return self.text[:1].isalpha()


Tokens = Sequence[Token]
END = Token("", 0, 0, is_glued=False)


def tokenise(text: str) -> tuple[Token, ...]:
    """Returns the text's tokens in order."""
    tokens: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(text):
        raw = match[0].lower().replace("\u2019", "'")
        if raw == "t" and match.start() == end and _is_date_end(tokens):
            continue
        word = _WRITTEN.get(raw) or (spelt(raw.replace("'", "")) if raw[0].isalpha() else raw)
        tokens.append(Token(word, match.start(), match.end(), match.start() == end, raw.endswith("'s")))
        end = match.end()
        if len(tokens) == MAX_TOKENS:
            break
    return tuple(_with_names(_with_weekdays(tokens), text))


def _is_date_end(tokens: list[Token]) -> bool:
    """Whether a date such as ``2026-04-15`` has just ended: a ``T`` behind it divides it from the time."""
    last = [token.text for token in tokens[-4:]]
    return last[0::2] == ["-", "-"] and last[1::2] == [text for text in last[1::2] if text.isdigit()]


_WRITTEN = {
    "\u2192": "to", "\u279c": "to", "\u21d2": "to", "2moro": "tomorrow", "2morrow": "tomorrow",
    "2mrw": "tomorrow", "2day": "today", "2nite": "tonight", "2night": "tonight",
    "b4": "before",
}  # fmt: skip
"""Arrows and words with a figure in them, in plain letters."""
_TWO_LETTERS = {
    "mo": "monday", "tu": "tuesday", "we": "wednesday", "th": "thursday", "fr": "friday", "sa": "saturday",
    "su": "sunday",
}  # fmt: skip


def _with_weekdays(tokens: list[Token]) -> list[Token]:
    """Writes out weekdays of two letters that stand in a row: ``Tu/Th``, ``Mo-Fr``."""
    return [
        token._replace(text=_TWO_LETTERS[token.text])
        if token.text in _TWO_LETTERS and (_is_in_row(tokens, place, 1) or _is_in_row(tokens, place, -1))
        else token
        for place, token in enumerate(tokens)
    ]


def _is_in_row(tokens: list[Token], place: int, step: int) -> bool:
    mark, other = at(tokens, place + step), at(tokens, place + 2 * step)
    is_joined = mark.text in ("/", "-", ",") and (step < 0 or mark.is_glued)
    return is_joined and (other.text in _TWO_LETTERS or other.text in SHORT_WEEKDAYS)


_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_CLIPPED = frozenset({"til", "till", "em", "tis", "cause", "round"})
_DOMAINS = frozenset({"com", "io", "org", "net", "co", "app", "dev", "ai", "de", "uk", "eu", "us"})
_MOST_QUOTED = 60


def _with_names(tokens: list[Token], text: str) -> Iterator[Token]:
    """Yields each quotation, address and channel as one token that is no word of time."""
    words = [token.text for token in tokens]
    raw = [text[token.start : token.end] for token in tokens]
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = _quotation_end(tokens, place) or _address_end(tokens, place) or street_end(words, raw, place)
        if end:
            yield Token(NAME, token.start, tokens[end - 1].end, token.is_glued)
        elif token.text == LEFT_OUT or token.text.startswith(("http:", "https:")):
            yield token._replace(text=NAME)
        else:
            yield token
        place = end or place + 1


def _quotation_end(tokens: list[Token], place: int) -> int:
    """Returns the place after the quotation at a place; 0 for none, or if it is the whole text."""
    token, first = tokens[place], at(tokens, place + 1)
    closing = _QUOTES.get(token.text)
    if closing is None or token.is_glued or not first.is_glued or first.text in _CLIPPED:
        return 0
    for here in range(place + 2, min(place + _MOST_QUOTED, len(tokens))):
        after = at(tokens, here + 1)
        if tokens[here].text == closing and tokens[here].is_glued and not (after.is_glued and after.is_word):
            is_whole = not any(other.is_word for other in [*tokens[:place], *tokens[here + 1 :]])
            return 0 if is_whole else here + 1
    return 0


def _address_end(tokens: list[Token], place: int) -> int:
    """Returns the place after ``#daily-digest``, ``@maya``, ``monday.com``; 0 for none."""
    token, mark, after = tokens[place], at(tokens, place + 1), at(tokens, place + 2)
    is_tag = token.text in ("#", "@") and not token.is_glued and mark.is_word and mark.is_glued
    is_host = token.is_word and mark.text == "." and mark.is_glued and after.is_glued
    is_mail = token.is_word and mark.text == "@" and mark.is_glued and after.is_word and after.is_glued
    if not (is_mail or (is_tag and mark.text not in ("noon", "midnight", "midday", "lunch"))) and not (
        is_host and after.text in _DOMAINS
    ):
        return 0
    here = place + 2
    while at(tokens, here).is_glued and (
        at(tokens, here).is_word or at(tokens, here).is_number or at(tokens, here + 1).is_glued
    ):
        here += 1
    return here


def at(tokens: Tokens, place: int) -> Token:
    """Returns the token at a place; an empty one outside the text."""
    return tokens[place] if 0 <= place < len(tokens) else END


def words_at(tokens: Tokens, place: int, *phrases: str) -> int:
    """Returns the place after the first of the phrases that stands there; 0 if none does.

    Hyphens between words don't count: ``week-end``.
    """
    if not 0 <= place < len(tokens):
        return 0
    for _, words in _by_first_word(phrases).get(tokens[place].text, ()):
        if end := _end_of(tokens, place + 1, words):
            return end
    return 0


def phrase_at(tokens: Tokens, place: int, phrases: tuple[str, ...]) -> tuple[str, int] | None:
    """Returns the first of the phrases that stands at a place, and the place after it."""
    if not 0 <= place < len(tokens):
        return None
    for phrase, words in _by_first_word(phrases).get(tokens[place].text, ()):
        if end := _end_of(tokens, place + 1, words):
            return phrase, end
    return None


@lru_cache(maxsize=512)
def _by_first_word(phrases: tuple[str, ...]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """The phrases and the words after their first, by their first word."""
    table: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for phrase in phrases:
        first, *others = phrase.split()
        table.setdefault(first, []).append((phrase, tuple(others)))
    return table


def _end_of(tokens: Tokens, place: int, words: tuple[str, ...]) -> int:
    for word in words:
        token = at(tokens, place)
        if token.text == "-" and word != "-" and token.is_glued:
            place += 1
            token = at(tokens, place)
        if token.text != word:
            return 0
        place += 1
    return place


@lru_cache(maxsize=4096)
def spelt(word: str) -> str:
    """Returns the time word that a misspelt word stands for; any other word as it is."""
    if word in MISSPELT:
        return MISSPELT[word]
    if word in LONG_WORDS or len(word) < _FEWEST_OF_WEEKDAY:
        return word
    if len(word) == _FEWEST_OF_WEEKDAY:  # a weekday without one of its letters: ``moday``, ``fridy``
        right = (day for day in SINGULAR_WEEKDAYS if len(day) > len(word) and word[-1] == "y")
        return next((day for day in right if _is_one_slip(word, day)), word)
    return next((right for right in LONG_WORDS if _is_one_slip(word, right)), word)


_FEWEST_OF_WEEKDAY = 5


def _is_one_slip(word: str, right: str) -> bool:
    """Whether one letter after the first is missing, too many, wrong or swapped with its neighbour."""
    if word[0] != right[0] or abs(len(word) - len(right)) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(word, right, strict=False)) if a != b), None)
    if same is None:
        return True
    rest, wanted = word[same:], right[same:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted or rest == wanted[1:] or rest[1:] == wanted[1:]
