"""Judges a dialogue as it went: what a turn did wrong, and which expectations do not hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.evals.dialogues.claims import claims, untold
from tests.evals.dialogues.format import Json, last_of
from tests.evals.dialogues.matchers import unmet_of_reply, unmet_of_state
from tests.evals.dialogues.reply import Reply, asked, is_menu
from tests.evals.dialogues.state import State, changes, conversation_changes

LONG_WORDS = 60
"""A reply of more words is long."""

_REVERSIBLE = re.compile(r"(?i)\b(?:changed|updated|set|put|moved|switched|made|added|now)\b")
_JARGON = ("mcp", "webhook")
"""Words that a customer should not meet before using them."""


@dataclass(slots=True)
class Turn:
    """A turn as it went."""

    number: int | None
    """Which of the dialogue's turns; None: an extra one."""
    text: str
    reply: Reply
    after: State
    changed: list[tuple[str, str]]
    claimed: list[str]
    """What the reply says was done, where nothing was."""
    untold: list[tuple[str, str]]
    """What was done, where the reply does not say so."""
    menu: bool
    marks: list[str]
    """What was wrong, by name, as `report.summary` counts it."""


@dataclass(slots=True)
class Played:
    """A dialogue as it went, and how it is judged."""

    case: Json
    turns: list[Turn] = field(default_factory=list)
    unmet: list[str] = field(default_factory=list)
    """Expectations that do not hold, a line each."""
    broken: str = ""
    """Why it could not be played to its end."""

    @property
    def passed(self) -> bool:
        """Whether all expectations hold, and no turn ended in an error."""
        return not self.unmet and not self.broken and not any(turn.reply.error for turn in self.turns)

    @property
    def clean(self) -> bool:
        """Passed with no extra turn, and with no turn answered by a menu."""
        return self.passed and not any(turn.menu or turn.number is None for turn in self.turns)


def judged(
    number: int | None, text: str, reply: Reply, *, before: State, after: State, earlier: Sequence[Turn]
) -> Turn:
    """A turn with its marks; ``number`` is None for an extra one."""
    names = [*before.names(), *after.names()]
    changed = changes(before, after)
    claimed = []
    if not changed and not conversation_changes(before, after):
        claimed = claims(reply, text, names)
        if asked(reply, names):
            # What is only proposed may change without any trace outside.
            claimed = [clause for clause in claimed if not _REVERSIBLE.search(clause)]
    silent = untold(changed, reply) if not reply.error else []
    menu = is_menu(reply, names)
    heard = " ".join([*(turn.text for turn in earlier), text]).lower()
    wrong = {
        "error": bool(reply.error),
        "menu": menu,
        "false claim": bool(claimed),
        "silent change": bool(silent),
        "long": len(reply.text.split()) > LONG_WORDS,
        "repeat": _repeats(reply, earlier),
        "jargon": _has_jargon(reply, heard),
    }
    marks = [mark for mark, applies in wrong.items() if applies]
    return Turn(number, text, reply, after, changed, claimed, silent, menu, marks)


def unmet_of(case: Json, turns: Sequence[Turn], end: State) -> list[str]:
    """What a dialogue did not fulfil, a line each."""
    by_number = {turn.number: turn for turn in turns if turn.number is not None}
    found = []
    for expectation in case["expect"]:
        if "turn" in expectation:
            number = expectation["turn"]
            lines = unmet_of_reply(expectation, by_number[number].reply)
            where = f"turn {number}"
        elif "last" in expectation:
            lines, where = unmet_of_reply(last_of(expectation), turns[-1].reply), "last"
        elif "end" in expectation:
            lines, where = unmet_of_state(expectation["end"], end), "end"
        else:
            number = expectation["at"]
            lines = unmet_of_state(expectation["state"], by_number[number].after)
            where = f"at {number}"
        found += [f"{where}: {line}" for line in lines]
    return found


def _repeats(reply: Reply, earlier: Sequence[Turn]) -> bool:
    return bool(earlier and reply.text) and earlier[-1].reply.text.strip() == reply.text.strip()


def _has_jargon(reply: Reply, heard: str) -> bool:
    return any(re.search(rf"(?i)\b{word}", reply.text) and word not in heard for word in _JARGON)
