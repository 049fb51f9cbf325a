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
from conversation.messages.models import Note, Reference
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


def test_a_change_of_the_retention_leaves_the_rest_of_the_policy() -> None:
    talk = administrator()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(assistant_name="Ada", allowed_models=("small",)))

    talk.say("Keep our chats for 7 days", MANAGE, operation="set_retention")
    talk.say("yes", MANAGE, reply="yes")

    policy = talk.tenants.record(talk.caller.tenant).policy
    expected = TenantPolicy(assistant_name="Ada", allowed_models=("small",), retention_days=7)
    assert policy.model_dump() == expected.model_dump()  # beside it, the former retention has a grace


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


def test_a_yes_to_a_question_kept_from_an_administrator_changes_nothing_for_anybody_else() -> None:
    talk = administrator()
    asked = talk.classify_and_answer("Keep our chats for 90 days")
    other = Talk(Caller(TenantId("acme"), "noah"), tables=talk.tables, clock=talk.clock)
    other.classify_and_answer("hello")
    other.history[-1] = other.history[-1].model_copy(update={"note": asked.note})

    said = other.classify_and_answer("yes")

    assert "administrator" in said.text
    assert not said.effects
    assert retention(talk) == 30


def test_what_nobody_can_do_here_is_not_pretended() -> None:
    for wish in ("turn on SSO", "Teach our agents to read invoices"):
        said = Talk().classify_and_answer(wish)

        assert not said.effects
        assert not said.note.did


def test_an_empty_list_says_how_to_begin() -> None:
    assert "You don't have any agents yet" in Talk().classify_and_answer("list my agents").text


def test_a_list_shows_what_is_paused_or_shared() -> None:
    talk = Talk()
    talk.create("a-bot", summary="Watches", sources=("jira",))
    talk.as_other_user("derek").create("z-bot", summary="Reports", shared=True)
    talk.classify_and_answer("pause a-bot")

    said = talk.classify_and_answer("list my agents")

    assert '1. a-bot: Watches (paused)\n2. z-bot: "Reports" (shared by derek)' in said.text
    assert [item.name for item in said.note.listed] == ["a-bot", "z-bot"]


def test_an_agent_is_shown_with_what_it_reads_and_when_it_runs() -> None:
    talk = Talk()
    talk.create("bot", "bugs", sources=("jira",), schedule={"cron": "0 9 * * *", "text": "Daily at 9:00 AM"})

    said = talk.classify_and_answer("what does bot do?")

    assert said.text == "bot: bugs from Jira; it runs daily at 9:00 AM and reports here."
    assert said.note.about


def test_runs_are_listed_with_their_time() -> None:
    talk = Talk(time_zone="Europe/Berlin")
    talk.create("bot")
    talk.classify_and_answer("run bot")

    said = talk.classify_and_answer("what ran today?")

    assert "bot, Fri 30 Jan, 10:00 AM: queued" in said.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what time is it?", "9:00 AM"),
        ("who are you?", "OmniForge is a program"),
        ("how do I create an agent?", "Say what it should do and how often"),
        ("what is the capital of France?", "I can't look that up"),
        ("are you a robot?", "OmniForge is a program"),
        ("can I talk to a human?", "nobody else reads this chat"),
        ("which apps can you connect to?", "Nothing is connected yet."),
        ("how do I add a skill?", "A skill is a connection that agents may use"),
        ("do you store my data?", "Chats are kept for"),
    ],
)
def test_questions_are_answered_honestly(question: str, answer: str) -> None:
    assert answer in Talk().classify_and_answer(question).text


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("hi there", "Hello"),
        ("Thanks a lot!", "welcome"),
        ("bye", "Bye"),
        ("how are you?", "well"),
        ("you are useless", "sorry"),
        ("sorry", "No harm done"),
        ("xkcdqwrtz", "couldn't make that out"),
        ("👍👍", "couldn't make that out"),
        ("tell me a joke about penguins", "can't"),
    ],
)
def test_small_talk_and_gibberish_get_a_short_human_answer(message: str, answer: str) -> None:
    said = Talk().classify_and_answer(message)

    assert answer in said.text
    assert not said.effects


