"""All errors of the domain, as one tree.

Each class has a stable ``code``; `edge.http.problems` maps codes to HTTP statuses in one table. The other
layers derive their own errors from the same four kinds. The messages are for users and never quote what the
user sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import JsonValue


class DomainError(Exception):
    """Base class of all domain errors; the message may be shown to the user, and so may ``details``."""

    code: ClassVar[str] = "internal"

    @property
    def details(self) -> Mapping[str, JsonValue]:
        """Values for programs that belong to the message; most errors have none."""
        return {}


class NotFound(DomainError):
    """The object does not exist for this caller. An object of another user or tenant gives the same error."""


class Conflict(DomainError):
    """The request conflicts with the current state. Change it, or retry it after ``retry_after_s`` seconds
    (None: do not retry).
    """

    retry_after_s: int | None = None


class Invalid(DomainError):
    """The request can never succeed unchanged."""


class Forbidden(DomainError):
    """The caller may not do this."""


class ConversationNotFound(NotFound):
    """The conversation is unknown, malformed, deleted, or of another user or tenant; the caller can't tell
    which.
    """

    code = "conversation_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such conversation.")


class LessonNotFound(NotFound):
    """The tenant has no lesson of this id."""

    code = "correction_not_found"

    def __init__(self) -> None:
        super().__init__("Your workspace keeps no correction with this id.")


class TurnNotFound(NotFound):
    """There is no such turn in a conversation of this caller."""

    code = "turn_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such turn.")


class MessageNotFound(NotFound):
    """There is no such message in a conversation of this caller, or it was deleted."""

    code = "message_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such message.")


class WrongMessageRole(Invalid):
    """The operation needs a message of the other role."""

    code = "message_unfit"

    def __init__(self, needed: str) -> None:
        super().__init__(f"This is for {needed} only.")


class ProposalClosed(Conflict):
    """A question is answered that is not open any more: something else was said since."""

    code = "proposal_closed"

    def __init__(self) -> None:
        super().__init__("That question is not open any more.")


class MessageReplaced(Conflict):
    """The message is not active: another version of it, or of an earlier message, replaced it."""

    code = "message_replaced"

    def __init__(self) -> None:
        super().__init__("This message is no longer part of the conversation as it stands.")


class TooManyVersions(Conflict):
    """The message or the conversation reached its maximum number of edits."""

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
    """A turn with the same key is still being answered."""

    code = "idempotency_in_progress"
    retry_after_s = 1

    def __init__(self) -> None:
        super().__init__("A request with this Idempotency-Key is still being answered.")


class IdempotencyKeyReused(Invalid):
    """The key was used before with another request body."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with a different request.")


class RateLimited(Conflict):
    """The tenant's users exceeded its rate and burst; nothing was stored."""

    code = "rate_limited"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__("Your workspace is sending messages faster than it may. Try again in a moment.")
        self.retry_after_s = retry_after_s


class TooManyTurns(Conflict):
    """The user's limit of messages being answered or waiting is reached; nothing was stored."""

    code = "too_many_turns"
    retry_after_s = 2

    def __init__(self) -> None:
        super().__init__("Too many of your messages are being answered at once.")


class DailyQuotaExceeded(Conflict):
    """The storage quota of this UTC day is used up, the tenant's or the user's; nothing was stored."""

    code = "daily_bytes_reached"

    def __init__(self, retry_after_s: int, *, of_user: bool = False) -> None:
        whose = "You have stored as much as you" if of_user else "Your workspace has stored as much as it"
        super().__init__(f"{whose} may today. It goes on after midnight UTC.")
        self.retry_after_s = retry_after_s


class QuotaExceeded(Conflict):
    """The user or the tenant has made or started as many things of a kind as allowed in this UTC day; nothing
    was done. ``kind`` is a `conversation.limits.quotas.QuotaKind`.
    """

    code = "daily_limit_reached"

    def __init__(self, kind: str, what: str, limit: int, retry_after_s: int, *, of_user: bool) -> None:
        whose = "You have" if of_user else "Your workspace has"
        super().__init__(
            f"{whose} reached the limit of {limit:,} {what} a day; it goes on after midnight UTC."
        )
        self.kind = kind
        self.limit = limit
        self.of_user = of_user
        self.retry_after_s = retry_after_s


class TenantInactive(Forbidden):
    """The tenant is suspended, or not registered although registration is required."""

    code = "tenant_inactive"

    def __init__(self) -> None:
        super().__init__("This tenant is not active.")


class TenantNotFound(NotFound):
    """The operator named a tenant that was never registered."""

    code = "tenant_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such tenant.")


class ErasureInProgress(Conflict):
    """The tenant is being erased: its policy and status can no longer change."""

    code = "erasure_under_way"

    def __init__(self) -> None:
        super().__init__("This tenant is being erased.")


class ErasureNotFound(NotFound):
    """There is no such erasure that is visible to the caller."""

    code = "erasure_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such erasure.")


class OnLegalHold(Conflict):
    """Data on legal hold can't be erased."""

    code = "on_legal_hold"

    def __init__(self) -> None:
        super().__init__("This is on legal hold. It can be erased when the hold is lifted.")


class RoleRequired(Forbidden):
    """The caller's token lacks the required role."""

    code = "role_required"

    def __init__(self, role: str) -> None:
        super().__init__(f"This needs the role {role!r}.")
        self.role = role
