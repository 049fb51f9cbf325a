"""The learned model: its file, its limits, and what it does for an author it has not seen."""

from __future__ import annotations

import json
import logging
import tracemalloc
from pathlib import Path

import pytest

from conversation.clock import SystemClock
from intent.analysis.analyzer import IntentAnalyzer
from intent.classifier import features
from intent.classifier import weights as weights_file
from intent.classifier.classifier_tier import ClassifierTier, verdict_from_likelihoods
from intent.classifier.weights import WeightsInvalid
from intent.decision import ActionType
from intent.offline.offline_classifier import OfflineClassifier
from intent.rules.scoring import apply_rules
from tests.evals.measurement import OWN_CASES, measure, read_cases
from tests.fakes.data.situations import agent_note, situation_after
from training import corpus, feature_digest, model, validation
from training import features as training_features

RECORDED = json.loads(OWN_CASES.with_name("recorded.json").read_text())
TOLERANCE = 0.02
LEARNED_FROM_EVERY = 4


def altered(tmp_path: Path, change: bytes | None, keep: int | None = None) -> Path:
    path, whole = tmp_path / "learned.weights", weights_file.SHIPPED_WEIGHTS.read_bytes()
    path.write_bytes(whole[:keep] if change is None else whole.replace(b'"version": 5', change, 1))
    return path


def test_the_shipped_weights_are_whole_small_and_of_these_exemplars() -> None:
    weights = weights_file.read_weights()
    assert weights_file.SHIPPED_WEIGHTS.stat().st_size < 4_000_000
    assert weights.exemplars_hash == corpus.fingerprint(corpus.load_exemplars())


def test_the_features_are_those_that_the_weights_were_learned_with() -> None:
    assert weights_file.read_weights().probes_hash == feature_digest.features_digest(), (
        "the rules that features come from changed since the weights were learned: make train-intent"
    )


@pytest.mark.slow
def test_written_weights_read_as_they_were(tmp_path: Path) -> None:
    weights = weights_file.read_weights()
    weights_file.write_weights(tmp_path / "again", weights)
    assert weights_file.read_weights(tmp_path / "again") == weights
    assert (tmp_path / "again").read_bytes() == weights_file.SHIPPED_WEIGHTS.read_bytes()


def test_missing_truncated_and_foreign_files_are_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(WeightsInvalid, match="cannot be read"):
        weights_file.check_weights_file(tmp_path / "absent")
    with pytest.raises(WeightsInvalid, match="truncated"):
        weights_file.check_weights_file(altered(tmp_path, None, keep=-1))
    with pytest.raises(WeightsInvalid, match="not of version"):
        weights_file.check_weights_file(altered(tmp_path, b'"version": 9'))
    with pytest.raises(WeightsInvalid, match="not a file of weights"):
        weights_file.check_weights_file(altered(tmp_path, None, keep=40))


def test_an_altered_byte_is_noticed(tmp_path: Path) -> None:
    whole = bytearray(weights_file.SHIPPED_WEIGHTS.read_bytes())
    whole[-100] ^= 1
    path = tmp_path / "learned.weights"
    path.write_bytes(whole)
    with pytest.raises(WeightsInvalid, match="altered"):
        weights_file.read_weights(path)


def test_without_usable_weights_the_rules_answer_and_the_log_says_why_at_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        classifier = OfflineClassifier(ClassifierTier(tmp_path / "absent"))
    assert "offline_weights_unusable: absent: cannot be read" in caplog.text
    decision = classifier.classify(situation_after(None, "Create an agent that watches our Jira board"))
    assert decision.action_type is ActionType.CREATE_AGENT


def test_close_actions_are_ambiguous_and_named_in_the_question() -> None:
    likely = dict.fromkeys(ActionType, 0.0) | {
        ActionType.EXECUTE_TASK: 0.5,
        ActionType.CREATE_AGENT: 0.45,
    }
    judged = verdict_from_likelihoods(likely)
    assert judged.is_ambiguous
    assert judged.alternative_action is ActionType.CREATE_AGENT
    decision = OfflineClassifier().classify(
        situation_after(None, "We need to analyse churn and prepare slides for it")
    )
    assert decision.clarifying_question is not None
    assert "something done now" in decision.clarifying_question


def test_a_message_in_a_conversation_is_judged_with_what_was_said_before() -> None:
    offer = situation_after(agent_note(), "yes", reply="I can run the churn analysis now. Shall I?")
    likely = ClassifierTier().likelihoods(offer, apply_rules(offer))
    assert likely is not None
    assert abs(sum(likely.values()) - 1) < 1e-9


def test_a_long_text_is_its_beginning_and_its_end() -> None:
    assert features.tokenize("start " + "x " * 5_000 + "end")[0] == "start"
    assert features.tokenize("start " + "x " * 5_000 + "end")[-1] == "end"
    assert len(features.tokenize("x " * 5_000)) <= 3_000


def test_loading_takes_less_than_20_mb() -> None:
    tracemalloc.start()
    weights_file.read_weights()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000


def test_own_utterances_are_understood_as_well_as_recorded() -> None:
    analyzer = IntentAnalyzer(offline=OfflineClassifier(), completion=None, model=None, clock=SystemClock())
    assert measure(read_cases(OWN_CASES), analyzer).overall.accuracy >= RECORDED["own"] - TOLERANCE


@pytest.mark.slow
def test_an_unseen_author_is_understood_as_well_as_recorded() -> None:
    author = RECORDED["held_out_author"]
    among = [one for one in corpus.load_exemplars() if one.author != author][::LEARNED_FROM_EVERY]
    out = training_features.prepare_exemplars(
        [one for one in corpus.load_exemplars() if one.author == author]
    )
    learned = model.train_models(training_features.prepare_exemplars(among))
    right = validation.correct_mask(out, model.model_scores(learned, out)).mean()
    assert right >= RECORDED["held_out"] - TOLERANCE
