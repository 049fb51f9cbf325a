"""Troubles with a web page that somebody learns of too late: ``our shop is down and I only hear of it from
customers``. They ask for nothing yet; to watch that page is what would help.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from intent.acts.lexicon import ASKING_YOU
from intent.acts.tokens import tokenise
from intent.regular_expressions import straighten_quotes
from intent.web_addresses import first_web_address, web_address


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class PageTrouble(NamedTuple):
    """What is wrong with a page."""

    url: str
    """Its address; empty where none is told."""
    is_change: bool
    """Whether its content changes; else it can't be reached."""


_PAGES = _words(
    "page pages website websites webpage site sites homepage webshop webstore e-shop eshop portal landing url"
    " shopfront storefront"
)
_ONLINE = _words("web online internet shop booking store")
"""Words that make ``shop`` or ``form`` one on the web."""
_PLACES = _words("shop store form server calendar")
_OUTAGES = _words(
    "down offline dead broken breaks crash crashes crashed crashing unreachable unavailable outage outages"
    " dies died hangs error errors fails failing failed collapses kaputt inaccessible timeout unresponsive"
)
_WORKING = _words("work works working load loads loading open opens opening respond responds up online there")
_UP_OR_NOT = _words("up online reachable running alive working")
_CHANGES = _words(
    "change changes changed changing alter alters altered altering edit edits edited editing rewrite rewrites"
    " rewrote update updates updated updating amend amends amended revise revises revised replace replaces"
    " replaced swap swaps swapped different hacked hack defaced deface defaces vandalised vandalized tampered"
    " tampers messed messes meddled manipulated publish publishes published post posts posted raise raises"
    " raised remove removes removed modify modifies modified"
)
_RAISING = frozenset(
    {("goes", "up"), ("go", "up"), ("went", "up"), ("puts", "up"), ("put", "up"), ("comes", "out")}
)
_LEARNING = _words(
    "hear heard know knew learn learned learnt find found see saw notice noticed realise realize realised"
    " realized discover discovered told"
)
_TELLING = _words(
    "tell tells telling told say says saying warn warns warning warned notice notices know knows inform"
    " informs informed announce announces mention mentions word"
)
_NOBODY = _words("nobody noone never without not no hardly rarely")
_OTHERS = _words(
    "customer customers client clients guest guests people member members parent parents visitor visitors"
    " user users buyer buyers patients students others colleagues phone boss"
)
_COMPLAINING = _words("tell tells told complain complains complaining call calls phone ring rings write ask")
_MISSING = _words("miss missed misses missing overlook overlooked")
_AGAIN = _words(
    "again sometimes sometime always keeps keep constantly often occasionally regularly randomly repeatedly"
    " third fed sick trouble problem headache nightmare worry worried worrying annoying"
)
_REQUESTING = _words("watch monitor alert notify ping")
_LOOKING = _words("look check watch visit open see monitor keep")
_OWN_DEED = _words("i i've we we've to forget forgot forgetting remember let")
_NEAR, _FAR = 3, 6
_FEWEST = 4


def page_trouble_in(text: str) -> PageTrouble | None:
    """Return the trouble with a page that words tell of; None where they tell of none, or ask for a deed."""
    url = _page_in(straighten_quotes(text))
    said = [token.word for token in tokenise(text) if token.is_word and web_address(token.text) is None]
    if _reloads(said) and "?" not in text:
        return PageTrouble(url, is_change=True)
    is_page = bool(url or _PAGES & set(said) or _is_online_place(said))
    if not is_page or len(said) < _FEWEST or _requests(said):
        return None
    learns_late = _learns_late(said)
    if not learns_late and not _AGAIN & set(said):
        return None
    if _is_out(said):
        return PageTrouble(url, is_change=False)
    is_changed = any(_is_of_page(said, at) for at, word in enumerate(said) if word in _CHANGES)
    is_changed = is_changed or bool(_RAISING & set(pairwise(said)))
    is_late = bool(url) and learns_late and not _OWN_DEED - {"i", "we", "to", "let"} & set(said)
    return PageTrouble(url, is_change=True) if is_changed or is_late else None


