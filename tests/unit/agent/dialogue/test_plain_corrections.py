"""Corrections in plain words: they change what they name, and nothing that their reason names."""

from __future__ import annotations

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk

_WEDNESDAYS = {"cron": "0 10 * * 3", "time_zone": "UTC"}


def talk_with(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, schedule=_WEDNESDAYS)
    return talk


def crons(talk: Talk) -> dict[str, str]:
    return {agent.name: agent.schedule.cron for agent in talk.agents() if agent.schedule}


def active(talk: Talk) -> set[str]:
    return {agent.name for agent in talk.agents() if agent.status is AgentStatus.ACTIVE}


@pytest.mark.parametrize(
    ("say", "cron"),
    [
        ("undo that please, the printer only comes on Thursdays", "0 10 * * 3"),
        ("and i said friday but i mean saturday. ugh. long day", "0 10 * * 6"),
        ("quarter past 8 actually, she walks the dog first", "15 8 * * 5"),
        ("my lead says that's too rare. every day, at noon", "0 12 * * *"),
        ("and not at 10, at 9. I promise that's the last thing", "0 9 * * 5"),
    ],
)
def test_the_last_change_is_corrected(say: str, cron: str) -> None:
    talk = talk_with("parish-news")
    talk.classify_and_answer("move parish-news to Fridays")
    talk.classify_and_answer(say)

    assert crons(talk) == {"parish-news": cron}


def test_a_question_what_would_be_better_changes_nothing() -> None:
    talk = talk_with("milk-yields")
    talk.classify_and_answer("should milk-yields be daily or weekly, i dont know")

    assert crons(talk) == {"milk-yields": "0 10 * * 3"}


@pytest.mark.parametrize("say", ["dont pause parish-news", "please dont touch parish-news", "dont stop it"])
def test_a_negation_without_its_apostrophe_is_one(say: str) -> None:
    talk = talk_with("parish-news")
    talk.classify_and_answer("show parish-news")
    talk.classify_and_answer(say)

    assert active(talk) == {"parish-news"}


def test_the_wrong_one_goes_on_and_the_right_one_is_paused() -> None:
    talk = talk_with("calls", "refunds")
    talk.classify_and_answer("pause calls")
    talk.classify_and_answer("wrong one sorry!! i mean pause the refunds. calls must still go")

    assert active(talk) == {"calls"}


def test_the_other_one_is_paused_too() -> None:
    talk = talk_with("loom-faults", "yarn-stock")
    talk.classify_and_answer("pause loom-faults")
    talk.classify_and_answer("and the other also")

    assert active(talk) == set()


def test_what_isnt_needed_any_more_is_asked_about() -> None:
    talk = talk_with("parish-news", "rota")

    assert talk.classify_and_answer("we dont need rota any more").text == "Shall I delete rota?"
    assert active(talk) == {"parish-news", "rota"}


@pytest.mark.parametrize(
    ("first", "say", "source"),
    [
        ("late shipments from project44 every day at 7, here",
         "sorry not project44, we switched, its Shippeo", "shippeo"),
        ("Each Monday 8:30 in the morning give me the open bugs from Jira, here",
         "I was wrong. It is not Jira, is Trello. The bugs are in Trello since January", "trello"),
    ],
)  # fmt: skip
def test_a_source_that_is_denied_is_exchanged(first: str, say: str, source: str) -> None:
    talk = Talk()
    talk.classify_and_answer(first)
    talk.classify_and_answer(say)

    [agent] = talk.agents()
    assert agent.sources == (source,)


def test_a_name_in_a_title_is_exchanged() -> None:
    talk = Talk()
    talk.classify_and_answer("remind me tuesday at 4pm to bring L plates for Jade")
    talk.classify_and_answer("sorry not Jade, its Jake")

    [task] = talk.turn("", "").situation.read_tasks()
    assert task.title == "bring L plates for Jake"


def test_a_new_agent_that_is_undone_comes_back() -> None:
    talk = Talk()
    talk.classify_and_answer("every weekday at 6am the day's jobs from Jobber, here")
    talk.classify_and_answer("undo that, dont want it")
    talk.classify_and_answer("my wife says keep it. bring it back please")

    [agent] = talk.agents()
    assert agent.sources == ("jobber",)


def test_nothing_is_made_of_a_draft_that_is_not_wanted() -> None:
    talk = Talk()
    talk.classify_and_answer("tell me every evening when there are many new messages in Etsy")
    talk.classify_and_answer("you know what, never mind, i like reading them here. dont make anything")

    assert talk.agents() == []
    assert talk.history[-1].note.draft is None


def test_a_pause_is_the_last_change_and_is_undone_as_such() -> None:
    talk = talk_with("calls", "refunds")
    talk.classify_and_answer("move calls to 9")
    talk.classify_and_answer("pause refunds")

    assert talk.classify_and_answer("what did i change just now?").text == "Today I paused refunds."
    talk.classify_and_answer("undo that last one")
    assert active(talk) == {"calls", "refunds"}
    assert crons(talk)["calls"] == "0 9 * * 3"


def test_what_is_to_be_left_on_is_not_paused() -> None:
    talk = talk_with("menu", "allergies")
    talk.classify_and_answer("we're closed for easter so pause the menu one, leave allergies on")

    assert active(talk) == {"allergies"}
