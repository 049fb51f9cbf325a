"""Whether two words mean the same thing in a question and in what was told: other forms, slips, synonyms."""

from __future__ import annotations

from conversation.search.words import stem
from intent.letter_slips import is_one_slip

_FEWEST_OF_SLIP = 5
_SYNONYMS = (
    "close closes closed closing shut shuts", "open opens opening start starts begin begins",
    "end ends finish finishes expire expires expiry", "pick picked choose chose chosen decide decided",
    "birthday born birth", "price cost costs pay charge fee", "boss manager", "doctor gp physician",
    "combination code pin passcode password", "type group kind sort model brand make", "shop store",
    "phone telephone mobile cell", "car vehicle van", "plate registration", "flat apartment",
    "wife husband partner spouse", "kid kids child children son daughter", "mum mom mother", "dad father",
    "eat eating food allergic allergy intolerant vegetarian vegan diet avoid meat gluten",
    "repair repairs fix fixes mend", "meet meets meeting", "catering caterer", "holiday vacation leave",
    "clean cleans cleaning cleaner", "live lives address home", "salary wage wages",
    "bin bins rubbish trash garbage",
    "deliver delivers delivery", "wifi wi-fi internet wlan", "bill invoice", "like likes prefer prefers",
    "arrive arrives come comes", "site place location",
)  # fmt: skip
"""Groups of words by which people ask for what they told with another of the group."""


def root(word: str) -> str:
    """Return the stem that a word has in singular and plural."""
    return stem(stem(word))


_GROUPS: dict[str, frozenset[int]] = {}
for _place, _words in enumerate(_SYNONYMS):
    for _word in _words.split():
        _GROUPS[root(_word)] = _GROUPS.get(root(_word), frozenset()) | {_place}


def is_alike(term: str, other: str) -> bool:
    """Return whether two stems are of the same word, one letter apart, or of one word with its ending."""
    if " " in term or " " in other:
        return term == other
    shortest = min(len(term), len(other))
    may_slip = shortest >= _FEWEST_OF_SLIP and abs(len(term) - len(other)) <= 1
    if term == other or (may_slip and is_one_slip(term, other)):
        return True
    return shortest >= 5 and term[:shortest] == other[:shortest]


def has_synonyms(term: str) -> bool:
    """Return whether any other stem may mean the same here."""
    return term in _GROUPS


def is_synonym(term: str, other: str) -> bool:
    """Return whether two stems are of words that may mean the same here."""
    return bool(_GROUPS.get(term, frozenset()) & _GROUPS.get(other, frozenset()))
