"""Changes of agents in people's own words: what is turned down goes, and what isn't spoken of stays."""

from __future__ import annotations

import pytest

from agent.workspace.agents import MAX_BRIEF_CHARACTERS, Agent
from tests.fakes.data.chat_session import Talk

MONDAYS = {"cron": "0 9 * * 1", "text": "Mondays at 9:00 AM", "time_zone": "UTC"}
DAILY = {"cron": "0 8 * * *", "text": "Daily at 8:00 AM", "time_zone": "UTC"}
IN_SLACK = {"channels": ["slack"], "recipients": ["#sales"]}


def changed(message: str, **fields: object) -> tuple[Agent, str]:
    """Return the agent lead-list after a message, and the reply."""
    talk = Talk()
    defaults: dict[str, object] = {"sources": ["hubspot"], "schedule": MONDAYS, "delivery": IN_SLACK}
    talk.create("lead-list", "new leads without an owner", **{**defaults, **fields})
    reply = talk.classify_and_answer(message)
    (agent,) = talk.agents()
    return agent, reply.text


@pytest.mark.parametrize(
    "message",
    [
        "nobody looks into slack here. mail lead-list to jo@acme.io",
        "we did away with Slack, so lead-list should go by email to jo@acme.io",
        "lead-list by mail to jo@acme.io and no longer to Slack",
        "lead-list: no more slack please, jo@acme.io gets it by mail",
        "send lead-list to jo@acme.io",
    ],
)
def test_results_go_where_they_are_wanted_and_no_longer_where_they_were(message: str) -> None:
    delivery = changed(message)[0].delivery
    assert (delivery.channels, delivery.recipients) == (("email",), ("jo@acme.io",))


def test_results_go_to_another_address_as_well_where_that_is_said() -> None:
    message = "let Jo have lead-list too, jo@acme.io. Not instead of, as well as"
    delivery = changed(message, delivery={"channels": ["email"], "recipients": ["ann@acme.io"]})[0].delivery
    assert delivery.recipients == ("ann@acme.io", "jo@acme.io")


def test_only_the_address_that_is_named_gives_way_to_another() -> None:
    both = {"channels": ["email"], "recipients": ["ann@acme.io", "bob@acme.io"]}
    delivery = changed("lead-list to jo@acme.io instead of bob@acme.io", delivery=both)[0].delivery
    assert delivery.recipients == ("ann@acme.io", "jo@acme.io")


@pytest.mark.parametrize(
    ("message", "cron"),
    [
        ("lead-list should come two hours later than it does now", "0 10 * * *"),
        ("lead-list, but leave out the weekends please, we're shut", "0 8 * * 1-5"),
        ("push lead-list to 9:30 instead of 8, same days", "30 9 * * *"),
    ],
)
def test_a_time_is_read_beside_the_one_that_it_changes(message: str, cron: str) -> None:
    schedule = changed(message, schedule=DAILY)[0].schedule
    assert schedule is not None
    assert schedule.cron == cron


def test_a_job_that_names_a_day_changes_no_schedule() -> None:
    agent, _ = changed("lead-list should also mention what came in on sunday", schedule=DAILY)
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 8 * * *"


def test_a_source_gives_way_to_the_one_that_data_moved_to() -> None:
    agent, _ = changed("the leads aren't in HubSpot any more, lead-list has to read Airtable now")
    assert agent.sources == ("airtable",)


@pytest.mark.parametrize("message", ["rename lead-list to new-leads", "lead-list at 10 instead of 9"])
def test_what_an_agent_lacks_is_not_said_again_at_a_change_of_something_else(message: str) -> None:
    _, reply = changed(message)
    assert "now" in reply
    assert "Before it can work" not in reply


