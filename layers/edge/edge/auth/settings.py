"""The settings of the authorizer: which tokens it accepts. No other function is given them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from edge.environment import EnvironmentReader, SettingsInvalid, process_environment
from edge.settings import LOCAL, read_stage

ALGORITHMS = ("RS256", "ES256")
AUDIENCE_CLAIM = "aud"
INLINE_KEYS = "data:application/json;base64,"
"""How an address begins that is the key set itself; allowed in stage local only."""

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_CLAIM = r"[!-~]{1,128}"


class Issuer(NamedTuple):
    """An issuer whose tokens are accepted, and the address of its signing keys."""

    url: str
    jwks_url: str


class ClaimNames(NamedTuple):
    """The claims that identify the caller: each is a claim's name, or a dotted path to it."""

    tenant: str
    user: str
    roles: str


class TokenSettings(NamedTuple):
    """Which tokens are accepted."""

    issuers: tuple[Issuer, ...]
    audience: str
    audience_claim: str
    """The claim that names the audience: ``aud``; ``scope`` where tokens carry scopes only, as Cognito's."""
    algorithms: tuple[str, ...]
    claims: ClaimNames

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None) -> TokenSettings:
        """The settings in an environment, by default this process's.

        Raises:
            SettingsInvalid: for the first setting that can't be used.
        """
        read = EnvironmentReader(process_environment() if environ is None else environ)
        return cls(
            issuers=_issuers(read, local=read_stage(read) == LOCAL),
            audience=read.required("OMNIFORGE_JWT_AUDIENCE"),
            audience_claim=_claim(read, "OMNIFORGE_CLAIM_AUDIENCE", AUDIENCE_CLAIM),
            algorithms=_algorithms(read),
            claims=ClaimNames(
                tenant=_claim(read, "OMNIFORGE_CLAIM_TENANT", "tenant"),
                user=_claim(read, "OMNIFORGE_CLAIM_USER", "sub"),
                roles=_claim(read, "OMNIFORGE_CLAIM_ROLES", "roles"),
            ),
        )


def _claim(read: EnvironmentReader, name: str, default: str) -> str:
    return read.matching(name, _CLAIM, "must be the name of a claim") or default


def _algorithms(read: EnvironmentReader) -> tuple[str, ...]:
    values = read.comma_separated("OMNIFORGE_JWT_ALGORITHMS") or ALGORITHMS
    if not set(values) <= set(ALGORITHMS):
        raise SettingsInvalid("OMNIFORGE_JWT_ALGORITHMS", f"must be some of {', '.join(ALGORITHMS)}")
    return values


def _issuers(read: EnvironmentReader, *, local: bool) -> tuple[Issuer, ...]:
    urls = read.comma_separated("OMNIFORGE_JWT_ISSUERS")
    if not urls:
        raise SettingsInvalid("OMNIFORGE_JWT_ISSUERS", "is needed and not set")
    given = read.text("OMNIFORGE_JWT_JWKS_URLS")
    if local and given is not None and given.startswith(INLINE_KEYS):
        # The keys themselves, for a container that can't reach the issuer. Their address contains a comma.
        return (Issuer(urls[0], given),)
    jwks = read.comma_separated("OMNIFORGE_JWT_JWKS_URLS") or tuple(
        f"{url.rstrip('/')}/.well-known/jwks.json" for url in urls
    )
    if len(jwks) != len(urls):
        raise SettingsInvalid("OMNIFORGE_JWT_JWKS_URLS", "must name one address per issuer, in their order")
    for name, addresses in (("OMNIFORGE_JWT_ISSUERS", urls), ("OMNIFORGE_JWT_JWKS_URLS", jwks)):
        for address in addresses:
            _check_address(name, address, local=local)
    return tuple(Issuer(url, keys) for url, keys in zip(urls, jwks, strict=True))


def _check_address(name: str, address: str, *, local: bool) -> None:
    parts = urlsplit(address)
    plain = parts.scheme == "http" and local and parts.hostname in _LOOPBACK
    if not parts.hostname or not (parts.scheme == "https" or plain):
        raise SettingsInvalid(
            name, "must begin with https:// (http:// only for this machine, in stage local)"
        )
