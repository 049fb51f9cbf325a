"""What dialogues came to is counted and shown."""

from __future__ import annotations

import json

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.judgement import Played
from tests.evals.dialogues.report import WORST, markdown, record, summary, table, transcript, worst
from tests.fakes.data.dialogue_script import AGENT, NONE, ONE, played

CASE: Json = {
    "author": "ann",
    "turns": [{"say": "I need a cash report"}],
    "expect": [{"end": {"agents": [{"name": "cash"}], "agents_exactly": 1}}],
}


def passed() -> Played:
    return played(CASE, NONE, ("Saved: cash-report.", {"agents": (AGENT,)}))[0]


def failed(name: str, *, expectations: int) -> Played:
    expect = [{"last": {"reply_has": [str(number)]}} for number in range(expectations)]
    case = {**CASE, "id": name, "author": "bob", "kind": ["list"], "expect": expect}
    return played(case, ONE, ("It is sunny.", {"agents": ()}))[0]


def test_shares_are_counted_over_all_by_kind_and_by_author() -> None:
    counted = summary([passed(), failed("f", expectations=1)])

    assert (counted["passed"], counted["clean"], counted["total"], counted["pass_rate"]) == (1, 1, 2, 0.5)
    assert counted["by_kind"]["create"] == {"passed": 1, "clean": 1, "total": 1}
    assert counted["by_author"]["bob"] == {"passed": 0, "clean": 0, "total": 1}
    assert (counted["silent_changes"], counted["turns"], counted["errors"]) == (1, 2, 0)


def test_nothing_played_is_counted_too() -> None:
    assert summary([])["total"] == 0
    assert summary([])["pass_rate"] == 0.0


def test_a_transcript_says_what_was_said_changed_and_missed() -> None:
    text = transcript(failed("f", expectations=1))

    assert text.splitlines()[0] == "FAILED f [list]"
    assert "< It is sunny." in text
    assert "= agent - cash-report" in text
    assert "! silent change: agent - cash-report" in text
    assert "✗ last: reply_has '0'" in text


def test_a_dialogue_can_be_recorded_as_json() -> None:
    recorded = json.loads(json.dumps(record(passed())))

    assert recorded["clean"]
    assert recorded["turns"][0]["changed"] == ["agent + cash-report"]


def test_the_worst_are_those_that_failed_most_expectations() -> None:
    results = [failed(f"f{number}", expectations=number) for number in range(1, WORST + 2)]

    assert [one.case["id"] for one in worst([passed(), *results])] == [
        f"f{n}" for n in range(WORST + 1, 1, -1)
    ]


def test_a_page_shows_rates_and_the_worst_transcripts() -> None:
    page = markdown([passed(), failed("f", expectations=1)])

    assert "1 of 2 dialogues passed (50.0%)" in page
    assert "| bob | 0% | 0 | 0 | 1 |" in page
    assert "| create | 100% | 1 | 1 | 1 |" in page
    assert "| silent changes | 1 |" in page
    assert page.count("~~~~text") == 1


def test_figures_are_printed_a_line_each() -> None:
    lines = table(summary([passed()])).splitlines()

    assert lines[0].split() == ["all", "100.0%", "1/1", "(1", "clean)"]
    assert any(line.split() == ["silent_changes", "0"] for line in lines)
