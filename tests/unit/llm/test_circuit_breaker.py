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
        breaker.record_failure("m")
    assert not breaker.permit("m")
    assert breaker.permit("another")


def test_an_answer_in_between_forgets_the_failures() -> None:
    breaker = ModelCircuitBreakers(Hand())
    for succeeds in (False, False, True, False, False):
        assert breaker.permit("m")
        breaker.record_success("m") if succeeds else breaker.record_failure("m")
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
    breaker.record_failure("m")
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
        breaker.record_failure("m")
    hand.seconds = 5.0
    assert breaker.permit("m")


def test_a_wrong_key_opens_it_at_once_and_for_a_minute() -> None:
    hand = Hand()
    breaker = ModelCircuitBreakers(hand)
    assert breaker.permit("m")
    breaker.record_misconfiguration("m")
    hand.seconds = 59.0
    assert not breaker.permit("m")
    hand.seconds = 60.0
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
        breaker.record_failure("m")
    return breaker
