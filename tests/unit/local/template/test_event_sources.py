"""What the template says of queues and streams, as the twin reads it."""

from __future__ import annotations

from pathlib import Path

from local.template import interpreter, sam_translation
from local.template.resources import Stack
from tests.built.build import ROOT


def deployed(edit: tuple[str, str] | None, folder: Path) -> Stack:
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    if edit is not None:
        assert edit[0] in text
        text = text.replace(*edit)
    path = folder / "template.yaml"
    path.write_text(text, encoding="utf-8")
    environment = {
        "OMNIFORGE_TABLE": "sqlite:///data/omniforge.db",
        "OMNIFORGE_FINISH_QUEUE": "sqlite:///data/queue.db",
        "OMNIFORGE_RUN_QUEUE": "sqlite:///data/runs.db",
    }
    return interpreter.interpret(sam_translation.read_template(path), environment)


def test_every_queue_is_where_the_settings_say_and_works_as_the_template_says(tmp_path: Path) -> None:
    consumers = {consumer.function: consumer for consumer in deployed(None, tmp_path).consumers}
    finish, runs = consumers["FinishFunction"], consumers["AgentRunsFunction"]
    assert (finish.target, finish.is_fifo, finish.batch_size) == ("sqlite:///data/queue.db", True, 1)
    assert (runs.target, runs.is_fifo, runs.batch_size) == ("sqlite:///data/runs.db", False, 1)
    assert (runs.max_receives, runs.delay_s) == (3, 0)
    assert finish.delay_s == 0, "somebody may wait for the answer: chats over MCP are handed over"


def test_the_stream_has_the_tables_file_and_the_filters_of_the_template(tmp_path: Path) -> None:
    streams = {each.function: each for each in deployed(None, tmp_path).streams}
    assert streams.keys() == {"ConsequencesFunction", "EnrichmentFunction"}
    assert {each.target for each in streams.values()} == {"sqlite:///data/omniforge.db"}
    agents = {"dynamodb": {"Keys": {"sk": {"S": ["AGENT", {"prefix": "T#"}, {"prefix": "B#"}]}}}}
    assert agents in streams["ConsequencesFunction"].filters
    assert agents not in streams["EnrichmentFunction"].filters


def test_a_consumer_has_the_retries_and_the_lanes_of_the_template(tmp_path: Path) -> None:
    edit = ("ParallelizationFactor: 5", "ParallelizationFactor: 7")
    streams = {each.function: each for each in deployed(edit, tmp_path).streams}
    consequences, enrichment = streams["ConsequencesFunction"], streams["EnrichmentFunction"]
    assert (consequences.lanes, consequences.max_retries, consequences.bisects) == (1, 3, True)
    assert (enrichment.lanes, enrichment.max_retries, enrichment.max_age_s) == (7, 2, 21_600)


def test_another_filter_in_the_template_is_another_filter_of_the_twin(tmp_path: Path) -> None:
    streams = deployed(
        ('{"S": ["AGENT", {"prefix": "T#"}, {"prefix": "B#"}]}', '{"S": ["OTHER"]}'), tmp_path
    ).streams
    other = {"dynamodb": {"Keys": {"sk": {"S": ["OTHER"]}}}}
    assert [each.function for each in streams if other in each.filters] == ["ConsequencesFunction"]
