"""Errors about lessons.

DomainError └── NotFound   LessonNotFound
"""

from __future__ import annotations

from conversation.errors import NotFound


class LessonNotFound(NotFound):
    """The tenant has no lesson of this id."""

    code = "correction_not_found"

    def __init__(self) -> None:
        super().__init__("Your workspace keeps no correction with this id.")
