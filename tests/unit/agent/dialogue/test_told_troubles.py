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


@pytest.mark.parametrize(
    ("trouble", "more", "source", "thing", "cron"),
    [
        ("Nobody ever reads the survey comments. They sit in Delighted and rot.",
         "a digest in #product on Slack, Mondays at 9, before standup, that might shame a few people",
         "delighted", "survey comments", "0 9 * * 1"),
        ("My pain is Monday: before the meeting I scrape the weekend's sales together from Stripe by hand",
         "Mondays at 9, here in the chat", "stripe", "weekend's sales", "0 9 * * 1"),
        ("what slips through is patients who haven't been in for half a year. They're all in Dentally",
         "on the first of every month at 8 am, here",
         "dentally", "patients who haven't been in for half a year", "0 8 1 * *"),
        ("We lose customers because nobody answers the reviews on Trustpilot", "mornings at 8, to #care",
         "trustpilot", "reviews", "0 8 * * *"),
        ("Our fridge temperatures get written down by hand in Smartsheet and nobody looks at them",
         "every evening at 6 here please", "smartsheet", "fridge temperatures", "0 18 * * *"),
        ("Third time now that the domain renewal slipped through", "it's all in Xero, Mondays at 9 here",
         "xero", "domain renewal", "0 9 * * 1"),
    ],
)  # fmt: skip
def test_a_told_trouble_is_offered_as_an_agent_that_the_next_words_complete(
    trouble: str, more: str, source: str, thing: str, cron: str
) -> None:
    talk = Talk()

    offer = talk.classify_and_answer(trouble).text
    assert thing in offer
    assert talk.agents() == []
    talk.classify_and_answer(more)

    (agent,) = talk.agents()
    assert agent.sources == (source,)
    assert thing in agent.what
    assert agent.schedule is not None
    assert agent.schedule.cron == cron
    assert _titles(talk) == []


@pytest.mark.parametrize(
    ("trouble", "more", "title"),
    [
        ("I keep forgetting to order paper for the copier and then everybody shouts at me",
         "a nudge tomorrow at ten would already help", "order paper for the copier"),
        ("Third time now that the domain renewal slipped through, it can't go on like that",
         "It runs out on 9 June, so I'd like to hear about it on the 1st of June", "the domain renewal"),
        ("Every quarter the VAT return catches me by surprise", "a heads-up on 20 April would do",
         "the VAT return"),
        ("The boiler service was forgotten again last year, it mustn't happen a second time",
         "ping me on 10 September at 9", "the boiler service"),
        ("Somebody forgot to water the greenhouse again and everything's dead.",
         "remind me every evening at 7", "water the greenhouse"),
        ("my trouble is that the cash book never gets closed at night", "at 8 every evening then",
         "the cash book"),
        ("Third time now that the domain renewal slipped through", "remind me of the renewal on 1 June at 8",
         "the domain renewal"),
    ],
)  # fmt: skip
def test_a_told_trouble_is_offered_as_a_reminder_that_the_next_words_time(
    trouble: str, more: str, title: str
) -> None:
    talk = Talk()

    assert title in talk.classify_and_answer(trouble).text
    assert _titles(talk) == []
    talk.classify_and_answer(more)

    (task,) = talk.tasks.list(talk.caller, completed=None, limit=20)[0]
    assert task.title == title
    assert task.due_date is not None
    assert talk.agents() == []


@pytest.mark.parametrize(
    ("more", "titles"),
    [
        ("remind me to call Ola tomorrow at 5", ["call Ola"]),
        ("remind me to send the report tomorrow at 5", ["send the report"]),
        ("add milk to my list for tomorrow", ["milk"]),
        ("the meeting is on Tuesday at 10", []),
        ("we fly to Rome on Friday", []),
        ("no, forget it", []),
        ("what does it cost?", []),
    ],
)
def test_words_about_something_else_complete_no_offer(more: str, titles: list[str]) -> None:
    talk = Talk()
    talk.classify_and_answer("Third time now that the domain renewal slipped through")

    talk.classify_and_answer(more)

    assert _titles(talk) == titles
    assert talk.agents() == []


def test_a_whole_request_behind_an_offer_is_its_own() -> None:
    talk = Talk()
    talk.classify_and_answer("Third time now that the domain renewal slipped through")

    talk.classify_and_answer("every Monday at 9 tell me the open invoices from Xero, by mail to a@b.example")

    (agent,) = talk.agents()
    assert "open invoices" in agent.what


@pytest.mark.parametrize(
    "told",
    [
        "Nobody uses the back door", "nobody works here on Fridays", "I never eat meat",
        "Our wifi password is on the fridge", "the rota gets written by Anna", "I made the cake by hand",
        "The boiler was replaced in 2019", "nobody told me about the party", "the reminder slipped through",
    ],
)  # fmt: skip
def test_what_is_no_trouble_of_a_thing_is_offered_nothing(told: str) -> None:
    assert "I can remind you of" not in Talk().classify_and_answer(told).text


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("Well, on Wednesday at 11 I have the dentist, that's the sort of thing I forget", "dentist"),
        ("I'd forget my own head. The van's inspection has to be done before the end of March",
         "The van's inspection has to be done"),
    ],
)  # fmt: skip
def test_what_is_told_of_ones_own_forgetting_is_no_part_of_the_title(told: str, title: str) -> None:
    talk = Talk()

    talk.classify_and_answer(told)

    (task,) = talk.tasks.list(talk.caller, completed=None, limit=20)[0]
    assert task.title == title
    assert task.due_date is not None


def test_a_chore_told_with_a_time_and_a_place_is_set_up() -> None:
    talk = Talk()
    said = talk.classify_and_answer(
        "every single morning I go thru Zendesk by hand hunting for tickets that are about to breach, it's"
        " soul destroying. weekdays 8:15, dump them into #desk on slack"
    )

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.sources, agent.schedule.cron) == (("zendesk",), "15 8 * * 1-5"), said.text


def test_words_with_a_job_and_a_source_of_their_own_do_not_complete_an_offer() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "I've been told to automate something. I'm a PM, my life is in Linear and Notion."
    )
    talk.classify_and_answer(
        "What I dread is chasing people who haven't updated their project status. That's in Notion. Fridays"
        " at noon, just tell me here."
    )

    [agent] = talk.agents()
    assert "chasing people who haven't updated their project status" in agent.what
