"""What a process noted before it was killed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.history.journal import MAX_STALL_S, STILL_IN_PROGRESS, Journal, events_in, record_model_call
from tests.history.records import FaultOccurred, ModelCalled, Sent, Stalled, from_lines
from tests.history.short_timeouts import LEASE_S


def test_what_a_process_was_asking_a_model_when_it_died_it_asked_up_to_then(tmp_path: Path) -> None:
    journal = Journal.of_process(tmp_path, "writer-00")
    journal.note(ModelCalled("a", "a.T1", 1.0, STILL_IN_PROGRESS))
    journal.note(FaultOccurred("killed", 3.0))
    assert events_in(tmp_path) == [FaultOccurred("killed", 3.0), ModelCalled("a", "a.T1", 1.0, 3.0)]


def test_a_question_that_was_answered_is_one_event(tmp_path: Path) -> None:
    with record_model_call(Journal.of_process(tmp_path, "writer-00"), "a.T1"):
        pass
    (asked,) = events_in(tmp_path)
    assert isinstance(asked, ModelCalled)
    assert (asked.conversation_id, asked.turn_id) == ("a", "a.T1")
    assert asked.began <= asked.ended


def test_a_line_that_was_not_finished_is_no_event(tmp_path: Path) -> None:
    Journal.of_process(tmp_path, "writer-00").note(Sent("op-1", 1.0))
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text() + '["Sent", "op-')
    assert events_in(tmp_path, "writer-00") == [Sent("op-1", 1.0)]
    assert events_in(tmp_path, "writer-01") == []


@pytest.mark.parametrize("ended", [9.0, STILL_IN_PROGRESS])
def test_a_question_during_which_its_process_lost_the_lease_counts_up_to_where_it_stood_still(
    tmp_path: Path, ended: float
) -> None:
    journal, half_s = Journal.of_process(tmp_path, "writer-00"), MAX_STALL_S / 2
    journal.note(ModelCalled("a", "a.T1", 1.0, STILL_IN_PROGRESS))
    journal.note(Stalled(3.0, 3.0 + half_s))
    journal.note(Stalled(6.0, 6.0 + half_s))
    if ended != STILL_IN_PROGRESS:
        journal.note(ModelCalled("a", "a.T1", 1.0, ended))
    assert events_in(tmp_path) == [ModelCalled("a", "a.T1", 1.0, 3.0)]


def test_a_question_asked_right_after_its_process_stood_still_does_not_count(tmp_path: Path) -> None:
    journal = Journal.of_process(tmp_path, "writer-00")
    journal.note(Stalled(5.0, 8.0))
    journal.note(ModelCalled("a", "a.T1", 8.1, STILL_IN_PROGRESS))
    journal.note(ModelCalled("a", "a.T1", 8.1, 9.0))
    journal.note(ModelCalled("b", "b.T1", 8.1 + LEASE_S, STILL_IN_PROGRESS))
    journal.note(ModelCalled("b", "b.T1", 8.1 + LEASE_S, 99.0))
    assert events_in(tmp_path) == [
        ModelCalled("a", "a.T1", 8.1, 8.1),
        ModelCalled("b", "b.T1", 8.1 + LEASE_S, 99.0),
    ]


def test_one_stall_seen_twice_is_one(tmp_path: Path) -> None:
    journal, half_s = Journal.of_process(tmp_path, "writer-00"), MAX_STALL_S / 2
    journal.note(ModelCalled("a", "a.T1", 1.0, STILL_IN_PROGRESS))
    for began in (3.0, 3.01, 3.02):
        journal.note(Stalled(began, 3.0 + half_s))
    journal.note(ModelCalled("a", "a.T1", 1.0, 9.0))
    assert events_in(tmp_path) == [ModelCalled("a", "a.T1", 1.0, 9.0)]


def test_a_stall_of_another_process_excuses_nothing(tmp_path: Path) -> None:
    journal, other = (Journal(tmp_path / f"{name}.jsonl") for name in ("one", "other"))
    journal.note(ModelCalled("a", "a.T1", 1.0, STILL_IN_PROGRESS))
    other.note(Stalled(2.0, 8.0))
    journal.note(ModelCalled("a", "a.T1", 1.0, 9.0))
    assert events_in(tmp_path) == [ModelCalled("a", "a.T1", 1.0, 9.0)]


def test_a_storage_request_that_takes_long_is_a_stall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([1.0, 1.1, 2.0, 2.5])
    monkeypatch.setattr("tests.history.journal.time", SimpleNamespace(monotonic=lambda: next(now)))
    journal = Journal.of_process(tmp_path, "writer-00")
    for _ in range(2):
        with journal.time_request():
            pass
    (file,) = tmp_path.iterdir()
    assert list(from_lines(file.read_text().splitlines())) == [Stalled(2.0, 2.5)]
