"""Deeds that a message denies are never done: every frame of negation and exception, with every deed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from agent.workspace.agents import AgentStatus
from tests.fakes.data.chat_session import Talk, TalkReply

NAMES = {"A": "invoices", "B": "rota", "C": "backup-report"}
WHAT = {"A": "open bills", "B": "who works when", "C": "failed copies"}
WEEKDAYS = {"cron": "0 8 * * 1-5", "text": "Weekdays at 8:00 AM", "time_zone": "UTC"}
PAST = {"pause": "paused", "resume": "resumed", "share": "shared", "run": "run", "delete": "deleted"}
FRAMES = [
    ("don't {verb} A, {verb} B", "B"),
    ("{verb} B, not A", "B"),
    ("{verb} B instead of A", "B"),
    ("{verb} B rather than A", "B"),
    ("instead of A, {verb} B", "B"),
    ("not A, {verb} B", "B"),
    ("{verb} all but A", "BC"),
    ("{verb} everything except A", "BC"),
    ("{verb} any of them but not A", "BC"),
    ("{verb} the lot apart from A", "BC"),
    ("except for A, {verb} them all", "BC"),
    ("anything but A can be {past}", "BC"),
    ("leave A alone but {verb} all the others", "BC"),
    ("{verb} B but leave A alone", "B"),
    ("{verb} B, A can stay", "B"),
    ("{verb} B please, but under no circumstances A", "B"),
    ("{verb} A. sorry, B", "B"),
    ("{verb} A... wait, I mean B", "B"),
    ("it's not A that should be {past}, it's B", "B"),
    ("if it isn't too much trouble {verb} B", "B"),
    ("{verb} both A and B", "AB"),
    ("{verb} A as well as B", "AB"),
    ("{verb} neither A nor B", ""),
    ("please don't {verb} A", ""),
    ("never {verb} A", ""),
    ("A must not be {past}", ""),
    ("A is the only one not to be {past}", ""),
    ("let's not {verb} A after all", ""),
    ("no need to {verb} A", ""),
    ("there's no reason to {verb} A", ""),
    ("I don't think we should {verb} A", ""),
    ("I didn't ask you to {verb} A", ""),
    ("I didn't want A {past}", ""),
    ("why did A not get {past}?", ""),
    ("do not under any circumstances {verb} A", ""),
    ("why did you {verb} A?", ""),
    ("should I {verb} A?", ""),
    ("what happens if I {verb} A?", ""),
    ("I might {verb} A later", ""),
    ("I was going to {verb} A", ""),
]


def talk_with_three(*, is_off: bool) -> Talk:
    talk = Talk()
    for letter, name in NAMES.items():
        talk.create(name, WHAT[letter], sources=["xero"], schedule=WEEKDAYS)
    if is_off:
        talk.classify_and_answer("pause all my agents")
    return talk


def changed(talk: Talk, before: dict[str, object], reply: TalkReply) -> str:
    after = states(talk)
    return "".join(letter for letter, name in NAMES.items() if after[name] != before[name])


def told(behind: str) -> Callable[[Talk, dict[str, object], TalkReply], str]:
    """Return what reads, of a reply, which agents it names behind some words."""

    def read(talk: Talk, before: dict[str, object], reply: TalkReply) -> str:
        said = " ".join(re.findall(rf"{behind}[^.?]*[.?]", reply.text))
        return "".join(letter for letter, name in NAMES.items() if name in said)

    return read


def states(talk: Talk) -> dict[str, object]:
    return {agent.name: (agent.status, agent.shared) for agent in talk.agents()}


DONE = {"run": told("Started"), "delete": told("Shall I delete")}


@pytest.mark.parametrize("verb", PAST)
@pytest.mark.parametrize(("frame", "letters"), FRAMES)
def test_only_what_is_asked_for_is_done(frame: str, letters: str, verb: str) -> None:
    talk = talk_with_three(is_off=verb == "resume")
    before = states(talk)
    words = frame.format(verb=verb, past=PAST[verb])
    message = re.sub(r"\b[ABC]\b", lambda found: NAMES[found.group()], words)

    reply = talk.classify_and_answer(message)

    assert DONE.get(verb, changed)(talk, before, reply) == letters, reply.text
    if verb in DONE:
        assert states(talk) == before


@pytest.mark.parametrize(
    "say", ["I don't think rota works, pause it", "never run rota again", "don't run rota any more"]
)
def test_what_is_said_against_an_agent_may_ask_to_pause_it(say: str) -> None:
    talk = talk_with_three(is_off=False)
    talk.classify_and_answer(say)
    assert [agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED] == ["rota"]


def test_days_on_which_an_agent_is_not_to_run_are_taken_out() -> None:
    talk = talk_with_three(is_off=False)
    talk.classify_and_answer("don't run rota on Fridays")
    [rota] = [agent for agent in talk.agents() if agent.name == "rota"]
    assert rota.schedule is not None
    assert rota.schedule.cron == "0 8 * * 1,2,3,4"


def test_a_pause_that_was_not_wanted_for_one_of_two_ends_for_that_one() -> None:
    talk = talk_with_three(is_off=False)
    talk.classify_and_answer("pause rota and invoices")
    talk.classify_and_answer("I didn't want rota paused")

    assert [agent.name for agent in talk.agents() if agent.status is AgentStatus.PAUSED] == ["invoices"]


def test_a_shared_agent_that_its_owner_keeps_to_themselves_is_private() -> None:
    talk = talk_with_three(is_off=False)
    talk.classify_and_answer("share rota with the whole team")
    talk.classify_and_answer("hmm, actually no, keep that one to myself. There are client names in it")

    assert not any(agent.shared for agent in talk.agents())
