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


def test_the_stream_has_the_tables_file_and_the_filters_of_the_template(tmp_path: Path) -> None:
    [stream] = deployed(None, tmp_path).streams
    assert (stream.target, stream.function) == ("sqlite:///data/omniforge.db", "AfterTurnFunction")
    assert {"dynamodb": {"Keys": {"sk": {"S": ["AGENT", {"prefix": "T#"}]}}}} in stream.filters


def test_another_filter_in_the_template_is_another_filter_of_the_twin(tmp_path: Path) -> None:
    [stream] = deployed(('{"S": ["AGENT", {"prefix": "T#"}]}', '{"S": ["OTHER"]}'), tmp_path).streams
    assert {"dynamodb": {"Keys": {"sk": {"S": ["OTHER"]}}}} in stream.filters
