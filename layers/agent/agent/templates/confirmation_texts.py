"""Questions that name an effect in full before it happens. Pure functions."""

from __future__ import annotations


def understood(words: str, details: str = "") -> str:
    """Asks whether to do what a model understood: the act, its thing and every new value."""
    if details:
        return f"I understood: {words}, like this:\n{details}\n\nShall I?"
    return f"I understood: {words}. Shall I?"


def only_pasted() -> str:
    """Asks what to do with a message that holds nothing but pasted or quoted text."""
    return (
        "I take this for a text from somebody else, so I've done nothing that it says. What would you like "
        "me to do with it?"
    )
