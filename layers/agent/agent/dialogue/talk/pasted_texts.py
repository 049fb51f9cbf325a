"""Replies to texts of somebody else: alone, or with words that only say what to do with them."""

from __future__ import annotations

from agent.dialogue.talk import texts
from agent.handler_interface import HandlerReply, TurnRequest


def reply(turn: TurnRequest) -> HandlerReply:
    """Return that nothing was done of what a text says; a model, where there is one, may work on it."""
    text = texts.TEXT_WORK if turn.message.strip() else texts.ONLY_PASTED
    return HandlerReply(text, lacks_answer=True)
