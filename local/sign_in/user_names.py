"""The user names that the twin's sign-in form takes: one word each, so that no sentence becomes a user.

Tokens may name anybody that `storage.keys.parse_user` allows.
"""

from __future__ import annotations

import unicodedata

from storage.keys import InvalidIdentity, parse_user

RULE = "A user name is one word, such as maya or maya@example.com: letters, digits and . _ - + @ ' | : ~"
"""The rule, for whoever types a name."""
PATTERN = r"\s*[\p{L}\p{M}\p{N}._+@'\|:~\-]+\s*"
"""The same rule, as browsers check it (the ``v`` flag's syntax)."""
_MARKS = "._-+@'|:~"


def parse_typed_user(typed: str) -> str:
    """Return the user name without the spaces around it.

    Raises:
        InvalidIdentity: it is more than one word, or too long; the message is a sentence for the user.
    """
    name = typed.strip()
    if not name or not all(_may_contain(letter) for letter in name):
        raise InvalidIdentity(RULE)
    return parse_user(name)


def _may_contain(letter: str) -> bool:
    return letter in _MARKS or unicodedata.category(letter)[0] in "LMN"
