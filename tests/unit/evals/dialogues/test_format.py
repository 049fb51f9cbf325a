"""A file of dialogues with a mistake in it is refused before anything is played."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.evals.dialogues.format import Json, problems_of, read_dialogues, span, start_of

GOOD: Json = {
    "id": "a",
    "kind": ["task"],
    "turns": [{"say": "x", "after": "1d6h"}],
    "expect": [{"end": {"tasks": [{"text": "x"}]}}, {"last": {"reply_any": ["x"]}}],
}


def test_a_good_dialogue_has_no_problems() -> None:
    assert list(problems_of(GOOD)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": ["dance"]},
        {"turns": [{"say": ""}]},
        {"turns": [{"say": "x", "after": "soon"}]},
        {"turns": [{"say": "x", "afterwards": "1d"}]},
        {"given": {"agent": []}},
        {"answers": {"whom": "x"}},
        {"expect": [{"turn": 2, "reply_has": ["x"]}]},
        {"expect": [{"turn": 1, "reply_hs": ["x"]}]},
        {"expect": [{"turn": 1, "reply_has": ["("]}]},
        {"expect": [{"end": {"agents": [{"txt": "x"}]}}]},
        {"expect": [{"end": {"agents_none": [{"text": "("}]}}]},
        {"expect": [{"end": {}}]},
        {"expect": [{"somewhere": {}}]},
        {"extra": 1},
    ],
)
def test_a_mistake_is_a_problem(wrong: Json) -> None:
    assert list(problems_of({**GOOD, **wrong}))


def test_the_line_of_a_mistake_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n\n{json.dumps({**GOOD, 'id': 'b', 'kind': []})}\n")

    with pytest.raises(ValueError, match=r"mine\.jsonl:3 \(b\): no kind"):
        read_dialogues([file])


def test_an_id_occurs_once_in_all_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{json.dumps(GOOD)}\n")

    with pytest.raises(ValueError, match="ids used twice: a"):
        read_dialogues([file, file])


def test_spans_and_starts_are_read() -> None:
    assert span("1d6h") == timedelta(hours=30)
    assert start_of(GOOD) == datetime(2026, 3, 2, 14, tzinfo=UTC)
    assert start_of({"start": "2026-03-02T14:00:00"}) == datetime(2026, 3, 2, 14, tzinfo=UTC)
    assert start_of({"start": "2026-03-02T16:00:00+02:00"}) == datetime(2026, 3, 2, 14, tzinfo=UTC)
