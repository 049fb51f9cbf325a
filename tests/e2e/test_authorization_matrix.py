"""Who gets through where: every operation of the API's own description, asked by everybody for everything.

The cases are generated. An operation that is new in the description fails here until `ROWS` says how it is
called, and then has to hold for it what holds for all others.
"""

from __future__ import annotations

import base64
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from edge.routes import docs
from local import settings
from local.__main__ import TEMPLATE
from local.sign_in.issuer import Issuer
from local.template import interpreter, sam_translation
from storage import keys
from storage.keys import TenantId
from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.run import wire_operations
from tests.fakes.run.api_operations import Operation, operations

pytestmark = pytest.mark.e2e

MORNING = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
AUTHORIZER_KEEPS = timedelta(seconds=60)
EVERY_ROLE = ("admin", "operator", "service")
ANSWER = {"title": "Office hours", "questions": ["when is the office open"], "text": "From nine to five."}
SKILL_URL = "http://127.0.0.1:9999/mcp"
_UNDER_WAY = re.compile(r'"(status|progress)":"(queued|running)"')
_COUNTS = {key(TenantId("any")).sort for key in (keys.bucket, keys.run_slots)}
_HEALTH = re.compile(r'"health":"(?:[^"\\]|\\.)*",?')
_numbers = count(1)


@dataclass(frozen=True)
class Person:
    """Somebody with a token."""

    tenant: str
    user: str


MAYA = Person("acme", "maya")
LEAVING = Person("acme", "lea")
PEOPLE = {
    "maya": MAYA,
    "other user": Person("acme", "noah"),
    "other tenant": Person("globex", "maya"),
    "suspended tenant": Person("initech", "sue"),
}
NO_TOKEN, FORGED = "no token", "forged token"
ASKERS = (NO_TOKEN, FORGED, *PEOPLE)
SERVICE, PRETENDER, FOREIGN_ADMIN = "service for other user", "pretender", "foreign admin"
STANDS_FOR = {SERVICE: "other user", PRETENDER: "other user", FOREIGN_ADMIN: "other tenant"}
"""Whose what they name besides is."""
BACKEND = Person("acme", "backend")
DELETED, UNKNOWN = "deleted", "unknown"
TARGETS = (*PEOPLE, DELETED, UNKNOWN)


@dataclass(frozen=True)
class Row:
    """How an operation is called by somebody who may; ``role`` is what they need besides a token."""

    body: Mapping[str, Any] | None = None
    role: str | None = None
    query: str = ""
    of_user: bool = False
    """Its message is one of the user's own, not an answer."""
    admins_too: bool = False
    """What is somebody else's is an admin's of the tenant, too."""
    gets_to: frozenset[str] = frozenset()
    """Codes of refusals that only somebody gets who may: nothing here can be in the state it needs."""
    by: Person = MAYA
    """Who calls it for the sake of calling it."""


