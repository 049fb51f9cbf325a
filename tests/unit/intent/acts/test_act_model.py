"""The learned reading of acts: its file, and what it makes of messages."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from intent.acts.act import ActKind, Thing
from intent.acts.learned import weight_tables, word_clusters
from intent.acts.learned.act_model import ActModel, load_model
from intent.acts.learned.marked_tokens import mark_message
from intent.acts.learned.weight_tables import ActWeightsInvalid
from intent.acts.scene import Asked, Question, Scene
from training.act_models import corpus, feature_digest

AGENTS = (Thing("1", "stock-daily", "counts the shelves Sage"), Thing("2", "rota-check", "gaps in the rota"))
MOST_BYTES = 4_000_000
"""Half of what all files of the reader may have together."""


@cache
def model() -> ActModel:
    return ActModel(weight_tables.read_weights())


def scene(**changes: object) -> Scene:
    return Scene(
        now=datetime(2026, 3, 2, 9, tzinfo=UTC),
        zone="Europe/London",
        agents=AGENTS,
        **changes,  # type: ignore[arg-type]
    )


def kinds(message: str, **changes: object) -> list[ActKind | None]:
    marked = mark_message(message, AGENTS, ())
    return [segment.kind for segment in model().split(marked, scene(**changes))]


def slots(message: str, kind: ActKind) -> dict[str, list[str]]:
    marked = mark_message(message, AGENTS, ())
    found = model().tag(marked, 0, len(marked.tokens), kind)
    return {slot: [span.text for span in spans] for slot, spans in found.items()}


def test_the_shipped_weights_are_small_and_learned_from_these_messages() -> None:
    shipped = (weight_tables.SHIPPED_WEIGHTS, word_clusters.SHIPPED_CLUSTERS)
    assert sum(path.stat().st_size for path in shipped) < MOST_BYTES
    assert weight_tables.read_weights().exemplars_hash == corpus.fingerprint()


def test_the_features_are_those_that_the_weights_were_learned_with() -> None:
    assert weight_tables.read_weights().features_hash == feature_digest.features_digest(), (
        "what the features come from changed since the weights were learned: make train-acts"
    )


def test_written_weights_read_as_they_were(tmp_path: Path) -> None:
    weight_tables.write_weights(tmp_path / "again", weight_tables.read_weights())
    assert (tmp_path / "again").read_bytes() == weight_tables.SHIPPED_WEIGHTS.read_bytes()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda whole: whole[:-1], "truncated or altered"),
        (lambda whole: whole.replace(b'"version": 1', b'"version": 7'), "not of version"),
        (lambda whole: whole[:40], "not a file of weights"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(tmp_path: Path, change: object, why: str) -> None:
    assert callable(change)
    path = tmp_path / "acts.weights"
    path.write_bytes(change(weight_tables.SHIPPED_WEIGHTS.read_bytes()))
    with pytest.raises(ActWeightsInvalid, match=why):
        weight_tables.read_weights(path)


def test_without_weights_there_is_no_model_and_the_log_says_why(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert load_model(tmp_path / "absent") is None
    assert "act_weights_unusable: absent: cannot be read" in caplog.text


def test_two_requests_in_one_sentence_are_two_acts() -> None:
    assert kinds("pause stock-daily and remind me tomorrow to call the bank") == [
        ActKind.PAUSE_AGENT,
        ActKind.ADD_TASK,
    ]


def test_a_story_and_its_request_are_one_act() -> None:
    assert kinds("We keep losing parcels. Every morning at 8 tell me which ones are late, from DHL.") == [
        ActKind.CREATE_AGENT
    ]


def test_the_question_asked_decides_what_a_short_answer_is() -> None:
    confirm = Question(Asked.CONFIRM, of="agent.create")
    assert kinds("yes, but at 6:30", question=confirm) == [ActKind.YES, ActKind.CHANGE_AGENT]
    slot = Question(Asked.SLOTS, slots=("when",), of="agent.create")
    assert kinds("every Friday at 4", question=slot, has_draft=True) == [ActKind.ANSWER]


def test_the_segments_cover_the_whole_message() -> None:
    for message in ("", "?!", "\U0001f600", "x " * 400, "a, b, c, d, e, f, g, h, i, j, k. l! m? n; o" * 5):
        marked = mark_message(message, AGENTS, ())
        found = model().split(marked, scene())
        edges = [0, *(segment.end for segment in found)]
        assert [segment.start for segment in found] == edges[:-1]
        assert edges[-1] == len(marked.tokens)


def test_an_exception_is_a_slot_of_its_own() -> None:
    found = slots("delete every agent except stock-daily", ActKind.DELETE_AGENT)
    assert found["except"] == ["stock-daily"]
    assert "stock-daily" not in found["agent"]


def test_the_parts_of_a_new_agent_are_found() -> None:
    found = slots("every Monday at 9 list the unpaid invoices from Xero in #finance", ActKind.CREATE_AGENT)
    assert found["when"] == ["every Monday at 9"]
    assert found["source"] == ["Xero"]
    assert found["where"] == ["#finance"]
    assert found["job"] == ["list the unpaid invoices"]


def test_probabilities_are_between_0_and_1_and_best_first() -> None:
    (segment,) = model().split(mark_message("pause stock-daily", AGENTS, ()), scene())
    chances = [ranked.probability for ranked in segment.ranked]
    assert chances == sorted(chances, reverse=True)
    assert 0 < chances[-1] <= chances[0] <= 1


def test_words_in_like_company_share_a_cluster() -> None:
    assert word_clusters.clusters_of("monday") == word_clusters.clusters_of("tuesday")
    assert word_clusters.clusters_of("monday") != word_clusters.clusters_of("delete")
    assert word_clusters.clusters_of("qxzvw") == ()


def test_written_clusters_read_as_they_were(tmp_path: Path) -> None:
    words, columns = word_clusters.read_clusters()
    head = word_clusters.SHIPPED_CLUSTERS.read_bytes().partition(b"\n")[0]
    word_clusters.write_clusters(tmp_path / "again", words, columns, json.loads(head)["source"])
    assert (tmp_path / "again").read_bytes() == word_clusters.SHIPPED_CLUSTERS.read_bytes()
