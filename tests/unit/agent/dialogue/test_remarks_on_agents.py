"""What people say of their agents in passing: deeds that they withdraw, results that they miss, and which one
they mean.
"""

from __future__ import annotations

import pytest

from agent.workspace.agents import Agent, AgentStatus
from agent.workspace.delivery_targets import Channel
from tests.fakes.data.chat_session import Talk

_DAILY = {"cron": "0 5 * * *", "time_zone": "UTC", "text": "Daily at 5:00 AM"}


def with_orders() -> Talk:
    talk = Talk()
    talk.create("sausage-orders", "sausage orders of the day", sources=["shopify"], schedule=_DAILY)
    talk.create("game-orders", "orders for venison", sources=["shopify"], schedule=_DAILY)
    return talk


def named(talk: Talk, name: str) -> Agent:
    return next(agent for agent in talk.agents() if agent.name == name)


def test_a_reason_that_names_another_option_chooses_nothing() -> None:
    talk = with_orders()
    talk.classify_and_answer("get rid of the orders agent")

    assert talk.classify_and_answer("the sausage one, game season is just starting").text == (
        "Shall I delete sausage-orders?"
    )


@pytest.mark.parametrize(
    "message",
    [
        "pause sausage-orders over easter? nah leave it",
        "pause sausage-orders? no, better not",
        "pause sausage-orders. no wait, don't",
        "share sausage-orders? nope, keep it as it is",
    ],
)
def test_a_deed_that_the_message_withdraws_is_not_done(message: str) -> None:
    talk = with_orders()
    before = talk.agents()
    talk.classify_and_answer(message)

    assert talk.agents() == before


@pytest.mark.parametrize(
    "message", ["pause sausage-orders? yes please", "pause sausage-orders. leave it that way"]
)
def test_a_deed_that_the_message_stands_by_is_done(message: str) -> None:
    talk = with_orders()
    talk.classify_and_answer(message)

    assert named(talk, "sausage-orders").status is AgentStatus.PAUSED


@pytest.mark.parametrize(
    "message",
    [
        "it's Thursday and I got nothing from game-orders. what happened?",
        "game-orders never arrived this morning",
        "there was no game-orders today",
        "game-orders hasn't shown up this week",
        "I'm back in the office. did game-orders do anything while I was away?",
    ],
)
def test_results_that_are_missed_are_told_of(message: str) -> None:
    talk = with_orders()
    before = talk.agents()

    assert "game-orders hasn't run yet" in talk.classify_and_answer(message).text
    assert talk.agents() == before


@pytest.mark.parametrize("question", ["next run?", "and the next one?"])
def test_a_run_that_is_only_named_in_a_question_is_not_started(question: str) -> None:
    talk = with_orders()
    talk.classify_and_answer("show game-orders")

    assert talk.classify_and_answer(question).text.startswith("game-orders next runs")


def test_a_time_is_asked_of_the_agent_whose_time_was_just_changed() -> None:
    talk = with_orders()
    talk.classify_and_answer("game-orders at 7 please")

    assert "7:00 AM" in talk.classify_and_answer("at what time is it now?").text


def test_mails_that_shall_stop_leave_what_is_shown_in_the_chat() -> None:
    talk = with_orders()
    talk.classify_and_answer("mail game-orders to mo@b.co")
    talk.classify_and_answer("Stop mailing me game-orders, just show it to me in here.")

    assert named(talk, "game-orders").delivery.channels == (Channel.CONVERSATION,)


def test_another_deed_meant_for_another_agent_is_that_deed() -> None:
    talk = with_orders()
    talk.classify_and_answer("share game-orders with the team")
    talk.classify_and_answer("and run it once")
    said = talk.classify_and_answer("oh and I meant sausage-orders should be shared as well, both")

    assert named(talk, "sausage-orders").shared
    assert "Started" not in said.text


