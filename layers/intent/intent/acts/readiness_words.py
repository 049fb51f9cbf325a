"""Questions whether an agent can work: ``what does it need before it works?``, ``is it ready yet?``"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from intent.acts.lexicon import LEADS, POINTERS

_NEEDING = frozenset("need needs needed missing lack lacks lacking require requires required left".split())
_WORKING = frozenset("work works working run runs running start starts go going live ready".split())
_UNTIL = frozenset("before until till so make get for can to".split())
_DOING = frozenset("do set connect add give provide finish".split())
_READY = frozenset({"ready", "operational"})
_AROUND = LEADS | POINTERS | frozenset(
    "do does is are will won't doesn't isn't has can already yet now actually really properly correctly"
    " all the"
    " agent work works working ready operational set up right then by itself fully everything go live start"
    " running run today there i to good be".split()
)  # fmt: skip
_ASKED_NOW = frozenset("already yet now actually really properly correctly itself".split())


def asks_what_it_lacks(asked: Sequence[str], said: AbstractSet[str]) -> bool:
    """Return whether words ask what an agent still needs before it works."""
    if not asked or asked[0] not in {"what", "what's", "whats", "which", "anything"}:
        return False
    works = bool(_WORKING & set(asked[1:])) and bool(_UNTIL & set(asked[1:]))
    lacks = bool(_NEEDING - {"left"} & set(asked))
    points = bool(POINTERS & said)
    is_mine = bool({"i", "we", "you"} & set(asked[1:4])) and bool((_DOING | {"need"}) & set(asked[1:7]))
    return (lacks and points and (works or {"still", "missing", "lacking", "lack"} & said != set())) or (
        is_mine and works and (points or "agent" in said)
    )


def asks_whether_ready(words: Sequence[str]) -> bool:
    """Return whether words ask nothing but whether an agent works already."""
    said = set(words)
    if _READY & said and (said <= _AROUND or _ASKED_NOW & said):
        return True
    works = bool({"work", "works", "working"} & said)
    return works and said <= _AROUND and bool(POINTERS & said or {"everything", "agent"} & said)
