"""Things to do that are told before the request to keep them: ``call Ann, pay VAT. keep these for me``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS
from intent.acts.task_reading.lists import Listed
from intent.acts.task_titles import names_deed
from intent.acts.tokens import Token

_KEEPING = frozenset("keep note write jot put add save store remember list take hold".split())
_KEPT = frozenset("these those them that this it all everything".split())
_AROUND = LEADS | frozenset(
    "of down up on onto to in for me us my our the a list lists can could would will you u somewhere safe as"
    " tasks todos to-dos mind somehow please thanks thank will".split()
)
_SENTENCE_ENDS, _JOINTS = frozenset(".!?;-\u2013\u2014"), frozenset({",", ";", "and", "&", "then", "plus"})


def list_before_request(tokens: Sequence[Token], message: str) -> Listed | None:
    """Return the tasks told before the request to keep them; None where a message has no such request."""
    first = max(0, len(tokens) - _MOST_OF_REQUEST)
    marks = [at for at in range(first, len(tokens) - 1) if tokens[at].text in _SENTENCE_ENDS | {","}]
    cut = next((at for at in reversed(marks) if _asks_to_keep(tokens[at + 1 :])), None)
    if cut is None:
        return None
    begin = next((at + 1 for at in range(cut - 1, -1, -1) if tokens[at].text in {".", "!", "?", ":"}), 0)
    items = tuple(_items(tokens[begin:cut]))
    is_list = len(items) > 1 and all(names_deed(Clause(message, one)) for one in items)
    return Listed(tuple(tokens[cut + 1 :]), items, cut) if is_list else None


_MOST_OF_REQUEST = 24


def _asks_to_keep(tokens: Sequence[Token]) -> bool:
    """Return whether words only ask to keep what was told: ``can you write those down for me?``"""
    words = [token.word for token in tokens if token.is_word]
    said = [word for word in words if word not in _AROUND]
    return said[:1] != [] and said[0] in _KEEPING and bool(_KEPT & set(words)) and set(said[1:]) <= _KEPT


def _items(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    found: list[tuple[Token, ...]] = []
    begin = 0
    for place, token in enumerate([*tokens, None]):
        if token is not None and token.word not in _JOINTS:
            continue
        if item := _without_leads(tokens[begin:place]):
            found.append(item)
        begin = place + 1
    return found


def _without_leads(tokens: Sequence[Token]) -> tuple[Token, ...]:
    first = next((at for at, one in enumerate(tokens) if one.word not in LEADS), len(tokens))
    return tuple(tokens[first:])
