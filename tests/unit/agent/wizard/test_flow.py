"""The wizard as a pure function: drafts, answers and questions, no table and no master agent."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from agent.templates import wizard_texts
from agent.wizard import drafts, flow
from agent.wizard.drafts import Draft, Part
from agent.wizard.flow import WizardStep
from agent.wizard.interpretation import InterpretedMessage
from agent.workspace.agents import Kind
from agent.workspace.delivery_targets import Channel

NOW = datetime(2026, 1, 30, 9, tzinfo=UTC)
MONITOR = "Create an agent that monitors our Jira board for overdue tickets"
REPORT = "I want an agent for weekly financial reports"


def heard(message: str, **entities: JsonValue) -> InterpretedMessage:
    return InterpretedMessage.of(message, entities, now=NOW, time_zone="UTC")


def after(*messages: str) -> WizardStep:
    """The step after a wish and the answers to it."""
    step = flow.first_step(heard(messages[0]))
    for message in messages[1:]:
        step = flow.next_step(step.draft, step.asking, heard(message))
    return step


@pytest.mark.parametrize(
    ("wish", "asking"),
    [
        ("Create an agent", ("source", "what")),
        (MONITOR, ("scope", "condition", "delivery")),
        ("Watch our Gmail inbox for invoices and email me", ("scope",)),
        (REPORT, ("source",)),
        ("Create an agent that reports project updates from Notion", ("schedule", "delivery")),
        ("Create an agent that reports project updates from Notion every Monday", ("delivery",)),
    ],
)
def test_only_what_is_missing_is_asked(wish: str, asking: tuple[Part, ...]) -> None:
    assert after(wish).asking == asking


def test_a_wish_that_says_everything_needs_no_question() -> None:
    step = after("Create an agent that reports project updates from Notion every Monday at 8am and emails me")

    assert step.is_complete
    assert step.draft.schedule
    assert step.draft.schedule.cron == "0 8 * * 1"
    assert step.draft.channels == (Channel.EMAIL,)


@pytest.mark.parametrize(
    "answer",
    [
        "The PLATFORM project, past due date, and Slack alerts",
        "1. PLATFORM\n2. past due date\n3. Slack",
        "1) the PLATFORM project 2) past due date 3) slack please",
        "Slack alerts; past due date; PLATFORM project",
    ],
)
def test_several_answers_in_one_message_find_their_questions(answer: str) -> None:
    draft = after(MONITOR, answer).draft

    assert (draft.scope, draft.condition, draft.channels) == ("PLATFORM", "past due date", (Channel.SLACK,))


def test_an_answer_to_some_of_the_questions_leaves_the_others_open() -> None:
    step = after(MONITOR, "The PLATFORM project")

    assert step.draft.scope == "PLATFORM"
    assert step.asking == ("condition", "delivery")


def test_both_means_the_two_channels_offered() -> None:
    assert after(MONITOR, "PLATFORM, past due date, both").draft.channels == (Channel.SLACK, Channel.EMAIL)


def test_an_answer_in_plain_words_becomes_the_part_that_was_asked_for() -> None:
    assert after(REPORT, "It's in our Airtable base").draft.source == "airtable"
    assert after(REPORT, "an old lotus notes server").draft.source == "old lotus notes server"
    assert (
        after(REPORT, "Google Sheets", "revenue, costs and margin").draft.details
        == "revenue, costs and margin"
    )


@pytest.mark.parametrize(
    ("correction", "field", "value"),
    [
        ("no, e-mail instead", "channels", (Channel.EMAIL,)),
        ("not Slack, e-mail please", "channels", (Channel.EMAIL,)),
        ("actually the OPS project", "scope", "OPS"),
        ("no, Trello instead of Jira", "source", "trello"),
    ],
)
def test_an_earlier_answer_can_be_corrected(correction: str, field: str, value: object) -> None:
    step = after(MONITOR, "PLATFORM project, past due date, Slack", correction)

    assert getattr(step.draft, field) == value
    assert not step.is_complete


def test_another_source_has_other_places() -> None:
    step = after(MONITOR, "PLATFORM project, past due date, Slack", "no, Trello instead of Jira")

    assert (step.draft.scope, step.asking) == (None, ("scope",))


def test_a_correction_of_the_rhythm_keeps_the_time_and_one_of_the_time_keeps_the_rhythm() -> None:
    report = "Create an agent that reports project updates from Notion every day at 7am"

    weekly, later = after(report, "actually make it weekly"), after(report, "no, at 10am")

    assert weekly.draft.schedule
    assert weekly.draft.schedule.cron == "0 7 * * 1"
    assert later.draft.schedule
    assert later.draft.schedule.cron == "0 10 * * *"


def test_without_words_of_correction_a_known_part_stays() -> None:
    step = after(
        MONITOR, "PLATFORM project, past due date, Slack", "every morning, and look at the Trello board too"
    )

    assert step.draft.source == "jira"


@pytest.mark.parametrize("answer", ["skip", "I don't know", "you decide", "no idea", "whatever you think"])
def test_what_is_left_to_us_gets_a_default_that_is_said_aloud(answer: str) -> None:
    step = after(MONITOR, answer)

    assert set(step.assumed) == {"scope", "condition", "delivery"}
    assert step.draft.condition == "past the due date"
    assert step.draft.channels == (Channel.CONVERSATION,)
    assert "I've assumed all projects, that 'overdue' means past the due date" in wizard_texts.next_reply(
        step
    )


def test_one_of_several_questions_can_be_left_to_us() -> None:
    step = after(MONITOR, "PLATFORM, don't know, Slack")

    assert (step.draft.scope, step.draft.condition) == ("PLATFORM", "past the due date")
    assert step.assumed == ("condition",)


def test_what_only_the_user_can_say_is_asked_again() -> None:
    step = after(REPORT, "skip")

    assert step.asking == ("source",)
    assert step.assumed == ()
    assert "Where does your financial data live" in wizard_texts.next_reply(step)


@pytest.mark.parametrize("answer", ["hmm", "ok", "yes, of course", "do it", "what do you mean?", "🤷", "   "])
def test_words_that_answer_nothing_change_nothing(answer: str) -> None:
    before = after(REPORT)

    assert flow.next_step(before.draft, before.asking, heard(answer)) == WizardStep(
        before.draft, before.asking
    )


@pytest.mark.parametrize("answer", ["here is fine", "Just here, please"])
def test_where_results_go_is_no_job_though_the_job_was_asked_for(answer: str) -> None:
    asked = flow.first_step(heard("Create an agent"))
    step = flow.next_step(asked.draft, asked.asking, heard(answer, what=answer))

    assert (step.draft.what, step.draft.channels) == (None, (Channel.CONVERSATION,))


@pytest.mark.parametrize("answer", ["same for blocked ones", "the same as before"])
def test_what_points_back_is_no_name_of_a_source(answer: str) -> None:
    assert after("Create an agent", answer).draft.source is None
    assert after(REPORT, answer).draft.source is None


def test_a_yes_is_no_definition() -> None:
    asked = after(MONITOR, "the PLATFORM project, Slack alerts")
    assert asked.asking == ("condition",)

    for reply in ("yes", "sure, go ahead", "please don't"):
        assert flow.next_step(asked.draft, asked.asking, heard(reply)).draft.condition is None


@pytest.mark.parametrize("wish", ["real time please", "every 7 minutes"])
def test_a_schedule_that_can_not_be_kept_is_named_and_asked_for_again(wish: str) -> None:
    step = after(MONITOR, "PLATFORM project, past due date, Slack", wish)

    assert step.has_unsupported_schedule
    assert step.asking == ("schedule",)
    assert "can't do" in wizard_texts.next_reply(step)


def test_an_agent_may_work_only_on_request_and_without_a_source() -> None:
    step = after("Create an agent", "1. none\n2. write a haiku", "only when I ask, here")

    assert step.is_complete
    assert step.draft.to_spec().schedule is None
    assert step.draft.to_spec().sources == ()
    assert step.draft.to_spec().what == "write a haiku"


def test_a_wished_name_is_kept() -> None:
    draft = after("Create an agent called cash-chaser that reports overdue invoices from Xero").draft

    assert draft.to_spec().name == "cash-chaser"


def test_a_name_given_on_the_way_is_no_answer() -> None:
    step = after(REPORT, "call it money-talks")

    assert step.asking == ("source",)
    assert "- Name: money-talks" in wizard_texts.next_reply(step)


def test_several_sources_are_told_apart() -> None:
    assert after(REPORT, "Jira and Notion").draft.to_spec().sources == ("jira", "notion")


@pytest.mark.parametrize(
    "junk", ["x" * 8_000, "a, " * 2_000, "\x00\x1b[31m", "1. " * 500, "🙂" * 2_000, "((((" * 500]
)
def test_odd_answers_never_break_a_draft(junk: str) -> None:
    for wish in ("Create an agent", MONITOR, REPORT):
        step = after(wish, junk, junk)
        assert Draft.of(step.draft.to_note()) == step.draft
        step.draft.to_spec()
        assert wizard_texts.next_reply(step)


def test_a_draft_survives_its_note() -> None:
    draft = after(MONITOR, "PLATFORM project, past due date, Slack to #ops", "every morning at 9am").draft

    assert Draft.of(draft.to_note()) == draft
    assert draft.to_note()["kind"] == "monitor"
    assert Draft().to_note() == {"kind": "task"}


def test_the_same_words_always_make_the_same_step_and_leave_the_draft_alone() -> None:
    first = after(MONITOR)
    before = first.draft.to_note()

    answers = [flow.next_step(first.draft, first.asking, heard("OPS project, Slack")) for _ in range(2)]

    assert answers[0] == answers[1]
    assert first.draft.to_note() == before


def test_a_plan_shows_what_is_known_and_nothing_else() -> None:
    assert drafts.render_draft(Draft()) == ""
    assert drafts.render_draft(Draft(kind=Kind.REPORT, what="financial reports", source="google sheets")) == (
        "- Source: Google Sheets\n- Type: Financial report"
    )


@pytest.mark.parametrize(
    ("wish", "kind"),
    [
        ("keep an eye on stock levels", Kind.MONITOR),
        ("tell me when a build fails", Kind.MONITOR),
        ("a weekly summary of sales", Kind.REPORT),
        ("file the signed leases", Kind.TASK),
    ],
)
def test_a_wish_tells_what_kind_of_job_it_is(wish: str, kind: Kind) -> None:
    assert after(wish).draft.kind is kind


def test_an_answer_that_there_is_no_source_names_none_however_it_was_understood() -> None:
    step = after("I want an agent for weekly financial reports")

    answered = flow.next_step(step.draft, step.asking, heard("no source", source="No Source"))

    assert answered.draft.to_spec().sources == ()
