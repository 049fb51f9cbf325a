"""Silences the MCP SDK's loggers, which log message contents and full URLs."""

from __future__ import annotations

import logging

_LOUD = ("mcp", "client", "httpx2", "httpcore2")


def silence_sdk_logs() -> None:
    """Keeps the content of requests and responses out of our logs."""
    for name in _LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
