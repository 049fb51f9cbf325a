"""The words of a sum as arithmetic: misspelled operations, ``take away``, ``squared``, ``two and a half``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.letter_slips import is_one_slip

_OPERATIONS = ("times", "divided", "divide", "multiplied", "minus", "percent")
_FEWEST_LETTERS = 4
_POWERS = {"squared": 1, "cubed": 2}
_AWAY = ("take", "away")
_NUMBER, _WORD, _SIGN = "number", "word", "sign"


def as_arithmetic(words: Sequence[str], kinds: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return words and their kinds with what people write for an operation as the operation itself."""
    said: list[str] = []
    told: list[str] = []
    place = 0
    while place < len(words):
        word, kind = words[place], kinds[place]
        before = told[-1] if told else ""
        place += 1
        if kind != _WORD or before != _NUMBER:
            said, told = [*said, word], [*told, kind]
        elif word in _POWERS:
            said += ["×", said[-1]] * _POWERS[word]
            told += [_SIGN, _NUMBER] * _POWERS[word]
        elif (word, *words[place : place + 1]) == _AWAY:
            said, told, place = [*said, "minus"], [*told, _WORD], place + 1
        else:
            said, told = (
                [*said, _operation(word, words[place : place + 1], kinds[place : place + 1])],
                [*told, kind],
            )
    return said, told


def _operation(word: str, behind: Sequence[str], kinds: Sequence[str]) -> str:
    """Return the operation that a misspelled word between two numbers stands for; else the word."""
    is_between = kinds == [_NUMBER] or behind == ["by"]
    if not is_between or len(word) < _FEWEST_LETTERS:
        return word
    return next((one for one in _OPERATIONS if one[0] == word[0] and is_one_slip(word, one)), word)
