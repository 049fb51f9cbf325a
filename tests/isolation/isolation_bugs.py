"""Mistakes by which somebody gets at what is another's, each planted for the length of a block."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, NamedTuple
from unittest.mock import patch

from agent.connections.sealing import Sealer
from agent.connections.secret_store import SecretStore, SecretValue, StoredSecret
from agent.workspace.agent_store import AgentStore
from agent.workspace.agents import Agent
from agent.workspace.items import agent_from_item
from agent.workspace.roster import RosterCache
from conversation.identity import Caller
from conversation.tenants.lessons import LessonStore, TaughtLesson
from conversation.turns.turn_protocol import TurnProtocol
from edge.adapters.queues import SqliteSender
from edge.http import cursors
from intent.analysis import prompt
from llm.request_types import ModelRequest
from storage import keys
from storage.keys import TenantId
from storage.table import Key, Page, Query
from storage.tenant_table import TenantTable


@contextmanager
def one_roster_for_all() -> Iterator[None]:
    """A cache whose key lacks the tenant."""
    cached, keep = RosterCache.cached, RosterCache._keep
    with (
        patch.object(RosterCache, "cached", lambda self, _: cached(self, TenantId("all"))),
        patch.object(RosterCache, "_keep", lambda self, _, *more: keep(self, TenantId("all"), *more)),
    ):
        yield


@contextmanager
def tenants_of_a_prefix() -> Iterator[None]:
    """A prefix that ends before the tenant's name does."""
    with patch.object(keys, "tenant_prefix", lambda tenant: f"T#{tenant[:4]}#"):
        yield


@contextmanager
def lists_of_all_users() -> Iterator[None]:
    """A list's partition without the user."""

    def by_user(tenant: TenantId, user: str, shelf: str = "") -> str:
        return f"{keys.tenant_prefix(tenant)}U#everybody" + (f"#{shelf}" if shelf else "")

    with patch.object(keys, "by_user", by_user):
        yield


@contextmanager
def cursors_that_decide() -> Iterator[None]:
    """A list goes on wherever a cursor says, whosever it is."""

    def decode(cursor: str, **_: Any) -> dict[str, str]:
        return cursors._position(cursors._content(cursor).get("p"))

    def query(self: TenantTable, query: Query) -> Page:
        names = {None: "pk", "by_user": "by_user", "by_tenant": "by_tenant"}
        there = (query.after or {}).get(names[query.index])
        return self._table.query(query if there is None else replace(query, partition=there))

    with patch.object(cursors, "decode_cursor", decode), patch.object(TenantTable, "query", query):
        yield


@contextmanager
def agents_of_anybody() -> Iterator[None]:
    """A route without its check of the owner."""
    checked = AgentStore.get

    def get(self: AgentStore, caller: Caller, agent_id: str) -> Agent:
        item = self._tables.for_tenant(caller.tenant).get(keys.agent(caller.tenant, agent_id))
        return agent_from_item(item) if item else checked(self, caller, agent_id)

    with patch.object(AgentStore, "get", get):
        yield


@contextmanager
def logged_messages() -> Iterator[None]:
    """A line that says what was said."""
    admit = TurnProtocol.admit

    def admitting(self: TurnProtocol, incoming: Any, **more: Any) -> Any:
        logging.getLogger("conversation.turns.turn_protocol").debug(
            "admitted", extra={"content": incoming.content}
        )
        return admit(self, incoming, **more)

    with patch.object(TurnProtocol, "admit", admitting):
        yield


@contextmanager
def prompts_that_remember() -> Iterator[None]:
    """A prompt that begins with what the process was last asked."""
    original, before = prompt.build_request, list[Any]()

    def question(situation: Any) -> ModelRequest:
        asked = original(situation)
        mixed = replace(asked, messages=[*before[-1:], *asked.messages])
        before.append(asked.messages[-1])
        return mixed

    with patch.object(prompt, "build_request", question):
        yield


@contextmanager
def queues_that_quote() -> Iterator[None]:
    """A queue's message with more than ids in it."""
    put, admit, said = SqliteSender.put, TurnProtocol.admit, [""]

    def admitting(self: TurnProtocol, incoming: Any, **more: Any) -> Any:
        said[0] = incoming.content
        return admit(self, incoming, **more)

    def quoting(self: SqliteSender, body: str, *more: Any, **named: Any) -> None:
        put(self, json.dumps({**json.loads(body), "said": said[0]}), *more, **named)

    with patch.object(TurnProtocol, "admit", admitting), patch.object(SqliteSender, "put", quoting):
        yield


@contextmanager
def corrections_of_all() -> Iterator[None]:
    """A list of corrections that ends with those of whoever asked before."""
    of_one, seen = LessonStore.list, dict[TenantId, tuple[TaughtLesson, ...]]()

    def listed(self: LessonStore, tenant: TenantId) -> tuple[TaughtLesson, ...]:
        seen[tenant] = of_one(self, tenant)
        return tuple(lesson for lessons in seen.values() for lesson in lessons)

    with patch.object(LessonStore, "list", listed):
        yield


@contextmanager
def secrets_as_they_are() -> Iterator[None]:
    """A secret that is stored as it was sent."""

    def seal(_self: Sealer, _tenant: TenantId, _place: Key, text: str) -> str:
        return text

    with patch.object(Sealer, "seal", seal):
        yield


@contextmanager
def secrets_that_are_told() -> Iterator[None]:
    """An answer that repeats the secret."""
    put = SecretStore.put

    def putting(self: SecretStore, caller: Caller, name: str, secret: SecretValue) -> StoredSecret:
        stored = put(self, caller, name, secret)
        return stored.model_copy(update={"set_by": secret.value.get_secret_value()})

    with patch.object(SecretStore, "put", putting):
        yield


class Plant(NamedTuple):
    """A mistake, the operations by which it shows, and what it has to be found by."""

    made: Callable[[], AbstractContextManager[None]]
    shows_by: str
    found_as: str


PLANTED: Mapping[str, Plant] = {
    "one roster for all": Plant(one_roster_for_all, "POST /v1/chat", "prompt: of several tenants"),
    "tenants of a prefix": Plant(tenants_of_a_prefix, "GET /v1/(agents|tasks|conv)", " saw "),
    "lists of all users": Plant(lists_of_all_users, "GET /v1/conversations$", " by GET /v1/conversations"),
    "cursors that decide": Plant(cursors_that_decide, "GET /v1/conversations$", " by GET /v1/conversations"),
    "agents of anybody": Plant(agents_of_anybody, "GET /v1/agents/", " by GET /v1/agents/{agent_id}"),
    "logged messages": Plant(logged_messages, "POST /v1/chat", "log: "),
    "prompts that remember": Plant(prompts_that_remember, "POST /v1/chat", "prompt: of several "),
    "corrections of all": Plant(
        corrections_of_all, "GET /v1/tenant/corrections", " by GET /v1/tenant/corrections"
    ),
    "secrets as they are": Plant(secrets_as_they_are, "PUT /v1/tenant/secrets", "table: a secret in "),
    "secrets that are told": Plant(secrets_that_are_told, "PUT /v1/tenant/secrets", " saw a secret by "),
    "queues that quote": Plant(queues_that_quote, "POST /v1/agents/{agent_id}/runs", "queue "),
}
