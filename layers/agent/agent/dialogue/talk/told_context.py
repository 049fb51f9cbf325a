"""What was said around a statement: what changed it later, and the question that it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from conversation.messages.models import Message, Role
from conversation.search.words import stem, words
from intent.acts.act import ActKind
from intent.acts.tokens import tokenise
from intent.acts.told_changes import takes_back, tells
from intent.acts.told_facts import amends, asks_to_forget
from intent.amounts.figures import corrects_told
from intent.analysis.unsure_talk import kinds_read
from intent.sums.quantities import read_quantities

_MOST_BEHIND = 4
"""How many messages later something still changes what was told."""
_CHANGING = frozenset(
    "now instead since moved changed longer anymore became cancelled switched replaced was until postponed"
    " back meanwhile not new".split()
)


class Terms(Protocol):
    """The stems of the words that say what a text is about."""

    def __call__(self, text: str, *, strong: bool) -> Sequence[str]:
        """Return them in order; with ``strong`` only those that few other texts have."""


def amendments(said: Sequence[Message], terms: Terms, *, before: Sequence[Message] = ()) -> tuple[str, ...]:
    """Return the messages that change what the first of several tells, in the order said; ``before`` are
    those said earlier, which a message may be about as well.

    They are those behind it that take it back or go on about the same, and later ones that say of the same
    how it is now, or tell another number of it and of nothing else.
    """
    first, found = said[0], []
    if amends(first.content):
        return ()
    is_next = True
    for place, message in enumerate(said[1 : 1 + _MOST_BEHIND], 1):
        if message.conversation_id != first.conversation_id:
            break
        text = message.content
        is_only = tells(text) and _is_only_on(first.content, text, terms)
        is_same = is_only or (tells(text) and _shares_strong(first.content, text, terms))
        is_now = is_same and bool(_CHANGING & {word.term for word in words(text)})
        takes = amends(text) or takes_back(text)
        takes = takes and (is_same or (is_next and not _is_on_others(text, before, terms)))
        takes = takes or (asks_to_forget(text) and _shares_strong(first.content, text, terms))
        is_other = is_only and _tells_other_number(first.content, text)
        is_other = is_other or (is_same and _tells_other_value(first.content, text))
        if is_now or takes or is_other or _corrects_amount(text, said[:place], is_same=is_same):
            found.append(text)
        elif "?" not in text:
            is_next = False
    return tuple(found)


def _is_on_others(later: str, before: Sequence[Message], terms: Terms) -> bool:
    """Return whether a text names what one of several earlier messages is about."""
    return any(_shares_strong(one.content, later, terms) for one in before[-_MOST_BEHIND:])


def _shares_strong(first: str, later: str, terms: Terms) -> bool:
    return bool(frozenset(terms(first, strong=True)) & frozenset(terms(later, strong=True)))


def _is_only_on(first: str, later: str, terms: Terms) -> bool:
    """Return whether a text is about nothing else than an earlier one."""
    said = frozenset(terms(later, strong=False)) - _EXCUSING
    return bool(said) and said <= frozenset(terms(first, strong=False)) | _CHANGED


def _tells_other_number(first: str, later: str) -> bool:
    """Return whether a text tells one number, and an earlier one has another of the same kind."""
    numbers = read_quantities(later).numbers
    if len(numbers) != 1:
        return False
    new = numbers[0]
    return any(
        one.value != new.value and one.currency == new.currency and (not new.unit or one.head == new.head)
        for one in read_quantities(first).numbers
    )


def _tells_other_value(first: str, later: str) -> bool:
    """Return whether a text says of something named in an earlier one that it is another: ``her understudy is
    Bette``, ``Juno's understudy is Rosalind``.
    """
    old, new = _values(first), _values(later)
    others = _names(later) - _names(first)
    return any(
        old[noun] != value and (others <= {value} or not value[:1].isdigit())
        for noun, value in new.items() if noun in old
    )  # fmt: skip


def _names(text: str) -> frozenset[str]:
    """Return the words of a text that are written as names are."""
    return frozenset(token.text for token in tokenise(text)[1:] if token.text[:1].isupper())


def _values(text: str) -> Mapping[str, str]:
    """Return what a text says that something is, by its noun: names and numbers alone."""
    tokens = [token for token in tokenise(text) if token.is_word]
    triples = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return {
        noun.word: value.text
        for noun, verb, value in triples
        if verb.word in {"is", "are", "was"} and (value.text[:1].isupper() or value.text[:1].isdigit())
    }


_EXCUSING = frozenset(
    stem(stem(word)) for word in
    "excuse sorry correct correction corrected mistake wrong mean meant kindly please note actually".split()
)  # fmt: skip
_CHANGED = frozenset(stem(stem(word)) for word in (*_CHANGING, "switch", "change"))


def _corrects_amount(text: str, said: Sequence[Message], *, is_same: bool) -> bool:
    """Return whether a text corrects an amount of the first message; where a later message tells that amount,
    too, it has to name the same as the first.
    """
    first, *between = (one.content for one in said)
    return corrects_told(text, [first]) and (is_same or not corrects_told(text, between))


def questions_answered(messages: Sequence[Message]) -> Mapping[str, str]:
    """Return for messages said behind a question about earlier talk, by id, the question.

    ``messages`` are of both sides, in the order said.
    """
    return dict(_answered(messages))


def noted_as_facts(messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids of the messages that were read as nothing but facts, of messages in the order said."""
    pairs = pairwise(messages)
    return frozenset(
        told.id for told, reply in pairs
        if reply.role is Role.ASSISTANT and tuple(kinds_read(reply)) == (ActKind.REMEMBER,)
    )  # fmt: skip


def told_to_keep(messages: Sequence[Message]) -> frozenset[str]:
    """Return the ids of the messages that were read as facts, with other acts beside them or without."""
    return frozenset(
        told.id for told, reply in pairwise(messages)
        if reply.role is Role.ASSISTANT and ActKind.REMEMBER in kinds_read(reply)
    )  # fmt: skip


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for asked, reply, told in zip(messages, messages[1:], messages[2:], strict=False):
        is_row = len({asked.conversation_id, reply.conversation_id, told.conversation_id}) == 1
        is_turn = (asked.role, reply.role, told.role) == (Role.USER, Role.ASSISTANT, Role.USER)
        if is_row and is_turn and ActKind.RECALL in kinds_read(reply) and tells(told.content):
            yield told.id, asked.content
