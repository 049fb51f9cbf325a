"""Ways in which people wrap a command, and the probes of every command in each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.evals.probes.commands import COMMANDS, Command
from tests.evals.probes.probe import Probe
from tests.evals.probes.world import given

PART = "wrappers"

_PUNCTUATION = re.compile(r"[,:;!?](?!\d)|[.](?!\w)|['\u2019]")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """One way to wrap a command. In a form, ``{}`` is the command and ``{C}`` the command with a capital."""

    name: str
    forms: tuple[str, ...]
    finish: Callable[[str], str] = str

    def wrap(self, text: str, number: int) -> str:
        """The command in one of the forms."""
        form = self.forms[number % len(self.forms)]
        return self.finish(form.replace("{}", text).replace("{C}", text[0].upper() + text[1:]))


def _without_punctuation(text: str) -> str:
    return _PUNCTUATION.sub("", text).lower()


WRAPPERS = (
    Wrapper("greeting", ("Hi! {C}.", "Good morning, {}", "Hey there, {}.", "hello :) {}")),
    Wrapper("politeness", ("Please {}.", "{C}, please.", "Would you kindly {}?", "Be so kind and {}.")),
    Wrapper(
        "reason-before",
        (
            "My boss asked for it, so {}.",
            "Things have changed on our side, so please {}.",
            "I'm tidying up a bit, so {}.",
            "We talked about it in the team. {C}.",
        ),
    ),
    Wrapper(
        "reason-after",
        (
            "{C}, my boss asked for it.",
            "{C} because my boss wants it that way.",
            "{C}. We're reorganising things here.",
            "{C}, since the team asked me to.",
        ),
    ),
    Wrapper(
        "when-you-can",
        (
            "When you get a sec, {}.",
            "{C} when you have a minute.",
            "Whenever you get a moment, could you {}?",
            "no rush, but {} when you get a chance",
        ),
    ),
    Wrapper("lower-case", ("{}", "ok {}", "{} please"), _without_punctuation),
    Wrapper(
        "typo", ("pleaes {}", "can yuo {}?", "Coudl you {}", "jsut {}", "I'd liek you to {}.", "{C} pelase")
    ),
    Wrapper("question", ("Could you {}?", "Can you {} for me?", "Would you {}?", "Can you please {}?")),
    Wrapper(
        "wish",
        (
            "I'd like you to {}.",
            "I want you to {}.",
            "I need you to {}.",
            "It would be great if you could {}.",
        ),
    ),
    Wrapper("thanks", ("{C} 🙏 thanks!", "Thanks 😊 {}", "{C} 👍 thx", "{C}, thank you so much 🙂")),
)


def wrapper_probes() -> Iterator[Probe]:
    """Every command in every wrapper; wordings and forms take turns."""
    for row, wrapper in enumerate(WRAPPERS):
        for column, command in enumerate(COMMANDS):
            text = command.texts[(row + column) % len(command.texts)]
            yield probe_of(command, f"{PART}/{wrapper.name}/{command.name}", wrapper.wrap(text, column))


def probe_of(command: Command, name: str, message: str, undo: str = "") -> Probe:
    """The probe of one command, said in these words."""
    return Probe(
        id=name,
        given=given(command.needs, command.role),
        message=message,
        effects=command.effects,
        told=command.told,
        said_before=command.said_before,
        deleted_before=command.deleted_before,
        undo=undo,
    )
