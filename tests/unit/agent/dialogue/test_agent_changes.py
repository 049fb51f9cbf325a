"""Changing, pausing, renaming and deleting agents in conversation."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentChange, AgentStatus, Schedule
from agent.workspace.delivery_targets import Channel
from conversation.messages.models import Note, Reference
from intent.decision import ActionType, DecisionSource
from storage.errors import TransactionRefused
from tests.fakes.data.chat_session import Talk

WEEKLY = {"cron": "0 9 * * 1", "time_zone": "Europe/Berlin", "text": "Every Monday at 9:00 AM"}
OFTEN = {"cron": "*/15 * * * *", "time_zone": "UTC", "text": "Every 15 minutes"}
HOOK = "https://hooks.slack.com/services/T0/B0/x"


def with_bot(**fields: object) -> Talk:
    """A conversation of somebody with one agent."""
    talk = Talk()
    talk.create("notion-bot", "project updates", **{"sources": ("notion",), "schedule": WEEKLY, **fields})
    return talk


def shown(**fields: object) -> Talk:
    """The same, just after the agent was shown."""
    talk = with_bot(**fields)
    talk.classify_and_answer("show notion-bot")
    return talk


def schedule_of(talk: Talk) -> Schedule:
    schedule = talk.agents()[0].schedule
    assert schedule
    return schedule


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("run notion-bot every Friday at 3pm", "0 15 * * 5"),
        ("make notion-bot daily", "0 9 * * *"),
        ("make it 10am", "0 10 * * 1"),
        ("every hour please", "0 * * * *"),
        ("run it every day at 5pm", "0 17 * * *"),
    ],
)
def test_a_schedule_changes_in_its_own_time_zone_and_nothing_runs_now(message: str, cron: str) -> None:
    talk = shown()

    said = talk.classify_and_answer(message)

    assert (schedule_of(talk).cron, schedule_of(talk).time_zone) == (cron, "Europe/Berlin")
    assert said.tools == ("update_agent",)


def test_a_place_that_slack_takes_posts_at_is_for_results_and_no_skill() -> None:
    talk = shown(delivery={"channels": ("slack",)})

    said = talk.classify_and_answer(f"use {HOOK}")

    assert "now posts to Slack" in said.text
    assert talk.agents()[0].delivery.recipients == (HOOK,)


@pytest.mark.xfail(strict=True, reason="an address alone is no message that is understood")
def test_an_address_alone_is_where_the_results_of_the_agent_just_shown_go() -> None:
    talk = shown(delivery={"channels": ("slack",)})

    talk.classify_and_answer(HOOK)

    assert talk.agents()[0].delivery.recipients == (HOOK,)


def test_what_happens_several_times_a_day_may_be_kept_to_some_days() -> None:
    talk = shown(schedule=OFTEN)

    for message, cron, text in (
        ("make it run only on weekdays", "*/15 * * * 1-5", "Every 15 minutes on weekdays"),
        ("make it every Monday", "0 9 * * 1", "Mondays at 9:00 AM"),
    ):
        talk.classify_and_answer(message)
        assert (schedule_of(talk).cron, schedule_of(talk).text) == (cron, text)


def test_a_change_told_instead_of_picking_an_option_is_made_and_nothing_is_run() -> None:
    talk = with_bot()
    work, other = ActionType.EXECUTE_TASK, ActionType.CREATE_AGENT
    talk.say("clean the car", work, confidence=0.5, alternative=other, source=DecisionSource.MODEL)
    assert talk.history[-1].note.question

    said = talk.classify_and_answer("make notion-bot run hourly")

    assert said.tools == ("update_agent",)
    assert schedule_of(talk).cron == "0 * * * *"


def test_a_time_zone_that_is_named_counts() -> None:
    talk = shown()

    talk.classify_and_answer("it should run daily at 2am UTC")

    assert (schedule_of(talk).cron, schedule_of(talk).time_zone) == ("0 2 * * *", "UTC")


def test_several_fields_change_at_once() -> None:
    talk = with_bot()

    talk.classify_and_answer("make notion-bot read Trello and post to Slack")

    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.channels) == (("trello",), (Channel.SLACK,))
    assert agent.needs_connection == ("trello", "slack")


def test_a_changed_agent_no_longer_keeps_a_summary_of_what_it_was() -> None:
    talk = shown(summary="Weekly Notion summaries")

    talk.classify_and_answer("make it daily")

    assert talk.agents()[0].card().summary == "Project updates from Notion, daily"


@pytest.mark.parametrize(
    ("wish", "cron"),
    [("make it run every minute", "*/5 * * * *"), ("move it to the second of march", "0 9 2 3 *")],
)
def test_a_yes_takes_the_schedule_that_comes_near_to_one_that_can_not_be_kept(wish: str, cron: str) -> None:
    talk = shown()

    offered = talk.classify_and_answer(wish)
    talk.classify_and_answer("yes please")

    assert offered.text.endswith(" do?")
    assert not offered.effects
    assert schedule_of(talk).cron == cron


def test_a_no_to_an_offered_schedule_or_another_one_leaves_it_aside() -> None:
    for answer, cron in (("no", "0 9 * * 1"), ("every 20 minutes", "*/20 * * * *")):
        talk = shown()
        talk.classify_and_answer("make it run every minute")

        talk.classify_and_answer(answer)

        assert schedule_of(talk).cron == cron


def test_a_wish_for_how_it_works_is_kept_in_its_own_words() -> None:
    talk = shown(instructions="Be brief.")

    talk.classify_and_answer("it should look at open questions instead")

    assert talk.agents()[0].instructions == "Be brief.\nit should look at open questions instead"
    assert talk.agents()[0].what == "project updates"


@pytest.mark.parametrize("answer", ["yes please", "ok", "no"])
def test_a_yes_to_what_should_change_changes_nothing(answer: str) -> None:
    talk = with_bot(instructions="Be brief.")
    asked = talk.classify_and_answer("notion-bot is too stiff, greet people by first name")

    said = talk.classify_and_answer(answer)

    assert asked.text.startswith("What should change about notion-bot")
    assert not said.effects
    assert talk.agents()[0].instructions == "Be brief."


def test_instructions_never_outgrow_an_agent() -> None:
    talk = shown(instructions="x" * 3_990)

    said = talk.classify_and_answer("it should look at open questions instead")

    assert not said.effects
    assert talk.agents()[0].instructions == "x" * 3_990


def test_an_unclear_change_is_asked_back() -> None:
    said = with_bot().classify_and_answer("change notion-bot")

    assert said.text.startswith("What should change about notion-bot")
    assert not said.effects


def test_an_agent_is_renamed_and_found_by_its_new_name() -> None:
    talk = with_bot()

    said = talk.classify_and_answer("rename it to ticket-watch")
    talk.classify_and_answer("pause ticket-watch")

    assert "ticket-watch" in said.text
    [agent] = talk.agents()
    assert (agent.name, agent.status) == ("ticket-watch", AgentStatus.PAUSED)


def test_a_name_that_is_taken_is_refused_and_another_one_asked_for() -> None:
    talk = with_bot()
    talk.create("other")

    taken = talk.classify_and_answer("rename notion-bot to other")
    assert not taken.effects
    talk.classify_and_answer("notes-bot")

    assert {agent.name for agent in talk.agents()} == {"notes-bot", "other"}


def test_signs_without_letters_are_no_name() -> None:
    talk = with_bot()

    assert not talk.classify_and_answer("rename notion-bot to !!!").effects


def test_pausing_and_resuming_twice_changes_nothing_twice() -> None:
    talk = with_bot()

    paused = talk.classify_and_answer("pause it")
    again = talk.classify_and_answer("pause it")
    resumed = talk.classify_and_answer("resume it")

    assert paused.effects
    assert "already paused" in again.text
    assert not again.effects
    assert "every Monday at 9:00 AM (Europe/Berlin)" in resumed.text
    assert talk.agents()[0].status is AgentStatus.ACTIVE


@pytest.mark.parametrize("answer", ["yes", "Yes, delete it", "ok", "sure, do it", "I'm sure"])
def test_an_agent_is_deleted_after_a_yes_only(answer: str) -> None:
    talk = with_bot()

    question = talk.classify_and_answer("delete notion-bot")
    assert len(talk.agents()) == 1
    done = talk.classify_and_answer(answer)

    assert question.text == "Shall I delete notion-bot?"
    assert done.tools == ("delete_agent",)
    assert talk.agents() == []


@pytest.mark.parametrize(
    "answer",
    [
        "no",
        "no, keep it",
        "cancel",
        "ok, list my agents",
        "yesterday it failed",
        "yes?",
        "hmm wait no",
        "actually no",
    ],
)
def test_without_a_plain_yes_nothing_is_deleted(answer: str) -> None:
    talk = with_bot()
    talk.classify_and_answer("delete notion-bot")

    said = talk.classify_and_answer(answer)
    talk.classify_and_answer("hello")

    assert not said.effects
    assert len(talk.agents()) == 1


def test_a_decision_can_not_confirm_by_itself() -> None:
    talk = with_bot()

    said = talk.say(
        "delete notion-bot",
        ActionType.UPDATE_AGENT,
        source=DecisionSource.MODEL,
        operation="delete",
        agent_name="notion-bot",
        confirmed=True,
        reply="yes",
    )

    assert said.note.question
    assert len(talk.agents()) == 1


def test_an_agent_changed_between_the_question_and_the_yes_is_deleted_as_it_is_now() -> None:
    talk = with_bot()
    talk.classify_and_answer("delete notion-bot")
    agent = talk.agents()[0]
    talk.store.update(talk.caller, agent.id, AgentChange(scope="X"))

    talk.classify_and_answer("yes")

    assert talk.agents() == []


def test_an_agent_deleted_between_the_question_and_the_yes_is_not_found() -> None:
    talk = with_bot()
    talk.classify_and_answer("delete notion-bot")
    talk.store.delete(talk.caller, talk.agents()[0].id)

    said = talk.classify_and_answer("yes")

    assert not said.effects


def test_a_yes_to_a_deletion_never_hits_another_agent() -> None:
    talk = with_bot()
    other = talk.create("other")
    talk.classify_and_answer("delete other")
    talk.store.delete(talk.caller, other.id)

    said = talk.classify_and_answer("yes")

    assert not said.effects
    assert [agent.name for agent in talk.agents()] == ["notion-bot"]


def test_a_change_made_meanwhile_refuses_the_effects_of_a_late_turn() -> None:
    talk = with_bot()
    agent = talk.agents()[0]
    late = talk.store.update_actions(
        talk.caller.tenant, agent, AgentChange(scope="Y").applied_to(agent, talk.clock.now())
    )
    talk.classify_and_answer("pause it")

    with pytest.raises(TransactionRefused):
        talk.tables.for_tenant(talk.caller.tenant).transact(late)


@pytest.mark.parametrize(
    "message", ["pause notion-bot", "delete notion-bot", "make notion-bot daily", "rename notion-bot to mine"]
)
def test_a_colleagues_shared_agent_is_left_alone_politely(message: str) -> None:
    talk = with_bot(shared=True)
    derek = talk.as_other_user("derek")

    said = derek.classify_and_answer(message)

    assert "maya" in said.text
    assert not said.effects
    assert not derek.classify_and_answer("yes").effects
    assert [agent.name for agent in talk.agents()] == ["notion-bot"]


def test_a_colleagues_private_agent_is_as_good_as_none() -> None:
    derek = with_bot().as_other_user("derek")

    said = derek.classify_and_answer("show notion-bot")

    assert "Notion" not in said.text
    for message in ("delete notion-bot", "yes", "run notion-bot", "pause notion-bot"):
        assert not derek.classify_and_answer(message).effects


@pytest.mark.parametrize("answer", ["2", "the second one", "other", "other please"])
def test_which_agent_is_asked_and_picked_by_number_or_by_name(answer: str) -> None:
    talk = with_bot()
    talk.create("other")

    asked = talk.classify_and_answer("pause my agent")
    talk.classify_and_answer(answer)

    assert asked.text == "Which one should I pause: notion-bot or other?"
    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "notion-bot": "active",
        "other": "paused",
    }


@pytest.mark.parametrize("message", ["pause it", "pause my agent", "pause the first one"])
def test_the_only_agent_needs_no_name(message: str) -> None:
    talk = with_bot()

    talk.classify_and_answer(message)

    assert talk.agents()[0].status is AgentStatus.PAUSED


@pytest.mark.parametrize(("place", "name"), [("first", "a"), ("second", "b"), ("last", "c")])
def test_a_place_in_the_last_list_names_an_agent(place: str, name: str) -> None:
    talk = Talk()
    for each in ("a", "b", "c"):
        talk.create(each)
    talk.classify_and_answer("list my agents")
    talk.classify_and_answer("thanks")

    talk.classify_and_answer(f"pause the {place} one")

    assert [agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED] == [name]


def test_it_means_the_agent_talked_about_last() -> None:
    talk = with_bot()
    talk.create("other")
    talk.classify_and_answer("show other")

    talk.classify_and_answer("pause it")

    assert {agent.name: agent.status.value for agent in talk.agents()} == {
        "notion-bot": "active",
        "other": "paused",
    }


def test_an_agent_that_was_listed_and_is_gone_is_no_other_one() -> None:
    talk = with_bot()
    gone = Reference(kind="agent", id="0" * 32, name="gone-bot")
    talk.classify_and_answer("list my agents")
    talk.history[-1] = talk.history[-1].model_copy(update={"note": Note(listed=(gone,))})

    said = talk.classify_and_answer("pause the first one")

    assert not said.effects


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
    ],
)
def test_a_number_alone_is_another_time_for_the_agent_just_talked_about(
    message: str, known: dict[str, str], cron: str
) -> None:
    talk = shown(schedule=known)

    talk.classify_and_answer(message)

    assert schedule_of(talk).cron == cron


@pytest.mark.parametrize("message", ["make it 99", "make it 0", "8", "1 please"])
def test_a_number_that_is_no_hour_changes_nothing(message: str) -> None:
    assert not with_bot().classify_and_answer(message).effects


def test_the_time_of_an_agent_in_the_making_is_corrected_by_a_number_alone() -> None:
    talk = Talk()
    talk.classify_and_answer("set up an agent that reports open Jira tickets every Monday at 9am")
    talk.classify_and_answer("actually make it 8")
    talk.classify_and_answer("here")

    assert schedule_of(talk).cron == "0 8 * * 1"


def test_a_change_to_what_is_so_already_is_not_told_as_done() -> None:
    talk = with_bot()
    talk.classify_and_answer("make notion-bot daily")

    said = talk.classify_and_answer("make it daily")

    assert not said.effects
    assert "already" in said.text


def test_what_an_agent_lacks_is_told_once_and_again_when_it_lacks_something_else() -> None:
    talk = with_bot()

    timed = talk.classify_and_answer("make notion-bot daily")
    again = talk.classify_and_answer("make notion-bot weekly")
    paused = talk.classify_and_answer("pause notion-bot")
    resumed = talk.classify_and_answer("resume notion-bot")
    moved = talk.classify_and_answer("post it to slack")

    assert sum("connect Notion" in said.text for said in (timed, again, paused, resumed)) <= 1
    assert "the link that Slack gives out" in moved.text


def test_an_agent_is_shared_and_no_longer_shared_in_plain_words() -> None:
    talk = shown()
    talk.classify_and_answer("share it with my team")
    assert talk.agents()[0].shared
    talk.classify_and_answer("stop sharing it")
    [agent] = talk.agents()
    assert (agent.shared, agent.status) == (False, AgentStatus.ACTIVE)


def test_sharing_with_one_person_needs_a_yes_as_everybody_would_see_it() -> None:
    talk = shown()
    asked = talk.classify_and_answer("share it with Noah")
    assert "with single people, only with everybody in your workspace" in asked.text
    assert not talk.agents()[0].shared
    talk.classify_and_answer("yes")
    assert talk.agents()[0].shared


@pytest.mark.parametrize("message", ["just slack then", "by slack", "Slack instead"])
def test_a_channel_alone_is_where_the_results_of_the_agent_just_shown_go(message: str) -> None:
    talk = shown()
    talk.classify_and_answer(message)
    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.channels) == (("notion",), (Channel.SLACK,))


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("change the source to Trello", "sources", ("trello",)),
        ("rename it board-notes", "name", "board-notes"),
    ],
)
def test_a_field_that_is_named_changes_on_the_agent_just_shown(
    message: str, field: str, value: object
) -> None:
    talk = shown()
    talk.classify_and_answer(message)
    assert getattr(talk.agents()[0], field) == value


def test_a_pause_for_a_while_says_that_nobody_ends_it() -> None:
    said = with_bot().classify_and_answer("pause it until January")

    assert "I can't turn it back on by myself" in said.text


@pytest.mark.parametrize(
    ("message", "channels"),
    [
        ("add e-mail as well", (Channel.SLACK, Channel.EMAIL)),
        ("send it by e-mail", (Channel.EMAIL,)),
        ("also e-mail it to finance@acme.example", (Channel.SLACK, Channel.EMAIL)),
    ],
)
def test_a_channel_is_added_or_put_in_place_of_another(message: str, channels: tuple[Channel, ...]) -> None:
    talk = shown(delivery={"channels": ("slack",)})

    talk.classify_and_answer(message)

    assert talk.agents()[0].delivery.channels == channels


def test_a_channel_is_taken_away_from_the_agent_just_shown() -> None:
    talk = shown(delivery={"channels": ("slack",)})

    talk.classify_and_answer("remove slack")

    assert talk.agents()[0].delivery.channels == (Channel.CONVERSATION,)


def test_a_channel_that_is_added_is_no_source() -> None:
    talk = shown(delivery={"channels": ("email",)})
    sources = talk.agents()[0].sources

    talk.classify_and_answer("also slack it to #finance")

    [agent] = talk.agents()
    assert agent.sources == sources
    assert agent.delivery.channels == (Channel.EMAIL, Channel.SLACK)


def test_a_paused_agent_that_is_started_again_has_its_schedule_back_and_does_not_run() -> None:
    talk = with_bot()
    talk.classify_and_answer("pause it")

    said = talk.classify_and_answer("start it again")

    assert said.tools == ("update_agent",)
    assert talk.agents()[0].status is AgentStatus.ACTIVE


def test_an_instruction_may_be_named_as_one() -> None:
    talk = shown()

    talk.classify_and_answer("add an instruction: keep it short")

    assert talk.agents()[0].instructions == "keep it short"


def test_a_stop_that_is_not_wanted_changes_nothing_and_is_no_instruction() -> None:
    talk = with_bot()
    before = talk.agents()
    reply = talk.classify_and_answer("I'd rather not have notion-bot stopped all summer")
    assert reply.text == "OK, I'll leave everything as it is."
    assert talk.agents() == before


def test_a_new_time_is_understood_through_misspelt_words() -> None:
    talk = with_bot()
    talk.classify_and_answer(
        "so sorry to trouble, chnage notion-bot to 8 insted of 9 in the mornig pls, evrything else the same"
    )
    assert schedule_of(talk).cron == "0 8 * * 1"


def test_words_why_an_agent_is_shared_don_t_hide_it() -> None:
    talk = with_bot()
    talk.classify_and_answer("share notion-bot with the rest of my team so it isn't only me who can see it")
    assert talk.agents()[0].shared


def test_a_deleted_agent_that_is_wanted_back_comes_back() -> None:
    talk = with_bot()
    talk.create("parcels", "parcels that are late")
    talk.classify_and_answer("delete notion-bot")
    talk.classify_and_answer("yes")
    talk.classify_and_answer("turns out we still get parcels. can I have notion-bot back the way it was?")
    assert [agent.name for agent in talk.agents()] == ["notion-bot", "parcels"]


def test_a_name_in_answer_to_a_question_starts_nothing() -> None:
    talk = with_bot()
    talk.create("van-check", "vans")
    talk.classify_and_answer("delete notion-bot")
    talk.classify_and_answer("yes")
    talk.classify_and_answer("no wait wrong one!! get that back, it was van-check i wanted rid of")
    reply = talk.classify_and_answer("van-check")
    assert reply.text == "Shall I delete van-check?"
    assert [agent.name for agent in talk.agents()] == ["notion-bot", "van-check"]


def test_a_rename_and_a_share_of_it_are_both_done() -> None:
    talk = with_bot()
    talk.classify_and_answer("notion-bot needs to come out Tuesdays instead of Mondays, keep the time")
    talk.classify_and_answer("great. rename it to news and let my whole team see it")
    [agent] = talk.agents()
    assert (agent.name, agent.shared) == ("news", True)


def test_what_is_called_somewhere_is_no_name() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "Every day at 7 I would like the results which are not yet called to the ward, from LabWare, here"
    )
    assert [agent.name for agent in talk.agents()] != ["to"]


@pytest.mark.parametrize(
    "say", ["Please take the renaming back.", "undo the rename", "Hm, undo the renaming please"]
)
def test_to_take_a_renaming_back_undoes_no_other_change(say: str) -> None:
    talk = Talk()
    talk.classify_and_answer("make an agent named new-jobs: every day at 8 am new jobs from Gmail, here")
    talk.classify_and_answer("let new-jobs run at 9 am instead")
    before = talk.agents()
    said = talk.classify_and_answer(say)
    assert "nothing another name" in said.text
    assert talk.agents() == before
    talk.classify_and_answer("rename new-jobs to old-jobs")
    talk.classify_and_answer(say)
    assert [agent.name for agent in talk.agents()] == ["new-jobs"]


@pytest.mark.parametrize(
    ("say", "paused"),
    [
        ("turn the paused ones back on except rota", {"rota"}),
        ("turn the paused ones back on", set()),
        ("resume the paused agents", set()),
        ("switch the paused ones on again but not leads", {"leads"}),
    ],
)
def test_all_paused_agents_go_on_but_the_excepted_one(say: str, paused: set[str]) -> None:
    talk = Talk()
    for name in ("parcels", "rota", "leads"):
        talk.create(name)
        talk.classify_and_answer(f"pause {name}")
    talk.create("news")
    talk.classify_and_answer(say)
    assert {agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED} == paused


@pytest.mark.parametrize("words", ["no, not email, just here", "just send it here", "report here please"])
def test_a_place_that_results_go_to_already_is_told_so(words: str) -> None:
    talk = shown(delivery={"channels": ["conversation"]})
    before = talk.agents()

    reply = talk.classify_and_answer(words)

    assert reply.text.startswith("notion-bot is already set up that way")
    assert talk.agents() == before


def test_what_was_listed_last_gets_the_name() -> None:
    talk = with_bot()
    talk.classify_and_answer("remind me tomorrow at 7 to order flour")
    talk.classify_and_answer("what have I asked you so far?")

    talk.classify_and_answer("call it flour-watch please")

    assert [agent.name for agent in talk.agents()] == ["flour-watch"]


@pytest.mark.parametrize(
    "words",
    [
        "Tomasz says nobody reads it. Stop notion-bot, but don't delete it",
        "Ah. No, keep it, I'd only need it again in January. Just pause it.",
        "My aunt reads it every day! Pause it",
    ],
)
def test_a_command_behind_what_is_told_is_carried_out_and_never_its_contrary(words: str) -> None:
    talk = shown()
    talk.classify_and_answer(words)
    assert [agent.status for agent in talk.agents()] == [AgentStatus.PAUSED]


@pytest.mark.parametrize(
    "words", ["6.15 then. no, 6:30", "6:15. sorry, 6:30", "6.15 then. no, 6:30, nobody is in before that"]
)
def test_a_time_that_is_taken_back_in_the_same_message_is_not_set(words: str) -> None:
    talk = shown(schedule={"cron": "0 7 * * *", "time_zone": "UTC"})
    talk.classify_and_answer(words)
    assert schedule_of(talk).cron == "30 6 * * *"


def test_a_schedule_without_words_of_its_owner_is_told_in_words() -> None:
    talk = shown(schedule={"cron": "0 7 * * 1-5", "time_zone": "UTC"})

    asked = talk.classify_and_answer("when does it run?").text
    talk.classify_and_answer("make it mondays")
    before = talk.classify_and_answer("when did it run before that?").text

    assert asked == "notion-bot runs weekdays at 7:00 AM."
    assert "weekdays at 7:00 AM" in before
