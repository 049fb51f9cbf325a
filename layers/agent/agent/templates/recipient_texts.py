"""Texts about mail recipients that are to confirm by a code, and the question that waits for it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from agent.workspace.agents import join_words
from conversation.messages.models import MAIL_CODE, Pending


def waits_for_code(address: str) -> str:
    """What the result says of a recipient that has not confirmed."""
    return (
        f"I haven't mailed it to {address}: that address is outside your workspace's domains and has to "
        "confirm first. It was mailed a code; tell me that code here, and it gets the next results."
    )


def waits_for_owner(address: str) -> str:
    """The same, to somebody who runs a colleague's agent."""
    return f"I haven't mailed it to {address}: that address has to confirm to the agent's owner first."


def code_question(addresses: Sequence[str]) -> Pending:
    """What a code that is typed next confirms."""
    said = list(dict.fromkeys(addresses))
    return Pending(action=MAIL_CODE, entities={"addresses": said}, summary=f"confirm {join_words(said)}")


def confirmed(address: str) -> str:
    """The reply to the right code."""
    return f"Confirmed: {address} gets the results from now on."


def still_waiting(addresses: Sequence[str]) -> str:
    """What follows where other addresses wait."""
    return f"For {join_words(addresses)}, tell me the code as well."


def wrong_code(address: str) -> str:
    """The reply to another code."""
    return (
        f"That code is wrong for {address}, or has expired: it can be used for seven days, and takes five "
        "tries. The address gets a new one with a later result."
    )


def which_address(addresses: Sequence[str]) -> str:
    """The question where several addresses wait."""
    return f"Which address is that code from: {' or '.join(addresses)}? Tell me the address and the code."
