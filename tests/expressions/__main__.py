"""``python -m tests.expressions``: pump every regular expression of the product, and print the slow ones.

``--plant EXPRESSION`` adds an expression, to see that it is found. ``--only WORD`` takes the places with the
word, such as a package. ``--record`` keeps the digests of those that were fast in `tried.txt`, and
``--untried`` leaves out those whose digests are there: an expression takes the same time today as yesterday.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.expressions import tried
from tests.expressions.collection import Expression, collect


def main() -> None:
    """Print a line for each expression that is too slow, then the totals; exit with 1 when there is any."""
    parser = argparse.ArgumentParser(prog="python -m tests.expressions")
    parser.add_argument("--plant", action="append", default=[], metavar="EXPRESSION")
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--untried", action="store_true")
    parser.add_argument("--record", action="store_true")
    asked = parser.parse_args()
    product = collect()
    # Imported late: what it compiles is not the product's.
    from tests.expressions.timing import LIMIT_MS, interrupt_long_matches, slow_matches

    interrupt_long_matches()
    known = tried.digests() if asked.untried else frozenset[str]()
    chosen = [each for each in product if asked.only in each.place and tried.digest(each) not in known]
    planted = (Expression(f"planted:{number}", source) for number, source in enumerate(asked.plant, 1))
    expressions = [*chosen, *planted]
    slow, slowest = slow_matches(expressions)
    for timing in slow:
        print(timing)
    print(f"the slowest of the others: {slowest or 'none'}")
    print(
        f"{len(slow)} of {len(expressions)} expressions take more than {LIMIT_MS:.0f} ms, "
        f"{len(product) - len(chosen)} were left out; trying them took {time.process_time():.0f} s"
    )
    if asked.record:
        tried.record(product, refused={timing.expression for timing in slow})
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
