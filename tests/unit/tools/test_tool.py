"""One call of a tool: what is checked on the way in and out, and that nothing a model does is our failure."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any

import pytest
from pydantic import Field, JsonValue

from conversation.clock import Deadline, SystemClock
from conversation.errors import NotFound
from conversation.identity import Caller
from llm.request_types import ToolCall
from resilience.deadlines import DeadlineExceeded, NoWorkerFree, WorkerThreads
from storage.errors import StorageUnavailable
from storage.keys import TenantId
from tools.errors import ToolError
from tools.tool import Tool, Toolbox, ToolContext


def context(*, seconds: float = 600) -> ToolContext:
    return ToolContext(
        caller=Caller(TenantId("acme"), "maya"),
        now=datetime(2026, 3, 2, 9, tzinfo=UTC),
        time_zone="Europe/Berlin",
        step_id="turn.1",
        deadline=Deadline.after(SystemClock(), seconds),
    )


def greet(
    context: ToolContext,
    name: Annotated[str, Field(description="whom to greet", max_length=10)],
    times: int = 1,
    day: date | None = None,
) -> str:
    """Greet somebody
    by name.

    More about it that no model needs.
    """
    return f"{context.caller.user} greets {name} {times}x on {day}"


def test_a_models_view_is_made_from_the_signature() -> None:
    schema = Tool.of(greet).schema()
    assert (schema.name, schema.description) == ("greet", "Greet somebody by name.")
    assert schema.parameters["required"] == ["name"]
    assert schema.parameters["additionalProperties"] is False
    properties = schema.parameters["properties"]
    assert isinstance(properties, Mapping)
    assert properties["name"] == {"description": "whom to greet", "maxLength": 10, "type": "string"}
    assert "context" not in properties


def test_a_call_gets_checked_values_and_answers_for_its_caller() -> None:
    result = Tool.of(greet).call('{"name": "Noah", "times": 2, "day": "2026-03-02"}', context())
    assert (result.ok, result.data) == (True, "maya greets Noah 2x on 2026-03-02")
    assert json.loads(result.to_model_json()) == {"ok": True, "from": "unknown", "result": result.data}


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "nonsense",
        "[]",
        '"name"',
        "{}",
        '{"name": 5}',
        '{"name": "Noah", "times": "2"}',
        '{"name": "Noah", "times": NaN}',
        '{"name": "Noah", "times": 1' + "0" * 5_000 + "}",
        '{"name": "Noah", "day": "tomorrow"}',
        '{"name": "Noah", "shout": true}',
        '{"name": "' + "n" * 40_000 + '"}',
        "[" * 20_000,
        '{"name": "Noah"',
    ],
    ids=lambda text: text[:30] or "empty",
)
def test_arguments_that_do_not_fit_are_refused_and_not_repeated(arguments: str) -> None:
    result = Tool.of(greet).call(arguments, context())
    assert (result.ok, result.error_code) == (False, "invalid_arguments")
    assert "Noah" not in result.message
    assert len(result.to_model_json()) < 1_000


@pytest.mark.parametrize("name", ["tenant", "tenant_id", "user", "user_id"])
def test_whose_data_is_meant_is_told_by_the_token_whatever_the_model_says(name: str) -> None:
    result = Tool.of(greet).call({"name": "Noah", name: "somebody-else"}, context())
    assert result.data == "maya greets Noah 1x on None"


def test_a_tool_can_not_ask_a_model_whose_data_it_wants() -> None:
    def spy(context: ToolContext, user_id: str) -> str:
        """Look at somebody."""
        return user_id

    with pytest.raises(TypeError, match="user_id"):
        Tool.of(spy)


def failing(error: Exception) -> Callable[..., Any]:
    def work(context: ToolContext) -> str:
        """Fail."""
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ToolError("math_error", "No."), "math_error"),
        (NotFound("There is no such thing."), "not_found"),
        (StorageUnavailable("throttled"), "unavailable"),
        (TimeoutError(), "timeout"),
        (KeyError("secret-of-ours"), "failed"),
        (RecursionError(), "failed"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_goes_wrong_in_a_tool_is_data_for_the_model(error: Exception, code: str) -> None:
    result = Tool.of(failing(error)).call({}, context())
    assert (result.ok, result.error_code) == (False, code)
    assert "secret-of-ours" not in result.to_model_json()


def test_a_fault_of_ours_is_logged_by_its_type_only(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        Tool.of(failing(KeyError("what the user said"))).call({}, context())
    [record] = caplog.records
    assert record.__dict__["error_type"] == "KeyError"
    assert "what the user said" not in caplog.text


def test_a_tool_that_hangs_is_left_behind() -> None:
    end = threading.Event()

    def hang(context: ToolContext) -> str:
        """Hang."""
        end.wait(30)
        return "late"

    result = Tool.of(hang, timeout_s=0.05).call({}, context())
    end.set()
    assert (result.ok, result.error_code) == (False, "timeout")
    assert result.elapsed_ms < 5_000


def test_a_turn_that_is_over_leaves_a_tool_no_time() -> None:
    assert Tool.of(greet).call({"name": "Noah"}, context(seconds=0)).error_code == "timeout"


def test_hung_tools_do_not_pile_up_for_ever() -> None:
    hands, end = WorkerThreads(1), threading.Event()
    with pytest.raises(DeadlineExceeded):
        hands.run(lambda: end.wait(30), 0.01)
    with pytest.raises(NoWorkerFree):
        hands.run(lambda: True, 0.01)
    end.set()
    assert hands.run(lambda: True, 10)


def test_a_result_of_another_type_than_promised_does_not_pass() -> None:
    def lie(context: ToolContext) -> int:
        """Lie."""
        return "seven"  # type: ignore[return-value]

    assert Tool.of(lie).call({}, context()).error_code == "result_invalid"


@pytest.mark.parametrize(("size", "code"), [(90, None), (200, "too_large")])
def test_a_result_has_a_size(size: int, code: str | None) -> None:
    def talk(context: ToolContext) -> str:
        """Talk."""
        return "x" * size

    assert Tool.of(talk, max_result_bytes=100).call({}, context()).error_code == code


def foreign(arguments: Mapping[str, JsonValue], context: ToolContext) -> JsonValue:
    return {"got": dict(arguments), "for": context.caller.user}


def test_a_foreign_tool_gets_its_arguments_as_they_come() -> None:
    tool = Tool("remote", "Somebody else's.", {"type": "object"}, foreign)
    assert tool.call('{"user": "U1"}', context()).data == {"got": {"user": "U1"}, "for": "maya"}


def test_a_foreign_result_that_json_can_not_hold_is_refused() -> None:
    tool = Tool("remote", "", {}, lambda arguments, context: float("nan"))
    assert tool.call({}, context()).error_code == "result_invalid"


def test_a_toolbox_offers_only_what_was_chosen_and_knows_what_it_lacks() -> None:
    box = Toolbox([Tool.of(greet), Tool("remote", "", {}, foreign)])
    assert box.names == {"greet", "remote"}
    chosen = box.subset(["greet", "unknown"])
    assert [schema.name for schema in chosen.schemas()] == ["greet"]
    assert chosen.call(ToolCall("1", "greet", '{"name": "Noah"}'), context()).ok
    refused = chosen.call(ToolCall("2", "remote", "{}"), context())
    assert (refused.ok, refused.error_code) == (False, "unknown_tool")
