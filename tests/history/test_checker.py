"""The checker finds what is wrong in a history, and nothing in one that is right."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.history.checker import Kind, find_broken_promises
from tests.history.records import (
    Admitted,
    Answered,
    Event,
    FinalState,
    GaveUp,
    History,
    ModelCalled,
    Operation,
    Promised,
    Sent,
    StoredMessage,
)

ONE = Operation("op-1", "please do op-1", "a", "key 1")
TWO = Operation("op-2", "please do op-2", "a", "key 2")


def exchange(
    operation: Operation, turn: str, first: int, *, reply: str | None = None
) -> tuple[StoredMessage, ...]:
    """A message and its reply as they stand in a conversation."""
    content = f"re: {operation.message}" if reply is None else reply
    return (
        StoredMessage(f"{first}-{turn}", first, "user", operation.message, f"a.{turn}"),
        StoredMessage(f"{first + 1}-{turn}", first + 1, "assistant", content, f"a.{turn}"),
    )


def told(operation: Operation, turn: str, first: int, *, at: float, persisted: bool = True) -> Answered:
    """What its client was told."""
    reply = f"re: {operation.message}"
    return Answered(operation.name, at, "a", f"a.{turn}", f"{first + 1}-{turn}", reply, persisted)


GOOD = (*exchange(ONE, "T1", 1), *exchange(TWO, "T2", 3))
EVENTS: tuple[Event, ...] = (
    Sent(ONE.name, 0.0),
    Admitted("a", "T1", 0.1),
    ModelCalled("a", "a.T1", 0.2, 0.8),
    told(ONE, "T1", 1, at=1.0),
    Sent(TWO.name, 2.0),
    Admitted("a", "T2", 2.1),
    ModelCalled("a", "a.T2", 2.2, 2.8),
    told(TWO, "T2", 3, at=3.0),
)


def history(
    row: tuple[StoredMessage, ...] = GOOD,
    events: Iterable[Event] = EVENTS,
    *,
    waiting: tuple[str, ...] = (),
    effects: tuple[int, int] = (1, 1),
) -> History:
    """A history of two operations in one conversation."""
    done = {ONE.name: effects[0], TWO.name: effects[1]}
    return History((ONE, TWO), tuple(events), FinalState({"a": row}, {"a": waiting}, done))


def kinds(checked: History) -> set[Kind]:
    return {finding.kind for finding in find_broken_promises(checked)}


def without(*kinds_of_event: type[Event]) -> tuple[Event, ...]:
    return tuple(event for event in EVENTS if not isinstance(event, kinds_of_event))


def test_a_good_history_breaks_no_promise() -> None:
    assert find_broken_promises(history()) == ()


def test_a_message_that_was_acknowledged_and_is_nowhere_is_lost() -> None:
    assert kinds(history(exchange(ONE, "T1", 1), effects=(1, 0))) == {Kind.LOST}


def test_a_message_that_was_promised_an_answer_and_is_nowhere_is_lost() -> None:
    events = (*without(Answered), Promised(TWO.name, 3.0, "a", "a.T2"))
    assert kinds(history(exchange(ONE, "T1", 1), events, effects=(1, 0))) == {Kind.LOST, Kind.PROMISE_BROKEN}


def test_what_was_not_said_to_be_stored_may_be_missing() -> None:
    events = (*EVENTS[:-1], told(TWO, "T2", 3, at=3.0, persisted=False))
    assert find_broken_promises(history(exchange(ONE, "T1", 1), events, effects=(1, 0))) == ()


def test_a_gap_between_two_messages_is_a_loss() -> None:
    assert kinds(history((*exchange(ONE, "T1", 1), *exchange(TWO, "T2", 5)), without(Answered))) == {
        Kind.LOST
    }


def test_a_message_that_stands_twice_is_duplicated() -> None:
    row = (*GOOD, *exchange(ONE, "T3", 5))
    assert kinds(history(row, without(Admitted))) == {Kind.DUPLICATED}


def test_a_message_behind_one_that_was_sent_after_its_acknowledgement_is_out_of_order() -> None:
    row = (*exchange(TWO, "T2", 1), *exchange(ONE, "T1", 3))
    events = (*without(Admitted, Answered), told(ONE, "T1", 3, at=1.0), told(TWO, "T2", 1, at=3.0))
    assert kinds(history(row, events)) == {Kind.REORDERED}


def test_messages_that_were_under_way_at_once_may_stand_in_any_order() -> None:
    row = (*exchange(TWO, "T2", 1), *exchange(ONE, "T1", 3))
    events = (
        Sent(ONE.name, 0.0),
        Sent(TWO.name, 0.5),
        told(ONE, "T1", 3, at=1.0),
        told(TWO, "T2", 1, at=3.0),
    )
    assert find_broken_promises(history(row, events)) == ()


def test_an_order_other_than_that_of_admission_is_out_of_order() -> None:
    events = (*without(Admitted), Admitted("a", "T2", 0.1), Admitted("a", "T1", 0.2))
    assert kinds(history(events=events)) == {Kind.REORDERED}


def test_a_message_that_was_withdrawn_and_admitted_anew_counts_from_then_on() -> None:
    admitted = [Admitted("a", "T2", 0.0), Admitted("a", "T1", 0.1), Admitted("a", "T2", 2.0)]
    assert find_broken_promises(history(events=(*without(Admitted), *admitted))) == ()


@pytest.mark.parametrize(
    "row",
    [
        pytest.param((*exchange(ONE, "T1", 1, reply="re: please do op-2"), *GOOD[2:]), id="about another"),
        pytest.param((GOOD[0], GOOD[1]._replace(turn_id="a.T9"), *GOOD[2:]), id="of another turn"),
        pytest.param((*GOOD[:3],), id="none"),
        pytest.param((*GOOD, *exchange(Operation("op-9", "?", None, None), "T9", 5)), id="to nobody"),
    ],
)
def test_a_message_that_is_not_followed_by_its_own_reply_is_mispaired(row: tuple[StoredMessage, ...]) -> None:
    assert kinds(history(row, without(Answered))) == {Kind.MISPAIRED}


def test_a_reply_other_than_the_one_that_was_told_is_mispaired() -> None:
    row = (*exchange(ONE, "T1", 1, reply="re: please do op-1, thought anew"), *GOOD[2:])
    assert kinds(history(row)) == {Kind.MISPAIRED}


def test_an_apology_is_a_reply_without_an_effect() -> None:
    sorry = GOOD[1]._replace(content="Something went wrong", failed=True)
    row = (GOOD[0], sorry, *GOOD[2:])
    assert find_broken_promises(history(row, without(Answered), effects=(0, 1))) == ()


@pytest.mark.parametrize(
    ("row", "effects"), [(GOOD, (2, 1)), (exchange(ONE, "T1", 1), (1, 1))], ids=["twice", "without a message"]
)
def test_an_effect_that_was_done_more_often_than_its_answer_was_stored_is_doubled(
    row: tuple[StoredMessage, ...], effects: tuple[int, int]
) -> None:
    assert kinds(history(row, without(Answered), effects=effects)) == {Kind.EFFECT_DOUBLED}


def test_an_answer_that_is_stored_without_its_effect_is_found() -> None:
    assert kinds(history(effects=(1, 0))) == {Kind.EFFECT_LOST}


def test_two_model_calls_of_one_conversation_at_once_are_found() -> None:
    assert kinds(history(events=(*EVENTS, ModelCalled("a", "a.T1", 0.7, 0.9)))) == {Kind.MODEL_CALLS_AT_ONCE}


def test_model_calls_of_two_conversations_may_be_made_at_once() -> None:
    assert find_broken_promises(history(events=(*EVENTS, ModelCalled("b", "b.T1", 0.7, 0.9)))) == ()


def test_a_client_that_gives_up_and_a_message_that_still_waits_are_unanswered() -> None:
    assert kinds(history(events=(*EVENTS, GaveUp(TWO.name, 9.0)))) == {Kind.UNANSWERED}
    assert kinds(history(waiting=("T3",))) == {Kind.UNANSWERED}


def test_a_promised_turn_that_stands_under_another_name_is_a_broken_promise() -> None:
    assert kinds(history(events=(*EVENTS, Promised(TWO.name, 2.5, "a", "a.T9")))) == {Kind.PROMISE_BROKEN}
