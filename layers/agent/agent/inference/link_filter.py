"""Removes from a model's text what would send data when it is shown: images, and links that carry data. Pure.

A text from outside may have told the model to write an address with the user's data in it. A client that
loads an image, or previews a link, then sends that data without a click. Our page loads neither; others do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from re import Match
from urllib.parse import urlsplit

REMOVED = "[link removed]"

# Strings, which `re` compiles on their first use: most texts need none of them.

_SUSPICIOUS = r"(?i)[<\[]|//|mailto:"
_CODE = r"(?i)(```[^`]*```|`[^`\n]*`)"
_IMAGE = r"(?i)!\[([^\[\]]{0,1000})\](?:\([^()\n]{0,4000}\)|\[[^\[\]\n]{0,200}\])?"
_HTML_IMAGE = (
    r"(?i)<\s{0,9}(?:img|image|picture|source|video|audio|iframe|object|embed|svg|link)\b[^<>]{0,4000}>?"
)
_ALT = r"(?i)\balt\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')"
_LINK = r"(?i)\[([^\[\]]{0,1000})\]\(\s{0,9}<?([^()<>\s]{0,4000})>?[^()\n]{0,500}\)"
_ADDRESS = r"(?i)(?:https?:)?//[^\s<>\"'`()\[\]{}|\\^]{1,4000}"
_MAIL = r"(?i)mailto:([^\s<>\"'`()\[\]?]{1,300})\?[^\s<>\"'`()\[\]]{0,4000}"
_TRAILING = ".,;:!?*_~"
_OPEN_MARKUP = (
    r"(?i)(?:!|!?\[[^\[\]\n]{0,1000}(?:\]|\]\([^()\n]{0,4000}|\]\[[^\[\]\n]{0,200})?"
    r"|<\s{0,9}(?:[a-z/!][^<>\n]{0,4000})?)\Z"
)
_OPEN_ADDRESS = (
    r"(?i)(?<![^\W_])(?:h(?:t(?:t(?:ps?)?)?)?:?|(?:https?:)?/{1,2}[^<>\"'`()\[\]{}|\\^]{0,4000}"
    r"|mailto:.{0,4000})\Z"
)


def without_images(text: str) -> str:
    """The text with images as their descriptions; links and code stay as they are.

    For texts of ours that quote what somebody wrote, such as titles and found messages.
    """
    if "![" not in text and "<" not in text:
        return text
    return _outside_code(text, _without_images)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFilter:
    """Filters the texts of one answer or run.

    ``own`` are texts whose addresses stay as they are: the user's words, and the addresses of pages that a
    search found. An address in ``read``, the other texts the model has read, stays without its query. Of
    other addresses only the host is left once something from outside was read (``is_strict``), and only if it
    was read as well; before that they lose their query.
    """

    own: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    is_strict: bool = False
    _own_addresses: frozenset[str] = field(init=False)
    _read_addresses: frozenset[str] = field(init=False)
    _hosts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        own, read = _addresses(self.own), frozenset(map(_without_query, _addresses(self.read)))
        object.__setattr__(self, "_own_addresses", own)
        object.__setattr__(self, "_read_addresses", read)
        object.__setattr__(self, "_hosts", frozenset(map(_host, own | read)))

    def clean(self, text: str) -> str:
        """The text with images as their descriptions, and addresses without what may be data."""
        if not re.search(_SUSPICIOUS, text):
            return text
        if self.is_strict:
            return self._clean(text)
        # Code is left alone. Where something from outside was read it is not: clients differ on what is code.
        return _outside_code(text, self._clean)

    def clean_beginning(self, text: str) -> str:
        """The same for a text that goes on: what may still become an image or an address is left out."""
        return self.clean(text[: _unfinished_at(text)])

    def _clean(self, text: str) -> str:
        text = re.sub(_LINK, self._link, _without_images(text))
        text = re.sub(_MAIL, r"mailto:\1", text)
        return re.sub(_ADDRESS, lambda found: _keeping_end(found[0], self._address), text)

    def _link(self, found: Match[str]) -> str:
        words, target = found[1], found[2]
        if target.casefold().startswith("mailto:"):
            return f"[{words}]({target.partition('?')[0]})"
        kept = self._address(target) if re.fullmatch(_ADDRESS, target) else ""
        if "://" in kept:
            return f"[{words}]({kept})"
        return f"{words} ({kept})" if kept and kept not in words else words

    def _address(self, address: str) -> str:
        """What stays of an address: all of it, all but its query, or only its host."""
        if address in self._own_addresses:
            return address
        bare = _without_query(address)
        if bare in self._read_addresses or not self.is_strict:
            return bare
        host = _host(address)
        return host if host in self._hosts else REMOVED


def _unfinished_at(text: str) -> int:
    """Where that begins which may still become an image or an address; the end of the text otherwise."""
    line = text.rpartition("\n")[2]
    markup = re.search(_OPEN_MARKUP, line)
    # An address holds no white space, so that only the last word has to be searched.
    word = line.split()[-1] if line and not line[-1].isspace() else ""
    address = re.search(_OPEN_ADDRESS, word)
    held = (len(line) - markup.start() if markup else 0, len(word) - address.start() if address else 0)
    return len(text) - max(held)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    return "".join(part if place % 2 else change(part) for place, part in enumerate(re.split(_CODE, text)))


def _without_images(text: str) -> str:
    return re.sub(_IMAGE, r"\1", re.sub(_HTML_IMAGE, _alternative, text)).replace("![", "[")


def _addresses(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(found.rstrip(_TRAILING) for text in texts for found in re.findall(_ADDRESS, text))


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _without_query(address: str) -> str:
    scheme, _, rest = address.partition("//")
    place = re.split(r"[?#;]", rest, maxsplit=1)[0]
    host, slash, path = place.partition("/")
    return f"{scheme}//{host.rpartition('@')[2]}{slash}{path}"


def _keeping_end(address: str, change: Callable[[str], str]) -> str:
    """The changed address, followed by the punctuation that does not belong to it."""
    bare = address.rstrip(_TRAILING)
    return change(bare) + address[len(bare) :]


def _alternative(found: Match[str]) -> str:
    described = re.search(_ALT, found[0])
    return (described[1] or described[2] or "") if described else ""
