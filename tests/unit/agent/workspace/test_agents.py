import pytest
from pydantic import ValidationError

from agent.workspace.agents import (
    Agent,
    AgentChange,
    AgentFields,
    AgentSpec,
    Kind,
    Schedule,
    free_name,
    is_slug,
    summary_line,
    to_slug,
)
from agent.workspace.delivery_targets import Channel, Delivery
from agent.workspace.naming import is_only_an_output, suggest_name
from conversation import cron as cron_expressions
from tests.fakes.run.clocks import ManualClock

NOW = ManualClock().now()


def an_agent(**fields: object) -> Agent:
    spec = AgentSpec.model_validate({"what": "overdue tickets", **fields})
    return Agent.create(spec, agent_id="a" * 32, name="one", owner="maya", now=NOW)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jira Overdue Monitor", "jira-overdue-monitor"),
        ("  Überfällige   Rechnungen! ", "uberfallige-rechnungen"),
        ("Maya's #1 bot", "mayas-1-bot"),
        ("週報", "週報"),
        ("!!!", ""),
        ("a_b.c/d", "a-b-c-d"),
    ],
)
def test_a_name_becomes_lower_case_words_joined_by_hyphens(text: str, expected: str) -> None:
    assert to_slug(text) == expected
    assert not expected or is_slug(expected)


def test_a_name_never_holds_the_delimiter_of_keys_and_never_exceeds_its_limit() -> None:
    assert to_slug("#" * 100 + "x#y " * 100).count("#") == 0
    assert len(to_slug("word " * 100)) <= 60


@pytest.mark.parametrize("name", ["", "Upper", "two words", "trailing-", "a#b", "x" * 61])
def test_a_stored_name_has_to_be_a_slug(name: str) -> None:
    with pytest.raises(ValidationError):
        AgentSpec(name=name, what="x")


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("bot", {"other"}) == "bot"
    assert free_name("bot", {"bot", "bot-2"}) == "bot-3"
    assert len(free_name("x" * 60, {"x" * 60})) <= 60


@pytest.mark.parametrize(
    ("kind", "what", "sources", "expected"),
    [
        (Kind.MONITOR, "overdue tickets", ("jira",), "jira-overdue-monitor"),
        (Kind.REPORT, "project updates", ("notion",), "notion-reporter"),
        (Kind.REPORT, "weekly financial reports", ("google sheets",), "financial-reporter"),
        (Kind.TASK, "it", (), "agent"),
        (Kind.TASK, "the new job applications", ("workable",), "workable-job-applications-agent"),
        (Kind.TASK, "which drivers badges run out", (), "drivers-badges-agent"),
        (Kind.TASK, "who hasn't handed in their homework", (), "homework-agent"),
        (Kind.REPORT, "list of kids walking that day", (), "kids-reporter"),
    ],
)
def test_an_agent_is_named_after_its_source_its_subject_and_its_kind(
    kind: Kind, what: str, sources: tuple[str, ...], expected: str
) -> None:
    assert suggest_name(AgentFields(kind=kind, what=what, sources=sources)) == expected


def test_a_kind_of_output_is_told_from_what_goes_into_it() -> None:
    assert is_only_an_output("weekly financial reports")
    assert not is_only_an_output("summary of overdue invoices")
    assert not is_only_an_output("project updates")


@pytest.mark.parametrize(
    "cron", ["0 9 * * *", "*/15 * * * *", "0 9 * * 1-5", "0 9,17 1 1,4,7,10 *", "5  4 * * sun"]
)
def test_a_valid_schedule_is_accepted(cron: str) -> None:
    assert len(cron_expressions.normalise_cron(cron).split()) == 5


@pytest.mark.parametrize(
    "cron",
    [
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/0 * * * *",
        "9-5 * * * *",
        "@daily",
        "a b c d e",
    ],
)
def test_an_invalid_schedule_is_refused(cron: str) -> None:
    with pytest.raises(ValidationError):
        Schedule(cron=cron)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("0 * * * *", "hourly"),
        ("0 9 * * *", "daily"),
        ("0 9 * * 1", "weekly"),
        ("0 9 1 * *", "monthly"),
        ("0 9 * * 1-5", ""),
        ("*/5 * * * *", ""),
        ("0 9 1 1 *", ""),
    ],
)
def test_a_schedule_knows_how_often_it_fires(cron: str, expected: str) -> None:
    assert cron_expressions.frequency(cron) == expected


def test_a_schedule_names_its_time_zone() -> None:
    schedule = Schedule(cron="0 9 * * *", time_zone="Europe/Berlin", text="Daily at 9:00 AM")

    assert schedule.describe() == "Daily at 9:00 AM (Europe/Berlin)"


def test_everything_but_the_conversation_needs_a_connection() -> None:
    delivery = Delivery(channels=(Channel.SLACK, Channel.CONVERSATION))

    assert an_agent(sources=("jira", "slack"), delivery=delivery).needs_connection == ("jira", "slack")
    assert an_agent().needs_connection == ()


def test_an_agent_can_not_be_changed_in_place() -> None:
    with pytest.raises(ValidationError):
        an_agent().name = "other"  # type: ignore[misc]


def test_a_change_touches_only_the_fields_it_was_given_and_makes_the_next_version() -> None:
    old = an_agent(scope="PLATFORM", condition="past due")

    new = AgentChange.model_validate({"scope": None}).applied_to(old, NOW)

    assert (new.scope, new.condition, new.what) == (None, "past due", "overdue tickets")
    assert (old.version, new.version) == (1, 2)


@pytest.mark.parametrize(
    "body", [{"what": None}, {"name": None}, {"id": "x"}, {"version": 9}, {"status": "gone"}]
)
def test_a_change_of_what_can_not_be_changed_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        AgentChange.model_validate(body)


def test_an_agent_without_a_summary_of_its_owner_describes_itself() -> None:
    weekly = Schedule(cron="0 9 * * 1")

    assert (
        summary_line(an_agent(kind="monitor", sources=("jira",), schedule=weekly))
        == "Watches for overdue tickets in Jira, weekly"
    )
    assert summary_line(an_agent(summary="My own words")) == "My own words"
