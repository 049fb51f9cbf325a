"""Random calls, made from the API's description: an operation that is new there is called by itself."""

from __future__ import annotations

import base64
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from edge.routes import docs
from tests.fakes.data.one_of_everything import SKILL_URL
from tests.fakes.run import wire_operations
from tests.fakes.run.api_operations import Operation, operations, resolve_reference
from tests.isolation import canaries
from tests.isolation.canaries import Owner

Json = Any

DOCUMENT = docs.openapi_document("")
DESCRIBED = tuple(each for each in operations(DOCUMENT) if not each.is_public)
OPERATIONS = (*DESCRIBED, *wire_operations.OPERATIONS)
TOOLS = Operation("POST", "/mcp", (), is_public=False)
"""The tools over MCP, which the description leaves out."""
ENDS_A_TENANT = frozenset({"POST /v1/tenants/{tenant_id}/erasures", "POST /v1/tenants/{tenant_id}/suspend"})
ROLES: tuple[tuple[str, ...], ...] = ((), ("admin",), ("operator",), ("service",))
ENDS_A_USER = "POST /v1/users/{user_id}/erasures"
NAMES_A_SECRET = "PUT /v1/tenant/secrets/{secret_name}"
SAID = (
    "Remember {}.",
    "What did I say of {}?",
    "Add a task to {}",
    "List my agents",
    "run it",
    "What is 2 + 2?",
)
SHARED = {canaries.AGENT: canaries.SHARED_AGENT, canaries.SKILL: canaries.SHARED_SKILL}
UNFILLED = frozenset(
    {
        "allow", "allowed_tools", "attachment_types", "attachments", "conversation_history", "delivery",
        "due_date", "format", "kind", "model", "schedule", "scope", "secret", "serves", "shared", "skills",
        "status", "time_zone", "version",
    }
)  # fmt: skip
"""What takes more than a word."""
KINDS = {
    "AgentSpec": canaries.AGENT,
    "AgentChange": canaries.AGENT,
    "ConversationChange": canaries.TITLE,
    "NewConversation": canaries.TITLE,
    "NewRun": canaries.RUN,
    "SkillSpec": canaries.SKILL,
    "SkillChange": canaries.SKILL,
    "TaskSpec": canaries.TASK,
    "TaskChange": canaries.TASK,
}


class Call(NamedTuple):
    """A call and who makes it. ``viewer`` is whom it is made for: a service acts for others."""

    operation: Operation
    caller: Owner
    viewer: Owner
    roles: tuple[str, ...]
    path: str
    query: str
    body: Json
    headers: Mapping[str, str]

    @property
    def sent(self) -> str:
        """All the caller said, and may hear again."""
        return f"{self.path} {self.query} {self.body} {self.headers}"


class Known(NamedTuple):
    """What calls may name: ids by their name and whose they are, and cursors by their owner."""

    ids: dict[str, list[tuple[Owner, str]]]
    cursors: list[tuple[Owner, str]]


