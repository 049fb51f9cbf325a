"""What the chat says and does about runs: start, repeat with a change, ask how far, stop."""

from __future__ import annotations

import pytest

from agent.runs.claims import Claim, RunClaims, RunResult
from agent.runs.worker import outcome_for
from agent.workspace.delivery_targets import (
    Channel,
    Delivery,
    DeliveryTarget,
    channels_without_address,
    targets_of,
)
from agent.workspace.runs import Run, RunStatus
from conversation.messages.models import Note
from intent.decision import ActionType
from tests.fakes.data.chat_session import Talk
from tools.outbound.client import OutboundClient

RUN, ASK, UNKNOWN, CREATE, CHANGE = (
    ActionType.EXECUTE_TASK,
    ActionType.QUERY_INFO,
    ActionType.UNKNOWN,
    ActionType.CREATE_AGENT,
    ActionType.UPDATE_AGENT,
)


def newest(talk: Talk) -> Run:
    [run, *_], _ = talk.store.runs.list(talk.caller, limit=10)
    return run


def finish(talk: Talk, output: str = "Sales are up.") -> None:
    claims = RunClaims(tables=talk.tables, clock=talk.clock)
    claim = claims.claim(talk.caller.tenant, talk.caller.user, newest(talk).id, worker="w")
    assert isinstance(claim, Claim)
    claims.settle(claim, RunResult(outcome=outcome_for("done"), output=output))
    claims.end(claim, outcome_for("done"))


def test_a_run_takes_along_what_holds_for_it_only() -> None:
    talk = Talk()
    talk.create("reporter", "sales")

    said = talk.say("Run reporter for Q1", RUN, agent_name="reporter")

    assert newest(talk).parameters == {"period": "Q1"}
    assert said.text == "Started reporter for Q1. The result will appear here."
    assert said.note.about
    assert (said.note.about.kind, said.note.about.id) == ("run", newest(talk).id)


@pytest.mark.parametrize(
    ("words", "parameters"),
    [
        ("run reporter again", {"period": "Q4"}),
        ("run reporter again for Q1", {"period": "Q1"}),
        ("run reporter again, only for the northern branches", {"period": "the northern branches"}),
    ],
)
def test_again_takes_along_what_the_last_run_was_about(words: str, parameters: dict[str, str]) -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.create("watcher", "tickets")
    talk.classify_and_answer("Run reporter for Q4")
    talk.clock.advance(86_400)

    talk.classify_and_answer(words)

    assert (newest(talk).agent_name, newest(talk).parameters) == ("reporter", parameters)


@pytest.mark.xfail(strict=True, reason="a run like the last one is asked for by the agent's name and again")
def test_the_same_as_last_time_is_found_in_another_conversation_and_changed() -> None:
    talk = Talk()
    agent = talk.create("reporter", "sales")
    talk.create("watcher", "tickets")
    talk.say("Run reporter for Q4, only for project Apollo", RUN, agent_name="reporter", scope="Apollo")
    first = newest(talk)
    talk.clock.advance(86_400)
    talk.history.clear()

    said = talk.say("Run the same thing as last time but for Q1 data", RUN)

    again = newest(talk)
    assert again.id != first.id
    assert (again.agent_id, again.parameters) == (agent.id, {**first.parameters, "period": "Q1"})
    assert "again" in said.text


def test_it_again_means_the_agent_just_talked_about_and_not_any_last_run() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.create("watcher", "tickets")
    talk.say("Run reporter", RUN, agent_name="reporter")
    talk.say("show watcher", ASK, agent_name="watcher", operation="show_agent")
    talk.clock.advance(60)

    talk.say("run it again", RUN)

    assert newest(talk).agent_name == "watcher"


@pytest.mark.xfail(strict=True, reason="an agent that never ran is started again")
def test_without_an_earlier_run_there_is_nothing_to_repeat() -> None:
    talk = Talk()
    talk.create("reporter", "sales")

    said = talk.say("Run the same thing as last time", RUN)

    assert "no earlier run" in said.text
    assert not said.effects


def test_an_agent_that_is_gone_is_not_run_again() -> None:
    talk = Talk()
    agent = talk.create("reporter", "sales")
    talk.say("Run reporter", RUN, agent_name="reporter")
    talk.store.delete(talk.caller, agent.id)
    talk.clock.advance(60)

    said = talk.say("run the same thing again", RUN)

    assert not said.effects


@pytest.mark.parametrize("question", ["Is it done?", "Is the run finished yet?", "show my runs"])
def test_how_far_a_run_is_is_told_from_what_is_stored(question: str) -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.say("Run reporter", RUN, agent_name="reporter")

    waiting = talk.say(question, ASK)
    finish(talk)
    done = talk.say(question, ASK)

    assert "waiting to start" in waiting.text
    assert "finished on" in done.text
    assert "Sales are up." in done.text


def test_when_a_run_was_is_told_behind_its_result() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.say("Run reporter", RUN, agent_name="reporter")
    finish(talk)
    talk.classify_and_answer("What came out of reporter last time?")

    said = talk.classify_and_answer("and when was that?").text

    assert "finished on" in said
    assert "no answer" not in said


def test_behind_a_word_about_its_agent_it_is_still_the_agents_latest_run() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.create("watcher", "tickets")
    talk.say("Run reporter", RUN, agent_name="reporter")
    finish(talk)
    talk.clock.advance(60)
    talk.say("Run watcher", RUN, agent_name="watcher")
    talk.say("what about reporter?", ASK, operation="show_agent", agent_name="reporter")

    assert "Sales are up." in talk.say("what did it find?", ASK).text


