"""House numbers with their streets: in ``at 14 Elm Road`` the number is no time of day."""

from __future__ import annotations

from collections.abc import Sequence

_STREETS = frozenset(
    "road rd street st avenue ave lane crescent terrace boulevard blvd mews gardens grove strasse".split()
)
_ALSO_WORDS = frozenset(
    "close drive way walk place court square hill row view green rise park quay wharf yard gate".split()
)
"""Street names that are other words, too: they count where they are written with a capital letter."""
_NO_NAMES = frozenset(
    "the a an to and or of in on at for by with from my our your this that i we you it then am pm oclock"
    " o'clock sharp call ring meet visit clean sweep cross".split()
)
_MOST_OF_NAME = 2
_LONGEST_NUMBER = 4


def street_end(words: Sequence[str], raw: Sequence[str], place: int) -> int:
    """Returns the place behind the address whose house number stands at a place; 0 for none.

    ``raw`` are the words as they are written.
    """
    if not words[place].isdigit() or len(words[place]) > _LONGEST_NUMBER:
        return 0
    begin = place + 1
    if begin < len(words) and len(words[begin]) == 1 and words[begin].isalpha() and words[begin] != "a":
        begin += 1  # ``21 b Mill Lane``
    for end in range(begin + 1, min(begin + _MOST_OF_NAME + 1, len(words))):
        name = range(begin, end)
        is_name = all(words[at].isalpha() and words[at] not in _NO_NAMES for at in name)
        is_written_big = all(raw[at][:1].isupper() for at in (*name, end))
        is_street = words[end] in _STREETS and (is_written_big or len(name) == 1)
        if is_name and (is_street or (words[end] in _ALSO_WORDS and is_written_big)):
            return end + 1
    return 0
