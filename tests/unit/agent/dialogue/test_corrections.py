"""Corrections of what was just done: names, recipients, copies, undo of a part, and "both"."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent, AgentStatus
from tasks.task import Task
from tests.fakes.data.chat_session import Talk

DAILY = {"cron": "0 8 * * *", "text": "Daily at 8:00 AM", "time_zone": "UTC"}
BY_MAIL = {"channels": ["email"], "recipients": ["all@acme.io"]}


def talk_with(*names: str, **fields: object) -> Talk:
    talk = Talk()
    defaults: dict[str, object] = {"sources": ["deputy"], "schedule": DAILY, "delivery": BY_MAIL}
    for name in names:
        talk.create(name, f"what {name.partition('-')[0]} is about", **{**defaults, **fields})
    return talk


def told(talk: Talk, *messages: str) -> str:
    """Return the last reply to several messages."""
    return [talk.classify_and_answer(message) for message in messages][-1].text


def agents(talk: Talk) -> dict[str, Agent]:
    return {agent.name: agent for agent in talk.agents()}


def listed_tasks(talk: Talk) -> list[Task]:
    return list(talk.tasks.list(talk.caller, completed=None)[0])


def tasks(talk: Talk) -> dict[str, bool]:
    return {task.title: task.completed for task in listed_tasks(talk)}


def test_the_word_names_renames_nothing_and_only_one_address_is_left() -> None:
    talk = talk_with("late-list")
    told(talk, "late-list has people's names in it and goes to all@acme.io. Only dpo@acme.io should get it")
    assert agents(talk)["late-list"].delivery.recipients == ("dpo@acme.io",)


def test_a_misspelled_command_on_a_misspelled_name_runs_that_agent() -> None:
    talk = talk_with("stock-alert")
    assert told(talk, "pls rnu stcok-alert").startswith("Started stock-alert")
    assert list(agents(talk)) == ["stock-alert"]


def test_a_new_name_with_a_day_in_it_changes_no_schedule() -> None:
    talk = talk_with("agent-2")
    told(talk, "can agent-2 be called Friday gaps instead, agent-2 means nothing to anyone")
    schedule = agents(talk)["friday-gaps"].schedule
    assert schedule is not None
    assert schedule.cron == "0 8 * * *"


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("hmm or would it be better in Teams?", "no no leave it mail, marta hates teams"),
        ("should rota-gaps rather go to Slack?", "no don't touch it"),
    ],
)
def test_neither_an_opinion_nor_keeping_things_as_they_are_changes_anything(asked: str, kept: str) -> None:
    talk = talk_with("rota-gaps")
    told(talk, "what does rota-gaps do?", asked, kept)
    assert agents(talk)["rota-gaps"].delivery.recipients == ("all@acme.io",)


def test_one_of_two_recipients_may_be_named_by_a_part_of_the_address() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "rota-gaps should go to ops@acme.io too, not just there", "actually no. only ops")
    assert agents(talk)["rota-gaps"].delivery.recipients == ("ops@acme.io",)


def test_a_channel_that_an_agent_has_keeps_its_addresses() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "send rota-gaps by mail")
    assert agents(talk)["rota-gaps"].delivery.recipients == ("all@acme.io",)


def test_a_room_named_behind_the_channel_gets_the_results_and_mail_ends() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "ok decided: rota-gaps goes to slack, #shifts. no more mail")
    delivery = agents(talk)["rota-gaps"].delivery
    assert (delivery.channels, delivery.recipients) == (("slack",), ("#shifts",))


def test_a_copy_has_the_name_that_is_said_and_its_model_stays_as_it_is() -> None:
    talk = talk_with("year7-gaps")
    told(talk, "Could you make a copy of year7-gaps", "call the copy year8-gaps")
    told(talk, "now clone year7-gaps: year9-gaps, same but at 2 in the afternoon, for year9 instead of year7")
    found = agents(talk)
    assert sorted(found) == ["year7-gaps", "year8-gaps", "year9-gaps"]
    assert [one.schedule.cron for one in found.values() if one.schedule].count("0 14 * * *") == 1
    assert found["year9-gaps"].what == "what year9 is about"


def test_a_wrong_tick_is_taken_back_and_the_right_task_ticked() -> None:
    talk = Talk()
    told(talk, "add patch bastion us", "add patch bastion eu", "tick off patch bastion us")
    told(talk, "sorry, undo, that one isn't finished. it's the eu one that's done")
    assert tasks(talk) == {"patch bastion us": False, "patch bastion eu": True}
    told(talk, "no sorry, wrong one, untick it")
    assert tasks(talk) == {"patch bastion us": False, "patch bastion eu": False}


def test_a_deletion_of_the_wrong_agent_is_taken_back_and_the_other_asked_about() -> None:
    talk = talk_with("prices", "prices-old")
    reply = told(talk, "delete prices", "yes", "nooo wait wrong one!! bring it back. I meant prices-old")
    assert "Shall I delete prices-old?" in reply
    assert sorted(agents(talk)) == ["prices", "prices-old"]


def test_another_object_corrects_the_title_and_both_adds_the_first_again() -> None:
    talk = Talk()
    told(talk, "add buy paint to my list", "no, brushes")
    assert list(tasks(talk)) == ["buy brushes"]
    told(talk, "hm, both actually")
    assert sorted(tasks(talk)) == ["buy brushes", "buy paint"]


def test_letting_a_paused_agent_run_starts_it_again() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "pause rota-gaps", "nah, let it run, it's fine")
    assert agents(talk)["rota-gaps"].status == "active"


def test_only_the_time_is_taken_back_where_the_name_is_good() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "Rename rota-gaps to open-shifts and have it go at 6am rather than 8")
    told(talk, "ah no, leave the time as it was, at 8. The new name's good")
    schedule = agents(talk)["open-shifts"].schedule
    assert schedule is not None
    assert schedule.cron == "0 8 * * *"


def test_of_several_changes_only_the_name_goes_back() -> None:
    talk = talk_with("stock-alert", "rota-gaps")
    told(talk, "pause stock-alert, rename rota-gaps to open-shifts and add call Kim to my list")
    told(talk, "give it the old name back, rota-gaps")
    assert {name: str(one.status) for name, one in agents(talk).items()} == {
        "rota-gaps": "active", "stock-alert": "paused",
    }  # fmt: skip
    assert list(tasks(talk)) == ["call Kim"]


def test_a_name_that_was_taken_back_may_be_wanted_after_all() -> None:
    talk = talk_with("rota-gaps")
    told(
        talk, "rename rota-gaps to open-shifts", "undo, the old name", "ok IT says so. then open-shifts again"
    )
    assert list(agents(talk)) == ["open-shifts"]


@pytest.mark.parametrize(
    "messages",
    [
        ("pause the deploy one", "deploys-web", "eh, actually both, quiet week"),
        ("pause deploys-web", "no the other one, deploys-app", "ugh, ok, pause both of them"),
    ],
)
def test_both_are_the_two_that_were_talked_about(messages: tuple[str, ...]) -> None:
    talk = talk_with("deploys-web", "deploys-app", "rota-gaps")
    told(talk, *messages)
    statuses = {name: str(one.status) for name, one in agents(talk).items()}
    assert statuses == {"deploys-web": "paused", "deploys-app": "paused", "rota-gaps": "active"}


def test_the_one_that_was_listed_alone_is_switched_on_too() -> None:
    talk = talk_with("rota-gaps", "stock-alert", "late-list")
    told(talk, "pause stock-alert", "is anything paused?", "oh this one i forgot. switch it on again")
    assert {str(one.status) for one in agents(talk).values()} == {"active"}


def test_a_wish_that_others_see_an_agent_shares_it_and_just_me_takes_that_back() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "could everybody at the clinic see my rota-gaps as well please")
    assert agents(talk)["rota-gaps"].shared
    told(talk, "just me again please, nobody else")
    assert not agents(talk)["rota-gaps"].shared


def test_doing_it_for_an_agent_means_what_was_asked_about_and_no_run() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "Is it possible that my colleague sees also my agent?", "Yes, then please do it for rota-gaps")
    assert agents(talk)["rota-gaps"].shared
    assert not talk.store.runs.list(talk.caller, limit=5)[0]


def test_the_tasks_of_a_day_are_moved_and_none_is_added() -> None:
    talk = Talk()
    told(talk, "add send forms for today", "add ring the bank for today", "add clean the van")
    told(talk, "i dont manage today, move my two tasks of today to tomorrow")
    assert len(tasks(talk)) == 3
    assert sum(task.due_date is not None for task in listed_tasks(talk)) == 2


@pytest.mark.parametrize("message", ["first run when?", "and rota-gaps, first run is when exactly"])
def test_a_question_for_the_first_run_runs_nothing(message: str) -> None:
    talk = talk_with("rota-gaps")
    reply = told(talk, "what does rota-gaps do?", message)
    assert "8:00 AM" in reply
    assert not talk.store.runs.list(talk.caller, limit=5)[0]


@pytest.mark.parametrize("message", ["no, that's all", "no, thanks", "no, great", "no worries"])
def test_words_that_correct_nothing_leave_the_title_as_it_is(message: str) -> None:
    talk = Talk()
    told(talk, "add order labels", message)
    assert list(tasks(talk)) == ["order labels"]


def test_keeping_one_thing_takes_nothing_back_where_something_new_is_asked_for() -> None:
    talk = talk_with("rota-gaps")
    told(talk, "rota-gaps at 9 instead of 8", "keep it at 9 and send it to bob@acme.io as well")
    found = agents(talk)["rota-gaps"]
    assert found.schedule is not None
    assert found.schedule.cron == "0 9 * * *"
    assert "bob@acme.io" in found.delivery.recipients


@pytest.mark.parametrize(
    "message",
    [
        "delete late-list. sorry, I mean pause it",
        "Please delete late-list. No wait, pause it",
        "show me late-list. delete it. Oh sorry, I meant pause it, don't delete",
    ],
)
def test_a_deed_that_is_taken_back_in_the_same_message_is_neither_done_nor_asked_about(message: str) -> None:
    talk = talk_with("late-list")
    assert "Shall I delete" not in told(talk, message)
    assert agents(talk)["late-list"].status is AgentStatus.PAUSED


def test_words_that_only_halt_pause_nothing() -> None:
    talk = talk_with("late-list")
    told(talk, "show late-list", "well hold on. not on sundays, nothing changes then")
    assert agents(talk)["late-list"].status is AgentStatus.ACTIVE


def test_a_reason_behind_a_time_is_no_part_of_it() -> None:
    talk = talk_with("late-list", "gaps")
    told(talk, "show late-list", "make it tuesdays only, we can't keep up")
    schedule = agents(talk)["late-list"].schedule
    assert schedule is not None
    assert schedule.cron == "0 8 * * 2"


def test_a_number_beside_another_place_is_no_hour() -> None:
    talk = talk_with("late-list")
    told(talk, "show late-list", "sry the channel is #accounts-payable, two c")
    changed = agents(talk)["late-list"]
    assert changed.schedule is not None
    assert (changed.schedule.cron, changed.delivery.recipients) == ("0 8 * * *", ("#accounts-payable",))


def test_one_thing_that_is_to_be_forgotten_is_not_all_that_is_stored() -> None:
    talk = Talk()
    said = told(talk, "my employee number is 48213", "please forget my employee number again")
    assert "everything" not in said
