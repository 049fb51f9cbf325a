"""Every refusal of the domain, the tree drawn here.

Each class has a stable ``code``; `edge.http.problems` maps codes to statuses in one table. The other
layers derive their own errors from the same four kinds. Texts are for users: they never quote what the
user sent.
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


class MessageNotFound(NotFound):
    """No such message in a conversation of this caller; a deleted one is none."""

    code = "message_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such message.")


class MessageUnfit(Invalid):
    """The message is of the other role than this needs."""

    code = "message_unfit"

    def __init__(self, needed: str) -> None:
        super().__init__(f"This is for {needed} only.")


class MessageReplaced(Conflict):
    """The message is no part of the conversation as it stands: another version, or a message before it, is
    active."""

    code = "message_replaced"

    def __init__(self) -> None:
        super().__init__("This message is no longer part of the conversation as it stands.")


class TooManyVersions(Conflict):
    """The message, or the conversation, was edited as often as it may be."""

    code = "too_many_versions"

    def __init__(self) -> None:
        super().__init__("This was edited too often: a fork of the conversation can be edited again.")


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


class RateLimited(Conflict):
    """The tenant's users sent more than its rate and burst allow; nothing was stored."""

    code = "rate_limited"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("Your workspace is sending messages faster than it may. Try again in a moment.")
        self.retry_after_s = retry_after_s


class TooManyTurns(Conflict):
    """As many messages of the user as may are being answered, or wait for it; nothing was stored."""

    code = "too_many_turns"
    retry_after_s = 2

    def __init__(self) -> None:
        super().__init__("Too many of your messages are being answered at once.")


class DailyBytesReached(Conflict):
    """As much as may be was stored for the tenant on this UTC day; nothing more was."""

    code = "daily_bytes_reached"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("Your workspace has stored as much as it may today. It goes on after midnight UTC.")
        self.retry_after_s = retry_after_s


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


class ErasureUnderWay(Conflict):
    """The tenant is being erased: nothing is decided for it any more."""

    code = "erasure_under_way"

    def __init__(self) -> None:
        super().__init__("This tenant is being erased.")


class ErasureNotFound(NotFound):
    """No such erasure that the caller may know of."""

    code = "erasure_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such erasure.")


class OnLegalHold(Conflict):
    """What is on legal hold is not erased."""

    code = "on_legal_hold"

    def __init__(self) -> None:
        super().__init__("This is on legal hold. It can be erased when the hold is lifted.")


class RoleRequired(Forbidden):
    """The caller's token lacks the role this needs."""

    code = "role_required"

    def __init__(self, role: str) -> None:
        super().__init__(f"This needs the role {role!r}.")
        self.role = role