@pytest.mark.parametrize("answer", ["yes", "no", "cancel", "2", "the last one"])
def test_an_answer_to_nothing_does_nothing(answer: str) -> None:
    talk = Talk()
    talk.create("bot")

    said = talk.classify_and_answer(answer)

    assert not said.effects
    assert said.tools == ()


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("who am I?", "signed in as maya"),
        ("what can agents do?", "watch"),
        ("who can see my agents?", "can't open your chats"),
    ],
)
def test_a_newcomers_question_has_an_answer(message: str, reply: str) -> None:
    talk = Talk()
    talk.create("bot")

    assert reply in talk.classify_and_answer(message).text


def test_an_unknown_agent_is_asked_about_and_nothing_runs() -> None:
    talk = Talk()
    talk.create("churn-analyzer", summary="Customer churn every month")

    said = talk.classify_and_answer("run sales-presenter")

    assert "churn-analyzer" in said.text
    assert not said.effects


@pytest.mark.parametrize("message", ["run the seventh", "pause the second one", "delete the third agent"])
def test_a_place_beyond_the_list_is_asked_about_and_means_no_other_agent(message: str) -> None:
    talk = Talk()
    talk.create("bot")
    talk.classify_and_answer("list my agents")

    said = talk.classify_and_answer(message)

    assert "only bot. Do you mean that one?" in said.text
    assert not said.effects


def unsure_model() -> Talk:
    """A conversation in which a model was unsure and options were offered."""
    talk = Talk()
    talk.create("bot", summary="Sales figures")
    model = DecisionSource.MODEL
    talk.say("Analyze our customer churn", RUN, confidence=0.5, alternative=CREATE, source=model)
    assert talk.history[-1].note.question
    return talk


def test_a_number_beyond_the_options_offers_them_again() -> None:
    talk = unsure_model()
    before = talk.history[-1]

    said = talk.classify_and_answer("9")

    assert said.text.startswith("That isn't one of these:\n\n1. ")
    assert said.text.partition("\n\n")[2] == before.content.partition("\n\n")[2]
    assert talk.classify_and_answer("2").note.draft


@pytest.mark.parametrize("words", ["forget it", "no thanks", "never mind"])
def test_options_can_be_refused(words: str) -> None:
    talk = unsure_model()

    said = talk.classify_and_answer(words)

    assert not said.effects
    assert (said.note.draft, said.note.question) == (None, None)


def test_another_wish_after_options_is_not_taken_for_one_of_them() -> None:
    said = unsure_model().classify_and_answer("list my agents")

    assert said.tools == ("list_agents",)


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
_GONE: JsonValue = {"kind": "agent.delete", "text": "delete it", "things": [["0" * 32, "gone-bot"]]}
_NOTES = st.sampled_from(
    [
        Note(),
        Note(draft={"brief": "watch Jira", "what": "tickets", "sources": ["jira"], "asked": ["when"]}),
        Note(draft={"kind": "task"}),
        Note(question={"asked": "confirm", "waiting": [_GONE]}),
        Note(question={"asked": "which", "waiting": [_GONE], "options": [_REFERENCE.model_dump()]}),
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


@pytest.mark.parametrize("question", ["is it done?", "how did it go", "show me what it found"])
def test_what_came_of_an_agents_run_is_asked_in_many_ways(question: str) -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.say("run notion-bot", RUN, agent_name="notion-bot")
    assert "waiting to start" in talk.say(question, ASK).text


def test_a_reply_comes_in_pieces_that_make_up_the_whole() -> None:
    talk = Talk()
    for name in ("a-bot", "b-bot", "c-bot"):
        talk.create(name)
    decision = talk.classify("list my agents")
    turn = talk.turn(str(TurnId.make(CONVERSATION, talk.clock.now())), "list my agents")

    *pieces, outcome = talk.master.reply(turn, decision)

    assert len(pieces) > 3
    assert isinstance(outcome, Outcome)


def test_what_an_agent_does_is_no_question_about_its_runs() -> None:
    talk = Talk()
    talk.create("notion-bot")
    talk.classify_and_answer("run notion-bot")
    assert talk.classify_and_answer("what does notion-bot do exactly?").text.startswith("notion-bot: ")


def test_who_sees_an_agent_is_told() -> None:
    talk = Talk()
    talk.create("notion-bot")
    assert "only you" in talk.classify_and_answer("who can see notion-bot?").text
    talk.classify_and_answer("share notion-bot with my team")
    assert "everybody in your workspace" in talk.classify_and_answer("can everyone see it?").text
