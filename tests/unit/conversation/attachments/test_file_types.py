"""Content is of the type that its sender says, or it is refused."""

from __future__ import annotations

import pytest

from conversation.attachments.file_types import MEDIA_TYPES, is_content_of
from tests.fakes.data import sample_files

GOOD = {
    "image/png": sample_files.png(),
    "image/jpeg": sample_files.JPEG,
    "image/gif": sample_files.GIF,
    "image/webp": sample_files.WEBP,
    "application/pdf": sample_files.pdf("Hello"),
    "text/plain": "Grüße\n".encode(),
    "text/markdown": b"# Title\n",
    "text/csv": b"a,b\n1,2\n",
    "application/json": b"{}",
}


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_content_of_the_type_is_taken(media_type: str) -> None:
    assert is_content_of(media_type, GOOD[media_type])


@pytest.mark.parametrize("media_type", [each for each in MEDIA_TYPES if not each.startswith(("text", "app"))])
def test_an_image_that_ends_too_early_is_refused(media_type: str) -> None:
    content = GOOD[media_type]
    assert not any(is_content_of(media_type, content[:length]) for length in (0, 1, 4, 11, 13, 20, 25))


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(sample_files.EXECUTABLE, id="a program"),
        pytest.param(b"\x7fELF\x02\x01\x01" + bytes(60), id="another program"),
        pytest.param(b"PK\x03\x04" + b"\x00" * 60, id="an archive"),
        pytest.param(b"\x1f\x8b\x08\x00" + bytes(60), id="a compressed file"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_what_is_something_else_is_refused_as_any_type(media_type: str, content: bytes) -> None:
    assert not is_content_of(media_type, content)


def test_a_page_of_html_is_no_image() -> None:
    assert not is_content_of("image/png", b"<html><script>alert(1)</script></html>")


def test_an_image_with_more_pixels_than_a_memory_holds_is_refused() -> None:
    assert not is_content_of("image/png", sample_files.png(width=100_000, height=100_000))


def test_text_that_is_not_utf_8_or_has_controls_or_is_too_long_is_refused() -> None:
    assert not is_content_of("text/plain", "Grüße".encode("latin-1"))
    assert not is_content_of("text/plain", b"a\x00b")
    assert not is_content_of("text/plain", b"a" * (1024 * 1024 + 1))


def test_a_type_that_is_not_listed_is_refused() -> None:
    assert not is_content_of("image/svg+xml", b"<svg/>")
