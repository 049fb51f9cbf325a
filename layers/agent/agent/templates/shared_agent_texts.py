"""Replies about agents that a colleague shares. Pure functions.

What the colleague wrote is quoted, in one line, and never part of our own sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agent.templates.agent_description import excerpt
from agent.templates.agent_texts import quoted
from agent.workspace.agents import Agent, join_words, summary_line
from agent.workspace.consents import FieldChange, named_addresses
from agent.workspace.delivery_targets import Channel, targets_of
from agent.workspace.runs import Run, RunConsent

_PERSONAL = "your conversations, tasks and agents"


class Permissions(NamedTuple):
    """Addresses, skills, and the user's data: what is asked for, or was allowed before."""

    addresses: Sequence[str] = ()
    skills: Sequence[str] = ()
    personal: bool = False


def ask_to_allow(agent: Agent, asked: Permissions, allowed: Permissions) -> str:
    """Asks what a run may read and give to others; names each, and what was allowed before besides."""
    listed = "\n".join(f"- {point}" for point in _points(asked, allowed))
    return (
        f"{agent.owner} shares {agent.name} with you and describes it like this: "
        f"{quoted(summary_line(agent))}.\n{listed}\n\nDo you allow that, until {agent.owner} changes it? "
        "If not, I run it without."
    )


def _points(asked: Permissions, allowed: Permissions) -> Iterator[str]:
    reads, skills = asked.personal or allowed.personal, (*asked.skills, *allowed.skills)
    if reads:
        before = "" if asked.personal else ", as you have allowed"
        yield f"It could read {_PERSONAL}, and change your tasks{before}."
    if asked.addresses:
        yield f"This and later results of yours would also be sent to {join_words(asked.addresses)}."
    if allowed.addresses:
        places = join_words(allowed.addresses)
        yield f"This and later results of yours are sent to {places}, as you have allowed."
    if skills:
        noun = "skills" if len(skills) > 1 else "skill"
        what = "what it reads and what you add" if reads else "what you add"
        yield f"The {noun} {join_words(skills)} could get {what} for a run."


def allow_summary(agent: Agent, asked: Permissions) -> str:
    """Says what a yes to `ask_to_allow` does. Notes keep this, so it leaves out the addresses: they may hold
    keys.
    """
    whats = [f"send its results where {agent.owner} wants them"] if asked.addresses else []
    whats += [f"let {join_words(asked.skills)} take part"] if asked.skills else []
    whats += [f"let it use {_PERSONAL}"] if asked.personal else []
    return f"run {agent.name}, which {agent.owner} shares, and {join_words(whats)}"


def ask_about_change(agent: Agent, changes: Sequence[FieldChange]) -> str:
    """Shows what a colleague changed, and asks whether to run the agent like that."""
    lines = [f"- {change.name}: {_before(change.before)} is now {_value(change.after)}" for change in changes]
    listed = "\n".join(lines)
    return (
        f"{agent.owner} has changed {agent.name} since you last ran it:\n{listed}\n\nShall I run it as it is "
        "now? What you had allowed it no longer counts."
    )


def change_summary(agent: Agent) -> str:
    """Says what a yes to `ask_about_change` does."""
    return f"run {agent.name} as {agent.owner} has changed it"


def not_run(agent_name: str) -> str:
    """Acknowledges a no to `ask_about_change`."""
    return f"All right, I haven't run {agent_name}."


def started(agent: Agent, run: Run, consent: RunConsent, *, left_out: Sequence[str]) -> str:
    """Reports a requested run: where its result goes, where it does not, and what it sees.

    ``left_out`` are skills that take no part.
    """
    settings = ", ".join(f"{name}: {value}" for name, value in run.parameters.items())
    whose = f"{agent.owner} shares it and describes it like this: {quoted(summary_line(agent))}."
    parts = [
        f"I've started {agent.name}. {whose}",
        f"For this run: {settings}." if settings else "",
        _where(agent, run, consent),
        f"It works without {join_words(left_out)}: you haven't allowed that." if left_out else "",
        _sees(agent, consent),
        'Ask "is it done?" any time, or say "cancel it".',
    ]
    return " ".join(filter(None, parts))


def _where(agent: Agent, run: Run, consent: RunConsent) -> str:
    addresses = named_addresses(agent, run.user)
    own = [
        place.address
        for place in targets_of(agent.delivery, run.user)
        if place.channel is Channel.EMAIL and place.address == run.user
    ]
    sent = [*own, *(addresses if consent.addresses else ())]
    where = f", and be sent to {join_words(sent)}" if sent else " only"
    said = f"The result will appear in this conversation{where}."
    if not addresses:
        return said
    if consent.addresses:
        return f'{said} Say "run {agent.name} only for me" to take your permission back.'
    return (
        f"{said} It isn't sent to {join_words(addresses)}: you haven't allowed that. If you want it sent, "
        f'say "run {agent.name} and send it".'
    )


def _sees(agent: Agent, consent: RunConsent) -> str:
    if consent.personal_data:
        return f"It can use {_PERSONAL}."
    return f'It sees none of {_PERSONAL}; say "run {agent.name} with my data" if it should.'


def _before(text: str) -> str:
    """What the user agreed to earlier, and knows by its beginning."""
    return excerpt(text) if text else "nothing"


def _value(text: str) -> str:
    return quoted(text) if text else "nothing"
