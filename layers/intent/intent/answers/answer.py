"""A written answer about the product as a value, and how it is read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_TEXTS = "texts"
_OTHER_QUESTIONS = "other_questions.txt"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: what people ask, and the text they get.

    ``text`` may name variables in braces. `render` fills them in.
    """

    id: str
    """Names the answer in links and notes; a tenant's answer with the id of one of ours replaces it."""
    topic: str
    """The heading it is listed under."""
    title: str
    """The question it answers, as lists show it."""
    questions: tuple[str, ...]
    """Ways in which people ask."""
    text: str
    words: str = ""
    """Further words that hint at it."""
    is_own: bool = False
    """Whether the tenant wrote it. Braces in its text are no variables."""

    def render(self, variables: Mapping[str, str]) -> str:
        """Returns the text with its variables filled in; a tenant's text as it is."""
        return self.text if self.is_own else self.text.format_map(variables)


@cache
def shipped_answers() -> tuple[Answer, ...]:
    """Returns the answers that come with the product, by id."""
    found = (each for each in _resources().joinpath(_TEXTS).iterdir() if each.name.endswith(".md"))
    return tuple(sorted((parse_answer(each.read_text("utf-8")) for each in found), key=lambda one: one.id))


@cache
def other_questions() -> tuple[str, ...]:
    """Returns questions and remarks that no answer about the product fits: what a finder must leave alone."""
    return tuple(_resources().joinpath(_OTHER_QUESTIONS).read_text("utf-8").splitlines())


def parse_answer(document: str) -> Answer:
    """Returns the answer of a file: front matter between two lines of ``---``, and the text below it."""
    _, front, body = document.split("---\n", 2)
    head, _, questions = front.partition("questions:\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return Answer(
        id=fields["id"],
        topic=fields["topic"],
        title=fields["title"],
        questions=tuple(line.removeprefix("- ") for line in questions.splitlines()),
        text=" ".join(body.split()),
        words=fields["words"],
    )


def _resources() -> Traversable:
    return files(__package__)
