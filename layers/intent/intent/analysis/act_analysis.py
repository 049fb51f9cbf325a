"""Adds to a decision the acts of its message: by our own reading, and by a model's where it proposes any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from intent.acts.act import Act, ActKind, ProposedAct, Reading, Span
from intent.acts.learned.act_model import Belief, load_model
from intent.acts.reader import ActReader
from intent.acts.scene import Scene
from intent.acts.told_options import find_options, with_options
from intent.amounts.reader import read_series
from intent.amounts.series import Series
from intent.amounts.told import find_question
from intent.analysis.act_support import is_faint, is_refused
from intent.analysis.model_acts import merged_acts, refused
from intent.analysis.question_form import only_asks
from intent.analysis.questions import subject_of
from intent.analysis.quoted_requests import read_quoted_request
from intent.analysis.scenes import scene_of
from intent.analysis.taught_readings import corrected_reading, taught_reading
from intent.analysis.verdict_acts import action_of, acts_of_verdict, kinds_of
from intent.decision import DecidedAct, Decision, DecisionSource, Verdict
from intent.entities.own_words import own_words
from intent.entities.text_requests import asks_for_text_work
from intent.rules.language import is_foreign
from intent.situation import Situation

_MOST_CHARACTERS, _MOST_SHOWN = 200, 20
_SURE, _LIKELY = 0.8, 0.5
_TELLING, _TRUSTED = 0.65, 0.95
"""How sure an act must be to name the action, and from where on the offline tier is trusted more."""


class ActAnalysis:
    """Reads the acts of messages. It keeps nothing from one message to the next."""

    def __init__(self, reader: ActReader | None) -> None:
        self._reader = reader

    def with_acts(
        self,
        decision: Decision,
        situation: Situation,
        verdict: Verdict | None = None,
        own: Sequence[Act] | None = None,
    ) -> Decision:
        """Return the decision with the acts of the message's own words; as it is where these are none, or say
        only what to do with a pasted text.

        ``verdict`` is a model's, whose acts win where the message bears them out. ``own`` is what our own
        reading found, if it is at hand.
        """
        if (asked := self._quoted(situation)) is not None:
            return decision.model_copy(update={**_primary(decision, asked.own), **_shown(asked)})
        if self._reader is not None and (corrected := corrected_reading(situation, self._reader)) is not None:
            return decision.model_copy(update={**_settled(corrected.own[0]), **_shown(corrected)})
        message = own_words(situation.message)
        scene = scene_of(situation)
        if (asked := _asked_of_quotation(situation, message, scene)) is not None:
            subject = subject_of(decision, asked.acts, situation)
            return decision.model_copy(update={**_shown(asked), "question_subject": subject})
        if message != situation.message and (told := self._told_amounts(situation.message, message, scene)):
            message, own = situation.message, told
        if not message.strip() or (message != situation.message and asks_for_text_work(message)):
            return decision
        belief = _belief(decision) if message == situation.message else None
        taught = None
        if own is None:
            own = self._own(message, scene, belief)
            if self._reader is not None:
                taught = taught_reading(message, own, situation, scene, self._reader)
        own = tuple(own) if taught is None else taught.own
        if message != situation.message and _introduces_text(message, own, scene):
            return decision
        proposed = _proposed(verdict, message, own)
        merged = self._merged(proposed, message, own, scene)
        reading = taught or Reading(
            own if merged is None else merged, own, merged is not None,
            tuple(agent.id for agent in situation.agents),
        )  # fmt: skip
        primary = {} if merged is not None else _primary(decision, own)
        primary = _settled(own[0]) if taught is not None else primary
        subject = subject_of(decision, reading.acts, situation, is_models=merged is not None)
        return decision.model_copy(update={**_shown(reading), **primary, "question_subject": subject})

    def _quoted(self, situation: Situation) -> Reading | None:
        """Return the reading of a quoted request that own words ask for; a model has no say in it."""
        if self._reader is None or is_foreign(situation.message):
            return None
        acts = read_quoted_request(situation.message, scene_of(situation), self._reader)
        agents = tuple(agent.id for agent in situation.agents)
        return Reading(acts, acts, False, agents) if acts else None

    def _own(self, message: str, scene: Scene, belief: Belief | None) -> tuple[Act, ...]:
        if self._reader is None or is_foreign(message):
            return ()
        if (options := find_options(message, scene)) is not None:
            acts = self._reader.read(options.message, scene, belief)
            if any(act.kind is ActKind.CREATE_AGENT for act in acts):
                return with_options(acts, options)
        return tuple(_weighed(act, message) for act in self._reader.read(message, scene, belief))

    def _told_amounts(self, message: str, kept: str, scene: Scene) -> tuple[Act, ...]:
        """Return the acts of a message whose table looks like a pasted text, and that only tells amounts or
        asks about them; none for any other. ``kept`` are its own words.
        """
        series = read_series(message)
        if series is None:
            return ()
        is_own = all(line.strip() in kept for line in _lines_outside(message, series))
        if not is_own and find_question(message, tuple) is None:
            return ()
        acts = self._own(message, scene, None)
        return acts if all(act.kind in _OF_AMOUNTS for act in acts) else ()

    def _merged(
        self, proposed: Sequence[ProposedAct], message: str, own: Sequence[Act], scene: Scene
    ) -> tuple[Act, ...] | None:
        if self._reader is None or not proposed:
            return None
        return merged_acts(proposed, message, own, scene, self._reader)

    def up_to_date(self, decision: Decision, situation: Situation) -> Decision:
        """Return the decision with its acts; read again if the user's agents turned out to be others."""
        agents = tuple(agent.id for agent in situation.agents)
        if decision.reading is not None and decision.reading.agents == agents:
            return decision
        return self.with_acts(decision, situation, decision.verdict)


