"""Questions to see the agents that others made: ``can I see which agents she has?``. What is shared with
somebody is on their own list.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.clauses import Clause
from intent.acts.lexicon import AGENT_NOUNS, LEADS
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise

_SEEING = frozenset("see view list look find browse get".split())
_ABLE = frozenset({("can", "i"), ("i", "can"), ("could", "i"), ("may", "i"), ("can", "we"), ("we", "can")})
_PEOPLE = frozenset(
    "she he they others other everybody everyone somebody someone team colleague colleagues coworker"
    " coworkers people staff department boss manager assistant intern niece nephew partner wife".split()
)
_MAKING = frozenset(
    "made make makes has have had put created create set built build added add uses use runs run shared owns"
    " got".split()
)
_OF = frozenset({"of", "from", "by"})
_OWN = frozenset({"mine", "me"})
_NEAR = 6


def asks_to_see_others(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to see which agents other people have."""
    is_open = scene.question is not None or scene.has_draft
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    at = next((at for at, pair in enumerate(pairwise(words)) if pair in _ABLE), None)
    if is_open or at is None or not _SEEING & set(words[at + 2 : at + 4]):
        return False
    asked = words[at + 2 :]
    before = [token.word for token in tokenise(clause.message[: clause.start])] + words[:at]
    points = bool({"ones", "them", "those"} & set(asked)) and bool(AGENT_NOUNS & set(before))
    if _OWN & set(asked) or not (points or AGENT_NOUNS & set(asked)):
        return False
    return _is_of_others(asked) or _is_of_others(before)


def _is_of_others(words: Sequence[str]) -> bool:
    """Return whether words tell of agents that are somebody's else."""
    for place, word in enumerate(words):
        if word.removesuffix("'s").removesuffix("s'") not in _PEOPLE:
            continue
        is_owner = word.endswith(("'s", "s'")) or bool(_OF & set(words[max(0, place - 2) : place]))
        if is_owner or _MAKING & set(words[place + 1 : place + _NEAR]):
            return True
    return False