ROWS: Mapping[str, Row] = {
    "POST /v1/chat": Row(body={"message": "Hello"}),
    "POST /v1/users/{user_id}/chat": Row(body={"message": "Hello"}),
    "POST /v1/chat/stream": Row(body={"message": "Hello"}),
    "POST /v1/users/{user_id}/chat/stream": Row(body={"message": "Hello"}),
    "GET /v1/turns/{turn_id}": Row(),
    "POST /v1/turns/{turn_id}/stop": Row(),
    "GET /v1/turns/{turn_id}/context": Row(),
    "GET /v1/search": Row(query="?q=hello"),
    "GET /v1/conversations": Row(),
    "POST /v1/conversations": Row(body={"title": "Plans"}),
    "GET /v1/conversations/{conversation_id}": Row(),
    "PATCH /v1/conversations/{conversation_id}": Row(body={"title": "Other plans"}),
    "DELETE /v1/conversations/{conversation_id}": Row(),
    "GET /v1/conversations/active": Row(),
    "POST /v1/conversations/{conversation_id}/fork": Row(body={}),
    "POST /v1/conversations/{conversation_id}/restore": Row(),
    "GET /v1/conversations/{conversation_id}/messages": Row(),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit": Row(
        body={"message": "Hi"}, of_user=True
    ),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/edit/stream": Row(
        body={"message": "Hi"}, of_user=True
    ),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate": Row(body={}),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/regenerate/stream": Row(body={}),
    "GET /v1/conversations/{conversation_id}/messages/{message_id}/versions": Row(),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/select": Row(),
    "POST /v1/conversations/{conversation_id}/messages/{message_id}/pin": Row(),
    "DELETE /v1/conversations/{conversation_id}/messages/{message_id}/pin": Row(),
    "DELETE /v1/conversations/{conversation_id}/messages/{message_id}": Row(),
    "PUT /v1/conversations/{conversation_id}/messages/{message_id}/feedback": Row(body={"rating": "up"}),
    "GET /v1/conversations/{conversation_id}/messages/{message_id}/feedback": Row(),
    "GET /v1/conversations/{conversation_id}/export": Row(),
    "GET /v1/export": Row(),
    "GET /v1/agents": Row(),
    "POST /v1/agents": Row(body={"what": "overdue tickets"}),
    "GET /v1/attachments": Row(),
    "POST /v1/attachments": Row(body={"name": "a.txt", "media_type": "text/plain", "size": 3}),
    "GET /v1/attachments/{attachment_id}": Row(),
    "POST /v1/attachments/{attachment_id}/complete": Row(),
    "DELETE /v1/attachments/{attachment_id}": Row(),
    "GET /v1/agents/{agent_id}": Row(),
    "PATCH /v1/agents/{agent_id}": Row(body={"what": "late tickets"}),
    "DELETE /v1/agents/{agent_id}": Row(),
    "GET /v1/agents/{agent_id}/changes": Row(),
    "POST /v1/agents/{agent_id}/undo": Row(body={"version": 2}, gets_to=frozenset({"changed_since"})),
    "POST /v1/agents/{agent_id}/restore": Row(),
    "POST /v1/agents/{agent_id}/runs": Row(body={}),
    "GET /v1/models": Row(),
    "GET /v1/tasks": Row(),
    "POST /v1/tasks": Row(body={"title": "Buy groceries"}),
    "GET /v1/tasks/{task_id}": Row(),
    "PATCH /v1/tasks/{task_id}": Row(body={"title": "Buy bread"}),
    "DELETE /v1/tasks/{task_id}": Row(),
    "POST /v1/tasks/{task_id}/restore": Row(),
    "GET /v1/skills": Row(),
    "POST /v1/skills": Row(body={"name": "wiki", "url": SKILL_URL}),
    "GET /v1/skills/{skill_id}": Row(),
    "PATCH /v1/skills/{skill_id}": Row(body={"description": "The wiki"}),
    "DELETE /v1/skills/{skill_id}": Row(),
    "POST /v1/skills/{skill_id}/check": Row(),
    "POST /v1/skills/{skill_id}/accept": Row(body={"tools": []}),
    "GET /v1/connections": Row(),
    "POST /v1/connections/sign-ins": Row(
        body={"service": "a wiki of nobody"}, gets_to=frozenset({"skill_not_found"})
    ),
    "DELETE /v1/connections/{skill_id}": Row(gets_to=frozenset({"connection_not_found"})),
    "GET /v1/tenant/secrets": Row(role="admin"),
    "PUT /v1/tenant/secrets/{secret_name}": Row(body={"value": "a key"}, role="admin"),
    "DELETE /v1/tenant/secrets/{secret_name}": Row(role="admin"),
    "GET /v1/runs": Row(),
    "GET /v1/runs/{run_id}": Row(),
    "POST /v1/runs/{run_id}/cancel": Row(),
    "POST /v1/runs/{run_id}/approvals": Row(
        body={"call": "f" * 32}, gets_to=frozenset({"run_not_ended", "held_call_not_found"})
    ),
    "GET /v1/mail-recipients": Row(),
    "POST /v1/mail-recipients/verify": Row(
        body={"address": "zoe@partner.com", "code": "12345678"}, gets_to=frozenset({"code_not_valid"})
    ),
    "GET /v1/help": Row(),
    "GET /v1/tenant/answers": Row(role="admin"),
    "GET /v1/tenant/answers/{answer_id}": Row(role="admin"),
    "PUT /v1/tenant/answers/{answer_id}": Row(body=ANSWER, role="admin"),
    "DELETE /v1/tenant/answers/{answer_id}": Row(role="admin"),
    "GET /v1/tenant/corrections": Row(role="admin"),
    "DELETE /v1/tenant/corrections/{correction_id}": Row(role="admin"),
    "GET /v1/usage": Row(),
    "GET /v1/tenant/policy": Row(),
    "PATCH /v1/tenant/policy": Row(body={"retention_days": 60}, role="admin"),
    "PUT /v1/tenant/policy": Row(body={"retention_days": 60}, role="admin"),
    "PUT /v1/tenant/holds/{conversation_id}": Row(role="admin"),
    "DELETE /v1/tenant/holds/{conversation_id}": Row(role="admin"),
    "GET /v1/tenants/{tenant_id}": Row(role="operator"),
    "PUT /v1/tenants/{tenant_id}": Row(body={"name": "A tenant"}, role="operator"),
    "PATCH /v1/tenants/{tenant_id}": Row(body={"limits": {"burst": 9}}, role="operator"),
    "POST /v1/tenants/{tenant_id}/suspend": Row(role="operator"),
    "POST /v1/tenants/{tenant_id}/resume": Row(role="operator"),
    "GET /v1/tenant/conversations": Row(role="admin"),
    "GET /v1/tenant/conversations/{conversation_id}/messages": Row(role="admin"),
    "GET /v1/audit": Row(role="admin"),
    "POST /v1/conversations/{conversation_id}/erasures": Row(admins_too=True),
    "POST /v1/users/{user_id}/erasures": Row(admins_too=True, by=LEAVING),
    "POST /v1/tenants/{tenant_id}/erasures": Row(role="operator"),
    "GET /v1/tenants/{tenant_id}/erasures": Row(role="operator"),
    "GET /v1/erasures/{erasure_id}": Row(admins_too=True),
    "GET /health": Row(),
    "GET /openapi.json": Row(),
}
REFUSALS = {
    "conversation_id": (404, "conversation_not_found"),
    "turn_id": (404, "turn_not_found"),
    "message_id": (404, "message_not_found"),
    "agent_id": (404, "agent_not_found"),
    "run_id": (404, "run_not_found"),
    "skill_id": (404, "skill_not_found"),
    "task_id": (404, "task_not_found"),
    "erasure_id": (404, "erasure_not_found"),
    "answer_id": (404, "answer_not_found"),
    "correction_id": (404, "correction_not_found"),
    "attachment_id": (404, "attachment_not_found"),
    "secret_name": (404, "secret_not_found"),
    "user_id": (403, "user_mismatch"),
}
"""What somebody is told about an id that is not theirs, whyever it is not."""

