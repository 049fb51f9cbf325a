"""The messages between the twin's server and its workers: a kind, a length and that many bytes.

The server sends one ``CALL`` on a connection of its own. The worker answers with ``RESULT``, or with
``OPENED``, any number of ``CHUNK`` and ``END``; ``FAILED`` or ``MALFORMED`` may end either. ``MEASURED`` may
come before the last one. A connection that closes before that means that the worker died.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, NamedTuple

CALL = b"i"
RESULT = b"r"
OPENED = b"o"
CHUNK = b"c"
END = b"e"
FAILED = b"f"
MALFORMED = b"m"
MEASURED = b"v"

_HEADER = struct.Struct("!cI")


class ConnectionEnded(Exception):
    """The other process closed the connection, or died."""


class ProcessFrame(NamedTuple):
    """One message. ``payload`` is JSON, but for a chunk, which is the chunk itself."""

    kind: bytes
    payload: bytes

    def to_json(self) -> Any:
        """Return the payload's value."""
        return json.loads(self.payload)


def send_frame(connection: socket.socket, kind: bytes, payload: bytes = b"") -> None:
    """Send one message.

    Raises:
        ConnectionEnded: the other process is gone.
    """
    try:
        connection.sendall(_HEADER.pack(kind, len(payload)) + payload)
    except OSError:
        raise ConnectionEnded from None


def send_json(connection: socket.socket, kind: bytes, value: Any) -> None:
    """Send one message with a JSON payload; raises the same, and what `json.dumps` raises."""
    send_frame(connection, kind, json.dumps(value).encode())


def receive_frame(connection: socket.socket) -> ProcessFrame:
    """Wait for one message.

    Raises:
        ConnectionEnded: the other process closed the connection before a whole message came.
    """
    kind, length = _HEADER.unpack(_receive(connection, _HEADER.size))
    return ProcessFrame(kind, _receive(connection, length))


def _receive(connection: socket.socket, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        try:
            part = connection.recv(length - len(received))
        except OSError:
            raise ConnectionEnded from None
        if not part:
            raise ConnectionEnded
        received += part
    return bytes(received)
