from __future__ import annotations

import re
import subprocess
import sys

import pytest

from intent.regular_expressions import LazyPattern, LowerPattern, lower_pattern, pattern
from intent.required_pieces import digest_of, holds_any, pieces_of
from training.required_pieces import required_in


def test_the_file_tells_of_each_expression_what_its_matches_hold() -> None:
    """Run ``make pieces`` after a change of expressions: until then the changed ones are only slower."""
    command = [sys.executable, "-m", "training.required_pieces", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("expression", "required"),
    [
        ("cost", {"cost"}),
        (r"how\s+much", {"much"}),
        ("(?:tomorrow|today)", {"tomorrow", "today"}),
        ("re-?run", {"re-run", "rerun"}),
        (r"(?:a\s+)?(?P<what>report)s*", {"report"}),
        (r"(?:please\s+)*", None),
        ("(?:report|.*)", None),
        ("[^a]", None),
        (r"(?!report)\w+", None),
        (r"\w+(?=\s+budget)", {"budget"}),
        (r"(?>mon|tues)day++", {"monda", "tuesda"}),
        ("(?:ab|abc)x", {"abx", "abcx"}),
        ("a", None),
        ("(?i:Report)", None),
    ],
)
def test_required_pieces_are_read_out_of_an_expression(expression: str, required: set[str] | None) -> None:
    found = required_in(expression, 0)
    assert (found and {*found}) == required


def test_what_ignores_case_requires_pieces_in_lower_case() -> None:
    assert required_in("Report", re.IGNORECASE) == frozenset({"report"})
    assert required_in("Überweisung", re.IGNORECASE) == frozenset({"berweisung"})


@pytest.mark.parametrize(
    "text", ["Rename it", "RENAME it", "please rename", "rena\u017fme", "no such word", ""]
)
@pytest.mark.parametrize("kind", [LazyPattern, LowerPattern])
def test_an_expression_with_required_pieces_finds_what_it_finds_without_them(
    kind: type[LazyPattern | LowerPattern], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "\\brena\u017f?me\\b"
    monkeypatch.setattr("intent.regular_expressions.pieces_of", lambda _: ("rena",))
    with_pieces, without = kind(source), re.compile(source, kind.flags)
    read = text if kind is LazyPattern else text.lower()
    for method in ("search", "match", "fullmatch"):
        found, expected = getattr(with_pieces, method)(text), getattr(without, method)(read)
        assert (found and found.span()) == (expected and expected.span())
    assert [each.span() for each in with_pieces.finditer(text)] == [
        each.span() for each in without.finditer(read)
    ]


@pytest.mark.parametrize("text", ["KIOSK", "\u212aiosk", "k\u0131osk", "k\u0130osk", "kio\u017fk"])
def test_letters_that_equal_others_when_case_is_ignored_are_found(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intent.regular_expressions.pieces_of", lambda _: ("kiosk",))
    assert bool(pattern("kiosk").search(text)) == bool(re.search("kiosk", text, re.IGNORECASE))


def test_an_expression_is_not_compiled_for_a_text_without_its_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("intent.regular_expressions.pieces_of", lambda _: ("cost",))
    costs = lower_pattern("cost")
    assert costs.search("Which agents do I have?") is None
    assert "_compiled" not in vars(costs)
    assert costs.search("What did it COST?") is not None


def test_an_expression_that_is_not_in_the_file_is_tried_on_every_text() -> None:
    assert pieces_of("an expression of tomorrow") == ()
    assert holds_any("", ())
    assert digest_of("a") != digest_of("b")
