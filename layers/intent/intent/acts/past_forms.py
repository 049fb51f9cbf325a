"""The base forms of verbs in the past: ``rang``, ``rung`` and ``filed`` are of ``ring`` and ``file``."""

from __future__ import annotations

from functools import lru_cache

from intent.acts.lexicon import verb_forms
from intent.acts.tokens import known_words

_IRREGULAR = {
    past: base
    for base, forms in {
        "ring": "rang rung", "send": "sent", "pay": "paid", "buy": "bought", "speak": "spoke spoken",
        "write": "wrote written", "tell": "told", "take": "took taken", "bring": "brought", "do": "did done",
        "see": "saw seen", "meet": "met", "make": "made", "find": "found", "give": "gave given",
        "get": "got gotten", "sell": "sold", "read": "read", "put": "put", "set": "set", "cut": "cut",
        "hang": "hung", "fix": "fixed", "sweep": "swept", "feed": "fed", "drive": "drove driven",
        "choose": "chose chosen", "draw": "drew drawn", "lend": "lent", "leave": "left", "mow": "mowed mown",
        "sew": "sewed sewn", "bake": "baked", "build": "built", "hand": "handed", "hold": "held",
        "teach": "taught", "think": "thought", "wash": "washed", "wrap": "wrapped", "clean": "cleaned",
        "renew": "renewed", "go": "went gone", "run": "ran", "throw": "threw thrown", "eat": "ate eaten",
        "return": "returned", "file": "filed", "change": "changed", "hide": "hid hidden", "sign": "signed",
    }.items()
    for past in forms.split()
}  # fmt: skip


@lru_cache(maxsize=2_048)
def base_of_past(word: str) -> str:
    """Return the base form of a verb in the past or of a participle; empty for any other word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    form = verb_forms().get(word)
    if form is not None and not form.is_base and not word.endswith(("ing", "s")):
        return form.base
    if not word.endswith("ed") or len(word) < _SHORTEST:
        return ""
    stem = word[:-2]
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    is_doubled = stem[-1] == stem[-2] and stem[-1] not in "sl"
    candidates = (stem[:-1], stem, f"{stem}e") if is_doubled else (stem, f"{stem}e")
    known = (one for one in candidates if _is_verb(one))
    return next(known, "") or next((one for one in candidates if one in known_words()), stem)


def _is_verb(word: str) -> bool:
    form = verb_forms().get(word)
    return form is not None and form.is_base


_SHORTEST = 5
