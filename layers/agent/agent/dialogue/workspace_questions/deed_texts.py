"""What is said of things whose deed is asked about: ticked off, deleted, paused, or as they were."""

from __future__ import annotations


def ticked_off(title: str, day: str) -> str:
    """Say when a task was ticked off."""
    return f"“{title}” is done: you ticked it off {day}."


def still_open(title: str, due: str) -> str:
    """Say that a task is on the list and not done."""
    return f"“{title}” is still open on your list{f', due {due}' if due else ', with no date'}."


def deleted(name: str, day: str) -> str:
    """Say when something was deleted."""
    return f"{name} is deleted: that was {day}. Say “restore {name}” if you want it back."


def kept_agent(name: str, *, is_paused: bool) -> str:
    """Say that an agent is still there."""
    return f"{name} is still there{', and paused' if is_paused else ', and active'}."


def renamed(former: str, name: str, day: str) -> str:
    """Say what an agent with a former name is called now."""
    return f"{former} is called {name} now: it was renamed {day}."
