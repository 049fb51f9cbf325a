"""Troubles that are only told: they are asked after, and neither stored as tasks nor taken for commands."""

from __future__ import annotations

import pytest

from tasks.task import TaskSpec
from tests.fakes.data.chat_session import Talk


def _titles(talk: Talk) -> list[str]:
    return [task.title for task in talk.tasks.list(talk.caller, completed=None, limit=20)[0]]


@pytest.mark.parametrize(
    ("trouble", "more", "source", "part"),
    [
        ("Not sure this is the right place. Jobs get finished and the guys forget about the invoice",
         "We use Jobber for the jobs. And for the invoices too, now that I think about it",
         "jobber",
         "the guys forget about the invoice"),
        ("I don't know if you can help. Tenants move out and we forget to read the meter, each time",
         "it's all in Buildium", "buildium", "we forget to read the meter"),
        ("My problem is the reviews. I read them too late and then the customer is already angry",
         "I don't know how you call it... the reviews from TripAdvisor, but only the bad ones", "tripadvisor",
         "the reviews from TripAdvisor, but only the bad ones"),
        ("The trouble is with our deliveries, nobody notices when one is missing", "they're in ShipStation",
         "shipstation", "nobody notices when one is missing"),
    ],
)  # fmt: skip
def test_a_trouble_is_asked_after_and_becomes_the_job(
    trouble: str, more: str, source: str, part: str
) -> None:
    talk = Talk()

    assert "?" in talk.classify_and_answer(trouble).text
    talk.classify_and_answer(more)
    talk.classify_and_answer("mondays at 9, here")

    (agent,) = talk.agents()
    assert source in agent.sources
    assert part in agent.brief
    assert _titles(talk) == []


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("there's this form for my son's school and i'm going to forget it, i just know it",
         "form for my son's school"),
        ("Well, there's the van to book for Thursday, that's the one I'm frightened of forgetting.",
         "book the van"),
        ("there's the hall to ring by Friday and I always forget that", "ring the hall"),
    ],
)  # fmt: skip
def test_what_somebody_fears_to_forget_is_a_task(told: str, title: str) -> None:
    talk = Talk()

    talk.classify_and_answer(told)

    assert _titles(talk) == [title]


@pytest.mark.parametrize(
    "message", ["forget it", "oh forget it, i'm fine", "i won't forget it", "did you forget it?"]
)
def test_other_words_of_forgetting_add_nothing(message: str) -> None:
    talk = Talk()

    talk.classify_and_answer(message)

    assert _titles(talk) == []


@pytest.mark.parametrize(
    "wish", ["Aye, put that down for me", "yes please put that on the list", "add it please"]
)
def test_what_was_just_added_is_added_once(wish: str) -> None:
    talk = Talk()
    talk.classify_and_answer(
        "there's the van to book for Thursday, that's the one I'm frightened of forgetting."
    )

    talk.classify_and_answer(wish)

    assert _titles(talk) == ["book the van"]


def test_what_was_told_before_is_put_down_beside_another_deed() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "there's the van to book for Thursday, that's the one I'm frightened of forgetting."
    )

    talk.classify_and_answer("Aye, put that down for me. And thanking the bakery, no rush with that one.")

    assert _titles(talk) == ["book the van", "thanking the bakery"]


def test_what_was_only_told_is_put_down_with_its_day() -> None:
    talk = Talk()
    talk.classify_and_answer("the bins go out on tuesday night")

    talk.classify_and_answer("yes please put that on the list")

    assert _titles(talk) == ["the bins go out"]


@pytest.mark.parametrize(
    "complaint",
    [
        "hey so the dock-late thing... i dunno, it's not really working for us",
        "I still get the dock-late mail each day and honestly I don't know what to do with it.",
        "I'm not happy with dock-late, it isn't really useful",
    ],
)  # fmt: skip
def test_a_complaint_about_an_agent_asks_what_should_change(complaint: str) -> None:
    talk = Talk()
    talk.create("dock-late", "late trucks", sources=["samsara"])

    answer = talk.classify_and_answer(complaint)

    assert answer.text.startswith("What should change about dock-late")
    assert not answer.effects


def test_an_hour_at_which_nobody_is_there_is_no_wish() -> None:
    talk = Talk()
    talk.create("dock-late", "late trucks", schedule={"cron": "0 4 * * 1-5", "time_zone": "UTC"})
    talk.classify_and_answer("hey so dock-late... it's not really working for us")

    talk.classify_and_answer("it's the time. nobody's in at 5")

    (agent,) = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 4 * * 1-5"


def test_just_so_many_tasks_as_are_said_are_all_meant() -> None:
    talk = Talk()
    for title in ("Print flyers for the trade fair", "Book a hotel for the trade fair", "Order new badges"):
        talk.tasks.create(talk.caller, TaskSpec(title=title))

    asked = talk.classify_and_answer("The trade fair is cancelled, please delete the two tasks about it")
    talk.classify_and_answer("yes")

    assert "Print flyers" in asked.text
    assert "Book a hotel" in asked.text
    assert _titles(talk) == ["Order new badges"]


def test_a_task_behind_its_heading_keeps_its_verb() -> None:
    talk = Talk()

    talk.classify_and_answer("I see. Then what I want is a task: write to plot 17 about the hedge.")

    assert _titles(talk) == ["write to plot 17 about the hedge"]


def test_a_list_that_is_asked_for_takes_what_is_told_next() -> None:
    talk = Talk()
    talk.classify_and_answer("ugh my head is so full, don't even know where to start")
    talk.classify_and_answer("could you like, keep a list of stuff for me?")

    talk.classify_and_answer("ok then: renew the passport, book the boiler service, birthday card for mum")

    assert _titles(talk) == ["renew the passport", "book the boiler service", "birthday card for mum"]


@pytest.mark.parametrize(
    ("report", "title"),
    [
        ("faxed it", "fax dr patel the list"),
        ("gloves r orderd too", "order gloves"),
        ("called them", "call the bank"),
    ],
)
def test_a_task_is_done_when_its_own_verb_is_said_in_the_past(report: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer("add to my list order gloves, fax dr patel the list and call the bank")
    talk.classify_and_answer("whats left")

    if "?" in talk.classify_and_answer(report).text:
        talk.classify_and_answer("yes")

    assert [task.title for task in talk.tasks.list(talk.caller, completed=True, limit=9)[0]] == [title]


def test_one_address_is_kept_one_goes_and_one_comes() -> None:
    talk = Talk()
    talk.create("refunds", "refunds", delivery={"channels": ["email"], "recipients": ["a@x.co", "b@x.co"]})

    talk.classify_and_answer("keep a@x.co, drop b@x.co and send to c@x.co")

    assert talk.agents()[0].delivery.recipients == ("a@x.co", "c@x.co")