UNDELETABLE = frozenset(
    {"run_id", "user_id", "tenant_id", "message_id", "erasure_id", "answer_id", "correction_id",
     "secret_name"}
)  # fmt: skip
CREATING = frozenset({"PUT /v1/tenant/answers/{answer_id}", "PUT /v1/tenant/secrets/{secret_name}"})
"""What they name is the caller's tenant's, whether it was there or not."""
UNDOING = frozenset(
    {
        "POST /v1/conversations/{conversation_id}/restore",
        "POST /v1/conversations/{conversation_id}/erasures",
        "DELETE /v1/agents/{agent_id}",
        "POST /v1/agents/{agent_id}/restore",
        "DELETE /v1/tasks/{task_id}",
        "POST /v1/tasks/{task_id}/restore",
    }
)
"""For its owner what was deleted is there."""

OPERATIONS = tuple(operations(docs.openapi_document("")))
GUARDED = tuple(each for each in OPERATIONS if not each.is_public and each.name in ROWS)


@dataclass(frozen=True)
class Refused:
    """Somebody asks for something that is not theirs to have."""

    operation: Operation
    asker: str
    id_name: str | None = None
    target: str | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.operation.name, self.asker, self.id_name, self.target)))

    @property
    def row(self) -> Row:
        return ROWS[self.operation.name]

    @property
    def answer(self) -> tuple[int, str]:
        """The status and code it has to get."""
        if self.asker in (NO_TOKEN, FORGED):
            return 401, "auth_invalid"
        if self.asker == PRETENDER:
            return 403, "role_required"
        if self.asker == FOREIGN_ADMIN:
            return REFUSALS[str(self.id_name)]
        if self.asker == "suspended tenant":
            return 403, "tenant_inactive"
        return (403, "role_required") if self.row.role else REFUSALS[str(self.id_name)]


