"""Remarks about everyday life: the weather, the way to work, how somebody feels, food, family and the office.
They ask for nothing: ``horrible rain here, my shoes are soaked``, ``best lunch ever``.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS
from intent.acts.requests import asks_for_something
from intent.acts.tokens import Token, tokenise
from intent.acts.told_facts import OWED


class Tone(Enum):
    """How somebody feels about what they remark on."""

    GLAD = auto()
    SORRY = auto()
    PLAIN = auto()


_WEATHER = (
    "rain raining rainy drizzle snow snowing snowed sun sunny sunshine wind windy storm stormy"
    " fog foggy frost ice icy hail heatwave weather freezing boiling hot cold chilly humid cloudy"
    " soaked drenched thunder"
)
_BODY = (
    "tired exhausted knackered sleepy slept sleep headache migraine back neck feet knee head cold"
    " flu ill sick hungry starving thirsty shoes socks umbrella coat nap hungover dentist gym"
)
_WAYS = "train trains bus tube tram traffic commute bike car flight jam parking motorway metro puncture"
_FOOD = (
    "lunch breakfast dinner coffee tea cake cakes doughnuts donuts cookies biscuits croissants pizza"
    " pastries sandwich ice-cream chocolate"
)
_HOME = (
    "kids kid son daughter baby toddler neighbour neighbours neighbor neighbors dog cat puppy kitten mum dad"
    " wife husband grandma birthday wedding party holiday holidays weekend garden match football builders"
    " upstairs"
)
_OFFICE = "air-con aircon air con heating lift radiator kettle fridge canteen office printer wifi"
_LIFE = frozenset(f"{_WEATHER} {_BODY} {_WAYS} {_FOOD} {_HOME} {_OFFICE}".split())
_SORRY = frozenset(
    "horrible awful terrible miserable nasty soaked drenched freezing boiling chilly late"
    " cancelled delayed stuck broken broke badly bad worst hurts hurt hurting sore aching aches"
    " ill sick tired exhausted knackered starving chaos disaster nightmare ugh argh rubbish missed"
    " lost crashed flat cold out sad grim typical shattered loud noisy crying dead stolen can't"
    " couldn't headache migraine flu snowed humid raining sleepy hungover".split()
)
_GLAD = frozenset(
    "lovely great gorgeous beautiful best wonderful fantastic brilliant amazing finally sunny"
    " sunshine delicious perfect yay happy glad nice super won cute yum yummy heaven warm excited".split()
)
_ASKING = (
    OWED | TASK_NOUNS | LIST_NOUNS | AGENT_NOUNS - {"job", "jobs"}
    | frozenset(
        "you your want wants need needs please remind must should i'd we'd would like agent report reports"
        " check every each daily weekly nobody order orders customer customers client clients invoice"
        " invoices stock staff ticket tickets sheet spreadsheet email emails".split()
    )
)  # fmt: skip
_FEWEST, _MOST = 2, 24


def tone_of(text: str) -> Tone | None:
    """Return the tone of a text that only remarks on everyday life; None for any other text."""
    tokens = tokenise(text)
    words = [one.word for one in tokens if one.is_word]
    said = set(words)
    if not _FEWEST <= len(words) <= _MOST or "?" in text or not _LIFE & said or _ASKING & said:
        return None
    if _has_sign(tokens) or _asks(tokens):
        return None
    if _SORRY & said and not _GLAD & said:
        return Tone.SORRY
    return Tone.GLAD if _GLAD & said and not _SORRY & said else Tone.PLAIN


def _has_sign(tokens: Sequence[Token]) -> bool:
    """Return whether words have a number, an address or a link: something that may have to be kept."""
    return any(one.text[0].isdigit() or "@" in one.text or "://" in one.text for one in tokens)


def _asks(tokens: Sequence[Token]) -> bool:
    words = [one.word for one in tokens if one.is_word and one.word not in LEADS]
    is_exclamation = words[:2] == ["what", "a"] or (words[:1] == ["how"] and words[1:2] != ["to"])
    if not is_exclamation and words[:1] != [] and words[0] in QUESTION_WORDS:
        return True
    is_elliptic = words[:1] != [] and words[0] in _TOLD_OF_SELF
    return not (is_exclamation or is_elliptic) and asks_for_something(tokens)


_TOLD_OF_SELF = frozenset({"had", "was", "been", "got", "have"})
"""Verbs with which a remark without its subject begins: ``just had the best lunch``."""
