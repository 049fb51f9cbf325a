"""Which messages go along with a new one."""

from datetime import UTC, datetime

from conversation.context.window import MARK, build_context
from conversation.messages.models import Message, Role
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.instruction_count import effort_of

AT = datetime(2026, 1, 1, tzinfo=UTC)
QUESTION = "Which invoices are overdue since last Thursday?"


def said(sequence: int, tokens: int, content: str = "x") -> Message:
    role = Role.USER if sequence % 2 else Role.ASSISTANT
    return Message(
        id=str(sequence), conversation_id="c", sequence=sequence, role=role, content=content, created_at=AT,
        turn_id="c.t", tokens=tokens,
    )  # fmt: skip


def test_a_conversation_without_messages_has_no_context() -> None:
    assert build_context([]).messages == ()


def test_messages_within_the_budget_all_go_along_oldest_first() -> None:
    context = build_context([said(n, 10) for n in range(1, 9)])
    assert [message.sequence for message in context.messages] == list(range(1, 9))
    assert (context.tokens, context.dropped, context.shortened) == (80, 0, 0)


def test_the_oldest_are_left_out_when_the_budget_is_reached() -> None:
    context = build_context([said(n, 100) for n in range(1, 21)], budget_tokens=1_000)
    assert [message.sequence for message in context.messages] == list(range(11, 21))
    assert context.dropped == 10


def test_a_long_message_ends_the_walk_back_instead_of_being_skipped() -> None:
    sizes = [10, 5_000, *([10] * 6)]
    context = build_context([said(n, size) for n, size in enumerate(sizes, 1)], budget_tokens=1_000)
    assert [message.sequence for message in context.messages] == list(range(3, 9))


def test_the_last_three_exchanges_go_along_whatever_they_cost() -> None:
    context = build_context([said(n, 900) for n in range(1, 13)], budget_tokens=2_000)
    assert [message.sequence for message in context.messages] == list(range(7, 13))
    assert context.tokens == 5_400


def test_no_more_than_the_maximum_of_messages_go_along() -> None:
    assert len(build_context([said(n, 1) for n in range(1, 101)], max_messages=20).messages) == 20


def test_only_what_bursts_the_window_is_shortened_head_and_tail() -> None:
    long = "begin " + "middle " * 2_000 + "end"
    messages = [said(n, 10) for n in range(1, 6)] + [said(6, 3_000, long)]
    context = build_context(messages, window_tokens=1_000)
    cut = context.messages[-1]
    assert context.shortened == 1
    assert context.tokens <= 1_000
    assert cut.content.startswith("begin ")
    assert cut.content.endswith("end")
    assert MARK in cut.content
    assert len(cut.content) < len(long) / 2
    assert context.messages[:5] == tuple(messages[:5])


@row("B12")
def test_what_is_assembled_is_not_looked_through_however_long_it_is() -> None:
    def effort(length: int) -> int:
        messages = [said(n, length // 8, "a" * length) for n in range(1, 21)]
        return effort_of(lambda: build_context(messages, window_tokens=5_000, request_text=QUESTION)).steps

    effort(8)  # compiles what is compiled once
    assert effort(200_000) < 1.1 * effort(8_000)


def test_three_exchanges_that_are_all_too_long_share_the_window() -> None:
    context = build_context([said(n, 5_000, "word " * 5_000) for n in range(1, 7)], window_tokens=6_000)
    assert context.shortened == 6
    assert {message.tokens for message in context.messages} == {1_000}
