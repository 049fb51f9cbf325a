"""What the calculator works out, and what it refuses before it costs anything."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation.clock import Deadline, SystemClock
from conversation.identity import Caller
from storage.keys import TenantId
from tests.fakes.run.bad_inputs import case, row
from tests.fakes.run.instruction_count import effort_of
from tests.fakes.run.property_budget import example_settings
from tools.builtin.calculator import calculate, calculator, compute
from tools.errors import ToolError
from tools.tool import ToolContext

CONTEXT = ToolContext(
    caller=Caller(TenantId("acme"), "maya"),
    now=datetime(2026, 3, 2, tzinfo=UTC),
    time_zone="UTC",
    step_id="t.1",
    deadline=Deadline.after(SystemClock(), 86_400),
)


def evaluate(expression: str) -> int | float:
    return compute(expression).value


@row("K10")
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("5! * 8", 960),
        ("factorial(5)*8", 960),
        ("5!", 120),
        ("0.1 + 0.2", 0.3),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-2 ** 2", -4),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("7 % 3", 1),
        ("10 / 4", 2.5),
        ("1 << 10", 1024),
        ("7 >> 1", 3),
        ("2 ** 0.5", 2**0.5),
        ("1.5e3", 1500),
        (".5 + 1.", 1.5),
        ("3 \u00d7 4 \u00f7 2 \u2212 1", 5),
        ("2^10", 1024),
        ("(-1) ** 10000000000000000001", -1),
        ("(1 / 3) * 3", 1),
        ("1.0001 ** 365", 1.0001**365),
    ],
)
def test_arithmetic_comes_out_right(expression: str, value: float) -> None:
    assert evaluate(expression) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("expression", "exact"),
    [("10**300", 10**300), ("3**600", 3**600), ("7**350", 7**350), ("2**1023", 2**1023)],
)
def test_powers_of_whole_numbers_are_exact_up_to_the_largest_number(expression: str, exact: int) -> None:
    found = calculate(CONTEXT, expression)
    assert (found.text, found.is_rounded) == (str(exact), False)


@pytest.mark.parametrize(
    ("expression", "text", "is_rounded"),
    [
        ("sqrt(144)", "12", False),
        ("sqrt(2)", "1.4142135623731", True),
        ("2 * pi", "6.28318530717959", True),
        ("round(2.345, 2)", "2.35", False),
        ("round(2/3, 3)", "0.667", False),
        ("15% of 80", "12", False),
        ("80 * 15%", "12", False),
        ("7 % 3", "1", False),
        ("1/3", "0.333333333333333", True),
        ("0.1 + 0.2", "0.3", False),
    ],
)
def test_a_value_that_had_to_be_rounded_says_so(expression: str, text: str, is_rounded: bool) -> None:
    found = calculate(CONTEXT, expression)
    assert (found.text, found.is_rounded) == (text, is_rounded)


def test_whole_numbers_are_exact_however_long() -> None:
    assert evaluate("2 ** 100 + 1") == 2**100 + 1
    assert len(str(evaluate("170!"))) == 307


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        case("K1", "9**9**9", "too_large"),
        case("K1 ten", "10**10**8", "too_large"),
        case("K1 thirty", "**".join(["9"] * 30), "too_large"),
        case("K1 fifty", "**".join(["9"] * 50), "too_large"),
        case("K2", "1<<(1<<40)", "too_large"),
        case("K4", "*".join(["9" * 4_000] * 200), "too_large"),
        case("K5", "7" * 5_000, "too_large"),
        case("K5 hexadecimal", "0x" + "f" * 100_000, "too_large"),
        case("long", "+".join(["1"] * 40), "too_large"),
        case("factorial", "171!", "too_large"),
        case("K7 import", '__import__("os")', "not_allowed"),
        case("K7 attribute", "(1).real", "not_allowed"),
        case("K7 lambda", "lambda: 1", "not_allowed"),
        case("K7 walrus", "(x := 1)", "not_allowed"),
        case("K7 comprehension", "[x for x in y]", "not_allowed"),
        case("K7 f-string", "f'{1}'", "not_allowed"),
        case("K7 call", "abs(1)", "not_allowed"),
        case("K7 name", "factorial", "not_allowed"),
        *(
            case(f"other writing {number}", text, "not_allowed")
            for number, text in enumerate(("0x10", "1_000", "2 3", "1 +", "(1", "", "\u0661 + 1"))
        ),
        case("K8", "1/0", "math_error"),
        case("K8 nothing by nothing", "0/0", "math_error"),
        case("K8 rest", "5 % 0", "math_error"),
        case("K8 power", "0**-1", "math_error"),
        case("K8 root", "(-8)**0.5", "math_error"),
        case("K8 float", "1e308*10", "math_error"),
        case("part of a factorial", "1.5!", "math_error"),
        case("negative factorial", "(0-3)!", "math_error"),
        case("part of a shift", "1.5 << 2", "math_error"),
    ],
)
def test_what_is_no_arithmetic_or_too_much_is_refused_before_it_costs_anything(
    expression: str, code: str
) -> None:
    def refused() -> None:
        with pytest.raises(ToolError) as error:
            evaluate(expression)
        assert error.value.code == code

    steps, peak_bytes = effort_of(refused)
    assert steps < 5_000
    assert peak_bytes < 250_000


TOKENS = ["0", "1", "2", "9", "0.1", "1e308", "1e-308", "99999999999999999999", "+", "-", "*", "/", "%", "**",
          "<<", ">>", "(", ")", "!", "factorial", " "]  # fmt: skip
SUMS = st.lists(st.sampled_from(TOKENS), max_size=40).map("".join)
NESTED = st.recursive(
    st.sampled_from(["2", "9", "0.5", "171", "1e99"]),
    lambda inner: st.tuples(inner, st.sampled_from(["+", "*", "/", "**", "<<", ">>", "%"]), inner).map(
        lambda parts: f"({''.join(parts)})"
    ),
    max_leaves=30,
)


@example_settings(250)
@given(expression=SUMS | NESTED | st.text(max_size=40))
def test_any_expression_is_a_number_or_refused_and_costs_little(expression: str) -> None:
    outcomes: list[float | str] = []

    def worked_out() -> None:
        try:
            outcomes.append(evaluate(expression))
        except ToolError as refused:
            outcomes.append(refused.code)

    steps, peak_bytes = effort_of(worked_out)
    [outcome] = outcomes
    assert outcome in {"not_allowed", "too_large", "math_error"} or abs(float(outcome)) < float("inf")
    assert steps < 20_000
    assert peak_bytes < 250_000


def test_a_model_gets_the_value_and_its_text() -> None:
    result = calculator().call('{"expression": "factorial(5) * 8"}', CONTEXT)
    assert json.loads(result.to_model_json()) == {
        "ok": True,
        "from": "product",
        "result": {"value": 960, "text": "960", "is_rounded": False},
    }


def test_a_refusal_reaches_the_model_as_data() -> None:
    result = calculator().call({"expression": "9**9**9"}, CONTEXT)
    error = json.loads(result.to_model_json())["error"]
    assert (result.ok, error["code"]) == (False, "too_large")
