"""Tells a word with one slip of the pen from another word."""

from __future__ import annotations


def is_one_slip(word: str, other: str) -> bool:
    """Return whether two words differ by one letter that is missing, doubled, wrong or swapped."""
    if word == other:
        return True
    if abs(len(word) - len(other)) > 1:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
    )
    rest, rest_other = word[start:], other[start:]
    if len(word) == len(other):
        return rest[1:] == rest_other[1:] or (
            rest[:2] == rest_other[1::-1] and len(rest) > 1 and rest[2:] == rest_other[2:]
        )
    return rest[1:] == rest_other or rest == rest_other[1:]