def refused(operation: Operation) -> Iterator[Refused]:
    """Everybody who must not call the operation, with everything they might name."""
    yield Refused(operation, PRETENDER)
    if not operation.ids:
        needs_role = ROWS[operation.name].role is not None
        yield from (Refused(operation, asker) for asker in ASKERS if needs_role or not _may_ask(asker))
    for id_name in operation.ids:
        for asker in ASKERS:
            targets = (target for target in TARGETS if _is_refused(operation, asker, id_name, target))
            yield from (Refused(operation, asker, id_name, target) for target in targets)
        yield from _refused_with_roles(operation, id_name)


def _refused_with_roles(operation: Operation, id_name: str) -> Iterator[Refused]:
    """A service has no more rights than whom it acts for, and an admin none in another tenant."""
    for target in TARGETS:
        if target == DELETED and id_name in UNDELETABLE:
            continue
        is_own = target == "other user" or (id_name == "user_id" and target in PEOPLE)
        if ROWS[operation.name].role is None and not (is_own and _is_own("other user", id_name, target)):
            yield Refused(operation, SERVICE, id_name, target)
        needs_admin = ROWS[operation.name].role == "admin" and operation.name not in CREATING
        if needs_admin and target != "other tenant":
            yield Refused(operation, FOREIGN_ADMIN, id_name, target)


def _may_ask(asker: str) -> bool:
    return asker in PEOPLE and asker != "suspended tenant"


def _is_refused(operation: Operation, asker: str, id_name: str, target: str) -> bool:
    is_undoing = operation.name in UNDOING and asker == "maya"
    if target == DELETED and (id_name in UNDELETABLE or is_undoing):
        return False
    if ROWS[operation.name].role is not None:
        # Tenants belong to nobody: one that is there and one that is not are all there is to name.
        return target in ("maya", UNKNOWN)
    return not (_may_ask(asker) and _is_own(asker, id_name, target))


def _is_own(asker: str, id_name: str, target: str) -> bool:
    if id_name == "user_id" and target in PEOPLE:
        return PEOPLE[asker].user == PEOPLE[target].user
    if id_name == "skill_id" and target in PEOPLE:
        # Who is asked about here has every role, and an admin sees all skills of the tenant.
        return PEOPLE[asker].tenant == PEOPLE[target].tenant
    return asker == target


