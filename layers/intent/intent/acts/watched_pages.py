"""``That page`` and ``the site`` right behind a web address that is watched."""

from __future__ import annotations

from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.scene import Scene

_POINTING = frozenset({"that", "this", "the", "said"})
_OTHER = frozenset({"another", "second", "new"})
_PAGES = frozenset({"page", "site", "website", "webpage", "link", "url"})
_WEB = ("http://", "https://")


def means_watched_page(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause points at the web page that the agent spoken of watches."""
    if scene.has_draft or scene.question is not None or scene.focus_kind != "agent" or scene.focus is None:
        return False
    focus = scene.focus
    known = next((one for one in scene.agents if one.id == focus.id), None)
    if known is None or not any(web in known.words for web in _WEB):
        return False
    names_other = any(token.text.startswith(_WEB) for token in clause.tokens)
    if names_other or _OTHER & set(clause.words):
        return False
    return any(first in _POINTING and second in _PAGES for first, second in pairwise(clause.words))
