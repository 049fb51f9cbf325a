"""Plays one dialogue against any service: says the turns, answers what is asked, has it judged."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Protocol

from tests.evals.dialogues.format import Json, span
from tests.evals.dialogues.judgement import Played, judged, unmet_of
from tests.evals.dialogues.matchers import lacking_of
from tests.evals.dialogues.person import Person
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State
from tests.evals.dialogues.wrong_deeds import mark_wrong_deeds

MAX_EXTRA = 3
"""How many further turns a dialogue may take that names no `max_extra`."""


class Service(Protocol):
    """One user's access to the service."""

    def say(self, text: str, *, new_conversation: bool, time_zone: str | None) -> Reply:
        """Send a message in the conversation, or in a new one."""
        ...

    def state(self) -> State:
        """What the user has now."""
        ...

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        ...

    def settled(self) -> State:
        """The state once no run is under way any more."""
        ...


def play(case: Json, service: Service, played: Played) -> None:
    """Play a dialogue and write down in ``played`` how it went; what went before an error is kept there."""
    _Playthrough(case, service, played).play()


class _Playthrough:
    def __init__(self, case: Json, service: Service, played: Played) -> None:
        self._case, self._service, self._played = case, service, played
        self._person = Person(case)
        self._most_extra: int = case.get("max_extra", MAX_EXTRA)
        self._ends = [expectation["end"] for expectation in case["expect"] if "end" in expectation]
        self._state = self._start = service.state()

    def play(self) -> None:
        for number, turn in enumerate(self._case["turns"], 1):
            if turn.get("settle"):
                self._settle()
            self._let_time_pass(turn)
            self._say(turn["say"], number, turn)
        self._answer_while_lacking()
        if self._state.busy():
            self._state = self._service.settled()
        self._played.unmet = unmet_of(self._case, self._played.turns, self._state)
        mark_wrong_deeds(self._played, self._start)

    def _let_time_pass(self, turn: Mapping[str, Any]) -> None:
        """Move the clock; a person is slower than a run, too."""
        if turn.get("after"):
            self._service.move(span(turn["after"]))
            self._state = self._service.settled()
        elif self._state.busy() and not turn.get("at_once"):
            self._state = self._service.settled()

    def _say(self, text: str, number: int | None, turn: Mapping[str, Any]) -> None:
        reply = self._service.say(
            text,
            new_conversation=bool(turn.get("new_conversation")),
            time_zone=turn.get("time_zone", self._case.get("time_zone")),
        )
        before, self._state = self._state, self._service.state()
        self._played.turns.append(
            judged(number, text, reply, before=before, after=self._state, earlier=self._played.turns)
        )

    def _settle(self) -> None:
        """Answer what the service still asks."""
        for _ in range(self._most_extra):
            if not self._answers(set()):
                return

    def _answer_while_lacking(self) -> None:
        """Answer what the service asks while the state is not the one expected in the end."""
        for _ in range(self._most_extra):
            lacking = {kind for expected in self._ends for kind in lacking_of(expected, self._state)}
            if not lacking or not self._answers(lacking):
                return

    def _answers(self, lacking: set[str]) -> bool:
        """Whether there was something to answer."""
        if not self._played.turns:
            return False
        last = self._played.turns[-1]
        text = self._person.answer(last.reply, last.after.names(), lacking)
        if text is not None:
            self._say(text, None, {})
        return text is not None
