"""Whether what somebody calls a password or a key looks like one. Pure."""

from __future__ import annotations

import re

from conversation.recognition import SecretKind
from conversation.secret_words import ENDINGS, EXAMPLES, STOPS

CLOSING = ".,;:?)]}>|\"'`”»*\u2019"
"""What a sentence, a quotation or a list ends with, and no secret."""

SHORTEST_KEY, SHORTEST_BARE_KEY = 8, 16
_SHORTEST_WORD = 4

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_MEASURE = re.compile(
    r"[\d.,:/%+-]+|v?\d+(?:\.\d+)+\S{0,80}|\d+(?:st|nd|rd|th|ms|s|kb|mb|gb|h|min|x|%)", re.IGNORECASE
)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_ATTRIBUTE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+")
_CALLED = re.compile(r"\w[(\[{]")
_OPAQUE = re.compile(r"[A-Za-z0-9_\-.+/=~%!@#$^&*:|]{8,200}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_RUN = re.compile(r"[A-Za-z0-9]+")
_RULES = re.compile(r"\w+(?:[|:,]\w+)*\|\w+(?:[|:,]\w+)*")
_NEUTRAL, _TAGS = "'\u2019-_/", "!#@&"
"""Signs within words, and before names of other things."""
_ELSEWHERE = ("-", "/", "./", "~/", "process.", "os.", "self.", "req.", "env.", "config.", "settings.")


def is_placeholder(value: str) -> bool:
    """Whether the text only stands for a secret, as in instructions."""
    return (
        value[:1] in "<{[($*%•…"
        or value.casefold().strip("\"'`.,;") in EXAMPLES
        or "..." in value
        or ("passw" in value.casefold() and not any(map(str.isdigit, value)))
        or "…" in value
        or "**" in value
        or len(set(value.casefold())) < 2
        or (len(value) >= 8 and len(set(value[3:].casefold())) <= 2)
    )


def is_password(value: str, *, is_said_plainly: bool) -> bool:
    """Whether it may be a password; a plain word only where it is ``is_said_plainly`` to be one."""
    if len(value) < 3 or is_placeholder(value) or not is_literal(value, SecretKind.PASSWORD):
        return False
    if is_mixed(value):
        return True
    words = value.casefold().replace("-", " ").split()
    is_word = _WORD.fullmatch(value) is not None and len(value) >= _SHORTEST_WORD
    return is_said_plainly and is_word and not any(word in STOPS or ENDINGS.fullmatch(word) for word in words)


def is_key(value: str, *, shortest: int) -> bool:
    """Whether it may be a key: letters and digits in no order that words have."""
    letters = sum(character.isalpha() for character in value)
    digits = sum(character.isdigit() for character in value)
    if len(value) < shortest or is_placeholder(value) or not is_literal(value, SecretKind.API_KEY):
        return False
    if _OPAQUE.fullmatch(value) is None or letters < 2 or digits < 2 or len(set(value)) < 6:
        return False
    if shortest == SHORTEST_BARE_KEY and _UUID.fullmatch(value):
        return False
    if shortest == SHORTEST_BARE_KEY and longest_run(value) < shortest and not _is_dense(value):
        return False
    # Words and dates with hyphens between them are names.
    return any(not run.isalpha() and not run.isdecimal() and len(run) >= 6 for run in _RUN.findall(value))


def longest_run(value: str) -> int:
    """How many letters and digits follow each other at most."""
    return max(map(len, _RUN.findall(value)), default=0)


def _is_dense(value: str) -> bool:
    is_of_both = any(map(str.isupper, value)) and any(map(str.islower, value))
    return len(value) >= 2 * SHORTEST_BARE_KEY and is_of_both


def is_literal(value: str, kind: SecretKind) -> bool:
    """Whether it is no address, call, path or variable."""
    if "://" in value or value.startswith(_ELSEWHERE) or "=" in value.rstrip("="):
        return False
    if _ATTRIBUTE.fullmatch(value) or _RULES.fullmatch(value):
        return False
    if any(mark in value for mark in "({["):
        return kind is SecretKind.PASSWORD and _CALLED.search(value) is None
    return _CONSTANT.fullmatch(value) is None


def is_mixed(value: str) -> bool:
    """Whether no word, number or measure looks like this: digits or signs among letters, capitals within."""
    if _MEASURE.fullmatch(value):
        return False
    letters = sum(character.isalpha() for character in value)
    others = sum(not c.isalpha() and c not in _NEUTRAL for c in value.strip(CLOSING).lstrip(_TAGS))
    if letters and others:
        return True
    if value.count("-") >= 3 and _WORD.fullmatch(value):
        return True
    bare = value.replace("_", "").replace("-", "")
    capitals = sum(character.isupper() for character in bare[1:])
    return bare.isalpha() and 0 < capitals < len(bare) - 1 and len(bare) >= 6
