"""Questions about the workspace and about the world: who answers which."""

from __future__ import annotations

import json

import pytest

from agent.dialogue.talk.texts import general_elsewhere
from agent.inference.question_answering import AnsweringModels
from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop
from conversation.clock import SystemClock
from conversation.identity import TurnId
from intent.analysis.analyzer import IntentAnalyzer
from intent.analysis.output_parser import parse_verdict
from intent.decision import ActionType, Decision, DecisionSource, QuestionSubject
from intent.offline.offline_classifier import OfflineClassifier
from tests.evals.questions.command import MOST_IN_DOUBT, UNSEEN, offline_figures, read_questions
from tests.fakes.data.chat_session import CONVERSATION, Talk
from tests.fakes.models.scripted_models import FAST, STRONG, ScriptedModels, pool_of, response
from tests.fakes.run.clocks import ManualClock

CANNOT = "I can't look that up"
LEAST_OFFLINE = 0.97
"""What the offline tier got right last, of either subject; it may only rise."""


def reply_to(message: str) -> tuple[Decision, str]:
    """The offline tier's decision on a message, and the whole reply to it."""
    talk = Talk()
    analyzer = IntentAnalyzer(offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock())
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    decision = analyzer.analyze(talk.turn(turn_id, message).situation)
    return decision, talk.answer(turn_id, message, decision).text


@pytest.mark.parametrize(
    "message",
    [
        "How do I price a SaaS product?",
        "What is a good data retention policy in Germany?",
        "Why did the Roman Empire fall?",
        "What are the rules of cricket?",
        "Is there life on Mars?",
        "What is the difference between AI and automation?",
    ],
)
def test_a_general_question_gets_no_answer_about_the_workspace(message: str) -> None:
    decision, text = reply_to(message)
    assert decision.question_subject is QuestionSubject.GENERAL
    assert text.startswith(CANNOT)


def test_the_time_in_a_city_is_told_without_a_model() -> None:
    assert reply_to("What time is it in Tokyo?")[1].startswith("In Tokyo it is ")


@pytest.mark.parametrize(
    "message", ["What are our settings?", "How do I delete an agent?", "What is my budget?"]
)
def test_a_question_about_the_workspace_is_answered_from_it(message: str) -> None:
    decision, text = reply_to(message)
    assert decision.question_subject is QuestionSubject.WORKSPACE
    assert CANNOT not in text


def decided(
    message: str, subject: str | None, *answers: str, operation: str | None = None
) -> tuple[str, ScriptedModels]:
    """The reply where a model's verdict says what a question is about, and the models that were asked."""
    clock = ManualClock()
    entities = {"operation": operation} if operation else {}
    verdict = {
        "action_type": "query_info", "confidence": 0.9, "entities": entities, "question_subject": subject
    }  # fmt: skip
    models = ScriptedModels(clock, [response(json.dumps(verdict)), *map(response, answers)])
    pool = pool_of(models, STRONG)
    access = AnsweringModels(Router(pool, fast_model=FAST), ToolLoop(pool), lambda _: True)
    talk = Talk(clock=clock, models=access)
    analyzer = IntentAnalyzer(
        offline=OfflineClassifier(), completion=models, model=FAST, clock=clock, registry=pool.registry
    )
    turn_id = str(TurnId.make(CONVERSATION, clock.now()))
    decision = analyzer.analyze(talk.turn(turn_id, message).situation)
    assert decision.question_subject == subject
    return talk.answer(turn_id, message, decision).text, models


@pytest.mark.parametrize("message", ["What are our settings?", "How do I delete an agent?"])
def test_what_a_model_calls_general_reaches_the_answering_model(message: str) -> None:
    routing = json.dumps({"model": STRONG, "tools": [], "can_answer": True})
    text, models = decided(message, "general", routing, "By value.")
    assert text == "By value."
    assert [model for model, _ in models.asked] == [FAST, FAST, STRONG]


def test_what_a_model_calls_a_question_about_the_workspace_is_answered_from_it() -> None:
    text, models = decided("What are our settings?", "workspace")
    assert CANNOT not in text
    assert [model for model, _ in models.asked] == [FAST]


def test_an_unknown_subject_of_a_model_counts_as_none() -> None:
    said = {"action_type": "query_info", "confidence": 0.9, "question_subject": "moon"}
    assert parse_verdict(json.dumps(said)).question_subject is None


@pytest.mark.slow
def test_questions_of_the_unseen_files_come_out_right_as_often_as_before() -> None:
    figures = offline_figures(read_questions(UNSEEN))

    assert figures.least() >= LEAST_OFFLINE
    assert figures.both.accuracy <= MOST_IN_DOUBT


