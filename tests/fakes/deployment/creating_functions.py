"""The functions that make and start things, each kind of which has a quota, and a call for every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from conversation.limits.quotas import QuotaKind
from tests.fakes.aws.proxy_events import Answer, request
from tests.fakes.deployment import functions

SKILL = {"name": "wiki", "url": "http://127.0.0.1:8080/mcp", "kind": "mcp"}
AGENT = {"what": "pages that changed"}
FILE = {"name": "notes.txt", "media_type": "text/plain", "size": 5}


@dataclass
class CreatingFunctions:
    """The functions that make and start things, over one file, and Maya of acme who calls them.

    Files are taken with the settings of `functions.with_attachments`.
    """

    settings: dict[str, str]

    def __post_init__(self) -> None:
        self._loaded: dict[str, ModuleType] = {}

    def ask(self, function: str, method: str, path: str, *, user: str = "maya", **sent: object) -> Answer:
        """The answer of a function, which is loaded on first use."""
        event = request(method, path, user=user, **sent)  # type: ignore[arg-type]
        return functions.invoke(self.load(function), event)

    def load(self, function: str) -> ModuleType:
        """The function's module."""
        if function not in self._loaded:
            self._loaded[function] = functions.load(function, self.settings)
        return self._loaded[function]

    def restart(self, function: str) -> None:
        """Let a new process of the function answer from now on."""
        del self._loaded[function]

    def grant(self, **limits: object) -> None:
        """Let operators set limits of the tenant."""
        body = {"name": "Acme", "limits": limits}
        sent: dict[str, str] = {"tenant": "omniforge", "roles": "operator"}
        assert self.ask("tenants", "PUT", "/v1/tenants/acme", body=body, **sent).status == 200

    def say(self, message: str, **body: str) -> str:
        """The reply to a message."""
        said = self.ask("chat", "POST", "/v1/chat", body={"message": message, **body})
        assert said.status == 200
        return str(said.json["message"]["content"])

    def conversation(self) -> str:
        """A conversation of Maya's with one exchange."""
        return str(self.ask("chat", "POST", "/v1/chat", body={"message": "hi"}).json["conversation_id"])

    def agent(self) -> str:
        """An agent of Maya's."""
        return str(self.ask("workspace", "POST", "/v1/agents", body=AGENT).json["id"])

    def skill(self) -> str:
        """A skill of Maya's."""
        made = self.ask("workspace", "POST", "/v1/skills", body=SKILL)
        assert made.status == 201, made.body
        return str(made.json["id"])


Attempt = Callable[[], Answer]
"""One call."""


def calls_taking(made_by: CreatingFunctions, kind: QuotaKind) -> Attempt:
    """What takes one of the kind with each call."""
    ask, names = made_by.ask, iter(range(10_000))
    calls: dict[QuotaKind, Callable[[str], Answer]] = {
        QuotaKind.RUNS: lambda agent: ask("workspace", "POST", f"/v1/agents/{agent}/runs", body={}),
        QuotaKind.FORKS: lambda source: ask(
            "conversations", "POST", f"/v1/conversations/{source}/fork", body={}
        ),
        QuotaKind.EXPORTS: lambda _: ask("conversations", "GET", "/v1/export"),
        QuotaKind.SKILL_CHECKS: lambda skill: ask("workspace", "POST", f"/v1/skills/{skill}/check"),
        QuotaKind.AGENTS: lambda _: ask("workspace", "POST", "/v1/agents", body=AGENT),
        QuotaKind.SKILLS: lambda _: ask(
            "workspace", "POST", "/v1/skills", body={**SKILL, "name": f"wiki-{next(names)}"}
        ),
        QuotaKind.TASKS: lambda _: ask("workspace", "POST", "/v1/tasks", body={"title": "call the bank"}),
        QuotaKind.CONVERSATIONS: lambda _: ask("conversations", "POST", "/v1/conversations", body={}),
        QuotaKind.ATTACHMENTS: lambda _: ask("conversations", "POST", "/v1/attachments", body=FILE),
        QuotaKind.ERASURES: lambda source: ask(
            "tenants", "POST", f"/v1/conversations/{source}/erasures", body={}
        ),
    }
    needs: dict[QuotaKind, Callable[[], str]] = {
        QuotaKind.RUNS: made_by.agent,
        QuotaKind.FORKS: made_by.conversation,
        QuotaKind.SKILL_CHECKS: made_by.skill,
        QuotaKind.ERASURES: made_by.conversation,
    }
    subject = needs[kind]() if kind in needs else ""
    return lambda: calls[kind](subject)


BY_REST = [kind for kind in QuotaKind if kind not in {QuotaKind.IMPORTS, QuotaKind.CHECKS}]
"""Imports come from the command line, checks of web addresses from schedules."""
