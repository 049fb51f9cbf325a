"""What a user has told since they said that they don't know what to ask for."""

from __future__ import annotations

from collections.abc import Mapping

from conversation.messages.models import Message, Role
from intent.acts.act import ActKind
from intent.situation import Situation

_FARTHEST = 6
"""How many replies back somebody still counts as looking for what to ask for."""
_OF_AGENT = frozenset({ActKind.CREATE_AGENT, ActKind.ANSWER})
"""The kinds of what the unfinished agent has taken already."""
_MAKING = frozenset({ActKind.CREATE_AGENT, ActKind.COPY_AGENT, ActKind.ADD_TASK})


def told_while_unsure(situation: Situation) -> tuple[str, ...]:
    """Return the user's messages since then, the oldest first; empty where they weren't unsure, or where
    something was made since.
    """
    told: list[str] = []
    found = 0
    reply: Message | None = None
    replies = 0
    for message in reversed(situation.history):
        if message.role is Role.ASSISTANT:
            replies += 1
            reply = message
            if replies > _FARTHEST or _MAKING & set(message.note.kinds):
                break
        elif reply is not None:
            kinds = kinds_read(reply)
            told.append("" if _OF_AGENT & set(kinds) else message.content)
            found = len(told) if ActKind.UNSURE in kinds else found
    return tuple(reversed(told[:found]))


def kinds_read(reply: Message) -> tuple[str, ...]:
    """Return the kinds of the acts that the message before a reply was read as."""
    decision = reply.metadata.get("decision")
    acts = decision.get("acts") if isinstance(decision, Mapping) else None
    if not isinstance(acts, list | tuple):
        return ()
    kinds = (act.get("kind") for act in acts if isinstance(act, Mapping))
    return tuple(kind for kind in kinds if isinstance(kind, str))
