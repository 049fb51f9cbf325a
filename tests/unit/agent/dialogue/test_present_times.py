"""Messages that first say when an agent comes now: the time that is wished behind it counts."""

from __future__ import annotations

import pytest

from agent.workspace.agents import Schedule
from tests.fakes.data.chat_session import Talk

EARLY = "0 6 * * 1-5"


def _cron_after(say: str, cron: str | None = EARLY) -> str:
    talk = Talk()
    schedule = Schedule(cron=cron, time_zone="UTC", text="as now") if cron else None
    talk.create("rota-mail", "who works this week", schedule=schedule)
    talk.create("till-check", "cash differences")
    talk.classify_and_answer(say)
    agent = next(one for one in talk.agents() if one.name == "rota-mail")
    return "" if agent.schedule is None else agent.schedule.cron


@pytest.mark.parametrize(
    ("say", "cron", "after"),
    [
        ("6 is too early for rota-mail, we don't open until 8. 7:30 please", EARLY, "30 7 * * 1-5"),
        ("6 in the morning is a bit early for rota-mail. 8 would be better", EARLY, "0 8 * * 1-5"),
        ("nobody reads rota-mail at 6. 7:15 please", EARLY, "15 7 * * 1-5"),
        ("rota-mail comes hourly and drives me mad. Every 4 hours will do", "0 * * * *", "0 */4 * * *"),
        ("rota-mail every 15 min is killing my inbox. Hourly please", "*/15 * * * *", "0 * * * *"),
        ("once a week isn't enough for rota-mail. Make it daily, still at 7", "0 7 * * 1", "0 7 * * *"),
        ("With the move coming up, weekly is too rarely for rota-mail. Daily at 7", "0 7 * * 1", "0 7 * * *"),
        ("I don't need rota-mail daily, once a week on Fridays is plenty", "0 8 * * *", "0 8 * * 5"),
        ("rota-mail runs on Tuesdays, when I am off. Thursdays instead", "0 9 * * 2", "0 9 * * 4"),
        ("the 1st is too soon for rota-mail, books are open. The 5th please", "0 9 1 * *", "0 9 5 * *"),
        ("rota-mail at 5 is useless, I have left by then. Could we say 3:30?", "0 17 * * *", "30 15 * * *"),
        (
            "rota-mail comes out at 9 on the 1st, but the figures are only in at noon. 1pm would be right",
            "0 9 1 * *",
            "0 13 1 * *",
        ),
    ],
)  # fmt: skip
def test_the_time_that_is_wished_takes_the_place_of_the_one_told_of(say: str, cron: str, after: str) -> None:
    assert _cron_after(say, cron) == after


@pytest.mark.parametrize(
    "say",
    [
        "So far I always started rota-mail by hand. Have it run by itself, Mondays at 7am",
        "rota-mail only runs when I ask. Make it run every Monday at 7 in the morning",
        "I keep having to start rota-mail manually. Can it go on its own, Mondays 7am?",
        "I've been running rota-mail by hand. Automate it, Monday mornings at 7",
        "rota-mail has no schedule yet. Mondays at 7am please",
        "give rota-mail a schedule, Mondays at 7am",
        "rota-mail is only on demand at the moment, I'd like it every Monday at 7am",
    ],
)
def test_an_agent_that_was_started_by_hand_gets_a_schedule(say: str) -> None:
    assert _cron_after(say, None) == "0 7 * * 1"


@pytest.mark.parametrize(
    "say",
    [
        "6 is too early for me to get up",
        "rota-mail every weekday is fine, thanks",
        "is 6 too early for rota-mail?",
        "what would happen if rota-mail ran on Thursdays?",
        "rota-mail came at 10 yesterday instead of 6, why?",
        "8 is too early for the plumber, 9 is better",
    ],
)
def test_what_only_tells_of_a_time_changes_none(say: str) -> None:
    assert _cron_after(say) == EARLY


@pytest.mark.parametrize(
    "say", ["So far I always started rota-mail by hand.", "I ran rota-mail myself on Monday at 7"]
)
def test_telling_that_an_agent_is_started_by_hand_gives_it_no_schedule(say: str) -> None:
    assert _cron_after(say, None) == ""


@pytest.mark.parametrize(
    ("say", "after"),
    [
        ("All my agents should run an hour later from now on", {"0 8 * * *", "30 7 * * 1"}),
        ("could all of them run 30 minutes later?", {"30 7 * * *", "0 7 * * 1"}),
        ("the clocks change, so every agent needs to run an hour earlier", {"0 6 * * *", "30 5 * * 1"}),
        ("All of my agents should run at 9, please", {"0 9 * * *", "0 9 * * 1"}),
        ("do all my agents run an hour later in winter?", {"0 7 * * *", "30 6 * * 1"}),
        ("when do all of my agents run?", {"0 7 * * *", "30 6 * * 1"}),
    ],
)
def test_all_agents_move_together_where_that_is_asked_for(say: str, after: set[str]) -> None:
    talk = Talk()
    for name, cron in (("plant-stock", "0 7 * * *"), ("rota-mail", "30 6 * * 1")):
        talk.create(name, schedule=Schedule(cron=cron, time_zone="UTC", text="as now"))
    talk.classify_and_answer(say)
    assert {one.schedule.cron for one in talk.agents() if one.schedule} == after
