"""Setting an agent up in conversation, with everything that may come between."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from agent.workspace.delivery_targets import Channel
from conversation.identity import TurnId
from conversation.tenants.policy import Limits, TenantPolicy
from intent.decision import ActionType, Decision, DecisionSource
from storage.errors import TransactionRefused
from tests.fakes.data.chat_session import CONVERSATION, Talk

CREATE, RUN, ASK = ActionType.CREATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO
CHANGE, MANAGE, UNKNOWN = ActionType.UPDATE_AGENT, ActionType.MANAGE_PLATFORM, ActionType.UNKNOWN
MONITOR = "Create an agent that monitors our Jira board for overdue tickets"
ALL_SAID = "Create an agent that reports project updates from Notion every Monday and emails me"


def begun() -> Talk:
    talk = Talk()
    talk.say(MONITOR, CREATE)
    return talk


def test_a_direct_wish_that_says_everything_is_done_at_once() -> None:
    talk = Talk()

    said = talk.say(ALL_SAID, CREATE)

    assert [agent.name for agent in talk.agents()] == ["notion-reporter"]
    assert said.note.did == "created the agent notion-reporter"


@pytest.mark.parametrize("answer", ["no", "No thanks", "never mind", "nope"])
def test_a_proposal_turned_down_leaves_nothing(answer: str) -> None:
    talk = Talk()
    talk.say("We waste hours every Monday compiling project updates from Notion.", CREATE)

    said = talk.say(answer, UNKNOWN)

    assert said.note.draft is None
    assert said.note.pending is None
    assert talk.agents() == []


@pytest.mark.parametrize(
    "answer", ["yes, and send it to Slack", "Sure, to Slack please", "no, but to Slack on Fridays"]
)
def test_an_answer_to_a_proposal_may_say_more_than_yes(answer: str) -> None:
    talk = Talk()
    talk.say("We waste hours every Monday compiling project updates from Notion.", CREATE)

    talk.say(answer, CREATE, delivery="slack")

    [agent] = talk.agents()
    assert agent.delivery.channels == (Channel.SLACK,)


@pytest.mark.parametrize("answer", ["Slack", "to Slack please", "in Slack, Fridays at 9"])
def test_the_answer_to_what_would_be_asked_next_takes_a_proposal(answer: str) -> None:
    talk = Talk()
    talk.say("We waste hours every Monday compiling project updates from Notion.", CREATE)

    talk.say(answer, CREATE)

    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.channels) == (("notion",), (Channel.SLACK,))


def test_a_proposal_can_be_taken_up_later() -> None:
    talk = Talk()
    talk.say("We waste hours every Monday compiling project updates from Notion.", CREATE)

    later = talk.say("maybe later", CREATE, reply="later")
    yes = talk.say("ok, now", CREATE, reply="yes")

    assert later.note.pending
    assert yes.note.asking == "delivery"


def test_a_proposal_that_is_ignored_is_not_carried_on() -> None:
    talk = Talk()
    talk.say("We waste hours every Monday compiling project updates from Notion.", CREATE)

    said = talk.say("ok, list my agents", ASK, operation="list_agents")

    assert said.note.pending is None
    assert talk.agents() == []


def test_other_requests_are_answered_and_the_setup_is_kept_with_a_reminder() -> None:
    talk = begun()
    asked = talk.history[-1].note

    requests: list[tuple[str, ActionType, dict[str, JsonValue]]] = [
        ("What agents do I have?", ASK, {"operation": "list_agents"}),
        ("what time is it?", ASK, {}),
        ("thanks", UNKNOWN, {}),
        ("add a user", MANAGE, {}),
    ]
    for message, action, entities in requests:
        said = talk.say(message, action, extra=entities)
        assert (said.note.draft, said.note.asking) == (asked.draft, asked.asking)
        assert "Your Jira monitoring agent isn't finished" in said.text
    talk.say("PLATFORM, past due date, Slack", CREATE)
    talk.say("every morning", CREATE)

    assert len(talk.agents()) == 1


def test_a_question_that_waits_for_a_yes_is_not_buried_under_a_reminder() -> None:
    talk = begun()
    talk.create("old-bot")

    question = talk.say("delete old-bot", CHANGE, operation="delete", agent_name="old-bot")
    done = talk.say("yes", CHANGE, reply="yes")

    assert "isn't finished" not in question.text
    assert question.note.draft
    assert "isn't finished" in done.text
    assert done.note.draft
    assert talk.agents() == []


@pytest.mark.parametrize(
    "words", ["cancel", "Never mind", "forget it", "ok stop", "drop it please", "actually, cancel that"]
)
def test_a_setup_can_be_cancelled_half_way(words: str) -> None:
    talk = begun()

    said = talk.say(words, UNKNOWN)
    after = talk.say("hello", UNKNOWN)

    assert "Nothing was created" in said.text
    assert said.note.draft is None
    assert after.note.draft is None
    assert talk.agents() == []


def test_words_that_merely_contain_cancel_cancel_nothing() -> None:
    talk = begun()

    said = talk.say("past due date, but only cancelled orders in the SHOP project", CREATE)

    assert said.note.draft


def test_later_keeps_the_setup() -> None:
    talk = begun()

    said = talk.say("later", CREATE, reply="later")

    assert said.note.draft
    assert "keep" in said.text


@pytest.mark.parametrize("action", [UNKNOWN, RUN, CHANGE, CREATE, MANAGE])
def test_a_plain_answer_counts_whatever_it_was_taken_for(action: ActionType) -> None:
    talk = Talk()
    talk.say("Create an agent that reports project updates from Notion every Monday", CREATE)

    talk.say("Send it to Slack", action)

    assert len(talk.agents()) == 1


@pytest.mark.parametrize("action", list(ActionType))
def test_an_unsure_decision_about_an_answer_does_not_lead_away(action: ActionType) -> None:
    talk = begun()

    said = talk.say("The PLATFORM project, past due date, and Slack alerts", action, confidence=0.3)

    assert said.note.asking == "schedule"


def test_a_second_wish_asks_which_one_first() -> None:
    talk = begun()
    wish = "Create an agent that reports project updates from Notion every Monday and emails me"

    options = talk.say(wish, CREATE)
    kept = talk.say("1", ASK, choice=1)
    talk.say(wish, CREATE)
    started = talk.say("2", CREATE, choice=2)

    assert "Jira monitoring agent" in options.text
    assert kept.note.draft == options.note.draft
    assert "PLATFORM" not in kept.text
    assert "Which Jira project" in kept.text
    assert started.tools == ("create_agent",)
    assert [agent.name for agent in talk.agents()] == ["notion-reporter"]


def test_an_agent_just_created_can_be_changed_by_a_second_thought() -> None:
    talk = Talk()
    talk.say(ALL_SAID, CREATE)

    said = talk.say("actually make it daily", CREATE)

    [agent] = talk.agents()
    assert agent.schedule
    assert agent.schedule.cron == "0 9 * * *"
    assert agent.version == 2
    assert "Daily at 9:00 AM (UTC)" in said.text


def test_a_name_that_is_taken_gets_a_number_and_the_reply_says_so() -> None:
    talk = Talk()
    talk.say(ALL_SAID, CREATE)

    said = talk.say(ALL_SAID, CREATE)

    assert [agent.name for agent in talk.agents()] == ["notion-reporter", "notion-reporter-2"]
    assert "notion-reporter-2" in said.text


def test_the_limit_of_the_policy_is_told_and_the_setup_kept() -> None:
    talk = Talk()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(limits=Limits(agents_per_user=1)))
    old = talk.create("old-bot")

    refused = talk.say(ALL_SAID, CREATE)
    talk.store.delete(talk.caller, old.id)
    talk.say("I deleted one, go on", UNKNOWN)

    assert "You already have 1 agent," in refused.text
    assert refused.note.draft
    assert [agent.name for agent in talk.agents()] == ["notion-reporter"]


def test_a_turn_thought_through_again_makes_the_same_agent() -> None:
    talk = Talk()
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    decision = Decision(
        action_type=CREATE,
        confidence=0.9,
        source=DecisionSource.OFFLINE,
        entities={
            "source": "notion",
            "what": "project updates",
            "schedule_text": "every Monday",
            "delivery": "email",
        },
    )
    first, second = (talk.answer(turn_id, ALL_SAID, decision) for _ in range(2))
    table = talk.tables.for_tenant(talk.caller.tenant)

    table.transact(first.effects)
    with pytest.raises(TransactionRefused):
        table.transact(second.effects)

    assert first == second
    assert len(talk.agents()) == 1


def test_a_name_taken_meanwhile_leads_to_another_name_on_the_second_thought() -> None:
    talk = Talk()
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    decision = Decision(
        action_type=CREATE,
        confidence=0.9,
        source=DecisionSource.OFFLINE,
        entities={
            "source": "notion",
            "what": "project updates",
            "schedule_text": "every Monday",
            "delivery": "email",
        },
    )
    late = talk.answer(turn_id, ALL_SAID, decision)
    talk.create("notion-reporter")
    table = talk.tables.for_tenant(talk.caller.tenant)

    with pytest.raises(TransactionRefused):
        table.transact(late.effects)
    table.transact(talk.answer(turn_id, ALL_SAID, decision).effects)

    assert [agent.name for agent in talk.agents()] == ["notion-reporter", "notion-reporter-2"]


def test_where_were_we_names_what_waits_for_a_yes_or_what_was_done_last() -> None:
    talk = Talk()
    talk.create("old-bot")
    fresh = talk.say("where were we?", UNKNOWN)
    talk.say("delete old-bot", CHANGE, operation="delete", agent_name="old-bot")

    waiting = talk.say("Where were we?", ASK, operation="resume_conversation")
    talk.say("yes", CHANGE, reply="yes")
    done = talk.say("where did we leave off?", ASK, operation="resume_conversation")

    assert "Nothing is unfinished" in fresh.text
    assert "delete the agent old-bot" in waiting.text
    assert waiting.note.pending
    assert "deleted the agent old-bot" in done.text
    assert talk.agents() == []


def test_where_were_we_offers_the_options_again() -> None:
    talk = begun()
    talk.say("Create an agent that reports project updates from Notion", CREATE)
    talk.history[-1] = talk.history[-1].model_copy(
        update={"note": talk.history[-1].note.model_copy(update={"draft": None, "asking": None})}
    )

    said = talk.say("Where were we?", ASK, operation="resume_conversation")

    assert len(said.note.choices) == 2


@pytest.mark.parametrize("words", ["I don't know", "no idea, sorry"])
def test_words_that_answer_nothing_are_no_place_where_data_lives(words: str) -> None:
    talk = Talk()
    talk.classify_and_answer("make an agent that tells me when the server is down")
    said = talk.classify_and_answer(words)
    assert said.note.asking == "source"
    assert 'say "none" if there is none' in said.text


def test_an_agent_named_by_its_job_alone_is_not_asked_for_it() -> None:
    talk = Talk()
    said = talk.say("create a travel expenses agent", CREATE, confidence=0.6)
    assert said.text.startswith("I'll help you create an agent for travel expenses.")
    assert said.note.asking == "source"


def test_a_job_that_begins_with_to_reads_like_english() -> None:
    talk = Talk()
    said = talk.say("I keep forgetting to send invoices", CREATE)
    assert "you want to automate sending invoices." in said.text


def test_a_question_about_a_run_is_no_answer_to_the_wizard() -> None:
    talk = Talk()
    talk.say("create an agent", CREATE)
    asked = talk.history[-1].note
    said = talk.say("show me the result", ASK, what="result")
    assert said.text.startswith("There are no runs yet.")
    assert said.note.draft == asked.draft


def test_the_unfinished_agent_is_shown_when_it_is_asked_for() -> None:
    talk = Talk()
    talk.classify_and_answer("make an agent that collects Notion updates")
    assert "We were setting up" in talk.classify_and_answer("show it").text
