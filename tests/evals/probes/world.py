"""The agents and tasks that probes find in a workspace, as bodies for REST."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from tests.evals.dialogues.format import Json

NOW = datetime(2026, 3, 3, 10, 5, tzinfo=UTC)
"""A Tuesday; no schedule below fires within the hour."""

ZONE = "Europe/London"

_MAIL: Json = {"channels": ["email"], "recipients": ["jo@fahrrad.de"]}


def _agent(name: str, what: str, source: str, cron: str, text: str, **more: object) -> Json:
    schedule = {"cron": cron, "time_zone": ZONE, "text": text}
    return {
        "name": name,
        "kind": "report",
        "what": what,
        "sources": [source],
        "schedule": schedule,
        "delivery": _MAIL,
        **more,
    }


AGENTS: dict[str, Json] = {
    agent["name"]: agent
    for agent in (
        _agent("stock-levels", "products low in stock", "shopify", "0 7 * * 1", "Every Monday at 7:00 AM"),
        _agent("parcels", "parcels held at customs", "dhl", "0 6 * * *", "Daily at 6:00 AM"),
        _agent(
            "ticket-digest", "tickets without an owner", "jira", "0 8 * * *", "Daily at 8:00 AM",
            status="paused",
        ),
        _agent("press-clips", "articles about our museum", "meltwater", "0 7 * * 1-5", "Weekdays at 7:00 AM"),
        _agent(
            "rota-check", "shifts without a nurse", "google sheets", "0 17 * * 4", "Every Thursday at 5:00 PM"
        ),
        _agent(
            "invoice-chaser", "invoices unpaid after 14 days", "xero", "0 9 * * 3",
            "Every Wednesday at 9:00 AM",
        ),
        _agent("lead-list", "new leads", "pipedrive", "0 8 * * *", "Daily at 8:00 AM", shared=True),
    )
}  # fmt: skip

TASKS: dict[str, Json] = {
    str(task["title"]): task
    for task in (
        {"title": "call Tom"},
        {"title": "call the bank"},
        {"title": "buy napkins"},
        {"title": "print the menu cards", "due_date": "2026-03-06"},
        {"title": "return library books", "completed": True},
        {"title": "renew my passport"},
    )
}

BYSTANDERS = ("lead-list", "renew my passport")
"""An agent and a task that are always there, and that nothing may happen to."""


def given(things: Iterable[str], role: str | None = None) -> Json:
    """What a dialogue finds: the named agents and tasks, the bystanders and the speaker's role."""
    wanted = {*things, *BYSTANDERS}
    return {
        "agents": [agent for name, agent in AGENTS.items() if name in wanted],
        "tasks": [task for title, task in TASKS.items() if title in wanted],
        "role": role,
    }
