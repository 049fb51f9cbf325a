"""The answers as the page's help lists them. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field

from intent.answers.answer import Answer
from intent.answers.finder import finder_for

MAX_FOUND = 10


class HelpAnswer(BaseModel):
    """An answer as its readers see it."""

    model_config = ConfigDict(defer_build=True, frozen=True)

    id: str
    topic: str = Field(description="the heading it belongs under")
    title: str = Field(description="the question it answers")
    text: str
    own: bool = Field(description="whether the tenant wrote it")


def help_page(
    own: tuple[Answer, ...], variables: Mapping[str, str], query: str | None
) -> tuple[HelpAnswer, ...]:
    """Returns the answers that fit the query, best first; without one all, the tenant's ``own`` first."""
    finder = finder_for(own)
    found = finder.search(query, limit=MAX_FOUND) if query and query.strip() else finder.answers()
    return tuple(
        HelpAnswer(
            id=answer.id,
            topic=answer.topic,
            title=answer.title,
            text=answer.render(variables),
            own=answer.is_own,
        )
        for answer in found
    )
