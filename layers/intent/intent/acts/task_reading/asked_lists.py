"""Requests to be told what is on the list: ``tell me what I need to get done by Saturday``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.lexicon import ASKING_YOU, LEADS
from intent.times.words.lexicon import WEEKDAYS

_TELLING = (("tell", "me"), ("show", "me"), ("remind", "me"), ("give", "me"), ("let", "me", "know"))
_WHAT = frozenset({"what", "what's", "whats", "everything", "all"})
_DOING = frozenset({"do", "done", "finish", "finished"})
_OPEN = frozenset("left outstanding open remaining remains due pending unfinished undone".split())
_AROUND = _WHAT | _DOING | _OPEN | frozenset(
    "i i've we we've is are to be get has have got need needs must should ought still yet else that on my our"
    " list for me us by until till before this week weekend month today tomorrow tonight next the at moment"
    " end of day not been".split()
)  # fmt: skip


def asks_what_to_do(words: Sequence[str]) -> bool:
    """Return whether words ask to be told what there is to do, and name no task."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS - _AROUND]
    if tuple(said[:2]) in ASKING_YOU:
        said = [word for word in said[2:] if word != "kindly"]
    lead = next((one for one in _TELLING if tuple(said[: len(one)]) == one), ())
    asked = said[len(lead) :]
    if not lead or asked[:1] == [] or asked[0] not in _WHAT:
        return False
    is_to_do = bool(_DOING & set(asked)) and bool({"i", "we", "be"} & set(asked))
    return (is_to_do or bool(_OPEN & set(asked))) and set(asked) <= _AROUND | WEEKDAYS.keys()
