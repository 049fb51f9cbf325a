"""The words of a message, with their places and their likely spelling."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from intent.acts import lexicon
from intent.letter_slips import is_one_slip
from intent.regular_expressions import lower, straighten_quotes

_TOKEN = re.compile(
    r"(?i:mrs?|ms|dr|prof)\.(?=\s)|https?://[^\s<>\"]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|[#@][\w.-]*\w|\d+(?:[.,:]\d+)*%?"
    r"|[^\W\d_][^\W_]*(?:['.&/_-][^\W_]+)+|[^\W\d_]+(?:['.&/_-][^\W_]+)*|\w+|->|=>|[^\w\s]"
)
_FEWEST_LETTERS = 4


class Token(NamedTuple):
    """A word or mark. ``word`` is in lower case and spelled as it was probably meant."""

    text: str
    word: str
    start: int
    end: int
    is_word: bool
    """Whether it has a letter or digit."""


def tokenise(message: str, names: Collection[str] = ()) -> tuple[Token, ...]:
    """Return the tokens of a message. ``names`` are words that are right as they are, in lower case."""
    return _tokens(message, frozenset(names))


@lru_cache(maxsize=64)  # a turn asks for the tokens of the same clauses many times over
def _tokens(message: str, names: frozenset[str]) -> tuple[Token, ...]:
    straight = straighten_quotes(message)
    small = lower(straight)
    return tuple(
        Token(
            message[start:end],
            spell(small[start:end], names),
            start,
            end,
            is_word=message[start].isalnum() or end - start > 2,
        )
        for start, end in (found.span() for found in _TOKEN.finditer(straight))
    )


def stretches(tokens: Sequence[Token], ends: Collection[str]) -> Iterator[Sequence[Token]]:
    """Yield the stretches of tokens, empty ones too, between those that are marks or words of ``ends``."""
    begin = 0
    for place, token in enumerate(tokens):
        if token.text in ends or token.word in ends:
            yield tokens[begin:place]
            begin = place + 1
    yield tokens[begin:]


def spell(word: str, names: Collection[str] = ()) -> str:
    """Return the word of a command that a shortened or misspelled word probably stands for, else the word."""
    return word if word in names else lexicon.SHORTHAND.get(word) or _respelled(word)


def mended(message: str) -> str:
    """Return the message with the words that questions are made of spelled as they were probably meant."""
    text = message
    for token in reversed(tokenise(message)):
        small = token.text.lower()
        is_slip = small in lexicon.SHORTHAND or small in _swapped() or token.word in lexicon.ASKED_WITH
        if small.isalpha() and token.word != small and is_slip:
            text = f"{text[: token.start]}{token.word}{text[token.end :]}"
    return text


@lru_cache(maxsize=4_096)
def _respelled(word: str) -> str:
    if not word.isalpha() or word in known_words():
        return word
    if word in _swapped():
        return _swapped()[word]
    if len(word) < _FEWEST_LETTERS:
        return word
    found = {near for key in _deletions(word) for near in _near().get(key, ())}
    best = [near for near in found if near[0] == word[0] and is_one_slip(word, near)]
    return min(best, key=lambda near: (abs(len(near) - len(word)), near)) if best else word


@cache
def _swapped() -> Mapping[str, str]:
    """Return what the words of any request become when two of their letters are swapped: ``yuo``."""
    return {
        word[:place] + word[place + 1] + word[place] + word[place + 2 :]: word
        for word in sorted(lexicon.REQUEST_WORDS)
        for place in range(len(word) - 1)
        if word[place] != word[place + 1]
    }


@cache
def known_words() -> frozenset[str]:
    """Return the words that are no misspellings."""
    text = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")
    return frozenset(text.split()) | lexicon.verb_forms().keys() | lexicon.command_words()


@cache
def _near() -> dict[str, tuple[str, ...]]:
    index: dict[str, tuple[str, ...]] = {}
    for word in lexicon.command_words():
        for key in _deletions(word):
            index[key] = (*index.get(key, ()), word)
    return index


def _deletions(word: str) -> Iterator[str]:
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]
