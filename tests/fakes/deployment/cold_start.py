"""A record of the libraries that a freshly started chat function imports to answer one message offline.

``python -m tests.fakes.deployment.cold_start`` in the function's environment prints, as JSON, which
libraries of `WATCH_PERIOD` are loaded after the import of the function, at every event of the turn, and at
the end.
"""

from __future__ import annotations

import json
import sys

WATCHED = ("litellm", "tiktoken", "mcp")


def loaded_libraries() -> list[str]:
    """Return the watched libraries that this process has imported."""
    return [name for name in WATCHED if name in sys.modules]


def main() -> None:
    """Import the function, answer a message and print the record."""
    from functions.chat import app

    imported = loaded_libraries()
    # Imported only here, after the function, to leave its own imports unaffected.
    from conversation.clock import Deadline
    from conversation.identity import Caller
    from conversation.turns.admission import IncomingMessage
    from storage.keys import TenantId

    incoming = IncomingMessage(Caller(TenantId("acme"), "maya"), "Which agents do I have?")
    events = [
        (type(event).__name__, loaded_libraries())
        for event in app.turns().run(incoming, Deadline.after(app.clock, 20))
    ]
    print(json.dumps({"imported": imported, "events": events, "ended": loaded_libraries()}))


if __name__ == "__main__":
    main()