def drawn(
    draw: random.Random, people: Sequence[Owner], known: Known, among: Sequence[Operation] = OPERATIONS
) -> Call:
    """One call of somebody, for something of theirs, of somebody else's, or made up."""
    operation, caller = draw.choice(among), draw.choice(people)
    roles: tuple[str, ...] = draw.choices(ROLES, (70, 14, 6, 10))[0]
    if operation.name in ENDS_A_TENANT:
        roles = tuple(role for role in roles if role != "operator")
    headers = {"idempotency-key": f"key-{draw.randrange(4)}"} if draw.random() < 0.2 else {}
    viewer = caller
    if "service" in roles and draw.random() < 0.7:
        viewer = draw.choice([each for each in people if each.tenant == caller.tenant])
        headers["x-omniforge-user"] = viewer.login
    ids = {name: _id(draw, name, viewer, people, known) for name in operation.ids}
    if operation.name == NAMES_A_SECRET:
        # Its admins would hear the name again: a stranger's would look like a leak.
        ids["secret_name"] = viewer.word(canaries.POLICY)
    if operation.name == ENDS_A_USER and ids["user_id"] == viewer.login:
        ids["user_id"] = draw.choice([each.login for each in people if each != viewer])
        roles = ()
    path = operation.path.format(**{name: quote(ids[name], safe="") for name in operation.path_ids})
    if operation is TOOLS:
        headers |= {"accept": "application/json, text/event-stream"}
        message = _message(draw, viewer, people, known)
        return Call(operation, caller, viewer, roles, path, "", message, headers)
    if operation in wire_operations.OPERATIONS:
        body = wire_operations.body_of(
            operation,
            conversation=_id(draw, "chat_id", viewer, people, known),
            message=draw.choice(SAID).format(viewer.word(canaries.MESSAGE)),
            number=draw.randrange(12),
        )
        return Call(operation, caller, viewer, roles, path, "", body, headers)
    body = _body(draw, operation, viewer, ids)
    if _takes_files(operation) and draw.random() < 0.3:
        body["attachments"] = [{"id": _id(draw, "attachment_id", viewer, people, known)}]
    return Call(operation, caller, viewer, roles, path, _query(draw, operation, viewer, known), body, headers)


def _id(draw: random.Random, name: str, viewer: Owner, people: Sequence[Owner], known: Known) -> str:
    if name == "user_id":
        return draw.choice((viewer, viewer, draw.choice(people))).login
    if name == "tenant_id":
        return draw.choice(people).name
    if name == "secret_name":
        return draw.choice((viewer, draw.choice(people))).word(canaries.POLICY)
    if name in ("chat_id", "thread_id"):
        # Clients give their conversations the same ids, or name one by ours.
        if draw.random() < 0.6:
            return f"chat-{draw.randrange(3)}"
        name = "conversation_id"
    made = known.ids.get(name, [])[-2_000:]
    own = [each for owner, each in made if owner == viewer]
    neighbours = [each for owner, each in made if owner.tenant == viewer.tenant and owner != viewer]
    strangers = [each for owner, each in made if owner.tenant != viewer.tenant]
    chosen = draw.choices((own, neighbours, strangers, []), (50, 20, 20, 10))[0]
    return draw.choice(chosen) if chosen else f"{draw.getrandbits(128):032x}"


def _query(draw: random.Random, operation: Operation, viewer: Owner, known: Known) -> str:
    names = {each["name"] for each in _described(operation).get("parameters", []) if each["in"] == "query"}
    query: dict[str, str] = {}
    if "q" in names:
        query["q"] = draw.choice((viewer.word(canaries.MESSAGE), "remember", "cnry", "I heard"))
    if "limit" in names:
        query["limit"] = draw.choice(("1", "2", "50"))
    if "cursor" in names and known.cursors and draw.random() < 0.4:
        query["cursor"] = draw.choice(known.cursors)[1]
    if "scope" in names:
        query["scope"] = draw.choice(("user", "tenant", "conversation"))
    if "deleted" in names:
        query["deleted"] = draw.choice(("true", "false"))
    if "status" in names:
        query["status"] = draw.choice(("active", "archived", "deleted"))
    return urlencode(query)


def _message(draw: random.Random, viewer: Owner, people: Sequence[Owner], known: Known) -> Json:
    """One message of an MCP client."""
    task = {"task_id": _id(draw, "task_id", viewer, people, known)}
    said = draw.choice(SAID).format(viewer.word(canaries.MESSAGE))
    talk = _id(draw, "conversation_id", viewer, people, known)
    file = _id(draw, "attachment_id", viewer, people, known)
    tool, arguments = draw.choice(
        (
            ("list_tasks", {}),
            ("list_agents", {}),
            ("create_task", {"title": viewer.word(canaries.TASK)}),
            ("get_task", task),
            ("complete_task", task),
            ("search_conversations", {"query": "remember"}),
            ("chat", {"message": said}),
            ("chat", {"message": said, "conversation_id": talk}),
            ("chat", {"message": said, "attachments": [file]}),
        )
    )
    parameters = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}


