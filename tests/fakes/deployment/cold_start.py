"""One message, answered offline by a chat function that has just been started: which libraries that took.

``python -m tests.fakes.deployment.cold_start`` in the function's environment prints, as JSON, what of
`WATCHED` was in
the process after the import of the function, at every event of the turn, and in the end.
"""

from __future__ import annotations

import json
import sys

WATCHED = ("litellm", "tiktoken", "mcp")


def loaded() -> list[str]:
    """What of the watched libraries this process has imported."""
    return [name for name in WATCHED if name in sys.modules]


def main() -> None:
    """Import the function, answer a message, print."""
    from functions.chat import app

    imported = loaded()
    # Nothing but what the function itself imported may be imported for it.
    from conversation.clock import Deadline
    from conversation.identity import Caller
    from conversation.turns.admission import Incoming
    from storage.keys import TenantId

    incoming = Incoming(Caller(TenantId("acme"), "maya"), "Which agents do I have?")
    events = [
        (type(event).__name__, loaded()) for event in app.turns.run(incoming, Deadline.after(app.clock, 20))
    ]
    print(json.dumps({"imported": imported, "events": events, "ended": loaded()}))


if __name__ == "__main__":
    main()
