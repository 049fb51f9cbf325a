"""Confirms a mail recipient by the code that its user types, while a run's result waits for one.

A number is read as a code only as the answer to such a result; nothing is read out of other messages.
"""

from __future__ import annotations

import re

from agent.handler_interface import HandlerReply, TurnRequest
from agent.mail_recipients import CodeNotValid, Confirmation, MailRecipients
from agent.templates import recipient_texts
from conversation.messages.models import Note, Pending

_CODE = re.compile(r"(?<![\w-])\d(?:[ -]?\d){7}(?![\w-])")


def confirm_recipient(
    turn: TurnRequest, question: Pending, recipients: MailRecipients
) -> HandlerReply | None:
    """The reply to a code; None when the message has none, or more than one.

    The confirmation is stored at once: a try counts whether or not the turn is stored, and the same code
    may be typed again.
    """
    codes = _CODE.findall(turn.message)
    if len(codes) != 1:
        return None
    waiting = _addresses(question)
    named = [address for address in waiting if address.casefold() in turn.message.casefold()] or waiting
    if len(named) != 1:
        return HandlerReply(
            recipient_texts.which_address(waiting), Note(about=turn.note.about, pending=question)
        )
    try:
        recipients.verify(turn.caller, Confirmation(address=named[0], code=codes[0]))
    except CodeNotValid:
        text = recipient_texts.wrong_code(named[0])
        return HandlerReply(text, Note(about=turn.note.about, pending=question))
    others = [address for address in waiting if address != named[0]]
    note, text = (
        Note(did="confirmed a mail recipient", about=turn.note.about),
        recipient_texts.confirmed(named[0]),
    )
    if others:
        text = f"{text} {recipient_texts.still_waiting(others)}"
        note = note.model_copy(update={"pending": recipient_texts.code_question(others)})
    return HandlerReply(text, note)


def _addresses(question: Pending) -> list[str]:
    said = question.entities.get("addresses")
    return [address for address in said if isinstance(address, str)] if isinstance(said, list) else []
