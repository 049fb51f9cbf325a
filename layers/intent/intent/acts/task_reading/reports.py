"""Reports of what is done and what isn't: ``crane check done, oil change done. filter not yet``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from intent.acts.act import Thing
from intent.acts.lexicon import LEADS, LIST_NOUNS, NEGATIONS, POINTERS, QUESTION_WORDS, classes_of, verb_forms
from intent.acts.tokens import Token, known_words
from intent.letter_slips import is_one_slip

DONE = frozenset("done finished completed complete sorted ticked".split())
_OPEN = NEGATIONS | frozenset("still open outstanding waiting pending missing".split())
_JOINTS = frozenset(",.;!\n")
_MOST_WORDS = 9


class Reported(NamedTuple):
    """A part of a report: its tokens, and whether it says that something is done."""

    tokens: tuple[Token, ...]
    is_done: bool


def find_report(tokens: Sequence[Token]) -> tuple[Reported, ...]:
    """Return the parts of a report on several tasks; empty for any other message."""
    parts = [part for part in _parts(tokens) if part]
    told = [found for part in parts if (found := _reported(part)) is not None]
    is_report = len(told) > 1 and told[0].is_done and _reported(parts[0]) is not None
    if not is_report or len(parts) - len(told) > sum(not one.is_done for one in told):
        return ()  # only what is open has a reason behind it
    return tuple(told)


def done_by_verb(words: Sequence[str], tasks: Sequence[Thing]) -> Thing | None:
    """Return the only open task whose own verb words say in the past: ``faxed`` of ``fax Dr Patel``."""
    found = [one for one in tasks if not one.is_done and _is_past_of(one.name.lower().split()[0], words)]
    return found[0] if len(found) == 1 else None


def _is_past_of(verb: str, words: Sequence[str]) -> bool:
    return len(verb) >= _SHORTEST_VERB and any(
        word in {f"{verb}ed", f"{verb}d", f"{verb}{verb[-1]}ed"}
        or (word.endswith("d") and len(word) > len(verb) and is_one_slip(word, f"{verb}ed"))
        or ((form := verb_forms().get(word)) is not None and form.base == verb and not form.is_base)
        for word in words
    )


_SHORTEST_VERB = 3


def _parts(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    bounds = [place for place, token in enumerate(tokens) if token.text in _JOINTS or token.word == "but"]
    starts = [0, *(place + 1 for place in bounds)]
    return [tokens[first:last] for first, last in zip(starts, [*bounds, len(tokens)], strict=True)]


_ORDINALS = frozenset({"nd", "rd"})
"""The ends of ``22nd`` and ``23rd``, which tell of no deed."""


def _reported(part: Sequence[Token]) -> Reported | None:
    """Return what a part says of something's state; None when it says nothing of the kind."""
    kept = [token for token in part if token.is_word and token.word not in LEADS]
    words = [token.word for token in kept]
    if not 2 <= len(words) <= _MOST_WORDS or words[0] in QUESTION_WORDS | POINTERS | DONE:
        return None
    form = verb_forms().get(words[0])
    commands = form is not None and form.is_base and classes_of(words[0]) & {"complete", "delete", "change"}
    if set(words) & LIST_NOUNS or (commands and words[-1] in {"off", "done"}):
        return None
    if set(words) & _OPEN:
        return Reported(tuple(kept), is_done=False)
    is_unknown = words[-1] not in _ORDINALS and words[-1] not in known_words()
    is_past = words[-1].endswith("ed") or (words[-1].endswith("d") and is_unknown)
    is_done = words[-1] in DONE or (is_past and "is" not in words)
    return Reported(tuple(kept), is_done=True) if is_done else None
