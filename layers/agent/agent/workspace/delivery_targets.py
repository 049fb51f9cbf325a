"""The delivery targets of an agent's results: channels and the addresses in them. Pure functions.

Recipients are assigned to channels by the form of their address. `agent.runs.delivery` sends the results.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from intent.regular_expressions import LazyPattern

SLACK_HOST = "hooks.slack.com"
Recipient = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class Channel(StrEnum):
    """A channel for results."""

    CONVERSATION = "conversation"
    EMAIL = "email"
    SLACK = "slack"
    TEAMS = "teams"
    WEBHOOK = "webhook"
    SMS = "sms"


class Delivery(BaseModel):
    """The channels and recipients of an agent's results."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    channels: tuple[Channel, ...] = Field(
        default=(Channel.CONVERSATION,), min_length=1, max_length=len(Channel)
    )
    recipients: tuple[Recipient, ...] = Field(
        default=(), max_length=20, description="addresses or channels; empty: the owner"
    )


URL_CHANNELS = (Channel.SLACK, Channel.WEBHOOK)
"""Channels whose addresses are web addresses."""

SENDABLE_CHANNELS = (Channel.EMAIL, *URL_CHANNELS)
"""Channels outside the conversation that delivery supports, given an address."""

_MAIL_ADDRESS = LazyPattern(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
)
_URL = LazyPattern(r"https?://\S+")


class DeliveryTarget(NamedTuple):
    """One target of results; ``address`` is empty where none is known."""

    channel: Channel
    address: str


def targets_of(delivery: Delivery, owner: str) -> tuple[DeliveryTarget, ...]:
    """Returns every target of the delivery, in the order of its channels.

    ``owner`` is a user name. If it is a mail address, it receives e-mail when no other mail address is given.
    """
    found: list[DeliveryTarget] = []
    for channel in delivery.channels:
        found += [
            DeliveryTarget(channel, address) for address in _addresses(channel, delivery, owner) or ("",)
        ]
    return tuple(dict.fromkeys(found))


def channels_without_address(delivery: Delivery, owner: str) -> tuple[Channel, ...]:
    """Returns the channels, except the conversation, for which no address is known."""
    wanting = (place.channel for place in targets_of(delivery, owner) if not place.address)
    return tuple(dict.fromkeys(channel for channel in wanting if channel is not Channel.CONVERSATION))


def is_mail_address(text: str) -> bool:
    """Whether the text has the form of a mail address."""
    return _MAIL_ADDRESS.fullmatch(text) is not None


def is_url(text: str) -> bool:
    """Whether the text is a web address."""
    return _URL.fullmatch(text) is not None


def is_slack_url(url: str) -> bool:
    """Whether the address is one of Slack's incoming webhooks."""
    try:
        return urlsplit(url).hostname == SLACK_HOST
    except ValueError:
        return False


def _addresses(channel: Channel, delivery: Delivery, owner: str) -> Sequence[str]:
    urls = [recipient for recipient in delivery.recipients if is_url(recipient)]
    match channel:
        case Channel.EMAIL:
            named = [recipient for recipient in delivery.recipients if is_mail_address(recipient)]
            return named or [owner] * is_mail_address(owner)
        case Channel.SLACK:
            # Without a webhook channel, any URL is meant for Slack: a self-hosted, Slack-compatible server.
            return [url for url in urls if is_slack_url(url) or Channel.WEBHOOK not in delivery.channels]
        case Channel.WEBHOOK:
            return [url for url in urls if not is_slack_url(url) or Channel.SLACK not in delivery.channels]
        case _:
            return ()
