"""The readable text of a web page, and a fingerprint of it that ignores what differs on every load. Pure.

It reads HTML as one pass over the bytes. It is no parser: it needs no tree, and must be linear on any input.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator, Mapping, Sequence

_INVISIBLE = (b"script", b"style", b"noscript", b"template", b"svg")
"""Elements whose content nobody reads."""
_BREAKING = frozenset({b"p", b"br", b"div", b"li", b"tr", b"td", b"th", b"h1", b"h2", b"h3", b"h4", b"title"})
_AGES = frozenset({"second", "seconds", "minute", "minutes", "min", "mins", "hour", "hours"})
_STAMPS = frozenset({"updated", "generated", "rendered", "refreshed"})
"""Words before the time at which a page was made."""
_STAMP_WORDS = 6
_MIN_TOKEN_CHARACTERS = 16


def page_text(body: bytes, headers: Mapping[str, str]) -> str:
    """Returns the text that a reader of the page sees, with single spaces; markup only where it is HTML."""
    kind = headers.get("content-type", "").lower()
    text = body.decode(_charset(kind), "replace")
    if "html" in kind or (not kind and text.lstrip()[:1] == "<"):
        text = html.unescape(b"".join(_visible(text.encode())).decode("utf-8", "replace"))
    return " ".join(text.split())


def contains(page: str, text: str) -> bool:
    """Whether the page has the text, in any case and spacing."""
    return " ".join(text.split()).casefold() in page.casefold()


def fingerprint(page: str) -> str:
    """Returns a hash of the text without clock times, ages such as "5 minutes ago", and random tokens."""
    stable = " ".join(_stable_words(page.split()))
    return hashlib.sha256(stable.encode()).hexdigest()[:32]


def _charset(kind: str) -> str:
    name = kind.partition("charset=")[2].partition(";")[0].strip(" \"'") or "utf-8"
    try:
        "".encode(name)
        b"".decode(name)
    except (LookupError, UnicodeError):
        return "utf-8"
    return name


def _visible(page: bytes) -> Iterator[bytes]:
    low, at = page.lower(), 0
    while (mark := page.find(b"<", at)) >= 0:
        yield page[at:mark]
        if low.startswith(b"<!--", mark):
            end, width = page.find(b"-->", mark + 4), 3
        else:
            name = _tag_name(low, mark + 1)
            if not name and low[mark + 1 : mark + 2] not in (b"/", b"!", b"?"):
                yield b"<"
                at = mark + 1
                continue
            closing = b"</" + name if name in _INVISIBLE else b">"
            end, width = low.find(closing, mark), 1 if closing == b">" else 0
            yield b" " if _tag_name(low, mark + 1 + low.startswith(b"</", mark)) in _BREAKING else b""
        if end < 0:
            return
        at = end + width
    yield page[at:]


def _tag_name(low: bytes, at: int) -> bytes:
    end = at
    while end - at < 10 and low[end : end + 1].isalnum():
        end += 1
    return low[at:end]


def _stable_words(words: Sequence[str]) -> Iterator[str]:
    place, stamped_until = 0, -1
    while place < len(words):
        word = words[place].strip(".,;:()[]|").casefold()
        if word in _STAMPS:
            stamped_until = place + _STAMP_WORDS
        if _is_age(words, place):
            place += 3
            continue
        has_digit = any(mark.isdigit() for mark in word)
        is_volatile = _is_clock_time(word) or _is_token(word) or (place < stamped_until and has_digit)
        if not is_volatile:
            yield words[place]
        place += 1


def _is_age(words: Sequence[str], place: int) -> bool:
    number, unit, ago = (*words[place : place + 3], "", "", "")[:3]
    return number.isdigit() and unit.casefold() in _AGES and ago.strip(".,;)").casefold() == "ago"


def _is_clock_time(word: str) -> bool:
    """Whether the word is a time with seconds, alone or behind a date; opening hours have none."""
    clock = word.replace("t", " ").split(" ")[-1].rstrip("z").partition(".")[0].partition("+")[0]
    parts = clock.split(":")
    return len(parts) == 3 and all(part.isdigit() and len(part) <= 2 for part in parts)


def _is_token(word: str) -> bool:
    """Whether the word is a random identifier: many hexadecimal digits."""
    is_hex = len(word) >= _MIN_TOKEN_CHARACTERS and all(mark in "0123456789abcdef-" for mark in word)
    return is_hex and any(mark.isdigit() for mark in word)