_OF_AMOUNTS = frozenset({ActKind.REMEMBER, ActKind.SUM})


def _lines_outside(message: str, series: Series) -> list[str]:
    """Return the lines of a message that are not of a table."""
    return [*message[: series.start].split("\n"), *message[series.end :].split("\n")]


@cache
def shared_analysis() -> ActAnalysis:
    """Return the analysis with the shipped weights, loaded once; it finds no acts without usable ones."""
    model = load_model()
    return ActAnalysis(None if model is None else ActReader(model))


def _shown(reading: Reading) -> Mapping[str, object]:
    return {"acts": decided_acts(reading.acts), "reading": reading}


def decided_acts(acts: Sequence[Act]) -> tuple[DecidedAct, ...]:
    """Return the acts as a `Decision` shows them: the first of them, without secrets, cut."""
    return tuple(map(_decided, acts[:_MOST_SHOWN]))


def _primary(decision: Decision, own: Sequence[Act]) -> Mapping[str, object]:
    """Return the fields of a decision of the offline tier that the first act of the message says better."""
    told = [(act, action) for act in own if (action := action_of(act.kind)) is not None]
    if not told or decision.source is not DecisionSource.OFFLINE:
        return {}
    act, action = told[0]
    is_surer = act.confidence >= _TELLING and decision.confidence < _TRUSTED
    if action is decision.action_type or not is_surer:
        return {}
    return {
        "action_type": action, "confidence": act.confidence, "is_ambiguous": False,
        "alternative_action": None, "clarifying_question": None,
    }  # fmt: skip


def _settled(act: Act) -> Mapping[str, object]:
    """Return the fields of a decision that a correction settled."""
    return {
        "action_type": action_of(act.kind), "confidence": act.confidence, "is_ambiguous": False,
        "alternative_action": None, "clarifying_question": None, "entities": {},
    }  # fmt: skip


def _belief(decision: Decision) -> Belief | None:
    """Return what the offline tier makes of the whole message; None where it is not sure."""
    if decision.source is not DecisionSource.OFFLINE or decision.confidence < _TRUSTED:
        return None
    return Belief(kinds_of(decision.action_type), decision.confidence)


def _proposed(verdict: Verdict | None, message: str, own: Sequence[Act]) -> tuple[ProposedAct, ...]:
    if verdict is None:
        return ()
    return verdict.acts if verdict.acts is not None else acts_of_verdict(verdict, message, own)


def _asked_of_quotation(situation: Situation, own: str, scene: Scene) -> Reading | None:
    """Return the reading of a question about some quoted words: ``what does "net 30" mean?``

    The words of a quotation are no request; what is asked of them is.
    """
    message = situation.message
    is_open = scene.question is not None or scene.has_draft
    if own == message or is_open or len(message.split()) > _MOST_WORDS_OF_QUESTION or "\n" in message.strip():
        return None
    if not only_asks(own, ()) or is_foreign(message):
        return None
    acts = (Act(ActKind.ASK_PRODUCT, Span(message, 0, len(message)), confidence=_LIKELY),)
    return Reading(acts, acts, False, tuple(agent.id for agent in situation.agents))


_MOST_WORDS_OF_QUESTION = 30


def _introduces_text(message: str, own: Sequence[Act], scene: Scene) -> bool:
    """Return whether words beside a pasted text only say what to do with it: ``Add a title to this text:``.

    So do words in which we read no likely act, unless they may answer a question.
    """
    begin = message.lower().split()[:2]
    if begin[1:] == ["this"]:
        return True
    if message.rstrip().endswith(":"):
        return not any(act.kind is ActKind.CREATE_AGENT and act.confidence >= _SURE for act in own)
    is_open = scene.question is not None or scene.has_draft
    return bool(own) and not is_open and all(act.confidence < _LIKELY for act in own)


def _weighed(act: Act, message: str) -> Act:
    """Return an act that we read: as its refusal if its words only refuse it, doubted if it is faint."""
    if is_refused(act):
        return refused(act)
    if act.kind in _RESTORING or not act.meant.things:
        return act  # what is brought back is none of the things there are
    return replace(act, is_doubted=True) if is_faint(act, message) else act


_RESTORING = frozenset({ActKind.RESTORE_AGENT, ActKind.RESTORE_TASK})


def _decided(act: Act) -> DecidedAct:
    slots = {name: span.text.strip()[:_MOST_CHARACTERS] for name, span in act.slots.items()}
    if act.several:
        slots["title"] = "; ".join(span.text for span in act.several)[:_MOST_CHARACTERS]
    things = tuple(thing.name for thing in act.meant.things)
    return DecidedAct(
        kind=act.kind.value, text=act.clause.text[:_MOST_CHARACTERS], things=things, slots=slots
    )
