"""Messages that mean something only after what was said before."""

from __future__ import annotations

import pytest

from intent.decision import ActionType, Decision, DecisionSource
from intent.offline import follow_ups
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Situation
from tests.fakes.data.situations import (
    AGENTS,
    FINANCE,
    JIRA,
    NOTION,
    agent_note,
    choices_note,
    deletion_note,
    draft_note,
    listing_note,
    situation_after,
)


def decided(situation: Situation) -> Decision:
    certain = follow_ups.explicit_verdict(situation)
    return (
        certain.to_decision(DecisionSource.EXPLICIT) if certain else OfflineClassifier().classify(situation)
    )


@pytest.mark.parametrize(
    "message", ["2", "2.", "(2)", "#2", "option 2", "the second one please", "Number two", "let's go with 2"]
)
def test_a_pick_of_a_numbered_option_is_certain(message: str) -> None:
    decision = decided(situation_after(choices_note(), message))
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, ActionType.CREATE_AGENT)
    assert decision.entities["choice"] == 2


def test_a_picked_option_brings_what_it_stands_for() -> None:
    decision = decided(situation_after(choices_note(), "1"))
    assert decision.action_type is ActionType.EXECUTE_TASK
    assert decision.entities["agent_id"] == FINANCE.id


@pytest.mark.parametrize(
    ("message", "choice"),
    [("create a new one", 2), ("Run it anyway", 1), ("build a new agent just for churn", 2)],
)
def test_an_option_may_be_picked_in_words(message: str, choice: int) -> None:
    assert decided(situation_after(choices_note(), message)).entities["choice"] == choice


@pytest.mark.parametrize(
    ("message", "choice"),
    [
        ("a new agent", 2),
        ("A new one, please!", 2),
        ("yes, create one", 2),
        ("anyway", 1),
        ("differently", 3),
    ],
)
def test_words_of_one_option_alone_pick_it_for_certain(message: str, choice: int) -> None:
    decision = decided(situation_after(choices_note(), message))
    assert (decision.source, decision.entities["choice"]) == (DecisionSource.EXPLICIT, choice)


@pytest.mark.parametrize(
    "message", ["agents", "list my agents", "yes please", "an agent", "no", "a new task", "run a new one"]
)
def test_words_that_no_option_or_several_have_pick_none_for_certain(message: str) -> None:
    picked = follow_ups.explicit_verdict(situation_after(choices_note(), message))
    assert picked is None or "choice" not in picked.entities


@pytest.mark.parametrize("message", ["4", "option 9"])
def test_a_number_that_was_not_offered_picks_nothing(message: str) -> None:
    assert "choice" not in decided(situation_after(choices_note(), message)).entities


@pytest.mark.parametrize(
    ("wish", "action", "operation"),
    [
        ("run one of my agents", ActionType.EXECUTE_TASK, None),
        ("Delete an agent please", ActionType.UPDATE_AGENT, "delete"),
    ],
)
def test_a_bare_pick_after_a_wish_is_the_agent_the_wish_is_for(
    wish: str, action: ActionType, operation: str | None
) -> None:
    decision = decided(situation_after(listing_note(), "go with number three", wish=wish))
    assert decision.action_type is action
    assert decision.entities["agent_name"] == "financial-analyzer"
    assert decision.entities.get("operation") == operation


def test_a_bare_pick_of_a_listed_agent_shows_it() -> None:
    decision = decided(situation_after(listing_note(), "the second one"))
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, ActionType.QUERY_INFO)
    assert decision.entities["agent_id"] == JIRA.id


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("yes", "yes"),
        ("Yes please!", "yes"),
        ("sure, go ahead", "yes"),
        ("ok do it", "yes"),
        ("no", "no"),
        ("no, don't", "no"),
        ("better not", "no"),
        ("cancel", "cancel"),
        ("never mind", "cancel"),
        ("forget it", "cancel"),
        ("not now", "later"),
        ("maybe later", "later"),
    ],
)
def test_a_bare_answer_settles_what_waits_for_a_yes(message: str, reply: str) -> None:
    decision = decided(situation_after(deletion_note(), message))
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, ActionType.UPDATE_AGENT)
    assert decision.entities["reply"] == reply
    assert decision.entities["agent_id"] == NOTION.id


def test_a_yes_that_says_more_is_still_a_yes() -> None:
    decision = decided(situation_after(deletion_note(), "yes, and list the others afterwards"))
    assert decision.entities["reply"] == "yes"


@pytest.mark.parametrize("message", ["list my agents", "What can you do?"])
def test_another_question_settles_nothing(message: str) -> None:
    decision = decided(situation_after(deletion_note(), message))
    assert decision.action_type is ActionType.QUERY_INFO
    assert "reply" not in decision.entities


@pytest.mark.parametrize(
    ("message", "agent"),
    [
        ("Run the first one", NOTION),
        ("run number 2", JIRA),
        ("start the last one please", FINANCE),
        ("run 3", FINANCE),
        ("run the jira one", JIRA),
        ("please run Notion Reporter", NOTION),
        ("execute the financial analyzer", FINANCE),
    ],
)
def test_an_agent_is_run_by_place_name_or_telling_word(message: str, agent: object) -> None:
    decision = decided(situation_after(listing_note(), message))
    assert decision.action_type is ActionType.EXECUTE_TASK
    assert decision.entities["agent_id"] == getattr(agent, "id", None)
    assert not decision.needs_clarification(0.7)


