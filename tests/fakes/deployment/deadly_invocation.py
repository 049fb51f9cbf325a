"""One invocation in a process of its own, as Lambda would make it, of a function that some words end.

``python -m tests.fakes.deployment.deadly_invocation chat`` reads the event from the standard input and prints
the handler's result. The faults are those of `tests.fakes.deployment.twin_with_deadly_messages`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

from tests.fakes.aws.proxy_events import Context
from tests.fakes.deployment.twin_with_deadly_messages import plant


def main() -> None:
    """Invoke the function once."""
    plant()
    app = importlib.import_module(f"functions.{sys.argv[1]}.app")
    print(json.dumps(app.handler(json.load(sys.stdin), Context())), flush=True)
    os._exit(0)  # as Lambda ends a process: nobody waits for its threads


if __name__ == "__main__":
    main()
