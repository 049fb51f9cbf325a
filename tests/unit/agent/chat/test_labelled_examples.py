"""What users teach by picking an option or correcting us, and what is kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from agent.chat.labelled_examples import MAX_HISTORY_TEXT, MAX_TEXT, Example, read_examples
from conversation.identity import Caller, TurnId
from conversation.tenants.policy import TenantPolicy
from intent.decision import ActionType, Decision, DecisionSource
from storage.keys import TenantId
from tests.fakes.data.chat_session import CONVERSATION, Talk

CREATE, RUN, ASK = ActionType.CREATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO
CHANGE, UNKNOWN = ActionType.UPDATE_AGENT, ActionType.UNKNOWN
CHURN = "I need to analyze our customer churn"


def examples(talk: Talk, tenant: str | None = None) -> Sequence[Example]:
    owner = TenantId(tenant) if tenant else talk.caller.tenant
    return list(read_examples(talk.tables, owner, talk.clock.now()))


def taught(talk: Talk) -> list[tuple[str, ActionType]]:
    return [(example.text, example.label) for example in examples(talk)]


def talk_with_agents() -> Talk:
    talk = Talk()
    talk.create("jira-watcher", summary="Overdue tickets")
    talk.create("notion-reporter", summary="Project updates")
    return talk


def offer(talk: Talk) -> None:
    """Have a model find work that no agent does, so that options are offered."""
    offered = talk.say(CHURN, RUN, confidence=0.5, alternative=CREATE, source=DecisionSource.MODEL)
    assert offered.note.question


def test_an_option_picked_labels_the_message_that_was_unclear() -> None:
    talk = Talk()
    offer(talk)
    talk.say("1", CREATE, choice=1)

    [example] = examples(talk)
    assert (example.text, example.label, example.lesson) == (CHURN, CREATE, "picked")
    assert (example.decided, example.source) == (RUN, DecisionSource.MODEL)


def test_a_pick_that_hits_no_option_teaches_nothing_and_the_next_one_labels_the_first_message() -> None:
    talk = Talk()
    offer(talk)
    talk.say("7", UNKNOWN, confidence=0.3, choice=7)
    assert not examples(talk)

    talk.say("the first one", CREATE, choice=1)
    assert taught(talk) == [(CHURN, CREATE)]


def test_the_way_out_of_the_options_teaches_nothing() -> None:
    talk = Talk()
    offer(talk)
    talk.say("the last one", ASK)
    assert not examples(talk)


@pytest.mark.parametrize(
    ("taken_for", "correction", "understood", "meant"),
    [
        (ASK, "no, I wanted to change it", CHANGE, CHANGE),
        (ASK, "Oh, you misunderstood me: run it", RUN, RUN),
        (ASK, "I meant run it", RUN, RUN),
        (CREATE, "not a new one, change the existing", CHANGE, CHANGE),
        (ASK, "That's not what I meant. I wanted to pause it", CHANGE, CHANGE),
        (RUN, "sorry, I wanted you to create a new agent", CREATE, CREATE),
    ],
)
def test_a_correction_labels_the_message_before_it(
    taken_for: ActionType, correction: str, understood: ActionType, meant: ActionType
) -> None:
    talk = talk_with_agents()
    message = "jira-watcher please"
    talk.say(message, taken_for, agent_name="jira-watcher")
    talk.say(correction, understood)
    assert taught(talk) == [(message, meant)]


def test_a_correction_counts_when_its_own_decision_was_unsure_but_its_words_are_plain() -> None:
    talk = talk_with_agents()
    talk.say("jira-watcher", ASK, agent_name="jira-watcher")
    talk.say("I meant run it", CHANGE, confidence=0.47, alternative=RUN)
    assert taught(talk) == [("jira-watcher", RUN)]


def test_words_that_only_a_model_understands_count_when_it_is_sure() -> None:
    talk = talk_with_agents()
    talk.say("jira-watcher", RUN, agent_name="jira-watcher")
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    message = "no, I wanted to know what it found"
    effects = {
        source: talk.answer(
            turn_id, message, Decision(action_type=ASK, confidence=0.9, source=source)
        ).effects
        for source in (DecisionSource.OFFLINE, DecisionSource.MODEL)
    }

    assert not effects[DecisionSource.OFFLINE]
    talk.tables.for_tenant(talk.caller.tenant).transact(effects[DecisionSource.MODEL])
    assert taught(talk) == [("jira-watcher", ASK)]


def test_a_correction_to_what_was_understood_anyway_teaches_nothing() -> None:
    talk = talk_with_agents()
    talk.say("jira-watcher", RUN, agent_name="jira-watcher")
    talk.say("I meant run it", RUN, agent_name="notion-reporter")
    assert not examples(talk)


def test_a_correction_whose_words_and_decision_disagree_teaches_nothing() -> None:
    talk = talk_with_agents()
    talk.say("jira-watcher", ASK, agent_name="jira-watcher")
    talk.say("I meant run jira-watcher", CREATE)
    assert not examples(talk)


@pytest.mark.parametrize(
    "message",
    [
        "make it weekly instead",
        "I meant weekly",
        "no, I meant make it weekly",
        "I wanted to change the jira watcher",
        "no",
        "Run it",
    ],
)
def test_a_change_of_a_detail_or_a_new_wish_is_no_correction(message: str) -> None:
    talk = talk_with_agents()
    talk.say("Set up something for our releases in GitHub, every day, to Slack", CREATE)
    talk.say(message, CHANGE, agent_name="jira-watcher")
    assert not examples(talk)


@pytest.mark.parametrize(
    ("correction", "is_learned"),
    [
        ("not a new one, change the existing", True),
        ("no, I meant change the schedule to weekly", False),
        ("The PLATFORM project", False),
    ],
)
def test_no_new_agent_is_learned_although_the_rules_hear_an_answer_about_it(
    correction: str, is_learned: bool
) -> None:
    talk, wish = Talk(), "Create an agent that monitors our Jira board for overdue tickets"
    assert talk.say(wish, CREATE).note.draft
    talk.say(correction, CREATE)
    assert taught(talk) == ([(wish, CHANGE)] if is_learned else [])


def test_an_answer_to_a_question_of_ours_is_not_labelled() -> None:
    talk = Talk()
    talk.say("Create an agent that monitors our Jira board for overdue tickets", CREATE)
    talk.say("The PLATFORM project", CREATE)
    talk.say("no, I wanted to change the existing one", CHANGE)
    assert not examples(talk)


def test_the_four_messages_before_go_along_and_end_with_a_reply() -> None:
    talk = talk_with_agents()
    for message in ("Hello", "List my agents", "What can you do?"):
        talk.say(message, ASK)
    talk.say("jira-watcher", ASK, agent_name="jira-watcher")
    talk.say("I meant run it", RUN)

    [example] = examples(talk)
    assert [role for role, _ in example.history] == ["user", "assistant"] * 2
    assert [content for role, content in example.history if role == "user"] == [
        "List my agents",
        "What can you do?",
    ]


def test_no_secret_of_the_message_or_its_history_is_kept() -> None:
    talk = talk_with_agents()
    talk.say("Hi, my password is hunter2", ASK)
    talk.say("jira-watcher for maya@acme.com with card 4111 1111 1111 1111", ASK, agent_name="jira-watcher")
    talk.say("I meant run it", RUN)

    [example] = examples(talk)
    assert example.text == "jira-watcher for [email] with card [card]"
    assert "hunter2" not in repr(example)


def test_long_texts_are_kept_by_their_beginning_and_end() -> None:
    talk = talk_with_agents()
    talk.say("first " + "x " * 3_000 + "last", ASK)
    talk.say("begin " + "y " * 3_500 + "end", ASK, agent_name="jira-watcher")
    talk.say("I meant run it", RUN)

    [example] = examples(talk)
    assert len(example.text) == MAX_TEXT + 1
    assert (example.text[:5], example.text[-3:]) == ("begin", "end")
    assert max(len(content) for _, content in example.history) == MAX_HISTORY_TEXT + 1


def test_an_example_is_kept_as_long_as_the_tenant_keeps_conversations() -> None:
    talk = talk_with_agents()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(retention_days=7))
    talk.say("jira-watcher", ASK, agent_name="jira-watcher")
    talk.say("I meant run it", RUN)

    [example] = examples(talk)
    assert example.expires_at - example.created_at == timedelta(days=7)
    talk.clock.advance(timedelta(days=7).total_seconds())
    assert not examples(talk)


def test_a_turn_thought_through_twice_keeps_one_example() -> None:
    talk = talk_with_agents()
    talk.say("jira-watcher", ASK, agent_name="jira-watcher")
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    correction = Decision(action_type=ASK, confidence=0.5, source=DecisionSource.OFFLINE)

    first, second = (talk.answer(turn_id, "I meant run it", correction).effects for _ in range(2))

    assert first == second
    talk.tables.for_tenant(talk.caller.tenant).transact(first)
    assert taught(talk) == [("jira-watcher", RUN)]


def test_nothing_of_one_tenant_reaches_another() -> None:
    talk = talk_with_agents()
    neighbour = Talk(Caller(TenantId("acme-eu"), "maya"), tables=talk.tables, clock=talk.clock)
    neighbour.create("jira-watcher")
    for one, wish in ((talk, "ours"), (neighbour, "theirs")):
        one.say(f"jira-watcher, {wish}", ASK, agent_name="jira-watcher")
        one.say("I meant run it", RUN)

    assert [example.text for example in examples(talk, "acme")] == ["jira-watcher, ours"]
    assert [example.text for example in examples(talk, "acme-eu")] == ["jira-watcher, theirs"]
    assert not examples(talk, "acm")
