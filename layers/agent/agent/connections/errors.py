"""Errors about signing in to services and about secrets for them.

Texts are for users and never quote what a user or a server sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from conversation.errors import Conflict, Invalid, NotFound


class ServiceNotFound(NotFound):
    """Neither the catalogue nor the caller's skills have a service of this name to sign in to."""

    code = "service_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such service to sign in to.")


class ConnectionNotFound(NotFound):
    """Nobody signed in to this skill's server for the caller."""

    code = "connection_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such connection.")


class SignInUnavailable(Conflict):
    """The deployment does not know its own address, so no server could send users back."""

    code = "sign_in_unavailable"

    def __init__(self) -> None:
        super().__init__(
            "Nobody can sign in to services here yet: operators have to set the deployment's public address."
        )


class ClientNeeded(Conflict):
    """The server registers no clients by itself, and the tenant has stored none."""

    code = "sign_in_client_needed"

    def __init__(self, secret: str | None, redirect_uri: str, guide: str | None) -> None:
        how = f" and stores its id and secret as the workspace's secret {secret}" if secret else ""
        super().__init__(
            f"This service wants a client of your own: an administrator registers one there{how}."
        )
        self.secret = secret
        self.redirect_uri = redirect_uri
        self.guide = guide

    @property
    def details(self) -> Mapping[str, JsonValue]:
        """What an administrator needs to know."""
        return {"secret": self.secret, "redirect_uri": self.redirect_uri, "guide": self.guide}


class SignInFailed(Invalid):
    """The service's server can't be reached, offers no sign-in, or refused it."""

    code = "sign_in_failed"


class SignInExpired(Invalid):
    """There is no such sign-in: it is finished, older than ten minutes, or another browser's."""

    code = "sign_in_expired"

    def __init__(self) -> None:
        super().__init__("This sign-in is over, or was begun in another browser. Begin it again.")


class SecretNotFound(NotFound):
    """The tenant has no secret of this name that an administrator stored."""

    code = "secret_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such secret.")


class SecretLimitReached(Conflict):
    """The tenant has as many secrets as allowed."""

    code = "secret_limit_reached"

    def __init__(self, limit: int) -> None:
        super().__init__(f"No more than {limit} secrets are allowed in a workspace.")


class SecretInvalid(Invalid):
    """No secret may have this name, or its value can't be sent to a server."""

    code = "secret_invalid"


class SecretsUnavailable(Conflict):
    """The tenant's key, under which secrets are stored, can't be read now."""

    code = "secrets_unavailable"
    retry_after_s = 5

    def __init__(self) -> None:
        super().__init__("Secrets can't be stored at the moment; the same request may succeed later.")
