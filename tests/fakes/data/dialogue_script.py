"""A service that answers by a script, what its user has, and dialogues played against it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.judgement import Played
from tests.evals.dialogues.play import play
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State

AGENT: Json = {
    "id": "1",
    "name": "cash-report",
    "what": "cash position per account",
    "sources": ["quickbooks"],
    "status": "active",
    "schedule": {"cron": "0 9 * * 1-5", "time_zone": "America/New_York"},
    "shared": False,
    "delivery": {"channels": ["slack", "email"], "recipients": ["#Finance"]},
    "instructions": "skip holidays",
}
OTHER: Json = {
    **AGENT,
    "id": "2",
    "name": "ar-report",
    "what": "accounts receivable",
    "schedule": {"cron": "0 9 * * 5"},
}
TASK: Json = {
    "id": "t",
    "title": "call the bank",
    "description": "",
    "due_date": "2026-03-06",
    "completed": False,
}
NONE, ONE, TWO = State(), State(agents=(AGENT,)), State(agents=(AGENT, OTHER))

Step = tuple[Reply | str, Json]
"""A reply, and what is different in the state behind it."""


class ScriptedService:
    """Answers the messages one after the other; `Hm.` once the script is over. ``heard`` is what was said."""

    def __init__(self, state: State, *script: Step) -> None:
        self.heard: list[str | timedelta] = []
        self._state, self._script = state, list(script)

    def say(self, text: str, *, new_conversation: bool, time_zone: str | None) -> Reply:
        self.heard.append(text)
        reply, change = self._script.pop(0) if self._script else ("Hm.", {})
        self._state = replace(self._state, **change)
        return Reply(reply) if isinstance(reply, str) else reply

    def state(self) -> State:
        return self._state

    def move(self, by: timedelta) -> None:
        self.heard.append(by)

    def settled(self) -> State:
        return self._state


def played(case: Json, state: State, *script: Step) -> tuple[Played, list[str | timedelta]]:
    """How a dialogue went, and what the service heard; what the case leaves out is a creation's."""
    service = ScriptedService(state, *script)
    result = Played({"id": "x", "kind": ["create"], "expect": [], **case})
    play(result.case, service, result)
    return result, service.heard