@pytest.mark.parametrize(
    "message",
    [
        "keep it to me only, there are phone numbers in it",
        "on second thoughts just me please, keep it private",
    ],
)
def test_what_was_just_shared_is_kept_to_its_owner(message: str) -> None:
    talk = with_orders()
    talk.classify_and_answer("share game-orders with everyone")
    talk.classify_and_answer(message)

    assert not named(talk, "game-orders").shared


def test_a_system_that_was_moved_from_gives_way_to_the_new_one() -> None:
    talk = Talk()
    talk.create("rebook-list", "patients not seen for 6 weeks", sources=["jane"], schedule=_DAILY)
    talk.classify_and_answer(
        "We moved from Jane to Cliniko last week, so please have rebook-list read Cliniko"
    )
    talk.classify_and_answer("Also it should only count patients not seen for 8 weeks, not 6")

    [agent] = talk.agents()
    assert (agent.sources, agent.what) == (("cliniko",), "patients not seen for 8 weeks")


def test_a_database_in_a_known_system_is_read_there_on_the_corrected_day() -> None:
    talk = Talk()
    talk.classify_and_answer("can you check the Roadmap database in Notion for new pages every Tuesday at 10")
    talk.classify_and_answer("sorry, Wednesday I meant, Tuesday is planning. here please")

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.sources, agent.schedule.cron) == (("notion",), "0 10 * * 3")


def test_weekdays_that_lack_a_letter_are_not_dropped() -> None:
    talk = Talk()
    talk.classify_and_answer("evry moday n thrusday at 8am chekc our google sheet for meds taht expire, here")

    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * 1,4"


def test_what_an_agent_should_also_tell_is_an_instruction() -> None:
    talk = with_orders()
    talk.classify_and_answer("game-orders should also tell me what is late, not only what is new")

    assert "what is late" in named(talk, "game-orders").instructions


@pytest.mark.parametrize(
    "message",
    [
        "ha, spring-orders i meant. with an r",
        "spring-orders, sorry",
        "oops, I meant spring-orders",
        "it's spring-orders of course",
    ],
)
def test_a_new_name_spelled_anew_is_the_name(message: str) -> None:
    talk = Talk()
    talk.create("valentine-orders", "flower orders", sources=["shopify"], schedule=_DAILY)
    talk.classify_and_answer("rename valentine-orders to spring-oders")
    talk.classify_and_answer(message)

    assert [agent.name for agent in talk.agents()] == ["spring-orders"]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("name it old-tikets. old-tickets i mean", "old-tickets"),
        ("rename it to tickts, sorry tickets", "tickets"),
        ("call it training-attendence. attendance with an a: training-attendance", "training-attendance"),
    ],
)
def test_a_name_spelled_anew_in_the_same_message_is_the_name(message: str, name: str) -> None:
    talk = Talk()
    talk.create("weekly", "open tickets", sources=["jira"], schedule=_DAILY)
    talk.classify_and_answer("show weekly")
    talk.classify_and_answer(message)

    assert [agent.name for agent in talk.agents()] == [name]


def test_a_place_that_is_only_told_of_is_not_wanted() -> None:
    talk = with_orders()
    talk.classify_and_answer("game-orders lands in my inbox where it drowns. Put it in slack #orders")

    delivery = named(talk, "game-orders").delivery
    assert (delivery.channels, delivery.recipients) == ((Channel.SLACK,), ("#orders",))


def test_a_named_agent_that_should_read_a_system_keeps_its_name_and_reads_it() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "create an agent called rent-watch. It should read Buildium and list the late rents, every Monday at"
        " 8, here."
    )

    [agent] = talk.agents()
    assert (agent.name, agent.sources) == ("rent-watch", ("buildium",))


def test_a_deleted_agent_comes_back_behind_an_excuse() -> None:
    talk = with_orders()
    talk.classify_and_answer("delete game-orders")
    talk.classify_and_answer("yes")
    talk.classify_and_answer("oh no, I got them mixed up. Bring game-orders back please")

    assert {agent.name for agent in talk.agents()} == {"sausage-orders", "game-orders"}