def talk_with(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.create(name, f"what {name.partition('-')[0]} is about", schedule=MONDAYS)
    return talk


def statuses(talk: Talk) -> dict[str, str]:
    return {agent.name: agent.status.value for agent in talk.agents()}


@pytest.mark.parametrize(
    "message",
    [
        "pause everything except fridge-log, that one has to keep going. I'll tell you when to start again",
        "nothing should run until I say so, fridge-log excepted",
        "I want nothing to run, with the sole exception of fridge-log. Please pause the rest.",
        "all agents off please, only fridge-log keeps running",
    ],
)
def test_all_but_the_excepted_one_are_paused_and_nothing_is_asked(message: str) -> None:
    talk = talk_with("fridge-log", "order-list", "rota-check")
    reply = talk.classify_and_answer(message)
    assert statuses(talk) == {"fridge-log": "active", "order-list": "paused", "rota-check": "paused"}
    assert "?" not in reply.text
    assert "did not" not in reply.text


def test_what_was_paused_goes_on_where_it_is_started_again_and_runs_nothing() -> None:
    talk = talk_with("fridge-log", "order-list", "rota-check")
    talk.classify_and_answer("pause fridge-log and rota-check")
    talk.classify_and_answer("start up again everything we stopped, only not the rota, that stays shut")
    assert statuses(talk) == {"fridge-log": "active", "order-list": "active", "rota-check": "paused"}
    talk.classify_and_answer("right, start the rota again")
    assert set(statuses(talk).values()) == {"active"}
    assert not talk.store.runs.list(talk.caller, limit=5)[0]


def test_a_deed_that_is_corrected_at_once_is_done_to_the_other_thing_alone() -> None:
    talk = talk_with("trip-forms", "trip-payments")
    reply = talk.classify_and_answer(
        "you can delete trip-payments. no wait, not payments! trip-forms, delete trip-forms"
    )
    assert "trip-forms" in reply.text
    assert "trip-payments" not in reply.text


@pytest.mark.parametrize(
    "message",
    [
        "please have order-list run straight away; the regular Monday run is not to be altered",
        "I know order-list isn't due yet, but would you mind terribly running it for me now, just this once?",
    ],
)
def test_a_run_at_once_leaves_the_schedule_alone(message: str) -> None:
    talk = talk_with("order-list")
    talk.classify_and_answer(message)
    (agent,) = talk.agents()
    assert len(talk.store.runs.list(talk.caller, limit=5)[0]) == 1
    assert agent.schedule is not None
    assert agent.schedule.cron == "0 9 * * 1"


@pytest.mark.parametrize(
    "message",
    [
        "Please undo it, I don't want it after all.",
        "stop stop. boss says no agent, he wants it by hand. so nothing please",
        "scrap that, it was a mistake",
    ],
)
def test_an_agent_just_made_is_taken_back(message: str) -> None:
    talk = talk_with()
    talk.classify_and_answer("every friday 10am the open tickets from zendesk to ops@acme.io")
    assert len(talk.agents()) == 1
    talk.classify_and_answer(message)
    assert talk.agents() == []


def test_a_wish_about_the_new_agent_takes_nothing_back() -> None:
    talk = talk_with()
    talk.classify_and_answer("every day 10am the open tickets from zendesk to ops@acme.io")
    talk.classify_and_answer("I don't want it on sundays")
    assert len(talk.agents()) == 1


def test_only_the_field_that_is_spoken_of_is_taken_back() -> None:
    talk = talk_with("stock-count")
    talk.classify_and_answer("call stock-count shelf-check and make it 9:30")
    talk.classify_and_answer("could the name go back to what it was? the 9:30 please keep")
    (agent,) = talk.agents()
    assert agent.name == "stock-count"
    assert agent.schedule is not None
    assert agent.schedule.cron == "30 9 * * 1"


@pytest.mark.parametrize(
    ("message", "what", "source", "cron"),
    [
        ("and the same for hall B but 30 min later", "free bins in hall B", "netsuite", "30 9 * * 1"),
        (
            "same agent for hall C but that's on lightspeed, tuesdays",
            "free bins in hall C",
            "lightspeed",
            "0 9 * * 2",
        ),
        ("the same again for Airtable please", "free bins in hall A", "airtable", "0 9 * * 1"),
    ],
)
def test_a_copy_differs_in_what_is_said_of_it(message: str, what: str, source: str, cron: str) -> None:
    talk = talk_with()
    talk.create("bins", "free bins in hall A", sources=["netsuite"], schedule=MONDAYS, delivery=IN_SLACK)
    talk.classify_and_answer("show me bins")
    talk.classify_and_answer(message)
    copy = next(agent for agent in talk.agents() if agent.name != "bins")
    assert copy.schedule is not None
    assert (copy.what, copy.sources, copy.schedule.cron) == (what, (source,), cron)
    assert copy.delivery.recipients == ("#sales",)


def test_a_copy_of_an_agent_with_the_longest_brief_keeps_to_that_length() -> None:
    talk = talk_with()
    brief = "free bins " * (MAX_BRIEF_CHARACTERS // 10)
    talk.create("bins", "free bins in hall A", brief=brief, sources=["netsuite"], schedule=MONDAYS)
    talk.classify_and_answer("show me bins")
    talk.classify_and_answer("the same again for Airtable please")
    copy = next(agent for agent in talk.agents() if agent.name != "bins")
    assert copy.brief == brief.strip()


def test_an_agent_is_shown_to_the_others_and_the_one_that_is_named_beside_it_is_not() -> None:
    talk = talk_with("donor-thanks", "gift-aid")
    talk.classify_and_answer("show me donor-thanks")
    talk.classify_and_answer(
        "could you make it so that the others can see it too? Only that one, not my gift-aid one"
    )
    assert {agent.name: agent.shared for agent in talk.agents()} == {"donor-thanks": True, "gift-aid": False}


@pytest.mark.parametrize(
    "message",
    [
        "pause order-list. sorry, I mean rota-check",
        "turn off order-list... wait no! rota-check I meant, leave order-list alone",
    ],
)
def test_what_somebody_meant_instead_is_the_only_thing_that_a_deed_is_done_to(message: str) -> None:
    talk = talk_with("order-list", "rota-check")
    talk.classify_and_answer(message)
    assert statuses(talk) == {"order-list": "active", "rota-check": "paused"}


def test_a_yes_that_repeats_the_name_does_nothing_else() -> None:
    talk = talk_with("scrap-list", "scrap-report")
    reply = talk.classify_and_answer("Remove scrap-list. NOT scrap-report!! that one we use every day")
    assert reply.text == "Shall I delete scrap-list? scrap-report stays."
    talk.classify_and_answer("yes, only scrap-list")
    assert statuses(talk) == {"scrap-report": "active"}


@pytest.mark.parametrize(
    ("say", "expect"),
    [
        ("also check it says 'All good'", "contains"),
        ("it should also contain 'All good'", "contains"),
        ("only tell me when it changes", "unchanged"),
    ],
)
def test_what_a_watched_page_is_checked_for_can_change(say: str, expect: str) -> None:
    talk = Talk()
    talk.classify_and_answer("watch https://example.com and tell me if it's down")
    talk.classify_and_answer(say)

    [agent] = talk.agents()
    assert agent.check is not None
    assert agent.check.expect == expect
    assert agent.instructions == ""


def test_a_watch_follows_no_instructions() -> None:
    talk = Talk()
    talk.classify_and_answer("watch https://example.com and tell me if it's down")
    reply = talk.classify_and_answer("make it polite, with a summary in bullets").text

    assert talk.agents()[0].instructions == ""
    assert "follows" not in reply
