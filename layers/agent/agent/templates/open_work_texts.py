"""What a returning user is told of what is open, and what follows a no. Pure functions."""

from __future__ import annotations


def declined() -> str:
    """Acknowledges a no to an offer."""
    return "All right, I've left everything as it is. What would you like instead?"


def nothing_open() -> str:
    """Tells a returning user that nothing is unfinished."""
    return "Nothing is unfinished between us. What would you like to do?"


def last_done(did: str) -> str:
    """Tells a returning user what was done last."""
    return f"Welcome back! The last thing I did: I {did}. Nothing is unfinished. What's next?"


def still_pending(summary: str) -> str:
    """Repeats to a returning user what waits for a yes."""
    return f"Welcome back! I was waiting for your yes to this: {summary}. Shall I?"
