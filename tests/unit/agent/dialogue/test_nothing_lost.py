"""Whatever is joined in a message: each part of it is done, answered or named in the reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import pytest

from tasks.task import Task, TaskSpec
from tests.fakes.data.chat_session import Talk

JOINERS = ("{} and {}", "{}, then {}", "{}. Also {}", "{}; {}", "{}. And please {}")


@dataclass(frozen=True)
class Wish:
    """A part of a message; ``subject`` is what the reply names when it isn't done."""

    text: str
    subject: str
    is_done: Callable[[Talk], bool] = lambda _: False


def status_of(name: str, status: str) -> Callable[[Talk], bool]:
    return lambda talk: any(agent.name == name and agent.status == status for agent in talk.agents())


def open_tasks(talk: Talk) -> tuple[Task, ...]:
    tasks, _ = talk.tasks.list(talk.caller, completed=False, limit=50)
    return tasks


def has_task(title: str, *, is_there: bool) -> Callable[[Talk], bool]:
    return lambda talk: (title in [task.title for task in open_tasks(talk)]) is is_there


DEEDS = (
    Wish("pause stock-daily", "stock-daily", status_of("stock-daily", "paused")),
    Wish("turn rota back on", "rota", status_of("rota", "active")),
    Wish("delete asleep", "asleep"),
    Wish("tick off call Ana", "call Ana", has_task("call Ana", is_there=False)),
    Wish("add order boxes to my list", "order boxes", has_task("order boxes", is_there=True)),
    Wish("delete the task pay rent", "pay rent", has_task("pay rent", is_there=False)),
)
NOT_DONE = (
    Wish("translate the handbook into Welsh", "Welsh"),
    Wish("dim the lights in the office", "lights"),
    Wish("book me a table at Luigi's", "Luigi"),
)


def set_up() -> Talk:
    talk = Talk()
    for name in ("stock-daily", "rota", "asleep"):
        talk.create(name)
    talk.classify_and_answer("pause rota")
    for title in ("call Ana", "pay rent", "buy napkins"):
        talk.tasks.create(talk.caller, TaskSpec(title=title))
    return talk


def lost(talk: Talk, reply: str, *wishes: Wish) -> list[str]:
    """Return the wishes that were neither done nor named."""
    return [one.text for one in wishes if not one.is_done(talk) and one.subject.lower() not in reply.lower()]


@pytest.mark.parametrize("joiner", JOINERS)
def test_of_two_commands_none_is_lost(joiner: str) -> None:
    for number, (first, second) in enumerate(permutations(DEEDS, 2)):
        if JOINERS[number % len(JOINERS)] != joiner:
            continue
        talk = set_up()
        reply = talk.classify_and_answer(joiner.format(first.text, second.text)).text
        assert lost(talk, reply, first, second) == [], (joiner, first.text, second.text, reply)


@pytest.mark.parametrize("joiner", JOINERS)
def test_what_can_not_be_done_is_named_beside_what_is(joiner: str) -> None:
    for number, wish in enumerate(NOT_DONE):
        deed = DEEDS[(number + JOINERS.index(joiner)) % len(DEEDS)]
        for pair in ((deed, wish), (wish, deed)):
            talk = set_up()
            reply = talk.classify_and_answer(joiner.format(*(one.text for one in pair))).text
            assert lost(talk, reply, *pair) == [], (joiner, [one.text for one in pair], reply)


def test_a_yes_to_a_part_carries_out_what_is_asked_besides() -> None:
    talk = set_up()
    talk.classify_and_answer("delete asleep and rota")
    talk.classify_and_answer("yes, but not rota. And add order boxes to my list")

    assert [agent.name for agent in talk.agents()] == ["rota", "stock-daily"]
    assert "order boxes" in [task.title for task in open_tasks(talk)]


@pytest.mark.parametrize(
    "answer", ["yes, but not now", "yes but hold off till the audit is over", "ok, later"]
)
def test_a_yes_that_is_put_off_deletes_nothing(answer: str) -> None:
    talk = set_up()
    talk.classify_and_answer("delete asleep")
    talk.classify_and_answer(answer)

    assert "asleep" in [agent.name for agent in talk.agents()]
