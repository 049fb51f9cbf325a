"""Where results shall go, of all the places that a clause names: those that it doesn't turn down."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.polarity import corrected, is_turned_down


def wanted_places(clause: Clause, tagged: Sequence[Span], addresses: Sequence[Span]) -> list[Span]:
    """Return the places that are wanted: the addresses within the tagged words, else the tagged words.

    Without tagged words, all addresses count. Those that the clause turns down or corrects do not.
    """
    places: list[Span] = []
    for place in tagged or addresses:
        within = [one for one in addresses if place.start < one.end and one.start < place.end]
        places += within or [place]
    wanted = [one for one in corrected(clause, places, addresses) if not is_turned_down(clause, one)]
    return sorted(wanted, key=lambda one: one.start)


def adds_place(clause: Clause) -> bool:
    """Return whether a clause names a place besides those there are: ``to ops@b.co as well``."""
    words = set(clause.words)
    text = f" {' '.join(clause.words)} "
    return bool(words & {"also", "too", "additionally", "add", "plus", "copy", "cc"}) or any(
        phrase in text for phrase in (" as well ", " in addition ", " on top ")
    )


def removes_place(clause: Clause) -> bool:
    """Return whether a clause takes a place away: ``no more mail``."""
    text = f" {' '.join(clause.words)} "
    phrases = ("no more", "no longer", "stop sending", "stop mailing", "take off", "don't send")
    return any(f" {phrase} " in text for phrase in phrases)
