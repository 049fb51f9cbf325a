"""Where sentences end."""

from __future__ import annotations

import pytest

from conversation.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Our vet is Dr. Sorensen. Ring her.", ["Our vet is Dr. Sorensen.", "Ring her."]),
        ("Ask Mrs. Lind or J. Quill, approx. at 5 p.m. if you can.", None),
        (
            "It goes to St. Anne's, bell no. 4. Ring twice.",
            ["It goes to St. Anne's, bell no. 4.", "Ring twice."],
        ),
        ("No. Leave it.", ["No.", "Leave it."]),
        ("They close at 5 p.m. Come earlier.", ["They close at 5 p.m.", "Come earlier."]),
        ("We met on Main St. Call him; it's urgent", ["We met on Main St.", "Call him;", "it's urgent"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("", [""]),
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str, sentences: list[str] | None) -> None:
    assert split_sentences(text) == (sentences or [text])
