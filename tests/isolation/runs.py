"""A run: people settle in, call at random, and what they and the machine came to see is looked through."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from conversation.attachments.bucket import FILES, user_prefix
from storage.keys import parse_tenant
from tests.fakes.data.one_of_everything import SKILL_URL
from tests.fakes.run.api_operations import Operation
from tests.isolation import calls, canaries
from tests.isolation.calls import Call, Known
from tests.isolation.canaries import OF_ALL, Found, Owner, found_in, places_in
from tests.isolation.deployment import Answered, Deployment

SETTLED_EVERY = 100
OVERSEEING = re.compile(
    r"/v1/(tenant/|audit|usage|skills|erasures|users/[^/]+/erasures|conversations/[^/]+/erasures)"
)
"""Where an admin comes across others of the tenant."""
NAMES_COLLEAGUES = re.compile(
    r"/v1/(agents|skills|chat|users/[^/]+/chat|conversations|turns|search|export)|/mcp|/a2a|/ag-ui|/ai-sdk/|/chatkit|/openai/"
)
"""Where a user comes across the names of those who share something."""
CONTENT = frozenset({canaries.MESSAGE, canaries.METADATA, canaries.TASK})
_ID = re.compile(r"\b[0-9a-f]{32}\b")
_MADE = {
    "conversations": "conversation_id",
    "agents": "agent_id",
    "runs": "run_id",
    "tasks": "task_id",
    "skills": "skill_id",
    "erasures": "erasure_id",
    "answers": "answer_id",
    "attachments": "attachment_id",
}


@dataclass
class Run:
    """What happened: how many calls ended how, and every word that was where it should not be."""

    deployment: Deployment
    people: Sequence[Owner]
    draw: random.Random
    known: Known = field(default_factory=lambda: Known({}, []))
    statuses: Counter[int] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    _sent: set[tuple[str, Found]] = field(default_factory=set)
    _owners: dict[str, Owner] = field(default_factory=dict)
    _tokens: dict[tuple[Owner, tuple[str, ...]], str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def settle_in(self) -> None:
        """Have everybody own one of everything."""
        for person in self.people:
            first = self.people[0] is person or person.user == 0
            if first:
                self._own(
                    person,
                    "PUT",
                    f"/v1/tenants/{person.name}",
                    {"name": person.word(canaries.TENANT)},
                    "operator",
                )
                policy = {
                    "instructions": person.word(canaries.POLICY),
                    "admin_content_access": person.tenant % 2 == 0,
                }
                self._own(person, "PUT", "/v1/tenant/policy", policy, "admin")
                secret = {"value": person.word(canaries.SECRET)}
                name = person.word(canaries.POLICY)
                self._own(person, "PUT", f"/v1/tenant/secrets/{name}", secret, "admin")
            shared = {"name": f"{person.word(canaries.SHARED_AGENT)}-0", "shared": True}
            self._own(person, "POST", "/v1/agents", {"what": person.word(canaries.SHARED_AGENT), **shared})
            self._own(
                person,
                "POST",
                "/v1/agents",
                {"what": person.word(canaries.AGENT), "name": person.word(canaries.AGENT)},
            )
            skill = {"name": f"{person.word(canaries.SKILL)}-0", "url": SKILL_URL, "sign_in": "user"}
            self._own(person, "POST", "/v1/skills", {**skill, "shared": False})
            self._own(person, "POST", "/v1/tasks", {"title": person.word(canaries.TASK)})
            told = {
                "message": f"Remember {person.word(canaries.MESSAGE)}.",
                "metadata": {"note": person.word(canaries.METADATA)},
            }
            for _ in range(2):
                self._own(person, "POST", "/v1/chat", told)
            self._own(
                person, "PUT", self._latest_answer(person), {"rating": "down", "correction": "task.add"}
            )
            self._own(person, "GET", "/v1/conversations", None, query="limit=1")
        self.deployment.settle()
        for person in self.people:
            self._own(person, "GET", "/v1/tenant/corrections", None, "admin")

    def _latest_answer(self, person: Owner) -> str:
        """The path of the feedback on the answer that the person got last."""
        latest = {name: self.known.ids[name][-1] for name in ("conversation_id", "message_id")}
        assert {owner for owner, _ in latest.values()} == {person}
        (_, conversation), (_, message) = latest["conversation_id"], latest["message_id"]
        return f"/v1/conversations/{conversation}/messages/{message}/feedback"

    def call_at_random(self, count: int, *, threads: int = 1, only: str = "") -> None:
        """Make so many calls, from several threads of the one process at a time; ``only`` operations whose
        names match.
        """
        offered = (*calls.OPERATIONS, *(calls.TOOLS for _ in range(3)))
        among = [each for each in offered if re.match(only, each.name)]
        if threads == 1:
            for number in range(count):
                self._make(calls.drawn(self.draw, self.people, self.known, among))
                if number % SETTLED_EVERY == SETTLED_EVERY - 1:
                    self.deployment.settle()
        else:
            seeds = [self.draw.getrandbits(64) for _ in range(threads)]
            with ThreadPoolExecutor(threads) as pool:
                for begun in [
                    pool.submit(self._call_in_thread, random.Random(seed), count // threads, among)
                    for seed in seeds
                ]:
                    begun.result()
        self.deployment.settle()

    def look_through(self) -> None:
        """Look through what nobody was answered: prompts, logs, queues and the table."""
        for prompt in self.deployment.models.prompts:
            self._look_at_mixture("prompt", found_in(prompt))
        for found in found_in(self.deployment.log.getvalue()):
            self.findings.append(f"log: {found.owner.word(found.kind)}")
        for queue, body in self.deployment.queued:
            for found in found_in(body):
                if found.kind != canaries.USER or f'"{found.owner.name}"' not in body:
                    self.findings.append(f"queue {queue}: {found.owner.word(found.kind)}")
        for partition, sort, body in self.deployment.items():
            self._look_at_item(partition, sort, body)
        self._look_at_files()

    def _look_at_files(self) -> None:
        """Every file lies where its user's files lie."""
        for path in (self.deployment.folder / "attachments" / FILES).glob("*/*/*"):
            for found in found_in(path.read_text()):
                place = user_prefix(FILES, parse_tenant(found.owner.name), found.owner.login)
                if not str(path).endswith(f"{place}{path.name}"):
                    self.findings.append(f"file: {found.owner.word(found.kind)}")

    def _call_in_thread(self, draw: random.Random, count: int, among: Sequence[Operation]) -> None:
        for number in range(count):
            with self._lock:
                call = calls.drawn(draw, self.people, self.known, among)
            self._make(call)
            if number % SETTLED_EVERY == SETTLED_EVERY - 1:
                self.deployment.settle()

    def _own(self, person: Owner, method: str, path: str, body: Any, *roles: str, query: str = "") -> None:
        operation = next(
            each
            for each in calls.OPERATIONS
            if each.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each.path), path)
        )
        answered = self._make(Call(operation, person, person, roles, path, query, body, {}))
        assert answered.status < 300, f"{method} {path}: {answered.body}"

    def _make(self, call: Call) -> Answered:
        answered = self.deployment.call(
            call.operation.method,
            call.path,
            token=self._token(call.caller, call.roles),
            query=call.query,
            body=call.body,
            headers=call.headers,
        )
        with self._lock:
            self.statuses[answered.status] += 1
            self.called[call.operation.name] += 1
            self._look_at(call, answered)
            self._remember(call, answered)
        return answered

    def _token(self, person: Owner, roles: tuple[str, ...]) -> str:
        with self._lock:
            if (person, roles) not in self._tokens:
                claims = {"tenant": person.name, "sub": person.login, "roles": list(roles)}
                now = datetime.now(UTC) - timedelta(seconds=5)
                self._tokens[person, roles] = self.deployment.issuer.token(now, changes=claims)
            return self._tokens[person, roles]

    def _look_at(self, call: Call, answered: Answered) -> None:
        told = f"{answered.headers}\n{answered.body}"
        if answered.status >= 500:
            self.findings.append(f"{call.operation.name}: {answered.status}")
        sent = found_in(call.sent)
        self._sent |= {(call.caller.name, found) for found in sent}
        if is_for_operators(call):
            # An operator's acts are in the audit of the tenant they were for.
            self._sent.add((call.path.split("/")[3], Found(call.viewer, canaries.USER)))
        if any(found.kind == canaries.SECRET for found in found_in(told)):
            self.findings.append(f"{_who(call)} saw a secret by {call.operation.name}")
        for found in found_in(told) - sent:
            is_named = found.kind == canaries.USER and (call.caller.name, found) in self._sent
            if not is_named and not _may_see(call, found):
                self.findings.append(
                    f"{_who(call)} saw {found.owner.word(found.kind)} by {call.operation.name}"
                )
        for made in set(_ID.findall(told)) - set(_ID.findall(call.sent)):
            owner = self._owners.get(made)
            is_foreign = owner is not None and owner.tenant != call.caller.tenant
            if owner is not None and is_foreign and not is_for_operators(call):
                self.findings.append(f"{_who(call)} saw an id of {owner.login} by {call.operation.name}")
        self._look_at_cursor(call, answered)

    def _look_at_cursor(self, call: Call, answered: Answered) -> None:
        content = answered.json
        cursor = content.get("next_cursor") if isinstance(content, dict) else None
        for tenant, user in places_in(cursor) if cursor else ():
            is_own = tenant == call.caller.name and user in (None, call.viewer.login)
            is_overseen = tenant == call.caller.name and "admin" in call.roles and OVERSEEING.match(call.path)
            if not (is_own or is_overseen or is_for_operators(call)):
                self.findings.append(f"{_who(call)} got a cursor into {tenant} {user}")

    def _remember(self, call: Call, answered: Answered) -> None:
        content = answered.json
        if answered.status >= 300 or not isinstance(content, dict) or call.operation is calls.TOOLS:
            return
        if content.get("next_cursor"):
            self.known.cursors.append((call.viewer, content["next_cursor"]))
        for each in (content, *content.get("items", ())):
            if not isinstance(each, dict):
                continue
            kind = _MADE.get("".join(call.path.split("/")[2:3]))
            if (
                kind
                and isinstance(each.get("id"), str)
                and "/messages" not in call.path
                and "/tenant" not in call.path
            ):
                self._keep(kind, call.viewer, each["id"])
            if call.path == "/v1/tenant/corrections" and each.get("user") == call.viewer.login:
                self._keep("correction_id", call.viewer, each["id"])
            if (
                "/messages" in call.path
                and isinstance(each.get("id"), str)
                and call.path.startswith("/v1/conv")
            ):
                self._keep("message_id", call.viewer, each["id"])
        if isinstance(content.get("message"), dict) and isinstance(content.get("metadata"), dict):
            self._keep("conversation_id", call.viewer, content["conversation_id"])
            self._keep("message_id", call.viewer, content["message"]["id"])
            self._keep("turn_id", call.viewer, content["metadata"]["turn_id"])

    def _keep(self, kind: str, owner: Owner, made: str) -> None:
        if self._owners.setdefault(made, owner) == owner:
            kept = self.known.ids.setdefault(kind, [])
            if (owner, made) not in kept[-200:]:
                kept.append((owner, made))

    def _look_at_mixture(self, where: str, found: set[Found]) -> None:
        """Nothing that is put together for somebody holds what is of two tenants, or of two users; but a
        colleague who shares something is named.
        """
        if len({each.owner.tenant for each in found}) > 1:
            self.findings.append(f"{where}: of several tenants")
        if len({each.owner for each in found if each.kind not in {*OF_ALL, canaries.USER}}) > 1:
            self.findings.append(f"{where}: of several users")

    def _look_at_item(self, partition: str, sort: str, body: str) -> None:
        name = partition.split("#")[1]
        found = found_in(f"{sort} {body}")
        for each in found:
            if each.kind == canaries.SECRET:
                self.findings.append(f"table: a secret in {partition}")
            if each.owner.name != name and (name, each) not in self._sent:
                self.findings.append(f"table: {each.owner.word(each.kind)} in {partition}")
        if re.match(r"T#[^#]+#[UC]#", partition):
            self._look_at_mixture(f"table {partition}", {each for each in found if each.kind in CONTENT})


