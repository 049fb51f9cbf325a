"""What counts as the text of a page, and what as a change of it."""

from __future__ import annotations

import pytest

from agent.checks.page_text import contains, fingerprint, page_text

HTML = {"content-type": "text/html; charset=utf-8"}


def text_of(html: str) -> str:
    return page_text(html.encode(), HTML)


def test_readers_see_neither_markup_nor_scripts_nor_styles_nor_comments() -> None:
    page = text_of(
        "<html><head><title>Shop</title><style>.a{}</style></head><body><!-- secret --><SCRIPT>var x = '<b>';"
        "</SCRIPT><p class='a'>In&nbsp;stock</p><p>5 &lt; 7</p></body>"
    )

    assert page == "Shop In stock 5 < 7"


def test_markup_inside_a_word_does_not_break_it() -> None:
    assert contains(text_of("<p>Sold <b>o</b>ut</p>"), "sold  OUT")


def test_a_page_in_another_charset_is_read_by_its_header() -> None:
    page = page_text("<p>Müller</p>".encode("latin-1"), {"content-type": "text/html; charset=latin-1"})

    assert page == "Müller"


@pytest.mark.parametrize("charset", ["nonsense", "", "hex"])
def test_an_unknown_charset_is_read_as_utf_8(charset: str) -> None:
    headers = {"content-type": f"text/html; charset={charset}"}

    assert page_text("<p>Müller</p>".encode(), headers) == "Müller"


def test_plain_text_is_taken_as_it_is() -> None:
    assert page_text(b"a <b> c", {"content-type": "text/plain"}) == "a <b> c"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Price 5 EUR, now 09:05:33", "Price 5 EUR, now 09:06:01"),
        ("Posted 5 minutes ago by Ann", "Posted 12 minutes ago by Ann"),
        ("Updated: 23 Nov 2026 at 9:05. Price 5", "Updated: 24 Nov 2026 at 8:00. Price 5"),
        ("made at 2026-11-23T09:05:33Z", "made at 2026-11-23T10:05:33Z"),
        ("id 0f8fad5b-d9cb-469f-a165-70867728950e end", "id 7c9e6679-7425-40de-944b-e07fc1f90ae7 end"),
        ("two  words", "two\n words"),
    ],
)
def test_what_differs_on_every_load_is_no_change(before: str, after: str) -> None:
    assert fingerprint(text_of(before)) == fingerprint(text_of(after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Price 5 EUR", "Price 6 EUR"),
        ("Next concert: 3 May 2027", "Next concert: 4 May 2027"),
        ("Open 9:00 to 17:00", "Open 9:00 to 18:00"),
    ],
)
def test_what_a_reader_cares_for_is_a_change(before: str, after: str) -> None:
    assert fingerprint(text_of(before)) != fingerprint(text_of(after))


@pytest.mark.parametrize("part", ["<", "<!--", "<script", "</script", "<a ", "&", "<script>"])
def test_broken_markup_of_any_size_is_read_to_its_end(part: str) -> None:
    assert len(text_of(part * 50_000)) <= len(part) * 50_000
