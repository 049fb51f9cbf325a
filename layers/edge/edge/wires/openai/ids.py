"""The ids that clients get: ours with a prefix that says of what they are."""

from __future__ import annotations

from conversation.errors import ConversationNotFound
from conversation.identity import Caller, TurnId, is_own_id
from edge.http.problems import Problem
from edge.wires.openai.conversation_match import WIRE
from edge.wires.wire import ConversationName

_CONVERSATION, _RESPONSE, _MESSAGE, _APPROVAL = "conv_", "resp_", "msg_", "mcpr_"
_CONVERSATION_DIGITS = 32


def conversation_id(own: str) -> str:
    """The client's form of a conversation's id."""
    return f"{_CONVERSATION}{own}"


def conversation_name(caller: Caller, sent: str) -> ConversationName:
    """The conversation of an id: one that we made, with or without its prefix, or the client's own.

    Raises:
        Problem: it is empty or too long.
    """
    return ConversationName.of(caller, WIRE, sent.removeprefix(_CONVERSATION) or sent)


def own_conversation(caller: Caller, sent: str) -> ConversationName:
    """The conversation of an id that we made for the caller.

    Raises:
        ConversationNotFound: we made none such.
    """
    name = sent.removeprefix(_CONVERSATION)
    if not is_own_id(name, caller):
        raise ConversationNotFound
    return ConversationName(name, may_begin=False)


def response_id(turn_id: str) -> str:
    """The client's form of a turn's id."""
    return f"{_RESPONSE}{turn_id.replace('.', '')}"


def answer_item_id(turn_id: str) -> str:
    """The id of the item of an answer."""
    return f"{_MESSAGE}{turn_id.replace('.', '')}"


def user_item_id(message_id: str) -> str:
    """The id of the item of a user's message."""
    return f"{_MESSAGE}{message_id}"


def approval_item_id(turn_id: str) -> str:
    """The id of the item of what a turn proposed."""
    return f"{_APPROVAL}{turn_id.replace('.', '')}"


def turn_of_response(caller: Caller, sent: str) -> TurnId:
    """The turn of a response's id.

    Raises:
        Problem: turn_not_found: it is none of the caller's.
    """
    return _turn(caller, sent, _RESPONSE)


def turn_of_approval(caller: Caller, sent: str) -> TurnId:
    """The turn whose proposal the id of an approval request names; problems as for `turn_of_response`."""
    return _turn(caller, sent, _APPROVAL)


def turn_of_question(caller: Caller, sent: str) -> TurnId:
    """The turn that asked the question of an id, which is the same on every wire; problems as for
    `turn_of_response`.
    """
    return _own_turn(caller, sent)


def _turn(caller: Caller, sent: str, prefix: str) -> TurnId:
    if not sent.startswith(prefix):
        raise Problem("turn_not_found")
    digits = sent.removeprefix(prefix)
    return _own_turn(caller, f"{digits[:_CONVERSATION_DIGITS]}.{digits[_CONVERSATION_DIGITS:]}")


def _own_turn(caller: Caller, turn_id: str) -> TurnId:
    turn = TurnId.parse(turn_id)
    if turn is None or not is_own_id(turn.conversation_id, caller):
        raise Problem("turn_not_found")
    return turn