def _may_see(call: Call, found: Found) -> bool:
    owner, is_admin = found.owner, "admin" in call.roles
    if owner.tenant != call.caller.tenant:
        return found.kind in (canaries.TENANT, canaries.USER) and is_for_operators(call)
    if owner == call.viewer or found.kind in OF_ALL:
        return True
    if found.kind == canaries.USER and NAMES_COLLEAGUES.match(call.path):
        return True  # what is shared says by whom, also where it is talked about
    if not (is_admin and OVERSEEING.match(call.path)):
        return False
    return found.kind not in CONTENT or owner.tenant % 2 == 0


def is_for_operators(call: Call) -> bool:
    """Whether somebody runs the deployment: sees who its tenants are, and whom they had erased."""
    return "operator" in call.roles and call.path.startswith("/v1/tenants/")


def _who(call: Call) -> str:
    return " ".join((call.viewer.name, call.viewer.login, *call.roles))


def people_of(tenants: int, users: int) -> list[Owner]:
    """So many people of so many tenants."""
    return [Owner(tenant, user) for tenant in range(tenants) for user in range(users)]


def told(run: Run) -> Iterator[str]:
    """A run in a few lines."""
    yield f"{sum(run.called.values()):,} calls of {len(run.called)} operations by {len(run.people)} people"
    answers = ", ".join(f"{count:,} of {status}" for status, count in sorted(run.statuses.items()))
    yield f"answers: {answers}"
    yield f"{len(run.deployment.models.prompts):,} prompts, {len(run.deployment.queued):,} queued"
    yield f"findings: {len(run.findings)}"
    yield from sorted(set(run.findings))[:40]
