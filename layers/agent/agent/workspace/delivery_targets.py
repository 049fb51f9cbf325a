"""The delivery targets of an agent's results: channels, the addresses in them, and which of them a tenant
allows. Pure functions.

Recipients are assigned to channels by the form of their address. A tenant that decides nothing allows each
user's own domain, which a user has whose name is a mail address, and what the deployment allows every tenant.
A tenant that lists places allows exactly those. `agent.workspace.agent_store` checks that when an agent is
set up, `agent.runs.delivery` before it sends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from conversation.tenants.policy import ANY_HOST, TenantPolicy
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


def shown_address(address: str) -> str:
    """Returns the address as people other than its owner may see it: of a web address no more than the
    server, because whoever knows the rest can often post there.
    """
    if not is_url(address):
        return address
    scheme, _, rest = address.partition("://")
    server = re.split(r"[/?#\\]", rest, maxsplit=1)[0].rpartition("@")[2]
    return f"{scheme}://{server}/…"


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


MAIL_PROVIDERS = frozenset({
    "163.com", "aol.com", "fastmail.com", "gmail.com", "gmx.at", "gmx.ch", "gmx.de", "gmx.net",
    "googlemail.com", "hotmail.com", "icloud.com", "live.com", "mac.com", "mail.com", "mail.ru", "me.com",
    "msn.com", "naver.com", "outlook.com", "pm.me", "proton.me", "protonmail.com", "qq.com", "t-online.de",
    "web.de", "yahoo.com", "yandex.com", "yandex.ru", "ymail.com", "zoho.com",
})  # fmt: skip
"""Domains whose addresses belong to strangers: a user's own domain is none of them."""


class AllowedTargets(NamedTuple):
    """Where results of one user's agents may be sent."""

    owner: str
    mail_domains: tuple[str, ...]
    hook_hosts: tuple[str, ...]
    is_own_mail_allowed: bool = True
    """Whether the user's own address is allowed, whatever its domain."""
    is_other_mail_verified: bool = False
    """Whether other mail addresses get results once they confirmed (`agent.mail_recipients`)."""

    @classmethod
    def of(cls, policy: TenantPolicy, owner: str, default_hosts: Sequence[str]) -> AllowedTargets:
        """What the tenant allows; ``default_hosts`` is what the deployment allows every tenant."""
        own = _own_domain(owner)
        usual = (*default_hosts, *((own,) if own else ()))
        mail, hooks = policy.allowed_mail_domains, policy.allowed_hook_hosts
        return cls(
            owner,
            mail_domains=usual if mail is None else mail,
            hook_hosts=usual if hooks is None else hooks,
            is_own_mail_allowed=mail is None,
            is_other_mail_verified=policy.other_mail_recipients == "verified" and mail != (),
        )

    def allows(self, address: str) -> bool:
        """Whether results may be sent to the address. Text that is no address is allowed: nothing is sent
        there.
        """
        if is_url(address):
            return _is_within(_host(address), self.hook_hosts)
        if is_mail_address(address):
            is_own = self.is_own_mail_allowed and address.casefold() == self.owner.casefold()
            return is_own or _is_within(_mail_domain(address), self.mail_domains)
        return True

    def needs_verification(self, address: str) -> bool:
        """Whether results may be mailed to the address once it confirmed that it wants them."""
        return self.is_other_mail_verified and is_mail_address(address) and not self.allows(address)

    def refused(self, addresses: Collection[str]) -> tuple[str, ...]:
        """The addresses that results may not be sent to, confirmed or not."""
        return tuple(
            address
            for address in addresses
            if not self.allows(address) and not self.needs_verification(address)
        )


def _own_domain(owner: str) -> str | None:
    domain = _mail_domain(owner) if is_mail_address(owner) else None
    return None if domain in MAIL_PROVIDERS else domain


def _mail_domain(address: str) -> str:
    return address.rpartition("@")[2].casefold()


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").rstrip(".").casefold()
    except ValueError:
        return ""


def _is_within(host: str, allowed: Collection[str]) -> bool:
    """Whether the host is one of those allowed, or below one."""
    return any(each == ANY_HOST or host == each or host.endswith(f".{each}") for each in allowed)
