"""Which models are worth asking, as time passes."""

from __future__ import annotations

from llm.circuit_breaker import ModelCircuitBreakers


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_three_failures_in_a_row_open_it() -> None:
    breaker = ModelCircuitBreakers(Hand())
    for _ in range(3):
        assert breaker.permit("m")
        breaker.record_failure("m", "failing")
    assert not breaker.permit("m")
    assert breaker.permit("another")


def test_an_answer_in_between_forgets_the_failures() -> None:
    breaker = ModelCircuitBreakers(Hand())
    for succeeds in (False, False, True, False, False):
        assert breaker.permit("m")
        breaker.record_success("m") if succeeds else breaker.record_failure("m", "failing")
    assert breaker.permit("m")


def test_after_a_rest_one_caller_tries_and_success_closes_it() -> None:
    hand = Hand()
    breaker = _opened(hand)
    hand.seconds = 5.0
    assert [breaker.permit("m"), breaker.permit("m")] == [True, False]
    breaker.record_success("m")
    assert [breaker.permit("m"), breaker.permit("m")] == [True, True]


def test_a_failed_try_doubles_the_rest() -> None:
    hand = Hand()
    breaker = _opened(hand)
    hand.seconds = 5.0
    assert breaker.permit("m")
    breaker.record_failure("m", "failing")
    hand.seconds = 14.9
    assert not breaker.permit("m")
    hand.seconds = 15.0
    assert breaker.permit("m")


def test_callers_let_in_before_it_opened_do_not_lengthen_the_rest() -> None:
    hand = Hand()
    breaker = ModelCircuitBreakers(hand)
    for _ in range(6):
        assert breaker.permit("m")
    for _ in range(6):
        breaker.record_failure("m", "failing")
    hand.seconds = 5.0
    assert breaker.permit("m")


def test_a_refused_model_rests_at_once_and_for_long() -> None:
    hand = Hand()
    breaker = ModelCircuitBreakers(hand)
    assert breaker.permit("m")
    breaker.record_refusal("m")
    hand.seconds = 899.0
    assert breaker.is_resting("m")
    assert not breaker.permit("m")
    hand.seconds = 900.0
    assert not breaker.is_resting("m")
    assert breaker.permit("m")


def test_a_throttled_model_rests_as_long_as_its_provider_says() -> None:
    hand = Hand()
    breaker = ModelCircuitBreakers(hand)
    assert breaker.permit("m")
    breaker.record_rate_limit("m", 30.0)
    hand.seconds = 29.0
    assert not breaker.permit("m")
    hand.seconds = 30.0
    assert breaker.permit("m")


def test_failures_of_different_reasons_are_counted_apart() -> None:
    breaker = ModelCircuitBreakers(Hand())
    for failure in ("failing", "slow", "invalid_output", "failing", "slow", "invalid_output"):
        assert breaker.permit("m")
        breaker.record_failure("m", failure)
    assert breaker.permit("m")


def test_a_model_that_is_too_slow_to_understand_may_still_answer() -> None:
    breaker = ModelCircuitBreakers(Hand())
    for _ in range(3):
        assert breaker.permit("m", 0.8)
        breaker.record_failure("m", "slow", 0.8)
    assert breaker.is_resting("m", 0.8)
    assert not breaker.is_resting("m", 20.0)
    assert breaker.permit("m", 20.0)
    breaker.record_success("m", 20.0)
    assert not breaker.permit("m", 0.8)


def test_a_trial_after_one_reason_leaves_another_reasons_rest_as_it_is() -> None:
    hand = Hand()
    breaker = _opened(hand)
    breaker.record_rate_limit("m", 30.0)
    hand.seconds = 10.0
    assert not breaker.permit("m")
    hand.seconds = 30.0
    assert breaker.permit("m")
    breaker.record_success("m")
    assert breaker.permit("m")


def test_a_try_that_decided_nothing_may_be_repeated() -> None:
    hand = Hand()
    breaker = _opened(hand)
    hand.seconds = 5.0
    assert breaker.permit("m")
    breaker.record_inconclusive("m")
    assert breaker.permit("m")


def _opened(hand: Hand) -> ModelCircuitBreakers:
    breaker = ModelCircuitBreakers(hand)
    for _ in range(3):
        assert breaker.permit("m")
        breaker.record_failure("m", "failing")
    return breaker