def _reloads(said: Sequence[str]) -> bool:
    """Return whether somebody tells that they look at a page again and again: ``I keep pressing F5``."""
    is_reloading = bool(_RELOADING & set(said)) or ("f", "5") in pairwise(said)
    is_own = bool({"i", "i'm", "i've", "we", "we're", "i'd"} & set(said))
    return is_reloading and is_own and bool(_ON_AND_ON & set(said)) and not _requests(said)


_RELOADING = _words("refresh refreshing refreshed reload reloading reloaded")
_ON_AND_ON = _words("keep keeps all sit sitting again constantly every hourly daily day hours always still")


def _page_in(text: str) -> str:
    """Return the first web address of words; empty without one, or where results are to go there."""
    url = first_web_address(text)
    before = next((one for one, word in pairwise(["", *text.split()]) if web_address(word)), "")
    return "" if before.lower() in _LEADING_THERE else url


_LEADING_THERE = frozenset({"to", "into", "from", "via"})


def names_page(text: str) -> bool:
    """Return whether words speak of a web page without its address: ``our homepage``, ``the shop page``."""
    said = [token.word for token in tokenise(text) if token.is_word]
    return bool(_PAGES & set(said)) or _is_online_place(said)


def _is_online_place(said: Sequence[str]) -> bool:
    return any(first in _ONLINE and second in _PLACES and first != second for first, second in pairwise(said))


def _requests(said: Sequence[str]) -> bool:
    """Return whether words ask to be told, or to have something watched."""
    for place, word in enumerate(said):
        is_refused = bool({*_NOBODY, "who"} & set(said[max(0, place - _NEAR) : place]))
        if word in _REQUESTING and not is_refused and "to" not in said[max(0, place - 1) : place]:
            return True
        if tuple(said[place : place + 2]) in ASKING_YOU and _LOOKING & set(said[place + 2 : place + _FAR]):
            return True  # ``can you look at … every 3 hours``
        is_told = word in {"tell", "let", "say", "inform"} and said[place + 1 : place + 2] in (["me"], ["us"])
        if is_told and not is_refused and not _OTHERS & set(said[max(0, place - _NEAR) : place]):
            return True
    return False


def _learns_late(said: Sequence[str]) -> bool:
    """Return whether somebody learns of something by accident, too late or not at all."""
    for place, word in enumerate(said):
        before, behind = set(said[max(0, place - _FAR) : place]), said[place + 1 : place + 1 + _FAR]
        if word in _LEARNING and ({"only", "always"} & before or {"from", "late"} & set(behind)):
            return True
        if word in _LEARNING and {"how", "if"} & before and {"i", "we", "anyone", "one", "anybody"} & before:
            return "how" in before
        if word in _LEARNING and "before" in before and {"i", "we"} & before:
            return True
        if word in _TELLING and (_NOBODY & before or any(one.endswith("n't") for one in before)):
            return True
        if word in _OTHERS and _COMPLAINING & set(behind[:_NEAR]) | _COMPLAINING & before & {"from"}:
            return True
    line = f" {' '.join(said)} "
    return bool(_MISSING & set(said)) or " too late" in line or " no one " in line or " by chance " in line


def _is_out(said: Sequence[str]) -> bool:
    """Return whether words say that something can't be reached or doesn't work."""
    for place, word in enumerate(said):
        before = said[max(0, place - _NEAR) : place]
        if word in _OUTAGES and before[-1:] not in (["write"], ["put"], ["note"]):
            return True
        is_denied = any(one in {"not", "never", "stops", "won't"} or one.endswith("n't") for one in before)
        if word in _WORKING and is_denied and "i" not in before:
            return True
        if word in _UP_OR_NOT and {"whether", "if"} & set(said[max(0, place - _FAR) : place]):
            return True
    return False


def _is_of_page(said: Sequence[str], place: int) -> bool:
    """Return whether a change is told of a page or its owner, and not as the speaker's own deed."""
    return not _OWN_DEED & set(said[max(0, place - _NEAR) : place])
