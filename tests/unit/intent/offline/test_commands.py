"""Commands that leave no doubt, and messages that only make sense after the last reply."""

from __future__ import annotations

import pytest

from conversation.messages.models import Note
from intent.decision import ActionType, Verdict
from intent.entities.extraction import extract_answer, extract_entities
from intent.offline import follow_ups
from intent.offline.follow_ups import command_verdict
from intent.offline.offline_classifier import OfflineClassifier
from intent.rules.action_entities import action_entities
from intent.rules.agent_references import find_meant_agent
from intent.rules.scoring import score
from intent.situation import KnownAgent, Situation
from tests.fakes.data.situations import (
    JIRA,
    NOTION,
    NOW,
    agent_note,
    choices_note,
    draft_note,
    listing_note,
    reference,
    situation_after,
)

RUNNERS = (
    KnownAgent("id-1", "runner-1", "Collects results"),
    KnownAgent("id-2", "runner-2", "Collects more"),
)


def certain(situation: Situation) -> Verdict:
    verdict = follow_ups.explicit_verdict(situation)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize(
    "message",
    [
        "Run runner-1",
        "Run the agent runner-1",
        "please start runner-1 now",
        "run Runner 1 again",
        "OK, trigger runner-1!",
    ],
)
def test_a_run_of_an_agent_by_its_exact_name_is_certain(message: str) -> None:
    verdict = certain(situation_after(None, message, agents=RUNNERS))
    assert (verdict.action_type, verdict.entities["agent_id"]) == (ActionType.EXECUTE_TASK, "id-1")


@pytest.mark.parametrize(
    "message", ["run number two", "run no. 2", "run nr 2", "start the second one", "fire up agent two"]
)
def test_a_run_by_place_in_the_list_is_certain(message: str) -> None:
    verdict = certain(situation_after(listing_note(), message))
    assert (verdict.action_type, verdict.entities["agent_id"]) == (ActionType.EXECUTE_TASK, JIRA.id)
    assert verdict.entities["ordinal"] == 2


@pytest.mark.parametrize(
    "message", ["run the numbers", "run runner-3", "start the meeting", "delete the second paragraph"]
)
def test_a_command_about_no_agent_that_is_known_is_not(message: str) -> None:
    assert command_verdict(message, situation_after(None, message, agents=RUNNERS)) is None


def test_a_place_among_options_is_no_place_of_a_list() -> None:
    assert command_verdict("run number 2", situation_after(choices_note(), "run number 2")) is None


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Call it monday-notes", "monday-notes"),
        ("rename it to jira bot", "jira bot"),
        ("please name it Lease Lookout, thanks", "Lease Lookout"),
        ("call that one 'Monday Notes'", "Monday Notes"),
    ],
)
@pytest.mark.parametrize("note", [agent_note(NOTION), Note(listed=(reference(NOTION),))])
def test_naming_the_agent_just_talked_about_renames_it(message: str, name: str, note: Note) -> None:
    verdict = certain(situation_after(note, message))
    assert verdict.action_type is ActionType.UPDATE_AGENT
    assert verdict.entities == {
        "operation": "rename", "new_name": name, "agent_id": NOTION.id, "agent_name": NOTION.name
    }  # fmt: skip


@pytest.mark.parametrize("message", ["call it a day", "call it off", "call it quits"])
def test_an_idiom_is_no_name(message: str) -> None:
    assert command_verdict(message, situation_after(agent_note(NOTION), message)) is None


def test_a_name_during_a_setup_is_the_new_agents() -> None:
    assert (
        command_verdict("call it monday-notes", situation_after(draft_note("source"), "call it monday-notes"))
        is None
    )


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("actually 9am", {"schedule_text": "9am", "cron": "0 9 * * *", "time_zone": "Europe/Berlin"}),
        ("no Slack any more, text me", {"delivery": "sms"}),
    ],
)
def test_few_words_change_the_agent_just_talked_about(message: str, change: dict[str, str]) -> None:
    situation = situation_after(agent_note(JIRA), message)
    said = action_entities(ActionType.UPDATE_AGENT, message, situation, find_meant_agent(message, situation))
    assert (said["agent_id"], said["change"]) == (JIRA.id, change)


def test_few_words_about_another_agent_do_not() -> None:
    message = "the churn bot weekly please"
    situation = situation_after(agent_note(JIRA), message)
    assert "agent_id" not in action_entities(
        ActionType.UPDATE_AGENT, message, situation, find_meant_agent(message, situation)
    )


@pytest.mark.parametrize("message", ["yes", "ok", "sure", "no", "never mind"])
def test_a_bare_reply_is_no_answer_to_a_question_for_a_field(message: str) -> None:
    assert extract_answer(message, ["condition"], now=NOW, time_zone="UTC") == {}


def test_a_bare_project_goes_on_with_the_setup() -> None:
    found = extract_answer("PLATFORM", ["scope", "condition", "delivery"], now=NOW, time_zone="UTC")
    assert found["scope"] == "PLATFORM"


@pytest.mark.parametrize(
    ("text", "cron"),
    [
        ("let it run on Tuesdays rather than Mondays", "0 9 * * 2"),
        ("daily is enough, not every 15 minutes", "0 9 * * *"),
        ("every hour is too often, four times a day is plenty", "0 */6 * * *"),
        ("it shouldn't run at weekends any more, weekdays only at 8", "0 8 * * 1-5"),
    ],
)
def test_a_time_that_is_refused_is_not_wanted(text: str, cron: str) -> None:
    assert extract_entities(text, now=NOW, time_zone="UTC")["cron"] == cron


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("daily at 8am London time", "Europe/London"),
        ("every day at 5pm New York time", "America/New_York"),
        ("daily at 7am PST", "America/Los_Angeles"),
        ("daily at tea time", "Europe/Berlin"),
    ],
)
def test_a_zone_may_be_named_by_its_city(text: str, zone: str) -> None:
    assert extract_entities(text, now=NOW, time_zone="Europe/Berlin")["time_zone"] == zone


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ("same for Q1", ActionType.EXECUTE_TASK),
        ("again but for EMEA", ActionType.EXECUTE_TASK),
        ("same thing, but as a spreadsheet", ActionType.EXECUTE_TASK),
        ("actually 9am", ActionType.UPDATE_AGENT),
        ("hm, 7:45 would be better", ActionType.UPDATE_AGENT),
        ("same time but on Fridays", ActionType.UPDATE_AGENT),
    ],
)
def test_a_few_words_go_on_with_the_agent_just_talked_about(message: str, action: ActionType) -> None:
    decision = OfflineClassifier().classify(situation_after(agent_note(JIRA), message))
    assert (decision.action_type, decision.entities["agent_id"]) == (action, JIRA.id)
    assert not decision.needs_clarification(0.7)


@pytest.mark.parametrize(
    "message",
    [
        "Monday is a holiday here, you know",
        "thanks, see you at 9",
        "the same old story with you",
        "for what it's worth, I like it",
    ],
)
def test_a_mere_remark_after_a_reply_changes_and_runs_nothing(message: str) -> None:
    assert (
        follow_ups.verdict_from_note(message, situation_after(agent_note(JIRA), message), score(message))
        is None
    )
