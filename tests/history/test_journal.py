"""What a process noted before it was killed."""

from __future__ import annotations

from pathlib import Path

from tests.history.journal import UNTIL_IT_DIED, Journal, asking, events_in
from tests.history.records import Asked, Sent, Struck


def test_what_a_process_was_asking_a_model_when_it_died_it_asked_up_to_then(tmp_path: Path) -> None:
    journal = Journal.of_process(tmp_path, "writer-00")
    journal.note(Asked("a", "a.T1", 1.0, UNTIL_IT_DIED))
    journal.note(Struck("killed", 3.0))
    assert events_in(tmp_path) == [Struck("killed", 3.0), Asked("a", "a.T1", 1.0, 3.0)]


def test_a_question_that_was_answered_is_one_event(tmp_path: Path) -> None:
    with asking(Journal.of_process(tmp_path, "writer-00"), "a.T1"):
        pass
    (asked,) = events_in(tmp_path)
    assert isinstance(asked, Asked)
    assert (asked.conversation_id, asked.turn_id) == ("a", "a.T1")
    assert asked.began <= asked.ended


def test_a_line_that_was_not_finished_is_no_event(tmp_path: Path) -> None:
    Journal.of_process(tmp_path, "writer-00").note(Sent("op-1", 1.0))
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text() + '["Sent", "op-')
    assert events_in(tmp_path, "writer-00") == [Sent("op-1", 1.0)]
    assert events_in(tmp_path, "writer-01") == []