@pytest.mark.parametrize(
    "chore",
    [
        (
            "I have been putting together the list of leases that end within 90 days by hand. What I would"
            " like is for this list to be taken from AppFolio on the 1st of every month at 8, here."
        ),
        (
            "I go through the leases that end within 90 days by hand. Can you get that from AppFolio each"
            " friday at 3, here?"
        ),
    ],
)
def test_a_chore_that_is_told_is_taken_over_from_where_the_request_says(chore: str) -> None:
    talk = Talk()
    talk.classify_and_answer(chore)

    [agent] = talk.agents()
    assert agent.sources == ("appfolio",)
    assert "leases that end within 90 days" in agent.what


def test_those_two_are_the_two_that_were_listed() -> None:
    talk = with_orders()
    talk.create("late", "late parcels", sources=["shopify"], schedule=_DAILY)
    talk.classify_and_answer("mail sausage-orders to desk@b.co")
    talk.classify_and_answer("mail late to desk@b.co")
    talk.classify_and_answer("which of my agents send email")
    talk.classify_and_answer("pause those two")

    paused = {agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED}
    assert paused == {"sausage-orders", "late"}


@pytest.mark.parametrize("question", ["which of my agents are due tomorrow?", "which ones come tomorrow?"])
def test_the_agents_of_a_day_to_come_are_those_that_run_then(question: str) -> None:
    talk = with_orders()
    talk.create("thursdays", "late parcels", sources=["shopify"], schedule={**_DAILY, "cron": "0 5 * * 4"})

    said = talk.classify_and_answer(question).text
    assert said.startswith("Tomorrow 2 agents run")
    assert "thursdays" not in said


def test_what_a_change_elsewhere_means_for_an_agent_is_asked_before_it_is_deleted() -> None:
    talk = with_orders()
    said = talk.classify_and_answer("finance took it over, which means game-orders can be deleted. Thanks!")

    assert said.text == "Shall I delete game-orders?"


def test_the_reason_of_a_pause_is_no_new_agent() -> None:
    talk = with_orders()
    said = talk.classify_and_answer(
        "Hi there, me again. We're closing the office over Easter and honestly nobody wants to look at"
        " numbers then, so could you stop game-orders for the time being?"
    )

    assert said.text.startswith("game-orders is paused.")


@pytest.mark.parametrize(
    "message",
    [
        "can game-orders come half an hour earlier? it clashes with our briefing on thursday",
        "game-orders clashes with our briefing on thursday. can it come half an hour earlier?",
    ],
)
def test_a_shift_keeps_the_days_whatever_the_present_time_clashes_with(message: str) -> None:
    talk = with_orders()
    talk.classify_and_answer(message)

    schedule = named(talk, "game-orders").schedule
    assert schedule is not None
    assert schedule.cron == "30 4 * * *"


def test_a_second_page_is_watched_beside_the_first() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "I need something that keeps an eye on https://a.example for new things in Mill Lane"
    )
    talk.classify_and_answer("keep tabs on https://b.example and tell me if it is down")

    assert {agent.check.url for agent in talk.agents() if agent.check} == {
        "https://a.example",
        "https://b.example",
    }


def test_a_page_to_watch_is_no_place_for_the_results_of_another_watch() -> None:
    talk = Talk()
    talk.classify_and_answer("watch https://a.example and tell me when it's down")
    talk.classify_and_answer("and keep an eye on https://b.example for changes")
    [agent] = talk.agents()
    assert agent.delivery.channels == (Channel.CONVERSATION,)
    talk.classify_and_answer("yes")

    assert {agent.check.url for agent in talk.agents() if agent.check} == {
        "https://a.example",
        "https://b.example",
    }


def test_a_watch_is_given_another_page() -> None:
    talk = Talk()
    talk.classify_and_answer("watch https://a.example and tell me when it's down")
    talk.classify_and_answer("watch https://b.example instead")

    [agent] = talk.agents()
    assert agent.check is not None
    assert (agent.check.url, agent.delivery.channels) == ("https://b.example", (Channel.CONVERSATION,))