@dataclass(frozen=True)
class World:
    """A twin with people who own one of everything; one tenant is suspended."""

    twin: Twin
    issuer: Issuer
    forged: str
    """A token that says what Maya's would, with every role."""
    reader: sqlite3.Connection
    owned: dict[tuple[str, str], str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    """The conversation of each message."""
    seen: dict[int, list[tuple[str, str, str]]] = field(default_factory=dict)
    """What `stored` last read, by the version of the file."""
    unknown: dict[tuple[str, str, str], tuple[int, str, str]] = field(default_factory=dict)

    def token(self, person: Person, *roles: str) -> str:
        return self.issuer.access_token(tenant=person.tenant, user=person.user, roles=roles, now=MORNING)

    def send(self, method: str, path: str, person: Person, *roles: str, body: object = None) -> Any:
        """The answer to somebody who may ask."""
        response = self.twin.request(method, path, token=self.token(person, *roles), json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def call(
        self, operation: Operation, token: str | None, ids: Mapping[str, str], acting_for: str | None = None
    ) -> httpx.Response:
        """The operation as its row says, on these ids."""
        path = operation.path.format(**{name: quote(ids[name], safe="") for name in operation.path_ids})
        path += ROWS[operation.name].query
        in_body = {
            name: ids[name] for name in operation.ids if name in ids and name not in operation.path_ids
        }
        body = ROWS[operation.name].body
        json = None if body is None else {**body, **in_body}
        headers = {"X-OmniForge-User": acting_for} if acting_for else {}
        return self.twin.request(operation.method, path, token=token, json=json, headers=headers)

    def stored(self) -> list[tuple[str, str, str]]:
        """Everything there is in the table, once no run is under way; checks of skills come and go with
        their slots, and a refused turn counts for its asker's tenant.
        """
        return eventually(self._stored_at_rest)

    def _stored_at_rest(self) -> list[tuple[str, str, str]] | None:
        with closing(sqlite3.connect(self.twin.data / "omniforge.db")) as connection:
            items = list(connection.execute("select pk, sk, body from items order by pk, sk"))
            is_followed = connection.execute("select 1 from writes limit 1").fetchone() is None
        jobs = (body for _, sk, body in items if sk.startswith(("R#", "X#")))
        if not is_followed or any(map(_UNDER_WAY.search, jobs)):
            return None
        return [(pk, sk, _HEALTH.sub("", body)) for pk, sk, body in items if sk not in _COUNTS]


def made_conversation(world: World, person: Person) -> str:
    return str(world.send("POST", "/v1/conversations", person, body={})["id"])


def made_turn(world: World, person: Person) -> str:
    return str(world.send("POST", "/v1/chat", person, body={"message": "Hello"})["metadata"]["turn_id"])


def made_message(world: World, person: Person, *, of_user: bool = False) -> str:
    """One with feedback, where it is an answer."""
    chat = world.send("POST", "/v1/chat", person, body={"message": "Hello"})
    messages = f"/v1/conversations/{chat['conversation_id']}/messages"
    request, answer = (str(each["id"]) for each in world.send("GET", messages, person)["items"])
    world.send("PUT", f"{messages}/{answer}/feedback", person, body={"rating": "down"})
    world.homes.update(dict.fromkeys((request, answer), str(chat["conversation_id"])))
    return request if of_user else answer


def made_agent(world: World, person: Person) -> str:
    return str(world.send("POST", "/v1/agents", person, body={"what": "overdue tickets"})["id"])


def made_run(world: World, person: Person) -> str:
    name = f"runner-{next(_numbers)}"
    world.send("POST", "/v1/agents", person, body={"what": "overdue tickets", "name": name})
    world.send("POST", "/v1/chat", person, body={"message": f"@{name} run"})
    return str(world.send("GET", "/v1/runs", person)["items"][0]["id"])


def made_skill(world: World, person: Person) -> str:
    body = {"name": f"skill-{next(_numbers)}", "url": SKILL_URL}
    return str(world.send("POST", "/v1/skills", person, body=body)["id"])


def made_task(world: World, person: Person) -> str:
    return str(world.send("POST", "/v1/tasks", person, body={"title": "Buy groceries"})["id"])


def made_tenant(world: World, person: Person) -> str:
    tenant = f"tenant-{next(_numbers)}"
    world.send("PUT", f"/v1/tenants/{tenant}", person, "operator", body={"name": "A tenant"})
    return tenant


def made_erasure(world: World, person: Person) -> str:
    conversation = made_conversation(world, person)
    return str(world.send("POST", f"/v1/conversations/{conversation}/erasures", person)["id"])


def made_secret(world: World, person: Person) -> str:
    name = f"secret-{next(_numbers)}"
    world.send("PUT", f"/v1/tenant/secrets/{name}", person, "admin", body={"value": "a key"})
    return name


def made_answer(world: World, person: Person) -> str:
    answer = f"answer-{next(_numbers)}"
    world.send("PUT", f"/v1/tenant/answers/{answer}", person, "admin", body=ANSWER)
    return answer


def made_correction(world: World, person: Person) -> str:
    number = next(_numbers)
    said = world.send("POST", "/v1/chat", person, body={"message": f"A chit for bed {number}"})
    body = {"message": "That was meant as a task", "conversation_id": said["conversation_id"]}
    world.send("POST", "/v1/chat", person, body=body)
    return str(world.send("GET", "/v1/tenant/corrections", person, "admin")["items"][-1]["id"])


def made_attachment(world: World, person: Person) -> str:
    content = b"Milk and eggs"
    body: dict[str, Any] = {"name": "notes.txt", "media_type": "text/plain", "size": len(content)}
    body["content"] = base64.b64encode(content).decode()
    return str(world.send("POST", "/v1/attachments", person, body=body)["id"])


MAKERS: Mapping[str, Callable[[World, Person], str]] = {
    "attachment_id": made_attachment,
    "conversation_id": made_conversation,
    "turn_id": made_turn,
    "message_id": made_message,
    "agent_id": made_agent,
    "run_id": made_run,
    "skill_id": made_skill,
    "task_id": made_task,
    "erasure_id": made_erasure,
    "answer_id": made_answer,
    "secret_name": made_secret,
    "correction_id": made_correction,
    "user_id": lambda world, person: person.user,
    "tenant_id": made_tenant,
}


def made_and_deleted(world: World, id_name: str) -> str:
    """An id that Maya's was until she deleted it."""
    made = MAKERS[id_name](world, MAYA)
    folders = {"agent_id": "agents", "skill_id": "skills", "task_id": "tasks", "attachment_id": "attachments"}
    folder = folders.get(id_name, "conversations")
    world.send("DELETE", f"/v1/{folder}/{made.partition('.')[0]}", MAYA)
    return made


def forged(token: str) -> str:
    """The same claims, signed with a key of the forger's under the name of the real one."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(
        claims, key, algorithm="RS256", headers={"kid": jwt.get_unverified_header(token)["kid"]}
    )


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with Twin(tmp_path_factory.mktemp("matrix"), clock=MORNING) as twin, ExitStack() as until_end:
        issuer = Issuer(twin.data)
        real = issuer.access_token(tenant="acme", user="maya", roles=EVERY_ROLE, now=MORNING)
        reader = until_end.enter_context(closing(sqlite3.connect(twin.data / "omniforge.db")))
        world = World(twin, issuer, forged(real), reader)
        for id_name in {name for operation in OPERATIONS for name in operation.ids}:
            for name, person in PEOPLE.items():
                world.owned[id_name, name] = MAKERS[id_name](world, person)
            if id_name not in UNDELETABLE:
                world.owned[id_name, DELETED] = made_and_deleted(world, id_name)
            world.owned[id_name, UNKNOWN] = _altered(world.owned[id_name, "maya"])
        world.send("PUT", "/v1/tenants/initech", MAYA, "operator", body={"name": "Initech"})
        world.send("POST", "/v1/tenants/initech/suspend", MAYA, "operator")
        twin.set_clock(MORNING + AUTHORIZER_KEEPS + timedelta(seconds=1))
        yield world


def _altered(known: str) -> str:
    return known[:-1] + ("0" if known[-1] != "0" else "1")


def _token(world: World, case: Refused) -> str | None:
    if case.asker == NO_TOKEN:
        return None
    if case.asker == FORGED:
        return world.forged
    if case.asker == SERVICE:
        return world.token(BACKEND, *EVERY_ROLE)
    if case.asker == PRETENDER:
        return world.token(PEOPLE["other user"], *(role for role in EVERY_ROLE if role != "service"))
    if case.asker == FOREIGN_ADMIN:
        return world.token(PEOPLE["other tenant"], *EVERY_ROLE)
    # Whoever lacks a role has all the others. A suspended tenant is helped by none but operator: see
    # test_first_day.py.
    lacking = case.row.role or ("admin" if case.row.admins_too else None)
    lacking = lacking if _may_ask(case.asker) else "operator"
    return world.token(PEOPLE[case.asker], *(role for role in EVERY_ROLE if role != lacking))


def _ids(world: World, case: Refused, target: str | None) -> dict[str, str]:
    """What the asker names: the target, and otherwise what is their own."""
    asker = STANDS_FOR.get(case.asker, case.asker if case.asker in PEOPLE else "maya")
    ids = {name: world.owned[name, asker] for name in case.operation.path_ids}
    return ids if case.id_name is None else {**ids, case.id_name: world.owned[case.id_name, str(target)]}


def _acting_for(case: Refused) -> str | None:
    return {SERVICE: PEOPLE["other user"].user, PRETENDER: MAYA.user}.get(case.asker)


def _said(response: httpx.Response) -> tuple[int, str, str]:
    """All that a client can tell two answers apart by, but for the id of the request."""
    body = response.text.replace(response.json()["request_id"], "")
    return response.status_code, body, response.headers["Content-Type"]


def _said_of_unknown(world: World, case: Refused) -> tuple[int, str, str]:
    """What the same asker is told of something that does not exist; asked once."""
    key = (case.operation.name, case.asker, str(case.id_name))
    if key not in world.unknown:
        ids, token = _ids(world, case, UNKNOWN), _token(world, case)
        world.unknown[key] = _said(world.call(case.operation, token, ids, _acting_for(case)))
    return world.unknown[key]


def test_every_operation_has_a_row_and_every_row_an_operation() -> None:
    assert {operation.name for operation in OPERATIONS} == set(ROWS)


def test_the_description_leaves_no_route_of_the_template_out() -> None:
    stack = interpreter.interpret(
        sam_translation.read_template(TEMPLATE), settings.environment(Path(), port=1, clock=None, environ={})
    )
    # "ANY": the methods that a path does not have, which its function refuses.
    served = [route for route in stack.routes if route.mock is None and route.method != "ANY"]
    routes = {f"{route.method} {route.path}" for route in served}
    known = {operation.name for operation in (*OPERATIONS, *wire_operations.OPERATIONS)}
    assert routes - known == {
        "GET /docs",
        "GET /docs/{asset}",
        "POST /mcp",
        # Where an MCP client learns whom to ask for a token.
        "GET /.well-known/oauth-protected-resource",
        "GET /.well-known/oauth-protected-resource/mcp",
        # Where a browser ends that comes back from another service; its cookie says whose it is.
        "GET /v1/connections/callback",
        *wire_operations.PUBLIC,
    }


@pytest.mark.parametrize("operation", GUARDED, ids=lambda operation: operation.name)
def test_who_may_gets_through(world: World, operation: Operation) -> None:
    role, caller = ROWS[operation.name].role, ROWS[operation.name].by
    ids = {name: MAKERS[name](world, caller) for name in operation.ids}
    if "message_id" in ids:
        ids["message_id"] = made_message(world, MAYA, of_user=ROWS[operation.name].of_user)
        ids["conversation_id"] = world.homes[ids["message_id"]]
    response = world.call(operation, world.token(caller, *([role] if role else [])), ids)
    if (allowed := ROWS[operation.name].gets_to) and not response.is_success:
        assert response.json()["code"] in allowed
        return
    assert response.is_success, response.text
    assert "event: error" not in response.text  # the status of a stream is out before the turn is


@pytest.mark.parametrize(
    "operation", [each for each in OPERATIONS if each.is_public], ids=lambda operation: operation.name
)
def test_what_is_public_asks_nobody_who_they_are(world: World, operation: Operation) -> None:
    for token in (None, world.forged, world.token(PEOPLE["suspended tenant"])):
        assert world.call(operation, token, {}).is_success


@pytest.mark.parametrize("case", [case for each in GUARDED for case in refused(each)], ids=str)
def test_nobody_else_does_nor_learns_or_changes_anything(world: World, case: Refused) -> None:
    token, before = _token(world, case), world.stored()
    response = world.call(case.operation, token, _ids(world, case, case.target), _acting_for(case))
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.status_code, response.json()["code"]) == case.answer
    if case.target not in (None, UNKNOWN):
        assert _said(response) == _said_of_unknown(world, case)
    assert world.stored() == before


@pytest.mark.parametrize(
    "operation",
    [each for each in GUARDED if each.method == "GET" and not each.ids and not ROWS[each.name].role],
    ids=lambda operation: operation.name,
)
@pytest.mark.parametrize("asker", ["other user", "other tenant"])
def test_nothing_of_anybody_else_is_listed(world: World, operation: Operation, asker: str) -> None:
    response = world.call(operation, world.token(PEOPLE[asker]), {})
    assert response.status_code == 200
    private = ("conversation_id", "agent_id", "run_id", "task_id")
    assert not [name for name in private if world.owned[name, "maya"] in response.text]


def _posted_to_tools(
    world: World, token: str | None, method: str, acting_for: str | None = None, **parameters: Any
) -> httpx.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    if acting_for:
        headers["X-OmniForge-User"] = acting_for
    return world.twin.request("POST", "/mcp", token=token, json=message, headers=headers)


@pytest.mark.parametrize("asker", [NO_TOKEN, FORGED, "suspended tenant", PRETENDER])
@pytest.mark.parametrize(
    ("method", "tool", "arguments"),
    [
        ("tools/list", "", {}),
        ("tools/call", "create_task", {"title": "Buy groceries"}),
        ("tools/call", "chat", {"message": "Add a task to buy groceries"}),
    ],
)
def test_the_tools_are_for_nobody_the_api_is_not_for(
    world: World, asker: str, method: str, tool: str, arguments: dict[str, str]
) -> None:
    case, before = Refused(GUARDED[0], asker), world.stored()
    call = {"name": tool, "arguments": arguments}
    response = _posted_to_tools(world, _token(world, case), method, _acting_for(case), **call)
    assert (response.status_code, response.json()["code"]) == case.answer
    assert world.stored() == before


def _called_on_wire(
    world: World,
    operation: Operation,
    token: str | None,
    chat_id: str,
    acting_for: str | None = None,
    number: int | None = None,
) -> httpx.Response:
    path = operation.path.format(**dict.fromkeys(operation.path_ids, chat_id))
    number = next(_numbers) if number is None else number
    body = wire_operations.body_of(operation, conversation=chat_id, message="Hello", number=number)
    headers = {"X-OmniForge-User": acting_for} if acting_for else {}
    return world.twin.request(operation.method, path, token=token, json=body, headers=headers)


def test_what_wires_say_to_everybody_is_the_same_for_all(world: World) -> None:
    for name in wire_operations.PUBLIC:
        method, _, path = name.partition(" ")
        tokens = (None, world.forged, world.token(MAYA), world.token(PEOPLE["suspended tenant"]))
        told = [world.twin.request(method, path, token=token) for token in tokens]
        assert {(each.status_code, each.text) for each in told} == {(200, told[0].text)}


@pytest.mark.parametrize("asker", [NO_TOKEN, FORGED, "suspended tenant", PRETENDER])
@pytest.mark.parametrize("operation", wire_operations.OPERATIONS, ids=lambda operation: operation.name)
def test_no_wire_is_for_those_whom_the_api_is_not_for(world: World, operation: Operation, asker: str) -> None:
    case, before = Refused(GUARDED[0], asker), world.stored()
    chat_id = world.owned["conversation_id", "maya"]
    response = _called_on_wire(world, operation, _token(world, case), chat_id, _acting_for(case))
    status, code = case.answer
    assert response.status_code == status
    assert code in response.text
    assert world.stored() == before


@pytest.mark.parametrize("asker", ["other user", "other tenant", SERVICE])
@pytest.mark.parametrize("operation", wire_operations.OPERATIONS, ids=lambda operation: operation.name)
def test_on_no_wire_anybody_gets_at_somebody_elses_conversation(
    world: World, operation: Operation, asker: str
) -> None:
    theirs, case = world.owned["conversation_id", "maya"], Refused(GUARDED[0], asker)
    of_maya = [item for item in world.stored() if theirs in item[0]]
    said, number, acting_for = [], next(_numbers), _acting_for(case)
    for chat_id in (theirs, _altered(theirs)):
        response = _called_on_wire(world, operation, _token(world, case), chat_id, acting_for, number)
        said.append(response.status_code)
        # A wire may repeat the name that its client gave to a thread or a context.
        told = response.text
        for name in ("threadId", "contextId", "thread_id"):
            told = told.replace(f'"{name}":"{theirs}"', "")
        assert theirs not in told
    assert said[0] == said[1]
    assert [item for item in world.stored() if theirs in item[0]] == of_maya


@pytest.mark.parametrize("asker", ["other user", "other tenant", SERVICE])
def test_no_tool_gets_at_what_is_somebody_elses(world: World, asker: str) -> None:
    case = Refused(GUARDED[0], asker)
    token, acting_for, tried = _token(world, case), _acting_for(case), 0
    listed = _posted_to_tools(world, token, "tools/list", acting_for).json()["result"]["tools"]
    for tool in listed:
        for name in set(tool["inputSchema"]["properties"]) & set(MAKERS):
            arguments = dict.fromkeys(tool["inputSchema"].get("required", ()), "1")
            before = world.stored()
            named = {"name": tool["name"], "arguments": {**arguments, name: world.owned[name, "maya"]}}
            result = _posted_to_tools(world, token, "tools/call", acting_for, **named).json()["result"]
            assert (result["isError"], result["_meta"]) == (True, {"code": "not_found"})
            assert world.stored() == before
            tried += 1
    assert tried > 3