def test_behind_a_run_it_may_be_the_agent_that_is_to_go() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.create("watcher", "tickets")
    talk.classify_and_answer("run reporter")

    assert "Shall I delete reporter?" in talk.classify_and_answer("delete it").text


def test_what_came_out_of_a_listed_run_is_shown() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.say("Run reporter", RUN, agent_name="reporter")
    finish(talk, "First.")
    talk.clock.advance(60)
    talk.say("Run reporter", RUN, agent_name="reporter")
    finish(talk, "Second.")
    talk.say("show my runs", ASK, operation="list_runs")

    said = talk.say("show me the result of the second one", ASK, ordinal=2)

    assert "First." in said.text


def test_a_waiting_run_is_cancelled_in_the_chat() -> None:
    talk = Talk()
    talk.create("reporter", "sales")
    talk.say("Run reporter", RUN, agent_name="reporter")

    said = talk.say("cancel it", CHANGE, operation="delete")

    assert "is cancelled" in said.text
    assert newest(talk).status is RunStatus.CANCELLED
    assert len(talk.agents()) == 1
    assert "over already" in talk.say("cancel the run", CHANGE).text


def test_stop_it_behind_a_finished_run_means_the_agent() -> None:
    talk = Talk()
    talk.create("reporter", "sales", schedule={"cron": "0 9 * * *"})
    talk.say("Run reporter", RUN, agent_name="reporter")
    finish(talk)

    said = talk.say("stop it", CHANGE, operation="pause")

    assert "reporter is paused" in said.text


def test_the_wizard_keeps_mail_and_web_addresses_as_recipients() -> None:
    talk = Talk()
    talk.say("Create an agent that collects new tickets from Jira every morning at 9am", CREATE)
    talk.say("email it to maya@acme.com and ben@acme.com", CREATE)
    [mailing] = talk.agents()
    talk.say("post it to https://example.com/hook instead", CHANGE, agent_name=mailing.name)
    [posting] = talk.agents()

    assert mailing.delivery == Delivery(
        channels=(Channel.EMAIL,), recipients=("maya@acme.com", "ben@acme.com")
    )
    assert posting.delivery == Delivery(channels=(Channel.WEBHOOK,), recipients=("https://example.com/hook",))
    assert posting.needs_connection == ("jira",)


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/x", "https://127.0.0.1/x", "https://[::ffff:10.0.0.1]/x", "http://8.8.8.8/x"],
)
def test_an_address_results_must_not_go_to_is_refused_and_asked_for_again(url: str) -> None:
    talk = Talk(outbound=OutboundClient(allow_loopback=False, resolve=lambda _host, _port: ["8.8.8.8"]))
    talk.say("Create an agent that collects new tickets from Jira every morning at 9am", CREATE)

    refused = talk.say(f"post it to {url}", CREATE)
    talk.say("https://example.com/hook then", CREATE)

    assert "can't send anything to that address" in refused.text
    assert url not in refused.text
    assert refused.note != Note()
    [agent] = talk.agents()
    assert agent.delivery.recipients == ("https://example.com/hook",)


def test_each_channel_gets_the_addresses_that_are_its_own() -> None:
    recipients = ("ben@acme.com", "https://hooks.slack.com/services/T/B/x", "https://a.example/h", "#ops")
    delivery = Delivery(
        channels=(Channel.EMAIL, Channel.SLACK, Channel.WEBHOOK, Channel.TEAMS), recipients=recipients
    )

    assert targets_of(delivery, "maya") == (
        DeliveryTarget(Channel.EMAIL, "ben@acme.com"),
        DeliveryTarget(Channel.SLACK, "https://hooks.slack.com/services/T/B/x"),
        DeliveryTarget(Channel.WEBHOOK, "https://a.example/h"),
        DeliveryTarget(Channel.TEAMS, ""),
    )
    assert channels_without_address(delivery, "maya") == (Channel.TEAMS,)


def test_a_users_name_that_is_a_mail_address_is_the_owners_address() -> None:
    by_mail = Delivery(channels=(Channel.EMAIL,))

    assert targets_of(by_mail, "maya@acme.com") == (DeliveryTarget(Channel.EMAIL, "maya@acme.com"),)
    assert channels_without_address(by_mail, "auth0|123") == (Channel.EMAIL,)


@pytest.mark.parametrize(
    "words",
    [
        "Can you sum this up?",
        "Translate this to German, please",
        "Run this through a spell check",
        "Shorten it",
    ],
)
def test_words_about_a_pasted_text_start_and_change_no_agent(words: str) -> None:
    talk = Talk()
    talk.create("notion-reporter", "project updates")
    talk.classify_and_answer("show notion-reporter")

    said = talk.classify_and_answer(f"{words}\n\nFrom: boss@acme.example\nSubject: plans\n\nWe meet at nine.")

    assert (said.effects, said.tools) == ((), ())


@pytest.mark.parametrize(
    "reason",
    [
        ", inspector's here at 2.",
        " please, the auditor comes at 3",
        "? we have a meeting at 4",
        ", I leave at 6",
    ],
)
def test_the_hour_of_something_else_puts_no_run_off(reason: str) -> None:
    talk = Talk()
    talk.create("permit-check", "open permits", sources=["airtable"])
    assert talk.classify_and_answer(f"run permit-check{reason}").text.startswith("Started permit-check.")
