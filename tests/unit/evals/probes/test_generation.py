"""Probes are generated over all commands, wrappers, pairs and questions."""

from __future__ import annotations

from collections import Counter

from tests.evals.probes.command import all_probes, chosen
from tests.evals.probes.commands import COMMANDS
from tests.evals.probes.pairs import PAIRED
from tests.evals.probes.questions import QUESTIONS
from tests.evals.probes.world import AGENTS, TASKS
from tests.evals.probes.wrappers import WRAPPERS

PROBES = all_probes()


def test_every_command_is_in_every_wrapper_and_all_pairs_are_in_both_orders() -> None:
    parts = Counter(probe.part for probe in PROBES)

    assert len(WRAPPERS) == 10
    assert parts["wrappers"] == 10 * len(COMMANDS)
    assert parts["pairs"] == len(PAIRED) * (len(PAIRED) - 1) == 132


def test_every_question_is_answered_by_no_and_by_yes() -> None:
    assert all(question.no and question.yes_but for question in QUESTIONS)


def test_an_id_names_one_probe() -> None:
    assert max(Counter(probe.id for probe in PROBES).values()) == 1


def test_commands_that_are_paired_are_about_different_things() -> None:
    things = [effect.thing for command in PAIRED for effect in command.effects]

    assert len(things) == len(set(things))


def test_what_a_command_needs_is_there() -> None:
    needed = {thing for command in COMMANDS for thing in (*command.needs, *command.deleted_before)}
    needed |= {thing for question in QUESTIONS for thing in question.needs}

    assert needed <= AGENTS.keys() | TASKS.keys()


def test_probes_are_chosen_by_part_and_by_pieces_of_their_ids() -> None:
    assert {probe.part for probe in chosen(PROBES, "undo")} == {"undo"}
    assert [probe.id for probe in chosen(PROBES, "typo/undo,pairs/run-agent/add-task")] == [
        "wrappers/typo/undo", "pairs/run-agent/add-task/then",
    ]  # fmt: skip
    assert chosen(PROBES, None) == PROBES


def test_a_command_in_lower_case_keeps_its_addresses_and_times() -> None:
    lower = next(wrapper for wrapper in WRAPPERS if wrapper.name == "lower-case")

    assert lower.wrap("mail it to amy@fahrrad.de at 6:30pm, don't wait", 0) == (
        "mail it to amy@fahrrad.de at 6:30pm dont wait"
    )
