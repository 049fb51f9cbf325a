"""Open questions with a strong model at hand: who answers, and what is said when nobody can."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.inference import question_answering
from agent.inference.question_answering import UNREACHABLE, AnsweringModels
from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop, ToolLoopLimits
from agent.turn_events import Chunk, Outcome, ReplyEvent, Restarted, ToolUsed
from agent.turns.reply_accumulator import ReplyAccumulator
from conversation.identity import TurnId
from intent.acts.act import Act, ActKind, Reading, Span
from intent.decision import ActionType, Decision, DecisionSource, PassedOverModel
from llm.errors import ModelBudgetExceeded, ModelTimeout, ModelUnavailable
from llm.request_types import ModelResponse, ToolCall
from tests.fakes.data.chat_session import CONVERSATION, Talk
from tests.fakes.models.scripted_models import (
    FAST,
    OTHER,
    STRONG,
    FailingReply,
    ScriptedModels,
    pool_of,
    response,
)
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.property_budget import example_settings

NO_ANSWER = "I can't look that up"
QUESTION = "Who wrote Moby-Dick?"
WISH = "Who wrote Moby-Dick? And add buy milk and call mum to my tasks, in that order, as two tasks"


Said: TypeAlias = ModelResponse | ModelUnavailable | FailingReply
"""What a model answers, or does instead."""


def talk_with(*answers: Said, strong: tuple[str, ...] = (STRONG,)) -> tuple[Talk, ScriptedModels]:
    clock = ManualClock()
    models = ScriptedModels(clock, answers)
    pool = pool_of(models, *strong)
    access = AnsweringModels(Router(pool, fast_model=FAST), ToolLoop(pool), lambda _timeout_s: True)
    return Talk(clock=clock, models=access), models


def routed(*tools: str, can_answer: bool | None = True) -> ModelResponse:
    return response(json.dumps({"model": STRONG, "tools": tools, "can_answer": can_answer}))


def test_a_question_is_answered_in_the_model_s_words_and_the_tools_results_go_along() -> None:
    call = ToolCall("c", "calculator", '{"expression": "6*7"}')
    talk, models = talk_with(routed("calculator"), response("", call), response("It is 42."))

    answer = talk.say("What is the answer to everything?", ActionType.QUERY_INFO)

    assert (answer.text, answer.tools) == ("It is 42.", ("calculator",))
    assert [model for model, _ in models.asked] == [FAST, STRONG, STRONG]


def test_words_in_another_language_that_a_model_read_are_answered_by_one() -> None:
    talk, _ = talk_with(routed(), response("Mir geht es gut."))

    answer = talk.say("Guten Morgen, wie geht es heute?", source=DecisionSource.MODEL)

    assert answer.text == "Mir geht es gut."


@pytest.mark.parametrize(
    ("message", "action", "operation"),
    [
        ("List my agents", ActionType.QUERY_INFO, "list_agents"),
        ("Hello!", ActionType.UNKNOWN, None),
        ("What can you do?", ActionType.QUERY_INFO, "help"),
        ("What's on my list?", ActionType.QUERY_INFO, "list_tasks"),
    ],
)
def test_what_the_templates_can_answer_asks_no_model(
    message: str, action: ActionType, operation: str | None
) -> None:
    talk, models = talk_with()

    talk.say(message, action, extra={"operation": operation} if operation else None)

    assert models.asked == []


def test_a_job_goes_to_a_model_only_if_the_router_says_that_it_can_do_it() -> None:
    able, _ = talk_with(routed(), response("Bonjour."))
    unable, _ = talk_with(routed(can_answer=False))
    unjudged, _ = talk_with(routed(can_answer=None))

    assert able.say("Translate hello into French", ActionType.EXECUTE_TASK).text == "Bonjour."
    for talk in (unable, unjudged):
        said = talk.say("Translate hello into French", ActionType.EXECUTE_TASK)
        assert "can't" in said.text
        assert not said.effects


def test_a_model_that_fails_leaves_the_honest_answer_and_says_so() -> None:
    talk, _ = talk_with(routed(), ModelTimeout())

    answer = talk.say("Who wrote Moby-Dick?", ActionType.QUERY_INFO)

    assert answer.text.startswith(f"{UNREACHABLE} {NO_ANSWER}")


def test_a_budget_that_is_spent_leaves_the_honest_answer() -> None:
    talk, _ = talk_with(ModelBudgetExceeded(), ModelBudgetExceeded())

    assert talk.say("Who wrote Moby-Dick?", ActionType.QUERY_INFO).text.startswith(NO_ANSWER)


def test_a_model_found_hung_twice_is_not_waited_for_a_third_time() -> None:
    talk, models = talk_with(ModelTimeout(), strong=(FAST,))
    hung = (PassedOverModel(model=FAST, reason="deadline"),)

    answer = talk.say("Who wrote Moby-Dick?", ActionType.QUERY_INFO, passed_over=hung)

    assert answer.text.startswith(UNREACHABLE)
    assert [model for model, _ in models.asked].count(FAST) == 1


def test_hung_fast_models_do_not_silence_a_strong_one() -> None:
    talk, models = talk_with(*[ModelTimeout()] * 3, response("Herman Melville."))
    hung = (PassedOverModel(model=FAST, reason="deadline"),)

    answer = talk.say("Who wrote Moby-Dick?", ActionType.QUERY_INFO, passed_over=hung)

    assert answer.text == "Herman Melville."
    assert models.asked[-1][0] == STRONG


def test_another_strong_model_goes_on_after_the_first_ones_tools() -> None:
    call = ToolCall("a", "calculator", '{"expression": "6 * 7"}')
    answers = (routed("calculator"), response("", call), ModelTimeout(), response("It is 42."))
    talk, models = talk_with(*answers, strong=(STRONG, OTHER))

    answer = talk.say("What is the answer to everything?", ActionType.QUERY_INFO)

    assert (answer.text, answer.tools) == ("It is 42.", ("calculator",))
    assert [model for model, _ in models.asked][1:] == [STRONG, STRONG, OTHER]


def test_a_sum_is_worked_out_even_when_every_model_fails() -> None:
    talk, _ = talk_with(ModelTimeout(), ModelTimeout())

    assert talk.say("What is 5 factorial times 8?", ActionType.QUERY_INFO).text == "5! * 8 = 960"


def test_an_empty_answer_is_not_passed_on() -> None:
    talk, _ = talk_with(routed(), response("  \n "))

    assert NO_ANSWER in talk.say("Who wrote Moby-Dick?", ActionType.QUERY_INFO).text


def test_an_unfinished_agent_is_kept_while_a_question_is_answered() -> None:
    talk, _ = talk_with(routed(), response("Herman Melville."))
    talk.say("Create an agent that watches our Jira board", ActionType.CREATE_AGENT)

    answer = talk.say("By the way, who wrote Moby-Dick?", ActionType.QUERY_INFO)

    assert answer.text.startswith("Herman Melville.")
    assert answer.note.draft is not None


def events_of(
    *answers: Said,
    message: str = QUESTION,
    tools: Sequence[str] = ("calculator", "create_task", "list_tasks"),
    is_stopped: Callable[[list[ReplyEvent]], bool] = lambda _: False,
) -> list[ReplyEvent]:
    """What happens while an open question is answered by a strong model that says this."""
    talk, _ = talk_with(routed(*tools), *answers)
    turn = talk.turn(str(TurnId.make(CONVERSATION, talk.clock.now())), message)
    events: list[ReplyEvent] = []
    events.extend(talk.master.reply(replace(turn, is_stopped=lambda: is_stopped(events)), question(message)))
    return events


def question(message: str) -> Decision:
    """The decision that all of a message is one question about the world."""
    decision = Decision(action_type=ActionType.QUERY_INFO, confidence=0.9, source=DecisionSource.OFFLINE)
    act = Act(ActKind.ASK_WORLD, Span(message, 0, len(message)))
    return decision.model_copy(update={"reading": Reading((act,), (act,), False, ())})


def told(events: list[ReplyEvent]) -> list[str]:
    """What of it the user is told, in the order they are told it."""
    return [short for event in events if (short := _short(event)) is not None]


def _short(event: ReplyEvent) -> str | None:
    match event:
        case Chunk():
            return event.text
        case Restarted():
            return "(void)"
        case ToolUsed():
            return f"({event.name})"
        case _:
            return None


def text_of(events: list[ReplyEvent]) -> str:
    """What is stored of it."""
    gathered = ReplyAccumulator()
    for event in events:
        gathered.add(event)
    return gathered.text


def create(title: str, place: int = 0) -> ToolCall:
    return ToolCall(f"t{place}", "create_task", json.dumps({"title": title}))


LIST = ToolCall("l", "list_tasks", "{}")
SUM = ToolCall("s", "calculator", '{"expression": "6*7"}')


def test_a_model_s_words_are_told_as_they_come_without_the_white_space_around_them() -> None:
    assert told(events_of(response("\n Herman  Melville.\n "))) == ["Herman", "  Melville."]


def test_words_before_a_tool_are_told_and_taken_back() -> None:
    events = events_of(response("Let me see.", SUM), response("It is 42."))

    assert told(events) == ["Let", " me", " see.", "(void)", "(calculator)", "It", " is", " 42."]


def test_facts_are_told_before_the_model_s_words() -> None:
    events = events_of(response("", LIST), response(" Nothing to do."))

    assert told(events) == ["(list_tasks)", NOTHING, "\n\nNothing", " to", " do."]


def test_where_facts_say_what_was_changed_the_model_s_words_are_not_told() -> None:
    events = events_of(response("I will.", create("buy milk")), response("I have bought it."), message=WISH)

    assert told(events) == ["I", " will.", "(void)", "(create_task)", ADDED]


def test_a_model_that_breaks_off_is_taken_back_for_the_honest_answer() -> None:
    events = events_of(FailingReply("Herman Melv", ModelTimeout()))

    assert told(events)[:3] == ["Herman", " Melv", "(void)"]
    assert text_of(events).startswith(f"{UNREACHABLE} {NO_ANSWER}")


def test_a_model_that_breaks_off_after_a_tool_leaves_the_facts() -> None:
    events = events_of(response("", LIST), FailingReply("Nothing", ModelTimeout()))

    assert "(void)" in told(events)
    assert text_of(events) == f"{NOTHING}\n\n{UNREACHABLE}"


def test_a_sum_is_worked_out_before_any_model_is_asked() -> None:
    events = events_of(message="What is 5 factorial times 8?")

    assert told(events) == ["(calculator)", "5! * 8 = 960"]


def test_a_sum_that_is_rounded_says_so() -> None:
    assert (
        text_of(events_of(message="What is the square root of 2?")) == "sqrt(2) ≈ 1.4142135623731 (rounded)"
    )


def test_a_stopped_answer_has_no_outcome_and_keeps_what_was_said() -> None:
    events = events_of(response("one two three"), is_stopped=lambda events: len(told(events)) == 2)

    assert (text_of(events), told(events)) == ("one two", ["one", " two"])
    assert not any(isinstance(event, Outcome) for event in events)


def test_what_a_tool_did_is_told_though_the_answer_was_stopped_then() -> None:
    events = events_of(
        response("", create("buy milk"), create("call mum", 1)),
        message=WISH,
        is_stopped=lambda events: "(create_task)" in told(events),
    )

    assert told(events) == ["(create_task)", ADDED]


def test_an_answer_that_was_stopped_before_its_first_word_is_empty() -> None:
    assert told(events_of(response("one two"), is_stopped=lambda _: True)) == []


ADDED = 'I\'ve added the task "buy milk".'
NOTHING = 'You have no tasks. To add one, say for example "add a task to buy groceries".'
COULD_NOT = "I couldn't work out an answer to this."


def in_one_piece(first: Said, second: Said) -> str:
    """The reply to a question whose model answers this, had it answered in one piece."""
    honest = text_of(events_of(ModelBudgetExceeded(), message=WISH))
    facts, is_change, last = "", False, first
    if isinstance(first, ModelResponse) and first.tool_calls:
        facts, is_change = facts_after(first.tool_calls)
        last = second
    words = last.text.strip() if isinstance(last, ModelResponse) else ""
    why_not = {ModelTimeout: UNREACHABLE, FailingReply: UNREACHABLE, ModelResponse: COULD_NOT}.get(
        type(last), ""
    )
    if not words and not facts:
        return f"{why_not} {honest}".strip()
    parts = (facts, "" if is_change else words, "" if words else why_not)
    return "\n\n".join(part for part in parts if part)


def facts_after(calls: Sequence[ToolCall]) -> tuple[str, bool]:
    """What the calls changed or listed, and whether they changed anything."""
    added, listed = 0, []
    for call in calls:
        added += call.name == "create_task"
        if call == LIST:
            lines = [f"{place}. buy milk" for place in range(1, added + 1)]
            several = f"You have {added} task{'' if added == 1 else 's'}:\n\n"
            listed = [several + "\n".join(lines) if added else NOTHING]
    return "\n\n".join([ADDED] * added + listed), added > 0


TEXTS = st.text(st.sampled_from("ab. \n\t\u2003\u00e9"), max_size=12)
CALLS = st.lists(st.sampled_from([SUM, create("buy milk"), LIST]), max_size=3)
ANSWERS = st.one_of(
    st.builds(lambda text, calls: response(text, *calls), TEXTS, CALLS),
    st.builds(FailingReply, TEXTS, st.builds(ModelTimeout)),
    st.builds(ModelTimeout),
    st.builds(ModelBudgetExceeded),
)


@pytest.mark.slow
@example_settings(75)
@given(first=ANSWERS, second=ANSWERS)
def test_whatever_models_say_the_pieces_since_the_last_restart_are_the_reply(
    first: Said, second: Said
) -> None:
    with patch.object(question_answering, "_limits", lambda _: ToolLoopLimits(model_calls=2)):
        events = events_of(first, second, message=WISH)

    pieces: list[str] = []
    for event in events:
        if isinstance(event, Restarted):
            assert pieces, "nothing had been told that could be taken back"
            pieces.clear()
        elif isinstance(event, Chunk):
            assert event.text
            pieces.append(event.text)
    assert "".join(pieces) == text_of(events) == in_one_piece(first, second)
