"""Where results shall go, of all the places that a clause names: those that it doesn't turn down."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.slots import is_refused


def wanted_places(clause: Clause, tagged: Sequence[Span], addresses: Sequence[Span]) -> list[Span]:
    """Return the places that are wanted: the tagged words, else the addresses.

    Of tagged words that begin with a place turned down (``no mail, post it to #dock``), the addresses in them
    count.
    """
    wanted: list[Span] = []
    for place in tagged or addresses:
        if not is_refused(clause, place):
            wanted.append(place)
            continue
        within = [one for one in addresses if place.start <= one.start and one.end <= place.end]
        wanted += [one for one in within if not is_refused(clause, one)]
    return wanted
