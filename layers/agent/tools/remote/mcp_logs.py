"""The SDK's loggers, made quiet: they write down what a server or a client sends, and addresses in full."""

from __future__ import annotations

import logging

_LOUD = ("mcp", "client", "httpx2", "httpcore2")


def quiet() -> None:
    """Nothing of what goes over the wire reaches our logs."""
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
