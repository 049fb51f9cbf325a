"""Limits a search query to the user's own words, so that nothing else can leave with it. Pure.

A model sees more than the message: what was said earlier, tasks, pages. A query that it writes may carry
any of that to the search server, whether the model was told to or only means well.
"""

from __future__ import annotations

import re
from datetime import date

MAX_QUERY_CHARACTERS = 400
MIN_OWN_WORDS = 2
"""A query with fewer of the user's words says too little; the message itself is searched for instead."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019.+#-][^\W_]+)*[+#]*")
COMMON = frozenset({
    "a", "about", "after", "an", "and", "are", "at", "before", "best", "between", "by", "compare",
    "comparison", "cost", "current", "date", "definition", "documentation", "exchange", "for",
    "forecast", "from", "hours", "how", "in", "is", "latest", "list", "meaning", "near", "new", "news",
    "not", "now", "of", "official", "on", "opening", "or", "population", "price", "rate", "recent",
    "release", "result", "review", "schedule", "score", "since", "site", "the", "time", "to", "today",
    "top", "until", "version", "versus", "vs", "was", "weather", "what", "when", "where", "which", "who",
    "why", "with",
})  # fmt: skip
"""Words that say what kind of page is meant; they carry nothing about anybody."""


def limit_query(query: str, own_words: str, today: date) -> str:
    """Returns the query without words that are neither the user's own, nor `COMMON`, nor parts of today's
    date, in the query's order.

    When hardly any own word is left, returns the beginning of the user's words instead.
    """
    own = {_stem(word) for word in _WORD.findall(own_words)}
    others = {*COMMON, *_date_words(today)}
    kept = [word for word in _WORD.findall(query) if _stem(word) in own or word.casefold() in others]
    meant = {_stem(word) for word in kept} - others
    if len(meant) < min(MIN_OWN_WORDS, len(own - others)) or not kept:
        return _beginning(own_words)
    return " ".join(kept)


def _stem(word: str) -> str:
    """Returns the word without what English adds to it: "price", "prices" and "price's" are one."""
    bare = re.sub(r"['\u2019]s\Z", "", word.casefold())
    return bare[:-1] if len(bare) > 3 and bare.endswith("s") else bare


def _date_words(today: date) -> frozenset[str]:
    parts = (
        f"{today:%Y}",
        f"{today:%B}",
        f"{today:%b}",
        f"{today:%A}",
        str(today.day),
        f"{today:%d}",
        f"{today:%m}",
    )
    return frozenset(part.casefold() for part in (*parts, today.isoformat()))


def _beginning(own_words: str) -> str:
    text = " ".join(own_words.split())
    if len(text) <= MAX_QUERY_CHARACTERS:
        return text
    return text[:MAX_QUERY_CHARACTERS].rpartition(" ")[0] or text[:MAX_QUERY_CHARACTERS]
