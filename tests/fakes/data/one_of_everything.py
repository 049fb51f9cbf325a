"""A user with data of every kind, created over HTTP, each with a canary word that others must not see."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.deployment.twin import Twin

EVERY_ROLE = ("admin", "operator", "service")
SKILL_URL = "http://127.0.0.1:9999/mcp"


@dataclass(frozen=True)
class Person:
    """A user with tokens of a twin."""

    twin: Twin
    tenant: str
    user: str
    tokens: dict[tuple[str, ...], str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def canary(self) -> str:
        """The canary word, which is part of all their data."""
        return f"canary-of-{self.tenant}-{self.user}"

    def token(self, *roles: str) -> str:
        """Return their token; it stays the same, so the gateway authorizes it only once."""
        if roles not in self.tokens:
            self.tokens[roles] = self.twin.token(self.tenant, self.user, roles)
        return self.tokens[roles]

    def send(self, method: str, path: str, body: object = None, *roles: str) -> Any:
        """Send a request that must succeed and return its result."""
        response = self.twin.request(method, path, token=self.token(*roles), json=body)
        assert response.is_success, response.text
        return response.json() if response.content else None

    def create_belongings(self, names: Collection[str], *, of_user: bool = False) -> dict[str, str]:
        """Create data of theirs and return its ids by these parameter names.

        Related ids belong together. With ``of_user``, the message is the user's own instead of a reply.
        """
        made: dict[str, str] = {"user_id": self.user, "tenant_id": self.tenant}
        if made.keys() & {"tenant_id"} & set(names):
            self.send("PUT", f"/v1/tenants/{self.tenant}", {"name": self.canary}, "operator")
        if {"conversation_id", "turn_id", "message_id"} & set(names):
            made |= self._chat(of_user=of_user)
        if {"agent_id", "run_id"} & set(names):
            made |= self._agent(with_run="run_id" in names)
        if "answer_id" in names:
            body = {"title": self.canary, "questions": [self.canary], "text": self.canary}
            made["answer_id"] = f"answer-{self.canary}".lower()
            self.send("PUT", f"/v1/tenant/answers/{made['answer_id']}", body, "admin")
        if "secret_name" in names:
            made["secret_name"] = f"key-{self.canary}".lower()
            self.send("PUT", f"/v1/tenant/secrets/{made['secret_name']}", {"value": self.canary}, "admin")
        if "attachment_id" in names:
            made["attachment_id"] = self._attachment()
        if "correction_id" in names:
            made["correction_id"] = self._correction()
        for name in {"skill_id", "task_id", "erasure_id"} & set(names):
            made[name] = self._simple(name)
        return {name: made[name] for name in names}

    def _chat(self, *, of_user: bool) -> dict[str, str]:
        reply = self.send("POST", "/v1/chat", {"message": f"Tell me about {self.canary}"})
        conversation = str(reply["conversation_id"])
        request, answer = self.send("GET", f"/v1/conversations/{conversation}/messages")["items"]
        message = request if of_user else answer
        turn = str(reply["metadata"]["turn_id"])
        return {"conversation_id": conversation, "turn_id": turn, "message_id": str(message["id"])}

    def _agent(self, *, with_run: bool) -> dict[str, str]:
        agent = str(self.send("POST", "/v1/agents", {"what": self.canary})["id"])
        run = self.send("POST", f"/v1/agents/{agent}/runs", {})["id"] if with_run else ""
        return {"agent_id": agent, "run_id": str(run)}

    def _attachment(self) -> str:
        content = self.canary.encode()
        file = {"name": self.canary, "media_type": "text/plain", "size": len(content)}
        sent = {**file, "content": base64.b64encode(content).decode()}
        return str(self.send("POST", "/v1/attachments", sent)["id"])

    def _correction(self) -> str:
        said = self.send("POST", "/v1/chat", {"message": f"A chit for {self.canary}"})
        meant = {"message": "That was meant as a task", "conversation_id": said["conversation_id"]}
        self.send("POST", "/v1/chat", meant)
        return str(self.send("GET", "/v1/tenant/corrections", None, "admin")["items"][-1]["id"])

    def _simple(self, name: str) -> str:
        bodies: Mapping[str, tuple[str, object]] = {
            "skill_id": ("skills", {"name": "wiki", "url": SKILL_URL, "description": self.canary}),
            "task_id": ("tasks", {"title": self.canary}),
        }
        if name in bodies:
            path, body = bodies[name]
            return str(self.send("POST", f"/v1/{path}", body)["id"])
        conversation = self.send("POST", "/v1/conversations", {"title": self.canary})["id"]
        return str(self.send("POST", f"/v1/conversations/{conversation}/erasures")["id"])
