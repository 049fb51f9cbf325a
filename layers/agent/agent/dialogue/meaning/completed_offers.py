"""What was offered, completed by what a message says of when, where and from what: it is wanted then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from intent.acts.act import Act, ActKind, Span

_TAKEN = ("when", "where", "source")


def as_completed(acts: Sequence[Act], asked: AskedQuestion) -> tuple[Sequence[Act], AskedQuestion | None]:
    """Return the act that was offered, with what the message says of it, and no question; the acts and the
    question as they are where it says nothing of it.

    A reminder that shall read a source or go to a place is an agent.
    """
    held = asked.waiting[0] if len(asked.waiting) == 1 else None
    if held is None or len(acts) != 1 or acts[0].kind is not ActKind.ANSWER:
        return acts, asked
    told = {name: acts[0].slots[name] for name in _TAKEN if name in acts[0].slots}
    if not told:
        return acts, asked
    is_of_agent = held.kind is ActKind.ADD_TASK and bool({"source", "where"} & told.keys())
    act = _of_agent(held) if is_of_agent else held.to_act()
    return [replace(act, slots={**act.slots, **told})], None


def _of_agent(held: HeldAct) -> Act:
    """Return the request for an agent that reports on what a reminder was offered for."""
    job = Span(held.text, 0, len(held.text))
    return Act(ActKind.CREATE_AGENT, job, slots={"job": job})
