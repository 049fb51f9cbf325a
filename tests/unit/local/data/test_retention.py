"""`python -m local retention`: what it says, and what it refuses."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from local.__main__ import WRONG_USE, main
from storage.sqlite.table import SqliteTable
from tests.fakes.data.old_conversations import write_conversation
from tests.fakes.data.scripted_turns import MAYA

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Data with one conversation that is over its time and one that went on."""
    (tmp_path / "clock").write_text(NOW.isoformat())
    with closing(SqliteTable(tmp_path / "omniforge.db")) as table:
        begun = NOW - timedelta(days=32)
        write_conversation(table, MAYA, "old", begun=begun, exchanges=5)
        write_conversation(table, MAYA, "long", begun=begun, last=NOW - timedelta(days=3))
    return tmp_path


def run(folder: Path, *options: str) -> int:
    return main(["retention", "--data", str(folder), "--clock", str(folder / "clock"), *options])


@pytest.mark.slow
def test_a_dry_run_counts_and_the_run_does_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--dry-run") == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "Conversations that were due: 2",
        "Would be removed: 1, with 10 messages",
        "Would be kept longer, because something happened in them: 1",
        "Would be kept longer, on legal hold: 0",
        "Left for the next sweep, being answered: 0",
    ]
    assert run(folder) == 0
    done = capsys.readouterr().out.splitlines()
    assert done[1:3] == ["Removed: 1, with 10 messages", "Kept longer, because something happened in them: 1"]
    assert done[-1] == "Records past their time to live: 0"


def test_a_folder_without_data_is_named_and_stays_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retention", "--data", str(tmp_path)]) == WRONG_USE
    assert str(tmp_path) in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
