"""Which agent a message means where colleagues share theirs: one's own first, and no name is a command."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.rules.agent_references import find_agent_by_name, find_meant_agent
from intent.situation import KnownAgent, Situation

NOW = datetime(2026, 1, 30, 9, 0, tzinfo=UTC)
OWN = KnownAgent("own", "sales-report", "Sales, weekly")


def meant(message: str, *colleagues: str, own: tuple[KnownAgent, ...] = (OWN,)) -> str | None:
    """The name of the agent that is meant, with a mark on a colleague's."""
    others = tuple(KnownAgent(f"bens-{name}", name, "Sales, Jira, all of it", "ben") for name in colleagues)
    situation = Situation(message=message, now=NOW, agents=(*own, *others))
    found = find_meant_agent(message, situation)
    return found and f"{found.name}{' of ben' * found.id.startswith('bens-')}"


@pytest.mark.parametrize(
    ("message", "colleagues", "expected"),
    [
        ("run sales-report", ("sales-report",), "sales-report"),
        ("run the sales report daily", ("sales-report-daily",), "sales-report"),
        ("run sales-report-daily", ("sales-report-daily",), "sales-report-daily of ben"),
        ("run sales-report and not sales-report-daily", ("sales-report-daily",), "sales-report"),
        ("show the sales one", ("sales-digest",), "sales-report"),
        ("show the digest one", ("sales-digest",), "sales-digest of ben"),
        ("run team-radar", ("team-radar",), "team-radar of ben"),
        ("run the team radar", ("team-radar",), "team-radar of ben"),
        ("run jira", ("jira",), "jira of ben"),
        ("pause the jira agent", ("jira",), "jira of ben"),
        ("watch our jira board for overdue tickets", ("jira",), None),
        ("mail the report to finance", ("report", "finance"), None),
    ],
)
def test_ones_own_agent_comes_first(message: str, colleagues: tuple[str, ...], expected: str | None) -> None:
    assert meant(message, *colleagues) == expected


@pytest.mark.parametrize("name", ["all", "yes", "delete-everything", "the-last-one", "run", "my-tasks", "no"])
def test_a_name_like_a_command_is_only_ones_own(name: str) -> None:
    message, own = f"please {name.replace('-', ' ')}", KnownAgent("own", name, "Sales")

    assert meant(message, name) is None
    assert find_agent_by_name(name, (KnownAgent("1", name, "", "ben"),)) is None
    assert meant(message, own=(own,)) == name