@pytest.mark.parametrize(
    ("message", "operation"),
    [
        ("pause it", "pause"),
        ("turn that one off", "pause"),
        ("resume it", "resume"),
        ("switch it back on", "resume"),
        ("delete that one", "delete"),
        ("get rid of it", "delete"),
        ("rename it to late-tickets", "rename"),
        ("make it weekly instead", "change"),
        ("send it to email instead", "change"),
        ("do it every hour", "change"),
    ],
)
def test_it_is_the_agent_talked_about(message: str, operation: str) -> None:
    decision = decided(situation_after(agent_note(JIRA), message))
    assert decision.action_type is ActionType.UPDATE_AGENT
    assert (decision.entities["operation"], decision.entities["agent_id"]) == (operation, JIRA.id)
    assert not decision.needs_clarification(0.7)


def test_a_change_says_what_becomes_what() -> None:
    weekly = decided(situation_after(agent_note(), "make it weekly instead")).entities["change"]
    assert isinstance(weekly, dict)
    assert (weekly["schedule_text"], weekly["cron"]) == ("weekly", "0 9 * * 1")
    mail = decided(situation_after(None, "have the notion reporter email me instead of slack")).entities[
        "change"
    ]
    assert mail == {"delivery": "email"}


@pytest.mark.parametrize("message", ["do that again", "run it once more", "again please, for Q1"])
def test_again_is_the_agent_talked_about(message: str) -> None:
    decision = decided(situation_after(agent_note(NOTION), message))
    assert decision.action_type is ActionType.EXECUTE_TASK
    assert decision.entities["agent_id"] == NOTION.id


def test_pointing_at_nothing_names_no_agent() -> None:
    assert "agent_id" not in decided(situation_after(None, "run it")).entities


def test_two_agents_of_one_kind_are_not_guessed_between() -> None:
    decision = decided(situation_after(None, "pause the monitor agent", agents=AGENTS))
    assert "agent_id" not in decision.entities


@pytest.mark.parametrize(
    ("asking", "message"),
    [
        ("source", "Google Sheets"),
        ("source", "They're in our Airtable base"),
        ("details", "revenue and costs by month"),
        ("details", "Total revenue, costs per department, and profit"),
        ("scope, condition, delivery", "The PLATFORM project, past due date, and Slack alerts"),
        ("schedule", "Every morning at 9am"),
        ("schedule", "Run every weekday at 9"),
        ("schedule, delivery", "Mondays at 8, send it to #finance"),
        ("delivery", "email"),
        ("schedule", "real-time"),
        ("source", "you decide"),
    ],
)
def test_an_answer_goes_on_with_the_agent_being_set_up(asking: str, message: str) -> None:
    decision = decided(situation_after(draft_note(asking), message))
    assert decision.action_type is ActionType.CREATE_AGENT
    assert decision.confidence >= 0.8


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ("list my agents", ActionType.QUERY_INFO),
        ("What agents do I have?", ActionType.QUERY_INFO),
        ("how do I connect Google Sheets?", ActionType.QUERY_INFO),
        ("run notion-reporter", ActionType.EXECUTE_TASK),
        ("delete notion-reporter", ActionType.UPDATE_AGENT),
        ("Keep our chats for 90 days", ActionType.MANAGE_PLATFORM),
        ("thanks", ActionType.UNKNOWN),
    ],
)
def test_plainly_another_command_is_not_swallowed_by_the_setup(message: str, action: ActionType) -> None:
    assert decided(situation_after(draft_note("details"), message)).action_type is action


@pytest.mark.parametrize("message", ["cancel", "never mind", "Forget it.", "I don't need it anymore"])
def test_the_setup_can_be_cancelled(message: str) -> None:
    decision = decided(situation_after(draft_note("source"), message))
    assert decision.entities["reply"] == "cancel"


@pytest.mark.parametrize("message", ["not now", "I'll come back later", "later"])
def test_the_setup_can_be_left(message: str) -> None:
    assert decided(situation_after(draft_note("source"), message)).entities["reply"] == "later"


@pytest.mark.parametrize(
    "message",
    [
        "Sorry, I had to step away. Where were we?",
        "I'm back - where did we leave off?",
        "What were we doing again?",
        "Can we pick up where we left off?",
        "let's continue",
    ],
)
def test_where_were_we(message: str) -> None:
    decision = decided(situation_after(draft_note("details"), message))
    assert decision.action_type is ActionType.QUERY_INFO
    assert decision.entities["operation"] == "resume_conversation"


def test_an_offer_in_words_is_accepted() -> None:
    situation = situation_after(
        agent_note(),
        "yes please",
        reply="It reads the 2023 library. Should I switch its source to the 2025 library?",
    )
    assert decided(situation).action_type is ActionType.UPDATE_AGENT


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ("@notion-reporter go", ActionType.EXECUTE_TASK),
        ("@notion-reporter", ActionType.EXECUTE_TASK),
        ("@notion-reporter pause", ActionType.UPDATE_AGENT),
        ("@notion-reporter what did you do yesterday?", ActionType.QUERY_INFO),
    ],
)
def test_a_mention_names_the_agent_for_certain(message: str, action: ActionType) -> None:
    decision = decided(situation_after(None, message))
    assert (decision.source, decision.action_type) == (DecisionSource.EXPLICIT, action)
    assert decision.entities["agent_id"] == NOTION.id


def test_a_mention_of_an_unknown_agent_keeps_the_name() -> None:
    decision = decided(situation_after(None, "@nobody go"))
    assert decision.entities["agent_name"] == "nobody"
    assert "agent_id" not in decision.entities
