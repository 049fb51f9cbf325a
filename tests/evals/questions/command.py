"""The suite of questions on the command line: ``python -m tests.evals --suite questions``."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from conversation.clock import SystemClock
from conversation.identity import TurnId
from intent.analysis.analyzer import IntentAnalyzer
from intent.decision import Decision, DecisionSource, QuestionSubject
from intent.offline.offline_classifier import OfflineClassifier
from llm.circuit_breaker import ModelCircuitBreakers
from llm.completion import CompletionClient
from tests.evals.measurement import Share
from tests.fakes.data.chat_session import CONVERSATION, Talk
from tests.fakes.models.model_script import Answerer, Reply, Request
from tests.fakes.models.model_server import ModelServer

UNSEEN = tuple(Path(__file__).with_name(f"{author}.jsonl") for author in ("egret", "heron"))
SEEN = tuple(Path(__file__).with_name(f"{author}.jsonl") for author in ("plover", "wren"))
TARGET, MOST_IN_DOUBT = 0.97, 0.15
MODEL = "gpt-4o-mini"
_CANNOT, _ELSEWHERE = "I can't look that up", "If you meant it in general, that needs a language model"
_LIBRARY_TIMEOUT_S, _DEADLINE_S = 120.0, 30.0


@dataclass(frozen=True, slots=True)
class Question:
    """A labelled question."""

    id: str
    text: str
    subject: QuestionSubject


@dataclass(slots=True)
class Figures:
    """What a person got: the share of each subject that came out right, how many got both, and the rest.

    A reply that offers both is right, as the person finds there what they asked for.
    """

    shares: dict[str, Share] = field(default_factory=dict)
    both: Share = field(default_factory=Share)
    wrong: dict[str, str] = field(default_factory=dict)

    def count(self, question: Question, decision: Decision, text: str, *, is_right: bool) -> None:
        """Count one question with its decision and reply."""
        self.shares.setdefault(question.subject.value, Share()).count(is_right=is_right)
        self.both.count(is_right=_offers_both(text))
        if not is_right:
            self.wrong[question.id] = f"{decision.question_subject}: {question.text} {text[:60]}"

    def least(self) -> float:
        """Return the lower accuracy of the two."""
        return min(share.accuracy for share in self.shares.values())


def read_questions(files: Iterable[Path]) -> list[Question]:
    """Return the questions of the files."""
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [Question(line["id"], line["text"], QuestionSubject(line["subject"])) for line in lines]


def offline_figures(questions: Iterable[Question]) -> Figures:
    """Return what is made of the questions without any model."""
    return _figures(questions, IntentAnalyzer(
        offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock()
    ))  # fmt: skip


def model_figures(questions: list[Question]) -> Figures:
    """Return what is made of the questions with a scripted model that answers as they are labelled."""
    with ModelServer(as_labelled(questions)) as server:
        os.environ |= {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none"}
        clock = SystemClock()
        completion = CompletionClient(timer=clock, breaker=ModelCircuitBreakers(clock.monotonic))
        completion.is_ready(_LIBRARY_TIMEOUT_S)
        return _figures(questions, IntentAnalyzer(
            offline=OfflineClassifier(), completion=completion, model=MODEL, clock=clock,
            deadline_s=_DEADLINE_S,
        ))  # fmt: skip


def as_labelled(questions: Iterable[Question]) -> Answerer:
    """Return a scripted server's answers, whose verdicts are the labels."""
    by_text = {question.text: question for question in questions}

    def answer(request: Request) -> Reply:
        subject = by_text[request.last_user_message].subject
        return Reply(decision={
            "action_type": "query_info", "confidence": 0.95, "entities": {}, "reasoning": "labelled so",
            "is_ambiguous": False, "question_subject": subject.value,
        })  # fmt: skip

    return answer


def run(options: argparse.Namespace) -> int:
    """Measure both tiers and print; returns the exit code."""
    questions = read_questions(options.cases or UNSEEN)
    tiers = {"offline": offline_figures(questions), "model": model_figures(questions)}
    if options.json:
        print(json.dumps({name: _as_json(figures) for name, figures in tiers.items()}, indent=2))
        return 0
    for name, figures in tiers.items():
        for subject, share in sorted(figures.shares.items()):
            shown = f"{share.accuracy:7.1%}  {share.right}/{share.total}  (target {TARGET:.0%})"
            print(f"{name:<9}{subject:<11}{shown}")
        both = figures.both
        shown = f"{both.accuracy:7.1%}  {both.right}/{both.total}  (at most {MOST_IN_DOUBT:.0%})"
        print(f"{name:<9}{'both':<11}{shown}")
        print(*(f"  {id_:<12}{what}" for id_, what in figures.wrong.items()), sep="\n")
    return 0


def _as_json(figures: Figures) -> dict[str, object]:
    shares = {name: [share.right, share.total] for name, share in figures.shares.items()}
    return {"right": shares, "both": [figures.both.right, figures.both.total], "wrong": figures.wrong}


def _figures(questions: Iterable[Question], analyzer: IntentAnalyzer) -> Figures:
    figures = Figures()
    for question in questions:
        talk = Talk()
        turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
        decision = analyzer.analyze(talk.turn(turn_id, question.text).situation)
        text = talk.answer(turn_id, question.text, decision).text
        figures.count(question, decision, text, is_right=_is_right(question, decision, text))
    return figures


def _is_right(question: Question, decision: Decision, text: str) -> bool:
    is_told_elsewhere = _CANNOT in text
    if _is_time(text) and question.subject is QuestionSubject.GENERAL:
        return True
    says = decision.question_subject
    if question.subject is QuestionSubject.GENERAL:
        if decision.source is DecisionSource.MODEL and says is not QuestionSubject.GENERAL:
            return False
        return is_told_elsewhere or _offers_both(text)
    return not is_told_elsewhere and says is not QuestionSubject.GENERAL


def _offers_both(text: str) -> bool:
    return _ELSEWHERE in text


def _is_time(text: str) -> bool:
    return text.startswith("In ") and " it is " in text
