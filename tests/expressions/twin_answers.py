"""``python -m tests.expressions.twin_answers``: how long a twin's users wait while one repeats words.

It sends repetitive messages one after the other as a user of one tenant, meanwhile a message of another one
and a request for ``/health`` every fifth of a second, and prints the longest waits. It needs a free machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

import httpx

from tests.expressions.messages import KNOWN, repetitive_messages
from tests.fakes.deployment.twin import Twin

MOST_S = 1.0
_EVERY_S = 0.2


def main() -> None:
    """Print the longest waits; exit with 1 when one is longer than a second."""
    parser = argparse.ArgumentParser(prog="python -m tests.expressions.twin_answers")
    parser.add_argument("--messages", type=int, default=5_000)
    count = parser.parse_args().messages
    with tempfile.TemporaryDirectory() as folder, Twin(Path(folder)) as twin:
        waits = _waits(twin, chain(KNOWN, repetitive_messages(count)))
    for name, seconds in waits.items():
        print(f"{name}: the longest of {len(seconds)} took {max(seconds):.2f} s")
    sys.exit(any(max(seconds) > MOST_S for seconds in waits.values()))


def _waits(twin: Twin, messages: chain[str]) -> dict[str, list[float]]:
    sender, neighbour = twin.token("acme", "maya"), twin.token("globex", "noor")
    twin.chat("hello", token=sender)
    waits: dict[str, list[float]] = {
        "repetitive messages": [],
        "/health": [],
        "another tenant's messages": [],
    }
    is_over = threading.Event()

    def ask() -> None:
        headers = {"Authorization": f"Bearer {neighbour}"}
        with httpx.Client(base_url=twin.url, headers=headers, timeout=60, trust_env=False) as http:
            while not is_over.wait(_EVERY_S):
                waits["/health"].append(_seconds(partial(http.get, "/health")))
                say = partial(http.post, "/v1/chat", json={"message": "list my agents"})
                waits["another tenant's messages"].append(_seconds(say))

    other = threading.Thread(target=ask)
    other.start()
    for message in messages:
        waits["repetitive messages"].append(_seconds(partial(twin.chat, message, token=sender)))
    is_over.set()
    other.join()
    return waits


def _seconds(send: Callable[[], httpx.Response]) -> float:
    started = time.monotonic()
    response = send()
    assert response.status_code == 200, response.text
    return time.monotonic() - started


if __name__ == "__main__":
    main()
