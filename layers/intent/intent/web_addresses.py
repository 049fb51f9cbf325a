"""Web addresses in words, also as people type them: ``www.acme.com`` and ``acme.com/prices`` speak https."""

from __future__ import annotations

_OPENING, _CLOSING = "(<[\"'`*", ".,;:!?)>]\"'`*"
_FILE_ENDINGS = frozenset(
    "md js ts py txt pdf csv json yaml yml xml xls xlsx doc docx ppt pptx png jpg jpeg gif zip exe log sql go"
    " rb css htm html php java net-core vue e.g i.e etc".split()
)


def bare_word(word: str) -> str:
    """Return a word without the marks around it and without the ending of a genitive."""
    return word.lstrip(_OPENING).rstrip(_CLOSING).removesuffix("'s")


def web_address(word: str) -> str | None:
    """Return the web address that a word is; None for any other word."""
    bare = bare_word(word)
    if bare.lower().startswith(("http://", "https://")):
        return bare
    host = bare.partition("/")[0].partition("?")[0].partition(":")[0].lower()
    labels = host.split(".")
    is_name = len(labels) > 1 and all(label.replace("-", "").isalnum() for label in labels)
    ending = labels[-1]
    if not is_name or not host.isascii() or not ending.isalpha() or len(ending) < 2 or "@" in bare:
        return None
    is_file = len(labels) == 2 and ending in _FILE_ENDINGS
    return None if is_file or host in _FILE_ENDINGS else f"https://{bare}"


def first_web_address(text: str) -> str:
    """Return the first web address of a text; empty without any."""
    return next((url for word in text.split() if (url := web_address(word))), "")
