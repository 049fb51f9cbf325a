"""A tenant's own answers: reads, writes and removes them.

They lie beside the tenant's policy, so that turns read them with it and not by a request of their own.
Finding one is the job of `intent.answers.finder`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from agent.answers.errors import AnswerIdInvalid, AnswerLimitReached, AnswerNotFound
from conversation.redaction.masking import masking_validator
from intent.answers.answer import Answer
from storage import keys
from storage.keys import TenantId
from storage.table import Action, Delete, Item, Put, Query
from storage.tenant_table import Tables

MAX_ANSWERS = 50
MAX_ID = 60
OWN_TOPIC = "your workspace"

_Line = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120), masking_validator(120)
]
_Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600), masking_validator(600)
]


class AnswerSpec(BaseModel):
    """An answer as an administrator writes it."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    title: _Line = Field(description="the question it answers, as lists show it")
    questions: tuple[_Line, ...] = Field(
        min_length=1, max_length=12, description="ways in which people ask", strict=False
    )
    text: _Text = Field(description="what they are told")


class TenantAnswer(AnswerSpec):
    """An answer of a tenant."""

    id: str = Field(description="with the id of one of the product's answers, it replaces that one")

    def to_answer(self) -> Answer:
        """Returns it in the form in which it is found."""
        return Answer(
            id=self.id,
            topic=OWN_TOPIC,
            title=self.title,
            questions=self.questions,
            text=self.text,
            is_own=True,
        )


class TenantAnswerStore:
    """Reads and writes the answers of tenants. Who may do so is checked before."""

    def __init__(self, *, tables: Tables) -> None:
        self._tables = tables

    def list(self, tenant: TenantId) -> tuple[TenantAnswer, ...]:
        """Returns the tenant's answers by id; strongly consistent, one query."""
        query = Query(keys.workspace(tenant), MAX_ANSWERS, prefix=keys.ANSWER_PREFIX)
        return tuple(map(answer_from_item, self._tables.for_tenant(tenant).query(query).items))

    def get(self, tenant: TenantId, answer_id: str) -> TenantAnswer:
        """Returns the answer.

        Raises:
            AnswerNotFound: the tenant has none of this id.
        """
        key = keys.tenant_answer(tenant, answer_id) if is_answer_id(answer_id) else None
        item = self._tables.for_tenant(tenant).get(key) if key else None
        if item is None:
            raise AnswerNotFound
        return answer_from_item(item)

    def put(
        self, tenant: TenantId, answer_id: str, spec: AnswerSpec, *, extra_actions: Sequence[Action] = ()
    ) -> TenantAnswer:
        """Creates or replaces the answer. ``extra_actions``: more writes of the same transaction.

        Raises:
            AnswerIdInvalid: no answer can have this id.
            AnswerLimitReached: the tenant has as many answers as allowed.
        """
        if not is_answer_id(answer_id):
            raise AnswerIdInvalid
        present = {answer.id for answer in self.list(tenant)}
        if answer_id not in present and len(present) >= MAX_ANSWERS:
            raise AnswerLimitReached(MAX_ANSWERS)
        answer = TenantAnswer(id=answer_id, **spec.model_dump())
        self._tables.for_tenant(tenant).transact([Put(_to_item(tenant, answer)), *extra_actions])
        return answer

    def delete(self, tenant: TenantId, answer_id: str, *, extra_actions: Sequence[Action] = ()) -> None:
        """Removes the answer; one of the product's that it replaced counts again.

        Raises:
            AnswerNotFound: the tenant has none of this id.
        """
        self.get(tenant, answer_id)
        removed = Delete(keys.tenant_answer(tenant, answer_id))
        self._tables.for_tenant(tenant).transact([removed, *extra_actions])


def is_answer_id(text: str) -> bool:
    """Whether an answer can have this id."""
    parts = text.split("-")
    return len(text) <= MAX_ID and all(
        part.isascii() and part.isalnum() and part == part.lower() for part in parts
    )


def answer_from_item(item: Item) -> TenantAnswer:
    """Returns the answer of a stored item."""
    return TenantAnswer(
        id=str(item["sk"]).removeprefix(keys.ANSWER_PREFIX),
        title=str(item["title"]),
        questions=tuple(cast("list[str]", json.loads(str(item["questions"])))),
        text=str(item["text"]),
    )


def _to_item(tenant: TenantId, answer: TenantAnswer) -> Item:
    key = keys.tenant_answer(tenant, answer.id)
    return {
        "pk": key.partition,
        "sk": key.sort,
        "title": answer.title,
        "questions": json.dumps(answer.questions, ensure_ascii=False),
        "text": answer.text,
    }
