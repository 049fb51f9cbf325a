"""What can be refused about tasks. Texts are for users."""

from __future__ import annotations

from conversation.errors import NotFound


class TaskNotFound(NotFound):
    """Unknown, malformed, another user's or another tenant's: all the same."""

    code = "task_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such task.")
