"""Questions, settings, skills, small talk, unclear wishes: all answered, and nothing is pretended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.turn_events import Outcome
from conversation.identity import ADMIN, Caller, TurnId
from conversation.messages.models import Choice, Note, Pending, Reference
from conversation.tenants.policy import TenantPolicy
from intent.decision import ActionType, Decision, DecisionSource
from intent.entities.extraction import KEYS
from storage.errors import TransactionRefused
from storage.keys import TenantId
from tests.fakes.data.chat_session import CONVERSATION, Talk
from tests.fakes.run.property_budget import example_settings

CREATE, RUN, ASK = ActionType.CREATE_AGENT, ActionType.EXECUTE_TASK, ActionType.QUERY_INFO
CHANGE, MANAGE, UNKNOWN = ActionType.UPDATE_AGENT, ActionType.MANAGE_PLATFORM, ActionType.UNKNOWN
SKILL = ActionType.CREATE_SKILL


def administrator() -> Talk:
    return Talk(Caller(TenantId("acme"), "maya", frozenset({ADMIN})))


def retention(talk: Talk) -> int:
    return talk.tenants.record(talk.caller.tenant).policy.retention_days


def test_an_administrator_changes_the_retention_after_a_yes() -> None:
    talk = administrator()

    question = talk.say("Keep our chats for 90 days", MANAGE, operation="set_retention")
    assert retention(talk) == 30
    done = talk.say("yes", MANAGE, reply="yes")

    assert "90 days" in question.text
    assert "30 days now" in question.text
    assert done.tools == ("update_policy",)
    assert retention(talk) == 90


def test_a_change_of_the_retention_leaves_the_rest_of_the_policy() -> None:
    talk = administrator()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(assistant_name="Ada", allowed_models=("small",)))

    talk.say("Keep our chats for 7 days", MANAGE, operation="set_retention")
    talk.say("yes", MANAGE, reply="yes")

    policy = talk.tenants.record(talk.caller.tenant).policy
    assert policy == TenantPolicy(assistant_name="Ada", allowed_models=("small",), retention_days=7)


def test_a_policy_changed_meanwhile_refuses_the_effect_and_a_second_thought_starts_from_it() -> None:
    talk = administrator()
    talk.say("Keep our chats for 90 days", MANAGE, operation="set_retention")
    decision = Decision(
        action_type=MANAGE, confidence=1, entities={"reply": "yes"}, source=DecisionSource.EXPLICIT
    )
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    late = talk.answer(turn_id, "yes", decision)
    talk.tenants.save(talk.caller.tenant, TenantPolicy(assistant_name="Ada"))
    table = talk.tables.for_tenant(talk.caller.tenant)

    with pytest.raises(TransactionRefused):
        table.transact(late.effects)
    table.transact(talk.answer(turn_id, "yes", decision).effects)

    policy = talk.tenants.record(talk.caller.tenant).policy
    assert policy == TenantPolicy(assistant_name="Ada", retention_days=90)


def test_anybody_else_is_refused_politely_even_with_a_yes_of_an_administrator() -> None:
    talk = Talk()
    pending = Pending(action=MANAGE, entities={"operation": "set_retention", "days": 1, "confirmed": True})

    asked = talk.say("Keep our chats for 90 days", MANAGE, operation="set_retention")
    talk.history[-1] = talk.history[-1].model_copy(update={"note": Note(pending=pending)})
    forced = talk.say("yes", MANAGE, reply="yes")

    for said in (asked, forced):
        assert "Only an administrator" in said.text
        assert not said.effects
    assert retention(talk) == 30


@pytest.mark.parametrize("days", [None, 0, -3, 3_651, 10**12, "ninety"])
def test_a_retention_out_of_range_is_asked_for_again(days: JsonValue) -> None:
    said = administrator().say("change the retention", MANAGE, operation="set_retention", days=days)

    assert "from 1 to 3650" in said.text
    assert said.note.pending is None


def test_a_no_leaves_the_retention_and_the_same_number_needs_no_yes() -> None:
    talk = administrator()
    talk.say("Keep our chats for 90 days", MANAGE, operation="set_retention")
    talk.say("no", MANAGE, reply="no")

    same = talk.say("Keep our chats for 30 days", MANAGE, operation="set_retention")

    assert "already kept for 30 days" in same.text
    assert same.note.pending is None
    assert retention(talk) == 30


def test_the_settings_are_shown_to_anybody_and_others_are_honestly_not_there() -> None:
    talk = Talk()

    assert "kept for: 30 days" in talk.say("show our settings", ASK).text
    assert "kept for: 30 days" in talk.say("how long?", MANAGE, operation="show_policy").text
    assert (
        "isn't something I can set up from this chat"
        in talk.say("turn on SSO", MANAGE, operation="other").text
    )


def test_a_skill_is_not_pretended() -> None:
    said = Talk().say("Teach our agents to read invoices", SKILL)

    assert "nothing is stored yet" in said.text
    assert not said.effects


def test_an_empty_list_says_how_to_begin() -> None:
    assert "You don't have any agents yet" in Talk().say("list my agents", ASK, operation="list_agents").text


def test_a_list_shows_what_is_paused_missing_or_shared() -> None:
    talk = Talk()
    talk.create("a-bot", summary="Watches", sources=("jira",))
    talk.as_other_user("derek").create("z-bot", summary="Reports", shared=True)
    talk.say("pause a-bot", CHANGE, agent_name="a-bot", operation="pause")

    said = talk.say("list my agents", ASK, operation="list_agents")

    assert '1. a-bot - Watches (paused; needs Jira)\n2. z-bot - "Reports" (shared by derek)' in said.text
    assert [item.name for item in said.note.listed] == ["a-bot", "z-bot"]


def test_an_agent_is_shown_in_full() -> None:
    talk = Talk()
    talk.create("bot", "bugs", sources=("jira",), schedule={"cron": "0 9 * * *", "text": "Daily at 9:00 AM"})

    said = talk.say("what does bot do?", ASK, operation="show_agent", agent_name="bot")

    assert "Daily at 9:00 AM (UTC)" in said.text
    assert "Before it can work: connect Jira." in said.text
    assert said.note.about


def test_runs_are_listed_with_their_time_and_zone() -> None:
    talk = Talk(time_zone="Europe/Berlin")
    talk.create("bot")
    none = talk.say("show my runs", ASK, operation="list_runs")
    talk.say("run bot", RUN, agent_name="bot")

    said = talk.say("show my runs", ASK, operation="list_runs")

    assert "no runs yet" in none.text
    assert "1. bot - 30 January 2026, 10:00 AM (Europe/Berlin), waiting to start" in said.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what time is it?", "9:00 AM (UTC)"),
        ("who are you?", "OmniForge is a program"),
        ("help", "list my agents"),
        ("how do I create an agent?", "Say what it should do and how often"),
        ("what is the capital of France?", "I don't have an answer"),
    ],
)
def test_questions_are_answered_honestly(question: str, answer: str) -> None:
    assert answer in Talk().say(question, ASK).text


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("hi there", "Hello"),
        ("Thanks a lot!", "welcome"),
        ("bye", "Goodbye"),
        ("how are you?", "well"),
        ("xkcdqwrtz", "couldn't make that out"),
        ("👍👍", "couldn't make that out"),
        ("yes", "nothing is waiting"),
        ("cancel", "nothing is waiting"),
        ("tell me a joke about penguins", "not sure what you'd like"),
    ],
)
def test_small_talk_and_gibberish_get_a_short_human_answer(message: str, answer: str) -> None:
    assert answer in Talk().say(message, UNKNOWN, confidence=0.3).text


def test_an_unknown_agent_is_answered_with_the_nearest_and_with_options() -> None:
    talk = Talk()
    talk.create("churn-analyzer", summary="Customer churn every month")

    said = talk.say("run churn-presenter", RUN, agent_name="churn-presenter")

    assert "churn-analyzer" in said.text
    assert [choice.action for choice in said.note.choices] == ["execute_task", "create_agent", "query_info"]
    assert not said.effects


def test_a_place_beyond_the_list_is_told() -> None:
    talk = Talk()
    talk.create("bot")
    talk.say("list my agents", ASK, operation="list_agents")

    assert "couldn't find that agent" in talk.say("run the seventh", RUN, ordinal=7).text


@pytest.mark.parametrize("action", [action for action in ActionType if action is not UNKNOWN])
def test_an_unsure_decision_asks_with_options_that_say_what_they_would_do(action: ActionType) -> None:
    talk = Talk()
    talk.create("bot", summary="Sales figures")

    said = talk.say("something with sales", action, confidence=0.5, what="sales")

    assert len(said.note.choices) >= 2
    assert all(f"{place}. {choice.label}" in said.text for place, choice in enumerate(said.note.choices, 1))
    assert all(len(choice.label.split()) > 4 for choice in said.note.choices)
    assert not said.effects


def test_an_option_names_the_source_that_was_said_and_picking_it_asks_for_none() -> None:
    talk = Talk()

    said = talk.say("watch our inbox", CREATE, confidence=0.5, what="anything urgent")
    picked = talk.say("1", UNKNOWN, choice=1)

    assert "a new agent for anything urgent from e-mail: " in said.text
    assert "where the data lives" not in said.text
    assert "Which app or service" not in picked.text


def test_every_option_does_something_when_it_is_picked() -> None:
    for first in ActionType:
        for place in (1, 2):
            talk = Talk()
            talk.create("bot", summary="Sales figures")
            talk.say("something with sales", first, confidence=0.5, alternative=CREATE, what="sales")
            picked = talk.say(str(place), UNKNOWN, choice=place)
            assert not picked.text.startswith("That number")


def test_a_number_beyond_the_options_offers_them_again() -> None:
    talk = Talk()
    before = talk.say("something with sales", RUN, confidence=0.5)

    said = talk.say("9", UNKNOWN, choice=9)

    assert said.note.choices == before.note.choices
    assert "isn't among the options" in said.text


def test_the_models_own_question_leads_the_options() -> None:
    talk = Talk()
    decision = Decision(
        action_type=CHANGE,
        confidence=0.4,
        clarifying_question="Which report do you mean?",
        alternative_action=ASK,
        source=DecisionSource.MODEL,
    )

    said = talk.answer(str(TurnId.make(CONVERSATION, talk.clock.now())), "the report", decision)

    assert said.text.startswith("Which report do you mean?")


_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "bot",
            "delete",
            "pause",
            "resume",
            "rename",
            "list_agents",
            "yes",
            "no",
            "0 9 * * *",
            "weekly",
            "slack",
        ]
    ),
    st.integers(-5, 5),
    st.booleans(),
    st.lists(st.text(max_size=10), max_size=3),
    st.dictionaries(st.sampled_from(sorted(KEYS)), st.text(max_size=20), max_size=3),
)
_REFERENCE = Reference(kind="agent", id="0" * 32, name="gone-bot")
_NOTES = st.sampled_from(
    [
        Note(),
        Note(draft={"kind": "monitor", "source": "jira"}, asking="scope, delivery"),
        Note(draft={"kind": "task"}, asking=""),
        Note(pending=Pending(action="update_agent", entities={"operation": "delete", "agent_id": "0" * 32})),
        Note(pending=Pending(action="create_agent", entities={"draft": {"kind": "report", "what": "sales"}})),
        Note(choices=(Choice(label="Change it", action="update_agent", entities={"agent_name": "bot"}),)),
        Note(listed=(_REFERENCE,), about=_REFERENCE),
    ]
)


@example_settings(75)
@given(
    message=st.one_of(
        st.text(min_size=1, max_size=80), st.sampled_from(["actually make it weekly", "2", "it"])
    ),
    action=st.sampled_from(list(ActionType)),
    confidence=st.sampled_from([0.2, 0.95]),
    entities=st.dictionaries(st.sampled_from([*sorted(KEYS), "draft", "confirmed"]), _VALUES, max_size=5),
    note=_NOTES,
)
def test_whatever_was_understood_the_reply_says_something_and_ends_with_one_outcome(
    message: str, action: ActionType, confidence: float, entities: Mapping[str, JsonValue], note: Note
) -> None:
    talk = Talk()
    talk.create("bot")
    talk.say("hello", UNKNOWN)
    talk.history[-1] = talk.history[-1].model_copy(update={"note": note})
    decision = Decision(
        action_type=action, confidence=confidence, entities=entities, source=DecisionSource.MODEL
    )

    said = talk.answer(str(TurnId.make(CONVERSATION, talk.clock.now())), message, decision)

    assert said.text.strip()
    if said.effects:
        talk.tables.for_tenant(talk.caller.tenant).transact(said.effects)


def test_a_reply_comes_in_pieces_that_make_up_the_whole() -> None:
    talk = Talk()
    decision = Decision(
        action_type=ASK, confidence=1, entities={"operation": "help"}, source=DecisionSource.OFFLINE
    )
    turn = talk.turn(str(TurnId.make(CONVERSATION, talk.clock.now())), "help")

    *pieces, outcome = talk.master.reply(turn, decision)

    assert len(pieces) > 3
    assert isinstance(outcome, Outcome)


def test_a_yes_to_nothing_is_offered_no_options() -> None:
    talk = Talk()
    talk.say("Which skills do we have?", ActionType.QUERY_INFO, operation="help")

    said = talk.say("yes", ActionType.UPDATE_AGENT, confidence=0.23)

    assert not said.note.choices
    assert "nothing is waiting for an answer" in said.text


def test_another_wish_after_options_is_not_taken_for_one_of_them() -> None:
    talk = Talk()
    talk.say("Could the thing be different", ActionType.UPDATE_AGENT, confidence=0.3)
    assert talk.history[-1].note.choices

    said = talk.classify_and_answer("list my agents")

    assert said.tools == ("list_agents",)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("what is this thing?", "OmniForge is an assistant you talk to"),
        ("are you a robot?", "OmniForge is a program"),
        ("who am I?", "signed in as maya"),
        ("can I talk to a human?", "nobody else reads this chat"),
        ("what can agents do?", "Set up agents that watch"),
        ("which apps can you connect to?", "Nothing is connected yet."),
        ("how do I add a skill?", "A skill is a connection that agents may use"),
        ("do you store my data?", "Chats are kept for"),
        ("why did it fail?", "There are no runs yet"),
        ("hello, I am new here", "You can tell me in your own words"),
        ("give me an example", "Try one of these"),
        ("you are useless", "I'm sorry I wasn't of more help"),
        ("sorry", "No problem at all"),
    ],
)
def test_a_newcomers_question_has_an_answer(message: str, reply: str) -> None:
    assert reply in Talk().classify_and_answer(message).text


def test_a_question_about_it_is_about_the_only_agent_there_is() -> None:
    talk = Talk()
    talk.create("notion-bot")
    assert "This is notion-bot" in talk.say("when does it run next?", ASK).text


def test_an_agent_that_never_ran_is_said_to_have_no_run() -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.say("show notion-bot", ASK, agent_name="notion-bot")
    assert "notion-bot hasn't run yet" in talk.say("is it done?", ASK).text


@pytest.mark.parametrize("question", ["is it done?", "how did it go", "show me what it found"])
def test_what_came_of_an_agents_run_is_asked_in_many_ways(question: str) -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.say("run notion-bot", RUN, agent_name="notion-bot")
    assert "waiting to start" in talk.say(question, ASK).text


def test_what_an_agent_does_is_no_question_about_its_runs() -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.say("show notion-bot", ASK, agent_name="notion-bot")
    assert "This is notion-bot" in talk.say("what does it do exactly?", ASK).text


def test_who_sees_an_agent_is_told_with_how_to_change_it() -> None:
    talk = Talk()
    assert talk.classify_and_answer("who can see my agents?").text.startswith(
        "An agent is seen by its owner alone"
    )
    talk.create("notion-bot")
    assert talk.classify_and_answer("who can see it?").text.startswith("Only you see notion-bot")
    talk.classify_and_answer("share notion-bot with my team")
    assert talk.classify_and_answer("can everyone see it?").text.startswith(
        "Everybody in your workspace sees notion-bot"
    )


@pytest.mark.parametrize("words", ["forget it", "no thanks", "never mind"])
def test_options_can_be_refused(words: str) -> None:
    talk = Talk()
    talk.say("sort out our reports", CREATE, confidence=0.5)
    said = talk.say(words, CREATE)
    assert said.text.startswith("All right, I've left everything")
    assert said.note.draft is None


def test_a_yes_takes_the_only_option_and_asks_which_of_several() -> None:
    talk = Talk()
    talk.say("sort out our reports", CREATE, confidence=0.5)
    assert talk.classify_and_answer("yes").note.draft is not None
    other = Talk()
    other.say("sort out our reports", CREATE, confidence=0.5, alternative=ActionType.CREATE_SKILL)
    said = other.classify_and_answer("yes")
    assert said.text.startswith("Gladly, but which of them?")
    assert said.note.choices
