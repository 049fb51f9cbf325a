"""Every refusal of the domain, the tree drawn here.

Each class has a stable ``code``; `edge.problems` maps codes to statuses in one table. The other layers derive
their own errors from the same four kinds. Texts are for users: they never quote what the user sent.
"""

from __future__ import annotations

from typing import ClassVar


class DomainError(Exception):
    """Base of all refusals; the message may be shown to the user."""

    code: ClassVar[str] = "internal"


class NotFound(DomainError):
    """What was asked for does not exist for this caller; a foreign one answers the same."""


class Conflict(DomainError):
    """The request clashes with what stands: change it or try again after ``retry_after_s`` seconds (None:
    don't)."""

    retry_after_s: int | None = None


class Invalid(DomainError):
    """The request can never succeed as it is."""


class Forbidden(DomainError):
    """The caller may not do this."""


class ConversationNotFound(NotFound):
    """Unknown, malformed, deleted, another user's or another tenant's: all the same."""

    code = "conversation_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such conversation.")


class TurnNotFound(NotFound):
    """No such turn in a conversation of this caller."""

    code = "turn_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such turn.")


class ConversationBusy(Conflict):
    """Too many messages wait in this conversation; this one was not stored."""

    code = "conversation_busy"
    retry_after_s = 2

    def __init__(self) -> None:
        super().__init__("Too many messages of this conversation are waiting for an answer.")


class IdempotencyInProgress(Conflict):
    """A turn under the same key is being answered."""

    code = "idempotency_in_progress"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("A request with this Idempotency-Key is still being answered.")


class IdempotencyKeyReused(Invalid):
    """The same key came with another body."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with a different request.")


class TenantInactive(Forbidden):
    """The tenant is suspended, or not registered where registration is required."""

    code = "tenant_inactive"

    def __init__(self) -> None:
        super().__init__("This tenant is not active.")


class TenantNotFound(NotFound):
    """The operator named a tenant that was never registered."""

    code = "tenant_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such tenant.")


class RoleRequired(Forbidden):
    """The caller's token lacks the role this needs."""

    code = "role_required"

    def __init__(self, role: str) -> None:
        super().__init__(f"This needs the role {role!r}.")
        self.role = role
