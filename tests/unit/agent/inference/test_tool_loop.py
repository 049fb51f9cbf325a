"""Asking a model step by step, with tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from pydantic import JsonValue

from agent.inference.call_guard import CallGuard, support_of_message
from agent.inference.prompt_leak_filter import add_mark
from agent.inference.tool_loop import ToolLoop, ToolLoopEvent, ToolLoopLimits, ToolLoopResult, ToolUse
from agent.turn_events import Chunk, Restarted, Thinking
from conversation.clock import Deadline
from conversation.identity import Caller
from llm.errors import ModelBudgetExceeded, ModelTimeout, ModelUnavailable
from llm.request_types import ModelResponse, ToolCall
from llm.spend_guard import NoBudget
from storage.keys import TenantId
from tests.fakes.models.scripted_models import OTHER, STRONG, FailingReply, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock
from tools.errors import ToolError
from tools.tool import Tool, ToolAccess, Toolbox, ToolContext

QUESTION: Sequence[Mapping[str, JsonValue]] = ({"role": "user", "content": "How is it?"},)


def echo(context: ToolContext, word: str) -> str:
    """Say the word again."""
    if word == "boom":
        raise ToolError("unavailable", "The echo is broken.")
    return f"{word} for {context.caller.user} at {context.step_id}"


BOX = Toolbox([Tool.of(echo, access=ToolAccess())])


def call(word: str, place: int = 0) -> ToolCall:
    return ToolCall(f"c{place}", "echo", f'{{"word": "{word}"}}')


class Run:
    """One run over scripted answers."""

    def __init__(
        self, *answers: ModelResponse | ModelUnavailable | FailingReply, seconds: float = 20.0
    ) -> None:
        self.clock = ManualClock()
        self.models = ScriptedModels(self.clock, answers)
        self.events: list[ToolLoopEvent] = []
        self.seconds = seconds

    def go(
        self,
        limits: ToolLoopLimits | None = None,
        *,
        strong: tuple[str, ...] = (STRONG,),
        stopped_after: int = 99,
    ) -> ToolLoopResult:
        pool = pool_of(self.models, *strong)
        first, *others = pool.registry.find_strong_models()
        deadline = Deadline.after(self.clock, self.seconds)

        def context_for(place: int) -> ToolContext:
            caller = Caller(TenantId("acme"), "maya")
            return ToolContext(caller, self.clock.now(), "UTC", f"turn.{place}", deadline)

        return ToolLoop(pool).run(
            QUESTION,
            BOX,
            model=first,
            stand_ins=others,
            budget=NoBudget(),
            deadline=deadline,
            context_for=context_for,
            guard=CallGuard(is_asked_for=support_of_message("")),
            limits=limits,
            is_stopped=lambda: len(self.events) >= stopped_after,
            on_event=self.events.append,
        )

    @property
    def told(self) -> list[str]:
        """What happened, in short."""
        return [_short(event) for event in self.events]


def _short(event: ToolLoopEvent) -> str:
    match event:
        case Chunk():
            return event.text
        case Restarted():
            return "(void)"
        case ToolUse():
            return "(tool)"
        case Thinking():
            return "(asked)"


def test_an_answer_without_tools_takes_one_call() -> None:
    run = Run(response("Fine."))

    executed = run.go()

    assert (executed.text, executed.finish, len(run.models.asked)) == ("Fine.", "answered", 1)
    assert executed.tool_messages == ()


def test_results_go_back_to_the_model_in_the_order_of_its_calls() -> None:
    run = Run(response("", call("one", 1), call("boom", 2)), response("Done."))

    executed = run.go()

    assert executed.text == "Done."
    assert [use.result.ok for use in executed.tool_uses] == [True, False]
    asked, first, second = executed.tool_messages
    assert [one["id"] for one in asked["tool_calls"]] == ["c1", "c2"]  # type: ignore[union-attr,index,call-overload]
    assert "one for maya at turn.0" in str(first["content"])
    assert '"code": "unavailable"' in str(second["content"])
    _, question = run.models.asked[-1]
    assert tuple(question.messages) == (*QUESTION, *executed.tool_messages)


def test_the_last_call_may_use_no_tools_and_has_to_answer() -> None:
    run = Run(response("", call("one")), response("", call("two")))

    executed = run.go(ToolLoopLimits(model_calls=2))

    assert [question.tool_choice for _, question in run.models.asked] == [None, "none"]
    assert (executed.finish, executed.text, len(executed.tool_uses)) == ("out_of_steps", "", 1)


def test_a_chat_answer_may_use_tools_upon_tools_in_four_rounds() -> None:
    rounds = [response("", call(name)) for name in ("one", "two", "three", "four")]
    run = Run(*rounds, response("Done."))

    executed = run.go()

    assert (executed.finish, executed.text, len(executed.tool_uses)) == ("answered", "Done.", 4)
    assert run.models.asked[-1][1].tool_choice == "none"


@pytest.mark.parametrize(("call_s", "rounds"), [(3.0, 4), (5.0, 2), (7.0, 1)])
@pytest.mark.parametrize("strong", [(STRONG,), (STRONG, OTHER)], ids=["alone", "with a stand-in"])
def test_a_slow_model_stops_using_tools_while_there_is_time_to_answer(
    call_s: float, rounds: int, strong: tuple[str, ...]
) -> None:
    run = Run(*(response("", call("one")) for _ in range(rounds)), response("Done."), seconds=23.0)
    run.models.call_s = call_s

    executed = run.go(strong=strong)

    assert (executed.finish, executed.text, len(executed.tool_uses)) == ("answered", "Done.", rounds)
    assert [question.tool_choice for _, question in run.models.asked] == [None] * rounds + ["none"]
    assert {model for model, _ in run.models.asked} == {STRONG}


def test_a_model_that_was_reached_and_then_runs_out_of_time_is_not_called_out_of_reach() -> None:
    run = Run(response("", call("one")), response("Too late."), seconds=23.0)
    run.models.call_s = 15.0

    executed = run.go()

    assert (executed.finish, len(executed.tool_uses)) == ("out_of_time", 1)


def test_calls_beyond_the_limit_are_answered_and_not_made() -> None:
    run = Run(response("", *(call("x", place) for place in range(6))), response("Enough."))

    executed = run.go(ToolLoopLimits(tool_calls=2))

    answers = [str(message["content"]) for message in executed.tool_messages[1:]]
    assert (len(executed.tool_uses), len(answers)) == (2, 6)
    assert all("not_allowed" in answer for answer in answers[2:])


def test_of_an_absurd_number_of_calls_the_rest_is_forgotten() -> None:
    run = Run(response("", *(call("x", place) for place in range(5_000))), response("Enough."))

    assert len(run.go().tool_messages) == 65


@pytest.mark.parametrize(
    ("error", "reason"), [(ModelTimeout(), "deadline"), (ModelBudgetExceeded(), "budget_reached")]
)
def test_a_model_that_does_not_answer_ends_the_run_with_the_reason(
    error: ModelUnavailable, reason: str
) -> None:
    executed = Run(response("", call("one")), error).go()

    assert (executed.finish, executed.reason, executed.text) == ("model_unavailable", reason, "")
    assert len(executed.tool_uses) == 1


def test_without_time_no_model_is_asked() -> None:
    run = Run(seconds=0.1)

    assert run.go().finish == "out_of_time"
    assert run.models.asked == []


def test_a_run_that_is_stopped_makes_no_further_call() -> None:
    run = Run(response("", call("one", 1), call("two", 2)))

    executed = run.go(stopped_after=2)

    assert (executed.finish, len(executed.tool_uses)) == ("stopped", 1)


def test_a_model_thinks_only_until_it_used_a_tool() -> None:
    run = Run(response("", call("one")), response("Done."))

    run.go(ToolLoopLimits(thinking="low", max_tokens=4_000), strong=("anthropic/claude-sonnet-5-5",))

    assert [question.thinking for _, question in run.models.asked] == ["low", None]


def test_an_answer_is_told_word_by_word() -> None:
    run = Run(response("It is  fine. "))

    assert run.go().text == "It is  fine. "
    assert run.told == ["(asked)", "It", " ", "is", "  ", "fine.", " "]


def test_a_copy_of_the_prompts_mark_is_neither_told_nor_kept() -> None:
    mark = add_mark("", TenantId("globex")).strip("\n()")
    run = Run(response(f"My rules say {mark} and more"))
    executed = run.go()
    assert executed.text == "My rules say  and more"
    assert "".join(event.text for event in run.events if isinstance(event, Chunk)) == executed.text


def test_words_before_a_tool_is_used_are_taken_back_and_the_last_ones_stay() -> None:
    run = Run(response("Wait.", call("one")), response("Done."))

    executed = run.go()

    assert run.told == ["(asked)", "Wait.", "(void)", "(tool)", "(asked)", "Done."]
    assert executed.text == "Done."
    assert executed.tool_messages[0]["content"] == "Wait."


def test_words_beside_a_call_that_may_not_be_made_any_more_are_the_answer() -> None:
    run = Run(response("", call("one")), response("Done.", call("two")))

    assert (run.go(ToolLoopLimits(model_calls=2)).text, run.told[-1]) == ("Done.", "Done.")


def test_words_of_a_model_that_breaks_off_are_taken_back() -> None:
    run = Run(FailingReply("I think", ModelTimeout()))

    executed = run.go()

    assert run.told == ["(asked)", "I", " ", "think", "(void)"]
    assert (executed.finish, executed.reason, executed.text) == ("model_unavailable", "deadline", "")


def test_a_model_that_fails_without_a_word_takes_nothing_back() -> None:
    run = Run(ModelTimeout())

    run.go()

    assert run.told == ["(asked)"]


def test_an_answer_is_stopped_between_two_words_and_what_was_said_stays() -> None:
    run = Run(response("one two three"))

    executed = run.go(stopped_after=4)

    assert (executed.finish, executed.text) == ("stopped", "one two")
    assert run.told == ["(asked)", "one", " ", "two"]
