"""The act that a model's seven fields stand for."""

from __future__ import annotations

import pytest

from intent.acts.act import Act, ActKind, ProposedAct, Span
from intent.analysis.verdict_acts import acts_of_verdict
from intent.decision import ActionType, Verdict

MESSAGE = "Tell me something about tides, please"
QUESTION = Verdict(action_type=ActionType.QUERY_INFO, confidence=0.95)


def own(kind: ActKind) -> tuple[Act, ...]:
    return (Act(kind, Span(MESSAGE, 0, len(MESSAGE))),)


@pytest.mark.parametrize("kind", [ActKind.CREATE_AGENT, ActKind.UNSURE, ActKind.DO_IN_WORLD, ActKind.NONE])
def test_a_model_that_takes_the_message_for_a_question_is_obeyed(kind: ActKind) -> None:
    assert acts_of_verdict(QUESTION, MESSAGE, own(kind)) == (ProposedAct(ActKind.ASK_WORLD, MESSAGE),)


@pytest.mark.parametrize("kind", [ActKind.YES, ActKind.DELETE_AGENT, ActKind.ADD_TASK, ActKind.CLOCK])
def test_what_our_own_reading_knows_from_the_scene_or_answers_itself_stays(kind: ActKind) -> None:
    assert acts_of_verdict(QUESTION, MESSAGE, own(kind)) == ()