@pytest.mark.parametrize(
    "message",
    [
        "Substitute for mirin, no alcohol?",
        "Torque for a carbon seatpost clamp",
        "Longest bridge of Europe",
        "Rules for castling in chess, exactly",
        "My cat drools since the new food. Should I worry?",
    ],
)
def test_a_question_without_a_verb_about_the_world_is_one(message: str) -> None:
    decision, text = reply_to(message)

    assert decision.question_subject is QuestionSubject.GENERAL
    assert CANNOT in text


@pytest.mark.parametrize("message", ["Blue dot beside my agent, meaning?", "Student rebate of OmniForge?"])
def test_a_question_on_the_users_own_things_is_never_only_sent_elsewhere(message: str) -> None:
    assert CANNOT not in reply_to(message)[1]


@pytest.mark.parametrize("message", ["renew the van insurance", "shame, he was a good guy"])
def test_what_asks_nothing_of_the_world_is_no_question_about_it(message: str) -> None:
    assert reply_to(message)[0].question_subject is None


def test_a_request_that_a_model_read_is_not_doubted() -> None:
    message = (
        'Which agents do I have, and what does each of them do? The "assert" statement is described below'
    )

    text, models = decided(message, None, operation="list_agents")

    assert "language model" not in text
    assert [model for model, _ in models.asked] == [FAST]


def test_a_models_word_that_a_message_asks_about_the_world_holds_where_it_looks_like_a_task() -> None:
    message = "Need to know which grit to finish oak worktops before hardwax oil"
    routing = json.dumps({"model": STRONG, "tools": [], "can_answer": True})

    text, _ = decided(message, "general", routing, "Up to 180.")

    assert text == "Up to 180."


@pytest.mark.parametrize(
    "message",
    [
        "id like to know wich toys hardly sell, its all in lightspeed. dunno how often tho, what do u think?",
        "how about a weekly list of unpaid invoices?",
        "could you watch our stock?",
    ],
)
def test_a_request_put_as_a_question_is_no_question_about_the_world(message: str) -> None:
    assert CANNOT not in reply_to(message)[1]


def test_a_question_that_may_be_about_either_gets_both_in_one_reply() -> None:
    talk = Talk()
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    decision = Decision(
        action_type=ActionType.QUERY_INFO,
        confidence=0.9,
        source=DecisionSource.MODEL,
        question_subject=QuestionSubject.EITHER,
    )

    text = talk.answer(turn_id, "How do I get my files out?", decision).text

    assert text.endswith("If you meant it in general, that needs a language model; none answers here.")
    assert len(text.split()) <= 80


def test_what_a_general_question_needs_is_no_part_of_a_list_before_it() -> None:
    last_line = general_elsewhere("You have 1 agent:\n\n1. stock: Stock").split("\n")[-1]
    assert last_line.startswith("If you meant it in general")


@pytest.mark.parametrize(
    "message",
    [
        "why do I keep getting two of every text message on my samsung",
        "how do I politely tell a coworker to stop pinging me on slack after six in the evening",
        "what was the running time of the original blade runner",
        "I was wondering whether a freelance agent for actors takes 10 or 20 percent",
        'what does "without prejudice" mean at the top of a letter',
        "how tall was the model who opened the first Chanel show",
    ],
)
def test_a_question_about_the_world_is_one_whatever_deed_it_resembles(message: str) -> None:
    decision, text = reply_to(message)

    assert decision.question_subject is QuestionSubject.GENERAL
    assert text.startswith(CANNOT)


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("Can you send me the open invoices every Monday?", "OK: the open invoices, Mondays."),
        ("what did I tell you about the lease?", "I don't find “lease” in anything you told me."),
        ("what's 12 x 9", "12*9 = 108"),
        ("Could something watch the oven page and tell me when it changes?", "OK: whether it changes"),
        ("41 on Saturday, 27 on Sunday. Might I trouble you for the sum?", "41 + 27 = 68"),
        ("How do I delete an agent?", 'Say "delete" and its name'),
    ],
)
def test_what_wishes_for_a_deed_or_asks_of_earlier_talk_is_no_question_about_the_world(
    message: str, begins: str
) -> None:
    assert reply_to(message)[1].startswith(begins)


@pytest.mark.parametrize(
    "message",
    [
        "what was the running time of the original blade runner",
        "what's data retention under GDPR for job applicants who didn't get the job",
        'what does "without prejudice" mean at the top of a letter',
        "did slack get bought by microsoft or salesforce",
    ],
)
def test_a_models_word_that_a_question_is_general_wins_over_what_it_looks_like(message: str) -> None:
    routing = json.dumps({"model": STRONG, "tools": [], "can_answer": True})

    text, _ = decided(message, "general", routing, "By value.")

    assert text == "By value."


def test_two_questions_about_the_product_are_both_answered_from_it() -> None:
    assert (
        CANNOT not in reply_to("Can I edit a message I already sent you, and does the old version stay?")[1]
    )
