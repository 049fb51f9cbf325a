"""What counts as a yes to what waits for one."""

from __future__ import annotations

import pytest

from agent.dialogue.approval import agrees, replaces
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.scene import Asked

DIGEST, STANDUP = Thing("d", "old-digest"), Thing("s", "standup-notes")
QUESTION = AskedQuestion(
    asked=Asked.CONFIRM,
    waiting=(HeldAct(kind=ActKind.DELETE_AGENT, text="bin it", things=(("d", "old-digest"),)),),
)


def act(kind: ActKind, words: str, *things: Thing, confidence: float = 1.0) -> Act:
    return Act(kind, Span(words, 0, len(words)), meant=Meant(things=things), confidence=confidence)


def is_agreed(words: str, confidence: float, *beside: Act, is_by_model: bool = False) -> bool:
    answer = act(ActKind.YES, words, confidence=confidence)
    return agrees(answer, (answer, *beside), QUESTION, is_by_model=is_by_model)


@pytest.mark.parametrize(
    "words", ["yes", "sure, go on", "that'd be great", "let's do that", "👍", "go on then", "ok, thanks"]
)
def test_words_of_agreement_are_a_yes_however_faintly_read(words: str) -> None:
    assert is_agreed(words, 0.1)


@pytest.mark.parametrize(
    "words", ["perfect weather today", "good question", "my boss says yes", "He wrote", "please explain"]
)
def test_words_about_something_else_are_a_yes_only_if_read_surely(words: str) -> None:
    assert not is_agreed(words, 0.3)
    assert is_agreed(words, 0.9)


@pytest.mark.parametrize("words", ["yes or no?", "I don't know", "certain? not me"])
def test_a_question_or_a_negation_is_no_yes(words: str) -> None:
    assert not is_agreed(words, 0.99)


def test_with_a_model_only_known_words_are_a_yes_and_nothing_is_asked_beside_them() -> None:
    tasks = act(ActKind.LIST_TASKS, "and list my tasks")
    assert is_agreed("yes", 1.0, is_by_model=True)
    assert not is_agreed("I am certain", 1.0, is_by_model=True)
    assert not is_agreed("yes", 1.0, tasks, is_by_model=True)
    assert is_agreed("yes", 1.0, tasks)


def test_a_reservation_or_a_question_about_the_thing_beside_a_yes_takes_it_back() -> None:
    assert not is_agreed("sure,", 0.9, act(ActKind.ASK_PRODUCT, "but what does it do?"))
    assert not is_agreed("sure,", 0.9, act(ActKind.SHOW_AGENT, "what did old-digest do?", DIGEST))
    assert not is_agreed("yes.", 0.9, act(ActKind.NO, "no wait"))
    assert is_agreed("yes,", 0.9, act(ActKind.NO, "nobody needs it"))
    assert is_agreed("yes,", 0.9, act(ActKind.SHOW_AGENT, "and show standup-notes", STANDUP))


def test_naming_just_what_waits_is_a_yes() -> None:
    assert agrees(act(ActKind.PICK, "old-digest", DIGEST), (), QUESTION, is_by_model=False)
    assert not agrees(act(ActKind.PICK, "standup-notes", STANDUP), (), QUESTION, is_by_model=False)


def test_an_act_that_excludes_what_waits_replaces_it() -> None:
    assert replaces(act(ActKind.PAUSE_AGENT, "pause it instead"), QUESTION)
    assert replaces(act(ActKind.PAUSE_AGENT, "pause old-digest", DIGEST), QUESTION)
    assert not replaces(act(ActKind.PAUSE_AGENT, "pause standup-notes", STANDUP), QUESTION)
    assert not replaces(act(ActKind.LIST_AGENTS, "list my agents"), QUESTION)
