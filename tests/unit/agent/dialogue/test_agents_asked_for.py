"""Questions for the agents there are, whatever else their message tells or asks."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk

_AT_HALF_PAST_FOUR = Schedule(cron="30 4 * * *", text="Daily at 4:30 AM")


def with_three() -> Talk:
    talk = Talk()
    tuesdays = Schedule(cron="0 9 * * 2", text="Tuesdays at 9:00 AM")
    talk.create("help-gaps", "help articles that are missing", sources=("notion",), schedule=tuesdays)
    talk.create("backlog-count", "number of open tickets", sources=("zendesk",))
    talk.create("refund-mails", "mails asking for a refund", sources=("gmail",))
    return talk


def with_one() -> Talk:
    talk = Talk()
    talk.create("morning-orders", "orders for the day", sources=("gmail",), schedule=_AT_HALF_PAST_FOUR)
    return talk


def cron_of_one(talk: Talk) -> str:
    [agent] = talk.agents()
    assert agent.schedule is not None
    return agent.schedule.cron


@pytest.mark.parametrize(
    "question",
    [
        "which bots do we have, and is one of them reading notion?",
        "what agents are there and does any of them use notion?",
        "list our agents. which one reads notion?",
        "show me all the agents and which of them runs on Tuesdays",
        "could you list the agents and tell me which one reads notion?",
        "give me the list of agents. do any use notion?",
    ],
)
def test_a_list_with_a_question_about_some_answers_both(question: str) -> None:
    talk = with_three()
    reply = talk.classify_and_answer(question).text
    assert "backlog-count: " in reply
    assert "refund-mails: " in reply
    assert reply.endswith("help-gaps runs Tuesdays at 9:00 AM and reports here.")
    assert "Shall I delete help-gaps?" in talk.classify_and_answer("get rid of that one").text


@pytest.mark.parametrize(
    "question",
    ["does one of our agents read notion?", "is one of my agents reading notion?",
     "which of our agents read notion?"],
)  # fmt: skip
def test_a_question_about_some_agents_alone_lists_no_others(question: str) -> None:
    reply = with_three().classify_and_answer(question).text
    assert reply == "help-gaps runs Tuesdays at 9:00 AM and reports here."


@pytest.mark.parametrize(
    "message",
    [
        "I have one agent that I don't use more but I don't remember the name. Which agents I have?",
        "there's an agent I never use but I forgot what it's called. what agents have I got?",
        "I want to get rid of one but don't know its name. what do I have?",
        "we had some agent for the tickets, I forget its name. Which agents do we have?",
        "I'm new here, sorry. Which agents are running?",
    ],
)
def test_what_is_told_before_a_question_for_the_list_does_not_hide_it(message: str) -> None:
    reply = with_three().classify_and_answer(message).text
    assert reply.startswith("You have 3 agents:")


@pytest.mark.parametrize(
    "message",
    [
        "my daughter set this up for me, i'm hopeless with computers. what is it doing at the moment?",
        "what does this thing do for me right now?",
        "my son put this on my laptop, no idea how it works. what's it doing for me?",
        "so what is this doing at the moment?",
        "what is it up to these days?",
        "I didn't set this up myself. what does it do for me currently?",
    ],
)
def test_what_it_is_doing_is_what_its_only_agent_does(message: str) -> None:
    reply = with_one().classify_and_answer(message).text
    assert reply.startswith("morning-orders: orders for the day from Gmail; it runs daily at 4:30 AM")


@pytest.mark.parametrize(
    "message",
    ["My son set this up. what is it doing?", "what are they doing at the moment?",
     "sorry i'm old, what's running here right now?"],
)  # fmt: skip
def test_what_several_agents_are_doing_is_their_list(message: str) -> None:
    reply = with_three().classify_and_answer(message).text
    assert reply.startswith("You have 3 agents:")
    assert "no answer" not in reply


@pytest.mark.parametrize(
    "message", ["what does this do?", "what is this for?", "my son set this up. what is it for?"]
)
def test_what_it_is_for_is_still_the_purpose_of_all_this(message: str) -> None:
    assert with_one().classify_and_answer(message).text.startswith("Set up agents that watch")


@pytest.mark.parametrize(
    "message",
    [
        "make it half past 5, im not up at that hour lol",
        "5:30 please, 4:30 is too early",
        "move it to five thirty, I'm not awake then",
        "better at 5.30, thats way too early for me",
        "half five would be nicer, because the shop is shut at 4:30",
    ],
)
def test_another_hour_with_its_reason_keeps_the_days(message: str) -> None:
    talk = with_one()
    talk.classify_and_answer("what time does that come?")
    talk.classify_and_answer(message)
    assert cron_of_one(talk) == "30 5 * * *"


def test_other_days_with_their_reason_keep_the_hour() -> None:
    talk = with_one()
    talk.classify_and_answer("what time does that come?")
    talk.classify_and_answer("only on Mondays, every day is too much")
    assert cron_of_one(talk) == "30 4 * * 1"


def test_a_task_moves_to_the_hour_before_its_reason() -> None:
    talk = Talk()
    talk.classify_and_answer("remind me tomorrow at 10 to answer Priya about the refund")
    reply = talk.classify_and_answer("make it 11, forgot theres standup at 10").text
    assert "tomorrow at 11:00 AM" in reply


@pytest.mark.parametrize(
    "request_",
    ["Show me the list.", "show the list again", "the list again", "can I see the list?",
     "let me see the whole list", "and now the list", "what does the list look like now?"],
)  # fmt: skip
def test_the_list_is_the_one_that_was_shown_last(request_: str) -> None:
    talk = with_three()
    for message in ("How many agents do I have?", "delete refund-mails", "yes"):
        talk.classify_and_answer(message)
    assert talk.classify_and_answer(request_).text.startswith("You have 2 agents:")

    talk.classify_and_answer("add a task to buy pens")
    talk.classify_and_answer("what's on my to-do list?")
    assert "buy pens" in talk.classify_and_answer(request_).text


@pytest.mark.parametrize(
    ("say", "names"),
    [
        ("which of them run before nine?", {"dawn"}),
        ("which agents come after 2pm?", {"late"}),
        ("do any of them run in the morning?", {"dawn", "mid"}),
        ("which agents run after 5?", set()),
    ],
)
def test_a_part_of_the_day_says_which_agents_are_meant(say: str, names: set[str]) -> None:
    talk = Talk()
    for name, hour in (("dawn", 7), ("mid", 9), ("late", 15)):
        schedule = {"cron": f"0 {hour} * * *", "text": f"Daily at {hour}:00", "time_zone": "UTC"}
        talk.create(name, f"news of {name}", sources=["xero"], schedule=schedule)

    said = talk.classify_and_answer(say).text

    assert {name for name in ("dawn", "mid", "late") if name in said} == names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("which of my agents deals with refunds?", "refund-mails"),
        ("which one handles the open tickets?", "backlog-count"),
        ("who looks after missing help articles here?", "help-gaps"),
        ("is there an agent for refunds?", "refund-mails"),
        ("what keeps an eye on the open tickets?", "backlog-count"),
        ("do I have something that watches the tickets?", "backlog-count"),
    ],
)
def test_an_agent_is_found_by_what_it_is_about(question: str, name: str) -> None:
    reply = with_three().classify_and_answer(question).text
    assert name in reply
    assert sum(one in reply for one in ("help-gaps", "backlog-count", "refund-mails")) == 1


@pytest.mark.parametrize("question", ["which agents do I have?", "list my agents", "what agents are there?"])
def test_a_question_for_all_agents_leaves_none_out(question: str) -> None:
    reply = with_three().classify_and_answer(question).text
    assert all(one in reply for one in ("help-gaps", "backlog-count", "refund-mails"))


@pytest.mark.parametrize(
    "question",
    ["Do you happen to know whose inbox refunds ends up in?", "into whose mailbox does refunds land?"],
)
def test_whose_inbox_an_agent_goes_to_is_told(question: str) -> None:
    talk = Talk()
    mail = {"channels": ["email"], "recipients": ["kim@books.example", "raj@books.example"]}
    talk.create("refunds", "mails asking for a refund", sources=("gmail",), delivery=mail)

    reply = talk.classify_and_answer(question).text

    assert "kim@books.example" in reply
    assert "raj@books.example" in reply


@pytest.mark.parametrize(
    "question",
    [
        "what's still going then?", "which one stays in function?", "what's left running?",
        "Can you confirm me which one stays in function?", "who is still working?",
    ],
)  # fmt: skip
def test_the_agents_that_still_work_are_listed(question: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    talk.create("stock", "low stock")
    talk.classify_and_answer("pause parcels")
    said = talk.classify_and_answer(question).text
    assert "stock" in said
    assert "parcels" not in said


@pytest.mark.parametrize(
    "told", ["floor's done, beer's back in the tanks!", "tearing up the floor this week so it's all empty."]
)
def test_a_reason_before_a_deed_is_about_no_task(told: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    said = talk.classify_and_answer(f"{told} pause parcels for me").text
    assert said.startswith("parcels is paused.")


@pytest.mark.parametrize(
    "request_",
    [
        "I'd rather not wait till Monday, can parcels do its thing today so I can see what it looks like?",
        "could you have parcels do its job right now?", "let parcels do its thing now please",
    ],
)  # fmt: skip
def test_an_agent_that_is_to_do_its_thing_is_started(request_: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    assert talk.classify_and_answer(request_).text.startswith("Started parcels.")


@pytest.mark.parametrize("question", ["did parcels do its job?", "can parcels do its thing on Fridays?"])
def test_a_question_about_its_job_starts_none(question: str) -> None:
    talk = Talk()
    talk.create("parcels", "late parcels")
    assert "Started" not in talk.classify_and_answer(question).text


def with_some() -> Talk:
    talk = Talk()
    talk.create(
        "churn",
        "customers who cancelled",
        sources=["stripe"],
        delivery={"channels": ["email"], "recipients": ["me@x.com"]},
    )
    talk.create("low-stock", "articles to order", sources=["shopify"])
    talk.classify_and_answer("add call the plumber tomorrow at 10")
    talk.classify_and_answer("add ask Jana about the contract")
    return talk


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which of my agents sends mails", "churn"),
        ("where do you take the churn numbers from", "churn reads Stripe."),
        ("where do you get the stock from?", "low-stock reads Shopify."),
        ("do I have something with the plumber?", "call the plumber"),
        ("is there anything about the contract?", "ask Jana about the contract"),
    ],
)
def test_a_question_is_about_the_thing_it_describes(question: str, said: str) -> None:
    answer = with_some().classify_and_answer(question).text
    assert said in answer
    assert not ("low-stock" in answer and said == "churn")
