"""The words by which a message names a thing or a value: distinctive words, numbers and addresses.

`covers` says whether words bear a text out, as they do a title or a job that a model put in other words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from intent.regular_expressions import LazyPattern, straighten_quotes

_WORD = re.compile(r"[^\W_]+(?:[''][^\W\d_]{1,3}\b)?")
_MOST_CHARACTERS = 8_000
_EMPTY_TEXT = """
    a an the this that these those my your our their its his her i you we they he she it me us them to
    of for from in on at by with without and or but so as is are be am was were been do does did have
    has had will would can could should shall may might must not no yes please just only also then than
    there here what which who when where why how all any some every each into onto out up off over about
    one ones thing things thanks now again s t re ve ll d m
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())
_SAYING_LITTLE_TEXT = """
    agent bot automation assistant task todo item entry new make create get set update report summary
    digest overview list note data information info detail result message alert notification reminder
    check collect send show monitor watch track compile gather prepare generate summarise summarize
    notify daily weekly monthly hourly user team workspace
"""
_SAYING_LITTLE = frozenset(_SAYING_LITTLE_TEXT.split())
"""Words that models put into a description whatever it is about."""
_ADDRESS = LazyPattern(
    r"(?<![\w.+-])(?:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}"
    r"|[a-z][a-z0-9+.-]{1,15}://[^\s<>\"')\]]{1,500}"
    r"|(?:[a-z0-9-]{1,63}\.){1,6}(?:[a-z]{2,24})(?![\w.-])(?:[/:][^\s<>\"')\]]{0,300})?"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?:[/:]\S{0,100})?"
    r"|#[a-z][\w-]{0,80}|\+?\d[\d ()/-]{6,20}\d)"
)
"""Mail addresses, web addresses, hosts, channels and telephone numbers."""
_NO_HOST = LazyPattern(r"(?:e\.g|i\.e|a\.m|p\.m|etc|vs)\b")
_ENDS = ".,;:!?"


def addresses_in(text: str) -> frozenset[str]:
    """Return the mail and web addresses, hosts, channels and telephone numbers in a text, in lower case."""
    found = (match[0].rstrip(_ENDS).casefold() for match in _ADDRESS.finditer(text[:_MOST_CHARACTERS]))
    return frozenset(address for address in found if not _NO_HOST.match(address))


def names_addresses(own_words: str, text: str) -> bool:
    """Return whether every address in the text stands in the words, in full."""
    wanted = addresses_in(text)
    return not wanted or wanted <= addresses_in(own_words)


@lru_cache(maxsize=128)
def distinctive_words(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about, in lower case and without endings."""
    words = _WORD.findall(straighten_quotes(text[:_MOST_CHARACTERS]).casefold())
    return frozenset(_stem(word) for word in words if word not in _EMPTY)


def covers(own_words: str, text: str, *, share: float = 1.0) -> bool:
    """Return whether the words contain this share of the text's distinctive words, and all its addresses.

    Words that say little are not needed; a text of nothing else needs one of them.
    """
    if not names_addresses(own_words, text):
        return False
    said, wanted = distinctive_words(own_words), distinctive_words(text)
    needed = wanted - _LITTLE or wanted
    if not needed:
        return True
    found = len(needed & said)
    return found > 0 and found >= share * len(needed)


def _stem(word: str) -> str:
    """The word without the endings of plurals and verbs: the same for ``invoices`` and ``invoice``."""
    word = word.removesuffix("'s")
    for ending, least in (("ies", 5), ("ing", 6), ("ed", 5), ("es", 5), ("s", 4), ("e", 5), ("y", 5)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


_LITTLE = frozenset(map(_stem, _SAYING_LITTLE))
