"""What is said where dates can't be left out of a schedule."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.texts import join


def cannot_leave_out(name: str, first: str, last: str, months: Sequence[str]) -> str:
    """Say that nothing changed, and what comes near."""
    whole = f"not in {join(list(months))}" if months else "not in August"
    can = f"whole months: “{whole}”" if months else f"whole months, such as “{whole}”"
    return (
        f"I can't leave out single dates, so {name} runs as before. I can leave out {can}. Or pause it"
        f" {_on(first)} and turn it on again after {last.removeprefix('on ')}."
    )


def cannot_leave_out_run(name: str) -> str:
    """Say that a single run stays, and what comes near."""
    return (
        f"I can't leave out a single run, so {name} runs as before. You can pause it before that day and turn"
        " it on again afterwards."
    )


def ask_pause_instead(name: str) -> str:
    """Ask whether to pause in place of leaving out the next run."""
    return (
        f"I can't leave out a single run. Shall I pause {name} now? It stays off until you tell me to turn it"
        " on again."
    )


def _on(day: str) -> str:
    return day if day in {"today", "tomorrow", "yesterday"} else f"on {day.removeprefix('on ')}"
