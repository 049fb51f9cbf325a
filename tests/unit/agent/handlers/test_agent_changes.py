"""Changing, pausing, renaming and deleting agents in conversation."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import JsonValue

from agent import agent_targets
from agent.handler_interface import agent_reference
from agent.requested_entities import RequestedEntities
from agent.wizard import drafts
from agent.workspace.agents import AgentChange, AgentStatus
from agent.workspace.delivery_targets import Channel
from conversation.messages.models import Note
from intent.decision import ActionType
from storage.errors import TransactionRefused
from tests.fakes.data.chat_session import Talk

CHANGE, ASK, UNKNOWN = ActionType.UPDATE_AGENT, ActionType.QUERY_INFO, ActionType.UNKNOWN
WEEKLY = {"cron": "0 9 * * 1", "time_zone": "Europe/Berlin", "text": "Every Monday at 9:00 AM"}


def with_bot(**fields: object) -> Talk:
    talk = Talk()
    talk.create("notion-bot", "project updates", **{"sources": ("notion",), "schedule": WEEKLY, **fields})
    return talk


@pytest.mark.parametrize(
    ("message", "entities", "cron"),
    [
        (
            "run notion-bot every Friday at 3pm",
            {"change": {"schedule_text": "every Friday at 3pm"}},
            "0 15 * * 5",
        ),
        ("make it daily", {}, "0 9 * * *"),
        ("make it 10am", {}, "0 10 * * 1"),
        ("every hour please", {"change": {"schedule": "every hour"}}, "0 * * * *"),
        ("as I said", {"change": {"cron": "30 6 * * *"}}, "30 6 * * *"),
    ],
)
def test_a_schedule_changes_in_its_own_time_zone(
    message: str, entities: dict[str, JsonValue], cron: str
) -> None:
    talk = with_bot()

    said = talk.say(message, CHANGE, agent_name="notion-bot", extra=entities)

    [agent] = talk.agents()
    assert agent.schedule
    assert (agent.schedule.cron, agent.schedule.time_zone) == (cron, "Europe/Berlin")
    assert said.tools == ("update_agent",)


@pytest.mark.parametrize(
    "message", ["use https://hooks.slack.com/services/T0/B0/x", "https://hooks.slack.com/services/T0/B0/x"]
)
def test_a_place_that_slack_takes_posts_at_is_for_results_and_no_skill(message: str) -> None:
    talk = with_bot(delivery={"channels": ("slack",)})
    talk.say("show it", ASK, operation="show_agent", agent_name="notion-bot")

    said = talk.say(message, ActionType.CREATE_SKILL)

    assert "results go to Slack" in said.text
    assert talk.agents()[0].delivery.recipients == ("https://hooks.slack.com/services/T0/B0/x",)


def test_what_happens_several_times_a_day_may_be_kept_to_some_days() -> None:
    talk = with_bot(schedule={"cron": "*/15 * * * *", "time_zone": "UTC", "text": "Every 15 minutes"})

    for message, cron, text in (
        ("make it run only on weekdays", "*/15 * * * 1-5", "Every 15 minutes on weekdays"),
        ("just on Mondays", "*/15 * * * 1", "Every 15 minutes on Mondays"),
        ("make it every Monday", "0 9 * * 1", "Mondays at 9:00 AM"),
    ):
        talk.say(message, CHANGE, agent_name="notion-bot")
        schedule = talk.agents()[0].schedule
        assert schedule is not None
        assert (schedule.cron, schedule.text) == (cron, text)


def test_a_change_told_instead_of_picking_an_option_is_made_and_nothing_is_run() -> None:
    talk = with_bot()
    talk.say("clean the car", ActionType.EXECUTE_TASK, what="car")

    said = talk.say("make it hourly", CHANGE, schedule_text="hourly", agent_id=talk.agents()[0].id)

    assert "I've changed notion-bot" in said.text


def test_a_time_zone_that_is_named_counts() -> None:
    talk = with_bot()

    talk.say("it should be daily at 2am UTC", CHANGE, agent_name="notion-bot")

    assert "(UTC)" in drafts.schedule_text(talk.agents()[0].schedule)


def test_several_fields_change_at_once() -> None:
    talk = with_bot()

    change: dict[str, JsonValue] = {
        "source": "Trello",
        "scope": "MARKETING",
        "delivery": "slack",
        "recipients": ["#ops"],
        "format": "table",
    }
    talk.say("x", CHANGE, agent_name="notion-bot", change=change)

    [agent] = talk.agents()
    assert (agent.sources, agent.scope, agent.format) == (("trello",), "MARKETING", "table")
    assert (agent.delivery.channels, agent.delivery.recipients) == ((Channel.SLACK,), ("#ops",))
    assert agent.needs_connection == ("trello", "slack")


def test_a_changed_agent_no_longer_keeps_a_summary_of_what_it_was() -> None:
    talk = with_bot(summary="Weekly Notion summaries")

    talk.say("make it daily", CHANGE, agent_name="notion-bot")

    assert talk.agents()[0].card().summary == "Project updates from Notion, daily"


def test_a_schedule_that_can_not_be_kept_is_answered_with_ones_that_can() -> None:
    talk = with_bot()

    options = talk.say("every 7 minutes", CHANGE, agent_name="notion-bot")
    talk.say("1", CHANGE, choice=1)

    assert "can't do" in options.text
    assert not options.effects
    schedule = talk.agents()[0].schedule
    assert schedule
    assert schedule.cron == "*/5 * * * *"


def test_another_job_needs_a_yes() -> None:
    talk = with_bot()

    question = talk.say(
        "it should look at open questions", CHANGE, agent_name="notion-bot", change={"what": "open questions"}
    )
    assert talk.agents()[0].what == "project updates"
    talk.say("yes", UNKNOWN)

    assert question.note.pending
    assert talk.agents()[0].what == "open questions"


def test_words_that_fit_no_field_are_offered_as_an_instruction() -> None:
    talk = with_bot(instructions="Be brief.")
    words = "notion-bot is too stiff, greet people by first name"

    question = talk.say(words, CHANGE, agent_name="notion-bot", what=None)
    talk.say("yes please", UNKNOWN)

    assert words in question.text
    assert talk.agents()[0].instructions == f"Be brief.\n{words}"


def test_instructions_never_outgrow_an_agent() -> None:
    talk = with_bot(instructions="x" * 3_990)

    said = talk.say("x", CHANGE, agent_name="notion-bot", change={"instructions": "one more thing"})

    assert not said.effects
    assert "as long as they can get" in said.text


def test_an_unclear_change_is_asked_back() -> None:
    said = with_bot().say("change it", CHANGE, agent_name="notion-bot")

    assert said.text.startswith("What should change about notion-bot?")


def test_an_agent_is_renamed_and_found_by_its_new_name() -> None:
    talk = with_bot()

    said = talk.say("rename it to ticket-watch", CHANGE, agent_name="notion-bot", operation="rename")
    talk.say("pause ticket-watch", CHANGE, agent_name="ticket-watch", operation="pause")

    assert "ticket-watch" in said.text
    [agent] = talk.agents()
    assert (agent.name, agent.status) == ("ticket-watch", AgentStatus.PAUSED)


def test_a_name_that_is_taken_or_no_name_is_refused() -> None:
    talk = with_bot()
    talk.create("other")

    taken = talk.say("rename notion-bot", CHANGE, agent_name="notion-bot", new_name="Other")
    unusable = talk.say("rename notion-bot", CHANGE, agent_name="notion-bot", new_name="!!!")

    assert "already have an agent called other" in taken.text
    assert "can't make a name out of that" in unusable.text
    assert not taken.effects
    assert not unusable.effects


def test_pausing_and_resuming_twice_changes_nothing_twice() -> None:
    talk = with_bot()

    paused = talk.say("pause it", CHANGE, agent_name="notion-bot", operation="pause")
    again = talk.say("pause it", CHANGE, operation="pause")
    resumed = talk.say("resume it", CHANGE, operation="resume")

    assert paused.effects
    assert "already paused" in again.text
    assert not again.effects
    assert "Every Monday at 9:00 AM (Europe/Berlin)" in resumed.text
    assert talk.agents()[0].status is AgentStatus.ACTIVE


@pytest.mark.parametrize("answer", ["yes", "Yes, delete it", "ok", "sure, do it", "I'm sure"])
def test_an_agent_is_deleted_after_a_yes_only(answer: str) -> None:
    talk = with_bot()

    question = talk.say("delete notion-bot", CHANGE, operation="delete", agent_name="notion-bot")
    assert len(talk.agents()) == 1
    done = talk.say(answer, UNKNOWN)

    assert "can be restored for 30 days" in question.text
    assert done.tools == ("delete_agent",)
    assert talk.agents() == []


@pytest.mark.parametrize(
    "answer", ["no", "no, keep it", "cancel", "ok, list my agents", "yesterday it failed", "yes?"]
)
def test_without_a_plain_yes_nothing_is_deleted(answer: str) -> None:
    talk = with_bot()
    talk.say("delete notion-bot", CHANGE, operation="delete", agent_name="notion-bot")

    said = talk.say(answer, ASK)
    talk.say("hello", UNKNOWN)

    assert not said.effects
    assert len(talk.agents()) == 1


def test_a_decision_can_not_confirm_by_itself() -> None:
    talk = with_bot()

    said = talk.say("delete notion-bot", CHANGE, operation="delete", agent_name="notion-bot", confirmed=True)

    assert said.note.pending
    assert len(talk.agents()) == 1


def test_an_agent_changed_between_the_question_and_the_yes_is_deleted_as_it_is_now() -> None:
    talk = with_bot()
    talk.say("delete notion-bot", CHANGE, operation="delete", agent_name="notion-bot")
    agent = talk.agents()[0]
    talk.store.update(talk.caller, agent.id, AgentChange(scope="X"))

    talk.say("yes", UNKNOWN)

    assert talk.agents() == []


def test_an_agent_deleted_between_the_question_and_the_yes_is_not_found() -> None:
    talk = with_bot()
    talk.say("delete notion-bot", CHANGE, operation="delete", agent_name="notion-bot")
    talk.store.delete(talk.caller, talk.agents()[0].id)

    said = talk.say("yes", UNKNOWN)

    assert not said.effects


def test_a_change_made_meanwhile_refuses_the_effects_of_a_late_turn() -> None:
    talk = with_bot()
    agent = talk.agents()[0]
    late = talk.store.update_actions(
        talk.caller.tenant, agent, AgentChange(scope="Y").applied_to(agent, talk.clock.now())
    )
    talk.say("pause it", CHANGE, agent_name="notion-bot", operation="pause")

    with pytest.raises(TransactionRefused):
        talk.tables.for_tenant(talk.caller.tenant).transact(late)


def test_a_colleagues_shared_agent_is_left_alone_politely() -> None:
    talk = with_bot(shared=True)
    derek = talk.as_other_user("derek")

    for operation in ("pause", "delete", "change"):
        said = derek.say("do it", CHANGE, agent_name="notion-bot", operation=operation)
        assert "only its owner can change it" in said.text
        assert not said.effects
    assert derek.say("show notion-bot", ASK, agent_name="notion-bot").text.endswith(
        "only its owner can change it."
    )


def test_a_colleagues_private_agent_is_as_good_as_none() -> None:
    talk = with_bot()
    derek = talk.as_other_user("derek")

    assert "don't have any agents" in derek.say("delete notion-bot", CHANGE, agent_name="notion-bot").text


def test_which_agent_is_asked_and_picked_by_number_or_by_name() -> None:
    by_number: dict[str, JsonValue] = {"choice": 2}
    by_name: dict[str, JsonValue] = {"agent_id": "other"}
    for answer, entities in (("2", by_number), ("other", by_name)):
        talk = with_bot()
        other = talk.create("other")
        options = talk.say("pause my agent, will you", CHANGE, operation="pause", agent_name="nothing")
        picked = {key: other.id if key == "agent_id" else value for key, value in entities.items()}
        talk.say(answer, ASK, extra=picked)

        assert [choice.entities["agent_name"] for choice in options.note.choices] == ["notion-bot", "other"]
        assert {agent.name: agent.status for agent in talk.agents()}["other"] is AgentStatus.PAUSED


def test_the_only_agent_needs_no_name() -> None:
    talk = with_bot()

    talk.say("pause the schedule for now", CHANGE, operation="pause")

    assert talk.agents()[0].status is AgentStatus.PAUSED


@pytest.mark.parametrize(("ordinal", "name"), [(1, "a"), (2, "b"), (-1, "c")])
def test_a_place_in_the_last_list_names_an_agent(ordinal: int, name: str) -> None:
    talk = Talk()
    for each in ("a", "b", "c"):
        talk.create(each)
    talk.say("list my agents", ASK, operation="list_agents")
    talk.say("thanks", UNKNOWN)

    talk.say("pause that one", CHANGE, operation="pause", ordinal=ordinal)

    assert [agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED] == [name]


def test_it_means_the_agent_talked_about_last() -> None:
    talk = with_bot()
    talk.create("other")
    talk.say("show other", ASK, agent_name="other")

    talk.say("pause it", CHANGE, operation="pause")

    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "notion-bot": "active",
        "other": "paused",
    }


def test_an_agent_listed_fresh_is_found_although_the_roster_is_older() -> None:
    talk = Talk()
    talk.create("other")
    stale = talk.turn("t", "x").roster
    fresh = talk.create("fresh")
    turn = replace(talk.turn("t", "pause the first one"), roster=stale)
    listed = Note(listed=(agent_reference(fresh),))
    talk.say("list my agents", ASK, operation="list_agents")
    talk.history[-1] = talk.history[-1].model_copy(update={"note": listed})
    turn = replace(turn, situation=replace(turn.situation, history=tuple(talk.history)))

    found = agent_targets.find_agent(turn, RequestedEntities(ordinal=1), talk.store)

    assert found == fresh.card()


def test_an_agent_meant_by_its_id_is_that_one_or_none() -> None:
    talk = with_bot()
    talk.say("list my agents", ASK, operation="list_agents")
    turn = talk.turn("t", "pause it")

    assert (
        agent_targets.find_agent(
            turn, RequestedEntities(agent_id="0" * 32, agent_name="notion-bot", ordinal=1), talk.store
        )
        is None
    )


def test_a_yes_to_a_deletion_never_hits_another_agent() -> None:
    talk = with_bot()
    other = talk.create("other")
    talk.say("delete other", CHANGE, operation="delete", agent_id=other.id, agent_name="other")
    talk.store.delete(talk.caller, other.id)

    said = talk.say("yes", CHANGE, reply="yes")

    assert not said.effects
    assert [agent.name for agent in talk.agents()] == ["notion-bot"]


def test_an_agent_made_elsewhere_a_moment_ago_is_found_by_name() -> None:
    talk = Talk()
    turn_before = talk.turn("t", "pause fresh")
    talk.create("fresh")

    assert turn_before.own_agents() == ()
    assert talk.say("pause fresh", CHANGE, agent_name="fresh", operation="pause").tools == ("update_agent",)


@pytest.mark.parametrize(
    ("message", "known", "cron"),
    [
        ("actually make it 8", WEEKLY, "0 8 * * 1"),
        ("8 instead", WEEKLY, "0 8 * * 1"),
        (
            "no wait, seven please",
            {**WEEKLY, "cron": "0 17 * * 1", "text": "Every Monday at 5:00 PM"},
            "0 19 * * 1",
        ),
        ("change it to 30", {**WEEKLY, "cron": "*/15 * * * *", "text": "Every 15 minutes"}, "*/30 * * * *"),
    ],
)
def test_a_number_alone_is_another_time_for_the_agent_just_talked_about(
    message: str, known: dict[str, str], cron: str
) -> None:
    talk = with_bot(schedule=known)
    talk.say("show notion-bot", ASK, agent_name="notion-bot")

    talk.classify_and_answer(message)

    schedule = talk.agents()[0].schedule
    assert schedule
    assert schedule.cron == cron


@pytest.mark.parametrize("message", ["make it 99", "make it 0", "8", "1 please"])
def test_a_number_that_is_no_hour_changes_nothing(message: str) -> None:
    talk = with_bot()
    assert not talk.say(message, CHANGE, agent_name="notion-bot").effects


def test_the_time_of_an_agent_in_the_making_is_corrected_by_a_number_alone() -> None:
    talk = Talk()
    talk.classify_and_answer("set up an agent that reports open Jira tickets every Monday at 9am")
    talk.classify_and_answer("actually make it 8")
    talk.classify_and_answer("here")
    schedule = talk.agents()[0].schedule
    assert schedule
    assert schedule.cron == "0 8 * * 1"


def test_an_agent_told_to_run_again_and_again_is_not_run_now() -> None:
    talk = with_bot()
    talk.say("show notion-bot", ASK, agent_name="notion-bot")

    said = talk.say("run it every day at 5pm", ActionType.EXECUTE_TASK)

    assert said.tools == ("update_agent",)
    schedule = talk.agents()[0].schedule
    assert schedule
    assert schedule.cron == "0 17 * * *"


def test_a_change_to_what_is_so_already_is_not_told_as_done() -> None:
    talk = with_bot()

    said = talk.say("make it weekly", CHANGE, agent_name="notion-bot")

    assert not said.effects
    assert "like that already" in said.text


def test_what_an_agent_lacks_is_told_once_and_again_when_it_lacks_something_else() -> None:
    talk = with_bot()

    timed = talk.say("make it daily", CHANGE, agent_name="notion-bot")
    again = talk.say("make it weekly", CHANGE, agent_name="notion-bot")
    paused = talk.say("pause notion-bot", CHANGE, operation="pause", agent_name="notion-bot")
    resumed = talk.say("resume notion-bot", CHANGE, operation="resume", agent_name="notion-bot")
    moved = talk.say("post it to slack", CHANGE, agent_name="notion-bot")

    assert timed.text.endswith("Before it can work: connect Notion.")
    assert not any("Before it can work" in said.text for said in (again, paused, resumed))
    assert "Before it can work: connect Notion." in moved.text
    assert "the link that Slack gives out" in moved.text


def test_an_option_to_change_some_agent_asks_what_should_change() -> None:
    talk = with_bot()
    talk.say("our weekly report takes ages", CHANGE, confidence=0.6, alternative=ActionType.CREATE_AGENT)

    said = talk.say("1", CHANGE, choice=1)

    assert said.tools == ()
    assert said.text.startswith("What should change about notion-bot?")


def test_an_agent_is_shared_and_no_longer_shared_in_plain_words() -> None:
    talk = with_bot()
    talk.say("share it with my team", CHANGE, agent_name="notion-bot")
    assert talk.agents()[0].shared
    talk.say("stop sharing it", CHANGE, agent_name="notion-bot", operation="pause")
    [agent] = talk.agents()
    assert (agent.shared, agent.status) == (False, AgentStatus.ACTIVE)


def test_sharing_with_one_person_needs_a_yes_as_everybody_would_see_it() -> None:
    talk = with_bot()
    asked = talk.say("share it with Noah", CHANGE, agent_name="notion-bot")
    assert "not with single people" in asked.text
    assert not talk.agents()[0].shared
    talk.say("yes")
    assert talk.agents()[0].shared


@pytest.mark.parametrize("message", ["just slack then", "by slack", "Slack instead"])
def test_a_channel_alone_is_where_the_results_of_the_agent_just_shown_go(message: str) -> None:
    talk = with_bot()
    talk.say("show notion-bot", ASK, agent_name="notion-bot")
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.channels) == (("notion",), (Channel.SLACK,))


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("change the source to Trello", "sources", ("trello",)),
        ("add an instruction: keep it short", "instructions", "keep it short"),
        ("rename it board-notes", "name", "board-notes"),
    ],
)
def test_a_field_that_is_named_changes_on_the_agent_just_shown(
    message: str, field: str, value: object
) -> None:
    talk = with_bot()
    talk.say("show notion-bot", ASK, agent_name="notion-bot")
    talk.classify_and_answer(message)
    assert getattr(talk.agents()[0], field) == value


def test_a_wish_for_another_rhythm_is_asked_which() -> None:
    talk = with_bot()
    asked = talk.say("make it less often", CHANGE, agent_name="notion-bot")
    assert asked.text.startswith("How often should notion-bot work?")
    assert asked.note.choices


def test_a_pause_for_a_while_says_that_nobody_ends_it() -> None:
    talk = with_bot()
    said = talk.say("pause it until January", CHANGE, operation="pause", agent_name="notion-bot")
    assert "I don't resume agents by myself" in said.text


@pytest.mark.parametrize("words", ["hmm wait no", "actually no"])
def test_a_hesitant_no_keeps_an_agent(words: str) -> None:
    talk = with_bot()
    talk.say("delete it", CHANGE, operation="delete", agent_name="notion-bot")
    said = talk.classify_and_answer(words)
    assert said.text.startswith("All right, I've left everything")
    assert talk.agents()


def test_the_only_agent_is_the_first_one_without_a_list() -> None:
    talk = with_bot()
    talk.say("pause the first one", CHANGE, operation="pause", ordinal=1)
    assert talk.agents()[0].status is AgentStatus.PAUSED


@pytest.mark.parametrize(
    ("message", "channels"),
    [
        ("add e-mail as well", (Channel.SLACK, Channel.EMAIL)),
        ("send it by e-mail", (Channel.EMAIL,)),
        ("also e-mail it to finance@acme.example", (Channel.SLACK, Channel.EMAIL)),
        ("remove slack", (Channel.CONVERSATION,)),
        ("remove slack again please", (Channel.CONVERSATION,)),
    ],
)
def test_a_channel_is_added_taken_away_or_put_in_place_of_another(
    message: str, channels: tuple[Channel, ...]
) -> None:
    talk = with_bot(delivery={"channels": ("slack",)})
    talk.say("show notion-bot", ASK, agent_name="notion-bot")

    said = talk.classify_and_answer(message)

    assert said.note.pending is None
    assert talk.agents()[0].delivery.channels == channels


def test_a_channel_that_is_added_is_no_source() -> None:
    talk = with_bot(delivery={"channels": ("email",)})
    sources = talk.agents()[0].sources
    talk.say("show notion-bot", ASK, agent_name="notion-bot")

    talk.classify_and_answer("also slack it to #finance")

    [agent] = talk.agents()
    assert agent.sources == sources
    assert agent.delivery.channels == (Channel.EMAIL, Channel.SLACK)


def test_a_paused_agent_that_is_started_again_has_its_schedule_back_and_does_not_run() -> None:
    talk = with_bot()
    talk.say("pause it", CHANGE, operation="pause", agent_name="notion-bot")

    said = talk.say("start it again", ActionType.EXECUTE_TASK)

    assert said.tools == ("update_agent",)
    assert talk.agents()[0].status is AgentStatus.ACTIVE
