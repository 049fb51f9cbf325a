"""What an offline summary keeps: facts planted in long conversations, whatever they are and however put."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from conversation.context.extractive_summary import extract_lines, select_lines, shorten_text
from conversation.context.summary_updater import LINES_TOKENS
from conversation.context.window import Context, build_context
from conversation.messages.models import Message
from conversation.messages.summaries import HEADING, Summary, SummaryLine
from conversation.token_counts import estimate_tokens
from tests.fakes.data.long_conversations import conversation, short_conversation

FOLDED_AT_ONCE = 16
WINDOW, WINDOW_WITH_SUMMARY = 20, 19
BUDGET_TOKENS = 2_000


def folded(messages: Sequence[Message]) -> Summary:
    """The summary of messages that came and were folded bit by bit."""
    lines: tuple[SummaryLine, ...] = ()
    for start in range(0, len(messages), FOLDED_AT_ONCE):
        lines = select_lines([*lines, *extract_lines(messages[start : start + FOLDED_AT_ONCE])], LINES_TOKENS)
    return Summary(version=1, first=1, last=len(messages), lines=lines)


def everything(context: Context) -> str:
    """What a model is told."""
    summary = context.summary.render() if context.summary else ""
    return "\n".join([summary, *(message.content for message in context.messages)])


def kept(*texts: str) -> list[str]:
    """What is kept of a user's messages, each answered with a word."""
    return [line.text for line in extract_lines(short_conversation(*texts))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [61_803, 27_182])
def test_of_twenty_facts_in_500_messages_at_least_eighteen_are_told_within_2000_tokens(seed: int) -> None:
    messages, facts = conversation(seed)
    context = build_context(messages[-WINDOW_WITH_SUMMARY:], summary=folded(messages))
    plain = build_context(messages[-WINDOW:])
    found = sum(fact.is_in(everything(context)) for fact in facts)
    print(f"\nwith a summary {found} of 20 in {context.tokens} tokens; ", end="")
    print(f"the window alone {sum(fact.is_in(everything(plain)) for fact in facts)} in {plain.tokens}")
    assert found >= 18
    assert context.tokens <= BUDGET_TOKENS
    assert estimate_tokens(everything(context)) <= BUDGET_TOKENS


@pytest.mark.slow
def test_the_same_messages_always_make_the_same_lines() -> None:
    messages, _ = conversation(1, messages=100, facts=5)
    assert folded(messages) == folded(messages)


def test_small_talk_and_questions_are_not_kept() -> None:
    assert kept("Good morning!", "How are you?", "Thanks a lot", "what can you do", "show me the list") == []


def test_a_short_answer_is_kept_with_its_question() -> None:
    [user, reply] = short_conversation("I need a budget", answer="Which sum shall I plan with?")
    [answer] = short_conversation("about 4,200 euros")[:1]
    lines = list(extract_lines([user, reply, answer.model_copy(update={"sequence": 3})]))
    assert [line.text for line in lines] == ["Which sum shall I plan with: about 4,200 euros"]


def test_what_leads_up_to_a_fact_is_left_out() -> None:
    assert kept("By the way, just so you know: Priya owns the rollout in Graz.") == [
        "Priya owns the rollout in Graz."
    ]


def test_open_questions_are_kept() -> None:
    assert kept("It is still open whether we print the menu.") == [
        "It is still open whether we print the menu."
    ]


def test_of_two_lines_that_say_the_same_the_later_one_is_kept() -> None:
    lines = extract_lines(
        short_conversation("The audit is on 3 May in Graz.", "The audit is on 3 May, in Graz.")
    )
    assert [line.sequence for line in select_lines(lines, 1_000)] == [3]


def test_a_text_without_end_is_read_in_no_time_and_shortened() -> None:
    [line] = extract_lines(short_conversation("Budget 5 " + "a" * 8_000)[:1])
    assert line.tokens < 60
    assert estimate_tokens(shorten_text("word " * 5_000, 30)) <= 32


def test_a_summary_gives_up_its_least_telling_lines_and_no_decision() -> None:
    lines = tuple(SummaryLine(place, f"line {place}", 10) for place in range(1, 100))
    summary = Summary(1, 1, 200, lines, decisions=(SummaryLine(7, "created the agent x", 8),))
    context = build_context(short_conversation(*(["word " * 300] * 3)), summary=summary, budget_tokens=1_000)
    assert context.summary is not None
    assert context.summary.tokens <= 250
    assert context.summary.lines == lines[: len(context.summary.lines)]
    assert "created the agent x" in context.summary.render()


def test_a_summary_that_tells_nothing_is_no_text() -> None:
    assert Summary(1, 1, 20).render() == ""
    assert Summary(1, 1, 20).tokens == 0
    assert Summary(1, 1, 20, (SummaryLine(1, "x", 3),)).render().startswith(HEADING)


def test_messages_of_another_topic_get_half_of_the_room() -> None:
    messages = short_conversation(*(["invoices invoices"] * 10), answer="overdue " * 90)
    [same, other] = (
        build_context(messages, request_text=asked, budget_tokens=600)
        for asked in ("and these invoices?", "New topic: how much leave do I have?")
    )
    assert other.new_topic
    assert not same.new_topic
    assert len(other.messages) < len(same.messages)
