"""Several new agents that one message lays out by their times."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    "message",
    [
        "need 2 jobs off Salesforce, both to slack #sales-ops. mon 7am: open deals. fri 4pm: deals won.",
        "two agents from Salesforce, both to #sales-ops. Monday 7am: open deals. Friday 4pm: deals won",
        "set up 2 agents on Salesforce, to #sales-ops.\n- mon 7am: open deals\n- fri 4pm: deals won",
        "two reports from Salesforce to #sales-ops: mondays at 7am the open deals, fridays at 4pm deals won",
        "mon 7am: open deals from Salesforce to #sales-ops. fri 4pm: deals won from Salesforce to #sales-ops",
    ],
)
def test_each_of_two_agents_gets_its_own_time_and_what_is_said_of_both(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer(message)
    both = {
        one.what.removeprefix("the "): (
            one.schedule and one.schedule.cron,
            one.sources,
            one.delivery.recipients,
        )
        for one in talk.agents()
    }
    assert both == {
        "open deals": ("0 7 * * 1", ("salesforce",), ("#sales-ops",)),
        "deals won": ("0 16 * * 5", ("salesforce",), ("#sales-ops",)),
    }


def test_one_agent_with_its_time_before_a_colon_stays_one() -> None:
    talk = Talk()
    talk.classify_and_answer("an agent that reads Salesforce Mondays at 7am: the open deals, to #sales")
    assert len(talk.agents()) == 1


def test_things_to_do_with_their_times_are_no_agents() -> None:
    talk = Talk()
    talk.classify_and_answer("put on my list: mon 7am: call Ann. fri 4pm: pay the rent")
    assert talk.agents() == []
