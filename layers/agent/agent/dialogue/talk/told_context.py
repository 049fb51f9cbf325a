"""What was said around a statement: what changed it later, and the question that it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from conversation.messages.models import Message, Role
from conversation.search.words import words
from intent.acts.act import ActKind
from intent.acts.told_changes import takes_back, tells
from intent.acts.told_facts import amends
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
    for message in said[1 : 1 + _MOST_BEHIND]:
        if message.conversation_id != first.conversation_id:
            break
        text = message.content
        is_same = bool(subject & frozenset(terms_of(text))) and tells(text)
        is_now = is_same and bool(_CHANGING & {word.term for word in words(text)})
        if is_now or (is_next and (amends(text) or takes_back(text))):
            found = text
        elif "?" not in text:
            is_next = False
    return found


def questions_answered(messages: Sequence[Message]) -> Mapping[str, str]:
    """Return for messages said behind a question about earlier talk, by id, the question.

    ``messages`` are of both sides, in the order said.
    """
    return dict(_answered(messages))


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for asked, reply, told in zip(messages, messages[1:], messages[2:], strict=False):
        is_row = len({asked.conversation_id, reply.conversation_id, told.conversation_id}) == 1
        is_turn = (asked.role, reply.role, told.role) == (Role.USER, Role.ASSISTANT, Role.USER)
        if is_row and is_turn and ActKind.RECALL in kinds_read(reply) and tells(told.content):
            yield told.id, asked.content
