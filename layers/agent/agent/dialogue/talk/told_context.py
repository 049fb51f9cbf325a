"""What was said around a statement: what changed it later, and the question that it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from conversation.messages.models import Message, Role
from conversation.search.words import words
from intent.acts.act import ActKind
from intent.acts.told_changes import takes_back, tells
from intent.acts.told_facts import amends
from intent.amounts.figures import corrects_told
from intent.analysis.unsure_talk import kinds_read

_MOST_BEHIND = 4
"""How many messages later something still changes what was told."""
_CHANGING = frozenset(
    "now instead since moved changed longer anymore became cancelled switched replaced was until postponed"
    " back meanwhile not new".split()
)


def amendment(said: Sequence[Message], terms_of: Callable[[str], Sequence[str]]) -> str:
    """Return the last message that changes what the first of several tells; empty: none does.

    That is one behind it that takes it back or goes on about the same, or a later one that says of the same
    how it is now. ``terms_of`` are the words of a text that few others have.
    """
    first, found = said[0], ""
    if amends(first.content):
        return ""
    subject = frozenset(terms_of(first.content))
    is_next = True
    for place, message in enumerate(said[1 : 1 + _MOST_BEHIND], 1):
        if message.conversation_id != first.conversation_id:
            break
        text = message.content
        is_same = bool(subject & frozenset(terms_of(text))) and tells(text)
        is_now = is_same and bool(_CHANGING & {word.term for word in words(text)})
        takes = is_next and (amends(text) or takes_back(text))
        if is_now or takes or _corrects_amount(text, said[:place], is_same=is_same):
            found = text
        elif "?" not in text:
            is_next = False
    return found


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


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for asked, reply, told in zip(messages, messages[1:], messages[2:], strict=False):
        is_row = len({asked.conversation_id, reply.conversation_id, told.conversation_id}) == 1
        is_turn = (asked.role, reply.role, told.role) == (Role.USER, Role.ASSISTANT, Role.USER)
        if is_row and is_turn and ActKind.RECALL in kinds_read(reply) and tells(told.content):
            yield told.id, asked.content
