"""What the service can do is at the page, and docs/page.md says where."""

from __future__ import annotations

from tests.unit.project.page_operations import (
    DOCUMENT,
    api_operations,
    called_operations,
    page_operations,
    with_table,
)


def test_every_operation_has_a_place_or_a_reason() -> None:
    page = page_operations()
    assert sorted([*page.at_the_page, *page.missing, *page.not_wanted]) == sorted(api_operations())


def test_what_is_said_to_be_at_the_page_is_called_by_it() -> None:
    page = page_operations()
    assert set(page.at_the_page) - called_operations() == set()
    assert called_operations() & set(page.missing) == set()


def test_nearly_all_that_a_person_could_want_is_at_the_page() -> None:
    page = page_operations()
    assert page.share >= 0.95, page.missing


def test_the_table_of_the_document_is_the_one_of_the_code() -> None:
    document = DOCUMENT.read_text("utf-8")
    assert with_table(document) == document, "run python -m tests.unit.project.page_operations"
