"""Plays probes over HTTP against a twin, each with a tenant of its own, and judges the state they leave."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.evals.dialogues.judgement import Turn, judged
from tests.evals.dialogues.matchers import unmet_of_reply
from tests.evals.dialogues.over_http import HttpUser, Refused, prepare
from tests.evals.dialogues.play import Service
from tests.evals.dialogues.reply import Reply, asked, sentences
from tests.evals.dialogues.state import State
from tests.evals.probes.effects import Change, Difference, Effect, difference, not_restored
from tests.evals.probes.probe import Probe
from tests.evals.probes.world import NOW, ZONE
from tests.fakes.deployment.twin import Twin

MAX_ANSWERS = 3
"""How many further questions a person answers."""

_DESTRUCTIVE = re.compile(r"(?i)\b(?:delete|remove|erase)\b")
_SHARING = re.compile(r"(?i)\bshare\b")
_AS_TASK = re.compile(r"(?i)\bon your (?:to-?do )?list\b")


@dataclass(slots=True)
class Outcome:
    """A probe as it went, and how it is judged."""

    probe: Probe
    turns: list[Turn] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """What is wrong with the state or the replies, a line each."""
    dropped: list[str] = field(default_factory=list)
    """What was not done, and what no reply speaks of."""
    unexpected: list[str] = field(default_factory=list)
    """What was done and not asked for."""

    @property
    def passed(self) -> bool:
        """Whether everything was done, and nothing else."""
        return not self.problems


def play_probes(
    probes: Sequence[Probe], twin: Twin, tell: Callable[[Outcome], None] = lambda _: None
) -> list[Outcome]:
    """How each probe went, in the order given; ``tell`` gets each as soon as it is over."""
    twin.set_clock(NOW)
    outcomes = []
    for number, probe in enumerate(probes):
        outcomes.append(_played(probe, number, twin))
        tell(outcomes[-1])
    return outcomes


def play(service: Service, outcome: Outcome) -> None:
    """Play the outcome's probe and write down in it how it went; what went before an error is kept there.

    Raises:
        Refused: what the user has can't be read.
    """
    _Playthrough(service, outcome).play()


def _played(probe: Probe, number: int, twin: Twin) -> Outcome:
    tenant = f"p-{number}-{re.sub(r'[^a-z0-9-]', '-', probe.id)[:60]}"
    outcome = Outcome(probe)
    try:
        user = prepare(
            probe.given,
            lambda name, role: HttpUser(twin, tenant=tenant, user=name, role=role, now=NOW),
            "sam",
        )
        _delete(user, probe.deleted_before)
        play(user, outcome)
    except Refused as error:
        outcome.problems.append(f"error: {error}")
    return outcome


def _delete(user: HttpUser, things: Sequence[str]) -> None:
    if not things:
        return
    state = user.state()
    for sort, label in (("agents", "name"), ("tasks", "title")):
        for item in getattr(state, sort):
            if item[label] in things:
                user.request("DELETE", f"/v1/{sort}/{item['id']}")


class _Playthrough:
    def __init__(self, service: Service, outcome: Outcome) -> None:
        self._service, self._outcome, self._probe = service, outcome, outcome.probe
        self._state = service.state()

    def play(self) -> None:
        for text in self._probe.said_before:
            self._say(text)
        self._check_question()
        before, first = self._state, len(self._outcome.turns)
        self._say(self._probe.message)
        self._check_deletion(before)
        left = self._answer(before)
        replies = [turn.reply for turn in self._outcome.turns[first:]]
        self._judge(left, replies)
        if self._probe.undo:
            self._undo(before)

    def _say(self, text: str) -> Reply:
        reply = self._service.say(text, new_conversation=False, time_zone=ZONE)
        before, self._state = self._state, self._service.state()
        turns = self._outcome.turns
        turns.append(judged(len(turns) + 1, text, reply, before=before, after=self._state, earlier=turns))
        if reply.error:
            self._outcome.problems.append(f"error: {reply.error}")
        return reply

    def _asked(self) -> list[str]:
        return asked(self._outcome.turns[-1].reply, self._state.names())

    def _check_question(self) -> None:
        """A person can't answer what was not asked."""
        if self._probe.asks and not self._asked():
            self._outcome.problems.append(f"not asked: {self._probe.asks}")

    def _check_deletion(self, before: State) -> None:
        gone = [
            effect.thing
            for effect in self._probe.effects
            if effect.sort == "agents" and effect.change is Change.GONE
        ]
        left = {agent["name"] for agent in self._state.agents}
        if self._probe.asks_before_deleting and any(name not in left for name in gone):
            self._outcome.problems.append(f"deleted without being asked: {', '.join(gone)}")

    def _answer(self, before: State) -> Difference:
        """Answer what is asked while something lacks; returns what lacks in the end."""
        left = difference(before, self._state, self._probe.effects)
        for _ in range(MAX_ANSWERS):
            text = self._answer_to(left) if left.unmet else ""
            if not text:
                break
            self._say(text)
            left = difference(before, self._state, self._probe.effects)
        return left

    def _answer_to(self, left: Difference) -> str:
        wanted, reply = self._asked(), self._outcome.turns[-1].reply
        asking = " ".join(sentence for sentence in sentences(reply.text) if sentence.endswith("?"))
        if wanted == ["confirm"] and _proposes_else(asking, [effect for effect, _ in left.unmet]):
            return ""
        return ", ".join(self._probe.answers[kind] for kind in wanted if kind in self._probe.answers)

    def _judge(self, left: Difference, replies: Sequence[Reply]) -> None:
        said = "\n".join(reply.text for reply in replies)
        self._outcome.problems += left.lines()
        self._outcome.unexpected += left.unexpected
        self._outcome.problems += unmet_of_reply({"reply_has": list(self._probe.told)}, Reply(said))
        self._outcome.dropped += [effect.words for effect, _ in left.unmet if not _speaks_of(effect, said)]

    def _undo(self, before: State) -> None:
        if self._outcome.problems:
            self._outcome.problems.append("was not made, so was not undone")
            return
        self._say(self._probe.undo)
        if self._asked() == ["confirm"]:
            self._say("yes")
        self._outcome.problems += not_restored(before, self._state)


def _proposes_else(asking: str, lacking: Sequence[Effect]) -> bool:
    """Whether a question offers to delete or share something, or to add a task, where nobody wants that."""
    wanted = {
        _DESTRUCTIVE: any(effect.change is Change.GONE for effect in lacking),
        _AS_TASK: any(effect.sort == "tasks" and effect.change is Change.NEW for effect in lacking),
        _SHARING: any(effect.equals.get("shared") for effect in lacking),
    }
    return any(pattern.search(asking) and not is_wanted for pattern, is_wanted in wanted.items())


def _speaks_of(effect: Effect, said: str) -> bool:
    text = effect.fits.get("text")
    return effect.thing.lower() in said.lower() or bool(text and re.search(text, said))
