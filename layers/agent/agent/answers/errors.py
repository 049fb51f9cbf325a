"""Errors about a tenant's answers, grouped by what the caller can do next.

DomainError ├── NotFound   AnswerNotFound └── Invalid    AnswerIdInvalid, AnswerLimitReached
"""

from __future__ import annotations

from conversation.errors import Invalid, NotFound


class AnswerNotFound(NotFound):
    """The tenant has no answer of this id."""

    code = "answer_not_found"

    def __init__(self) -> None:
        super().__init__("Your workspace has no answer of its own with this id.")


class AnswerIdInvalid(Invalid):
    """An answer can't have this id."""

    code = "answer_id_invalid"

    def __init__(self) -> None:
        super().__init__("An answer's id has 1 to 60 small letters, digits and single hyphens.")


class AnswerLimitReached(Invalid):
    """The tenant has as many answers as allowed."""

    code = "answer_limit_reached"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A workspace has at most {limit} answers of its own.")