def _body(draw: random.Random, operation: Operation, viewer: Owner, ids: Mapping[str, str]) -> Json:
    content = _described(operation).get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    if schema is None:
        return None
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in {"NewTenant", "TenantChange"}:
        # Operators name tenants, whosever they are: a name of the caller would be told to all of the other's.
        return {"name": Owner(canaries.NAMES.index(ids["tenant_id"]), 0).word(canaries.TENANT)}
    if name in {"PolicyReplacement", "PolicyChange"}:
        # Tenants of even numbers let their admins read what was said.
        return {
            "instructions": f"Sign as {viewer.word(canaries.POLICY)}.",
            "admin_content_access": viewer.tenant % 2 == 0,
        }
    if name == "SecretValue":
        return {"value": f"Bearer {viewer.word(canaries.SECRET)}"}
    if name == "AnswerSpec":
        word = viewer.word(canaries.POLICY)
        return {
            "title": f"What is {word}?",
            "questions": [f"what does {word} mean"],
            "text": f"It is {word}.",
        }
    if name == "NewAttachment":
        content = f"{viewer.word(canaries.FILE)}\n".encode()
        told = {"name": viewer.word(canaries.FILE), "media_type": "text/plain", "size": len(content)}
        return {**told, "content": base64.b64encode(content).decode()}
    in_body = {each: ids[each] for each in operation.ids if each not in operation.path_ids}
    chosen = {each: text for each, text in in_body.items() if draw.random() < 0.7}
    takes_name = "client_id" in resolve_reference(DOCUMENT, schema).get("properties", {})
    if takes_name and "conversation_id" not in chosen and draw.random() < 0.5:
        chosen["client_id"] = f"chat-{draw.randrange(3)}"
    kind, is_new = KINDS.get(name, canaries.MESSAGE), operation.method == "POST"
    return {**_filled(draw, resolve_reference(DOCUMENT, schema), viewer, kind, is_new=is_new), **chosen}


def _takes_files(operation: Operation) -> bool:
    content = _described(operation).get("requestBody", {}).get("content", {})
    schema = resolve_reference(DOCUMENT, content.get("application/json", {}).get("schema", {}))
    return "attachments" in schema.get("properties", {})


def _filled(draw: random.Random, schema: Json, viewer: Owner, kind: str, *, is_new: bool) -> Json:
    """A value of the schema with the viewer's words where words go."""
    properties, required = schema.get("properties", {}), schema.get("required", ())
    # What changes may be shared: only of what is made it is known.
    shared = "shared" in properties and (not is_new or draw.random() < 0.3)
    filled: dict[str, Json] = {"shared": shared} if is_new and "shared" in properties else {}
    for name, each in properties.items():
        if name == "metadata":
            filled[name] = {"note": viewer.word(canaries.METADATA)}
        elif name == "url":
            filled[name] = SKILL_URL
        elif name in required or not (name in UNFILLED or name.endswith("_id") or draw.random() < 0.4):
            filled[name] = _value(draw, each, viewer, SHARED[kind] if shared else kind, name)
    return filled


def _value(draw: random.Random, schema: Json, viewer: Owner, kind: str, name: str) -> Json:
    schema = resolve_reference(DOCUMENT, schema)
    if "anyOf" in schema:
        schema = resolve_reference(DOCUMENT, schema["anyOf"][0])
    if "enum" in schema:
        return draw.choice(schema["enum"])
    word = viewer.word(kind)
    match schema.get("type"):
        case "boolean":
            return draw.random() < 0.5
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "array":
            return [word] if schema.get("minItems") else []
        case "object":
            return {"period": word} if name == "parameters" else {}
        case _ if name == "correction":
            return draw.choice(("task.add", "agent.run", word))
        case _ if name == "message":
            return draw.choice(SAID).format(word)
        case _ if name == "name":
            return f"{word}-{draw.randrange(100)}"
        case _:
            return f"{word} of {viewer.word(kind)}"


def _described(operation: Operation) -> Json:
    return DOCUMENT["paths"][operation.path][operation.method.lower()]
