"""HTTP errors: one table from stable codes to statuses, and the body of RFC 9457.

A detail may name a field, a parameter or a limit; it never repeats what the client sent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from pydantic import JsonValue

from conversation.errors import Conflict, DomainError

MEDIA_TYPE = "application/problem+json"

STATUSES: Mapping[str, HTTPStatus] = {
    # the body
    "body_missing": HTTPStatus.BAD_REQUEST,
    "body_encoding": HTTPStatus.BAD_REQUEST,
    "body_not_object": HTTPStatus.BAD_REQUEST,
    "body_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "json_invalid": HTTPStatus.BAD_REQUEST,
    "json_too_deep": HTTPStatus.BAD_REQUEST,
    "json_duplicate_key": HTTPStatus.BAD_REQUEST,
    "json_number_range": HTTPStatus.BAD_REQUEST,
    "unicode_invalid": HTTPStatus.BAD_REQUEST,
    "unicode_control": HTTPStatus.BAD_REQUEST,
    # its fields
    "field_missing": HTTPStatus.BAD_REQUEST,
    "field_unknown": HTTPStatus.BAD_REQUEST,
    "field_type": HTTPStatus.BAD_REQUEST,
    "field_empty": HTTPStatus.BAD_REQUEST,
    "field_invalid": HTTPStatus.BAD_REQUEST,
    "field_too_long": HTTPStatus.BAD_REQUEST,
    "too_many_items": HTTPStatus.BAD_REQUEST,
    "message_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "metadata_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "time_zone_invalid": HTTPStatus.BAD_REQUEST,
    # path, query and headers
    "route_not_found": HTTPStatus.NOT_FOUND,
    "method_not_allowed": HTTPStatus.METHOD_NOT_ALLOWED,
    "query_invalid": HTTPStatus.BAD_REQUEST,
    "query_unknown": HTTPStatus.BAD_REQUEST,
    "query_too_long": HTTPStatus.BAD_REQUEST,
    "cursor_invalid": HTTPStatus.BAD_REQUEST,
    "cursor_expired": HTTPStatus.BAD_REQUEST,
    "header_invalid": HTTPStatus.BAD_REQUEST,
    "idempotency_key_invalid": HTTPStatus.BAD_REQUEST,
    "unsupported_media_type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "not_acceptable": HTTPStatus.NOT_ACCEPTABLE,
    # the caller; for the authorizer, the gateway itself answers with the first four
    "auth_invalid": HTTPStatus.UNAUTHORIZED,
    "tenant_invalid": HTTPStatus.FORBIDDEN,
    "tenant_inactive": HTTPStatus.FORBIDDEN,
    "user_invalid": HTTPStatus.FORBIDDEN,
    "user_mismatch": HTTPStatus.FORBIDDEN,
    "role_required": HTTPStatus.FORBIDDEN,
    "origin_not_allowed": HTTPStatus.FORBIDDEN,
    "user_being_erased": HTTPStatus.FORBIDDEN,
    # the domain
    "conversation_not_found": HTTPStatus.NOT_FOUND,
    "attachment_not_found": HTTPStatus.NOT_FOUND,
    "attachment_not_ready": HTTPStatus.CONFLICT,
    "attachment_used": HTTPStatus.CONFLICT,
    "attachment_invalid": HTTPStatus.UNPROCESSABLE_ENTITY,
    "attachment_type_not_allowed": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "attachment_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "too_many_attachments": HTTPStatus.BAD_REQUEST,
    "attachments_unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "attachments_off": HTTPStatus.FORBIDDEN,
    "turn_not_found": HTTPStatus.NOT_FOUND,
    "message_not_found": HTTPStatus.NOT_FOUND,
    "message_unfit": HTTPStatus.UNPROCESSABLE_ENTITY,
    "message_replaced": HTTPStatus.CONFLICT,
    "too_many_versions": HTTPStatus.CONFLICT,
    "fork_too_long": HTTPStatus.UNPROCESSABLE_ENTITY,
    "conversation_busy": HTTPStatus.TOO_MANY_REQUESTS,
    "rate_limited": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_turns": HTTPStatus.TOO_MANY_REQUESTS,
    "daily_bytes_reached": HTTPStatus.TOO_MANY_REQUESTS,
    "daily_limit_reached": HTTPStatus.TOO_MANY_REQUESTS,
    "idempotency_in_progress": HTTPStatus.CONFLICT,
    "idempotency_key_reused": HTTPStatus.UNPROCESSABLE_ENTITY,
    "workspace_contended": HTTPStatus.CONFLICT,
    "state_invalid": HTTPStatus.BAD_REQUEST,
    "policy_changed": HTTPStatus.CONFLICT,
    "retention_shortened": HTTPStatus.CONFLICT,
    "tenant_not_found": HTTPStatus.NOT_FOUND,
    "answer_not_found": HTTPStatus.NOT_FOUND,
    "correction_not_found": HTTPStatus.NOT_FOUND,
    "answer_id_invalid": HTTPStatus.BAD_REQUEST,
    "answer_limit_reached": HTTPStatus.CONFLICT,
    "erasure_not_found": HTTPStatus.NOT_FOUND,
    "erasure_under_way": HTTPStatus.CONFLICT,
    "on_legal_hold": HTTPStatus.CONFLICT,
    "agent_not_found": HTTPStatus.NOT_FOUND,
    "agent_name_taken": HTTPStatus.CONFLICT,
    "agent_changed": HTTPStatus.CONFLICT,
    "changed_since": HTTPStatus.CONFLICT,
    "agent_not_owned": HTTPStatus.FORBIDDEN,
    "agent_limit_reached": HTTPStatus.CONFLICT,
    "schedule_too_frequent": HTTPStatus.BAD_REQUEST,
    "check_address_blocked": HTTPStatus.BAD_REQUEST,
    "agent_invalid": HTTPStatus.BAD_REQUEST,
    "target_not_allowed": HTTPStatus.FORBIDDEN,
    "code_not_valid": HTTPStatus.CONFLICT,
    "model_unknown": HTTPStatus.BAD_REQUEST,
    "held_call_not_found": HTTPStatus.NOT_FOUND,
    "proposal_closed": HTTPStatus.CONFLICT,
    "run_not_ended": HTTPStatus.CONFLICT,
    "run_not_found": HTTPStatus.NOT_FOUND,
    "task_not_found": HTTPStatus.NOT_FOUND,
    "skill_not_found": HTTPStatus.NOT_FOUND,
    "skill_name_taken": HTTPStatus.CONFLICT,
    "skill_changed": HTTPStatus.CONFLICT,
    "skill_limit_reached": HTTPStatus.CONFLICT,
    "skill_invalid": HTTPStatus.BAD_REQUEST,
    "skill_not_owned": HTTPStatus.FORBIDDEN,
    "service_not_found": HTTPStatus.NOT_FOUND,
    "connection_not_found": HTTPStatus.NOT_FOUND,
    "secret_not_found": HTTPStatus.NOT_FOUND,
    "secret_limit_reached": HTTPStatus.CONFLICT,
    "secret_invalid": HTTPStatus.BAD_REQUEST,
    "secrets_unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "sign_in_unavailable": HTTPStatus.CONFLICT,
    "sign_in_client_needed": HTTPStatus.CONFLICT,
    "sign_in_elsewhere": HTTPStatus.CONFLICT,
    "sign_in_failed": HTTPStatus.UNPROCESSABLE_ENTITY,
    "sign_in_expired": HTTPStatus.BAD_REQUEST,
    # our side
    "storage_unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "timeout": HTTPStatus.GATEWAY_TIMEOUT,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
}


class Problem(Exception):
    """An HTTP error: raised anywhere at the edge, it reaches the client as problem+json."""

    def __init__(
        self,
        code: str,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, JsonValue] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = dict(members or {})

    @property
    def status(self) -> HTTPStatus:
        """The status of the code."""
        return STATUSES[self.code]

    def body(self, request_id: str) -> str:
        """The JSON of RFC 9457, extended by the code, the request's id and the problem's own members."""
        members: dict[str, JsonValue] = {
            **self.members,
            "type": "about:blank",
            "title": self.status.phrase,
            "status": self.status.value,
            "code": self.code,
            "detail": self.detail,
            "request_id": request_id,
        }
        return json.dumps({name: value for name, value in members.items() if value is not None})


def from_error(error: DomainError) -> Problem:
    """The problem for a domain error, with ``Retry-After`` where the error knows when to retry."""
    after_s = error.retry_after_s if isinstance(error, Conflict) else None
    headers = {"Retry-After": str(after_s)} if after_s is not None else {}
    return Problem(error.code, str(error), headers=headers, members=error.details)


def storage_unavailable() -> Problem:
    """The problem for storage that throttles or is out of reach; nothing is wrong with the request."""
    detail = "The storage can't be reached at the moment; the same request may succeed later."
    return Problem("storage_unavailable", detail, headers={"Retry-After": "2"})


def timed_out() -> Problem:
    """The problem for work that exceeded its deadline."""
    return Problem("timeout", "This took too long. What became of it is not known here.")


def internal_error() -> Problem:
    """The problem for an internal error; the client learns no more than the request's id."""
    return Problem("internal", "Something went wrong on our side. The request id helps to find out what.")
