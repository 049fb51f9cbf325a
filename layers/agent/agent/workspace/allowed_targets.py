"""The places that a tenant lets results be sent to: domains of mail addresses, and hosts of web addresses.

A tenant that decides nothing allows each user's own domain, which a user has whose name is a mail address,
and what the deployment allows every tenant. A tenant that lists places allows exactly those. Pure functions;
`agent.workspace.agent_store` checks with them when an agent is set up, `agent.runs.delivery` before it sends.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from agent.workspace.delivery_targets import is_mail_address, is_url
from conversation.tenants.policy import ANY_HOST, TenantPolicy

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

    def refused(self, addresses: Collection[str]) -> tuple[str, ...]:
        """The addresses that results may not be sent to."""
        return tuple(address for address in addresses if not self.allows(address))


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
