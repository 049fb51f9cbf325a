"""What each match of an expression holds: ``python -m training.required_pieces``.

It parses the expressions of the product as `re` does, and writes the file of `intent.required_pieces`. Run it
after a change of expressions: one that is not in the file is only slower. The same ones give the same file.
"""

from __future__ import annotations

import gc
import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import product
from math import prod
from pathlib import Path
from re import _constants as codes
from re import _parser as parser
from typing import Any, NamedTuple

import agent
import intent
from intent import required_pieces
from intent.regular_expressions import LazyPattern, LowerPattern

PACKAGES = (agent, intent)
MOST_PIECES = 96
MOST_TEXTS = 24
"""So many texts of a part are told apart before what follows it is read on its own."""
COMMON = 0.01
"""Pieces that may be found in more than about this share of places tell too little."""
_SHARES = dict(
    zip(
        "etaoinshrdlcumwfgypbvkjxqz",
        (
            0.127, 0.091, 0.082, 0.075, 0.070, 0.067, 0.063, 0.061, 0.060, 0.043, 0.040, 0.028, 0.028,
            0.024, 0.024, 0.022, 0.020, 0.020, 0.019, 0.015, 0.010, 0.008, 0.002, 0.002, 0.001, 0.001,
        ),
        strict=True,
    )
)  # fmt: skip
_OTHER_SHARE = 0.01

Texts = frozenset[str]


class Part(NamedTuple):
    """What is known of a part of an expression."""

    whole: Texts | None
    """All texts that it can match, if these are few; else None."""
    required: Texts | None
    """Texts of which each match holds one; None where there are none."""


NOTHING = Part(frozenset({""}), None)
UNKNOWN = Part(None, None)


def main() -> None:
    """Write the file; with ``--check`` only say whether it is right and tells of most expressions."""
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if is_current() else 1)
    found = {each: pieces for each in expressions() if (pieces := required_in(*each))}
    lines = sorted(
        f"{json.dumps(required_pieces.digest_of(source))}: {json.dumps(sorted(pieces), ensure_ascii=False)}"
        for (source, _), pieces in found.items()
    )
    path = Path(required_pieces.__file__).with_name(required_pieces.FILE)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    print(f"{path.name}: {len(found)} of {len(expressions())} expressions")


def is_current() -> bool:
    """Return whether all that the file tells is right, and it tells of most expressions. Only in a process of
    its own: the expressions that others make there would count.
    """
    made = expressions()
    known = [(source, flags) for source, flags in made if required_pieces.pieces_of(source)]
    wrong = [
        source
        for source, flags in known
        if frozenset(required_pieces.pieces_of(source)) != required_in(source, flags)
    ]
    print(f"{len(wrong)} of {len(known)} are wrong, of {len(made)} expressions")
    return not wrong and len(known) > len(made) * LEAST_KNOWN


LEAST_KNOWN = 0.7
"""The share of expressions that the file tells of at least."""


def expressions() -> frozenset[tuple[str, int]]:
    """Return the expressions that the product makes when it is imported, with their flags."""
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    made = [each for each in gc.get_objects() if isinstance(each, LazyPattern | LowerPattern)]
    return frozenset((each.expression, each.flags) for each in made)


def required_in(expression: str, flags: int) -> Texts | None:
    """Return pieces of which each match holds one; None where there are none, or only common ones."""
    tree = parser.parse(expression, flags)
    if (tree.state.flags ^ flags) & re.IGNORECASE:
        return None
    part = _sequence(tree, bool(flags & re.IGNORECASE))
    required = _best([part.whole, part.required])
    return required if required is not None and _share(required) <= COMMON else None


def _sequence(nodes: Iterable[Any], ignores_case: bool) -> Part:
    run: Texts = frozenset({""})
    is_whole, candidates = True, []
    for node in nodes:
        part = _part(node, ignores_case)
        candidates.append(part.required)
        joined = None if part.whole is None else _joined(run, part.whole)
        if joined is None:
            candidates.append(run)
            is_whole, joined = False, part.whole or frozenset({""})
        run = joined
    candidates.append(run)
    return Part(run if is_whole else None, _best(candidates))


def _joined(run: Texts, following: Texts) -> Texts | None:
    texts = frozenset(map("".join, product(run, following)))
    return texts if len(texts) <= MOST_TEXTS else None


def _part(node: Any, ignores_case: bool) -> Part:
    code, about = node
    if code is codes.LITERAL:
        return _literals([about], ignores_case)
    if code is codes.IN:
        return _literals([value if kind is codes.LITERAL else None for kind, value in about], ignores_case)
    if code is codes.BRANCH:
        return _branch([_sequence(each, ignores_case) for each in about[1]])
    if code is codes.SUBPATTERN:
        return UNKNOWN if about[1] or about[2] else _sequence(about[3], ignores_case)
    if code is codes.ATOMIC_GROUP:
        return _sequence(about, ignores_case)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return _repeated(about[0], about[1], _sequence(about[2], ignores_case))
    if code is codes.ASSERT:
        return Part(NOTHING.whole, _best(_sequence(about[1], ignores_case)))
    return NOTHING if code in (codes.AT, codes.ASSERT_NOT) else UNKNOWN


def _literals(characters: Sequence[int | None], ignores_case: bool) -> Part:
    texts = [chr(each) for each in characters if each is not None]
    is_plain = len(texts) == len(characters) <= MOST_TEXTS
    if not is_plain or (ignores_case and not "".join(texts).isascii()):
        return UNKNOWN
    return Part(frozenset(each.lower() if ignores_case else each for each in texts), None)


def _branch(parts: Sequence[Part]) -> Part:
    wholes = _united(part.whole for part in parts)
    return Part(
        wholes if wholes is None or len(wholes) <= MOST_TEXTS else None,
        _united(_best(part) for part in parts),
    )


def _repeated(least: int, most: int, part: Part) -> Part:
    if least == 0:
        whole = part.whole if most == 1 else None
        return Part(None if whole is None else whole | {""}, None)
    return part if least == most == 1 else Part(None, _best(part))


def _united(sets: Iterable[Texts | None]) -> Texts | None:
    found = list(sets)
    return None if None in found else reduce(frozenset.union, filter(None, found), frozenset[str]())


def _best(candidates: Iterable[Texts | None]) -> Texts | None:
    """Return the candidate whose texts are the rarest; None where each matches nothing or is too long."""
    found = [_shortened(each) for each in candidates if each and "" not in each]
    usable = [each for each in found if len(each) <= MOST_PIECES]
    return min(usable, key=lambda each: (_share(each), sorted(each)), default=None)


def _shortened(texts: Texts) -> Texts:
    """Return the texts without those that hold another one."""
    return frozenset(each for each in texts if not any(one in each for one in texts if one != each))


def _share(texts: Texts) -> float:
    return sum(prod(_SHARES.get(each, _OTHER_SHARE) for each in text) for text in texts)


if __name__ == "__main__":
    main()
