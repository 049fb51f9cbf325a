"""Sums whose list stands behind the words that say what to do with it: ``add these and 20% vat: 95, 60``.

A percentage before a list would be taken for one of its amounts.
"""

from __future__ import annotations

import re

_HEADING = re.compile(r"\A([^:\n?]{8,120}%[^:\n?]{0,40})(:|\n)", re.IGNORECASE)
_ADDING = re.compile(r"\b(?:add|total|sum|tot|come|comes|tally|altogether|how much)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*(?![\d%]| ?%)")
_FEWEST = 2


def with_heading_behind(message: str) -> str:
    """Return a message with the heading of its list behind the list, where the heading has a percentage; any
    other message as it is. The length stays.
    """
    found = _HEADING.match(message)
    if found is None or _ADDING.search(found[1]) is None:
        return message
    behind = message[found.end() :].strip()
    if len(_AMOUNT.findall(behind)) < _FEWEST or _AMOUNT.search(found[1]) is not None or "%" in behind:
        return message
    mark = "\n" if "\n" in behind else ". "
    return f"{behind}{mark}{found[1]}".ljust(len(message))
