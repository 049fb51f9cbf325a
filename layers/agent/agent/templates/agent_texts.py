"""Replies about agents, apart from those to acts. Pure functions.

The texts are plain, warm and short, and never claim more than was done. They are built from stored values
and the user's own words, never from an exception or a model's prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.readiness import Missing, can_work
from agent.templates.agent_description import render_agent
from agent.templates.readiness_texts import link_request, missing_text
from agent.workspace.agents import Agent, AgentCard, AgentStatus
from agent.workspace.consents import terms_of
from agent.workspace.naming import NearestAgent


def numbered_list(lines: Sequence[str]) -> str:
    """Numbers the lines, from 1."""
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))


def numbered_options(opening: str, labels: Sequence[str]) -> str:
    """Lists numbered options under an opening, and says how to pick one."""
    return f"{opening}\n\n{numbered_list(labels)}\n\nJust tell me the number."


def run_anyway_option(near: NearestAgent, user: str) -> str:
    """Offers a run of the nearest agent."""
    return f"Run {near.card.name} anyway: it may help in part ({described(near.card, user)})"


def new_agent_option(subject: str) -> str:
    """Offers a new agent."""
    return f"Create a new agent{f' for {subject}' if subject else ''}: I'd ask you for what I don't know yet"


OTHER_WAY_OPTION = "Do it another way: tell me a bit more about what you need, and I'll suggest something"


def _next_steps(agent: Agent, missing: Sequence[Missing]) -> str:
    """Says when the agent works, and what it still lacks."""
    if not can_work(missing):
        return " ".join(filter(None, (missing_text(missing), link_request(missing))))
    if agent.check is not None:
        runs = f'I tell you only when that changes. Say "run {agent.name}" to have it checked now.'
    elif agent.schedule is not None and agent.status is AgentStatus.ACTIVE:
        runs = f'It works by itself on this schedule; say "run {agent.name}" to have it work now.'
    else:
        runs = f'Say "run {agent.name}" to have it work now.'
    return " ".join(filter(None, (runs, missing_text(missing), link_request(missing))))


def agent_shown(agent: Agent, user: str, missing: Sequence[Missing]) -> str:
    """Shows one agent in full, with all it lacks."""
    if agent.owner != user:
        return _colleagues_agent_shown(agent)
    seen = "Everybody in your workspace sees it." if agent.shared else "Only you see it."
    return f"This is {agent.name}:\n{render_agent(agent)}\n\n{_next_steps(agent, missing)}\n\n{seen}"


def _colleagues_agent_shown(agent: Agent) -> str:
    """Shows what a colleague wrote as quotations, so that it can't pass for words of ours."""
    fields = "\n".join(f"- {name}: {quoted(text)}" for name, text in terms_of(agent).items())
    return (
        f"This is {agent.name}, as {agent.owner} describes it:\n{fields}\n\n"
        f'Say "run {agent.name}" to have it work for you. It is shared by {agent.owner}: '
        "only its owner can change it."
    )


def gone(name: str) -> str:
    """Says that an agent has been deleted in the meantime."""
    return f"{name} doesn't exist any more, so I've changed nothing."


def moment_text(when: datetime, time_zone: str) -> str:
    """Formats a moment with its time zone: ``30 January 2026, 9:00 AM (UTC)``."""
    local = when.astimezone(ZoneInfo(time_zone))
    return (
        f"{local.day} {local:%B %Y}, {local.hour % 12 or 12}:{local:%M} "
        f"{'AM' if local.hour < 12 else 'PM'} ({time_zone})"
    )


def nearest_agent(near: NearestAgent, subject: str, user: str) -> str:
    """Says why the nearest agent does not fit and introduces the choices."""
    lacking = " or ".join(near.missing_words[:3])
    why = f"nothing about it mentions {lacking}" if lacking else "it wasn't made for exactly this"
    about = f" for {subject}" if subject else ""
    whose = f"{near.card.owner}'s" if near.card.shared_by(user) else "your"
    return (
        f"I can help with that! I looked for an agent{about} and found {whose} '{near.card.name}' agent, but "
        f"it is set up for something else ({described(near.card, user)}): {why}. That's why I'd like you to "
        "choose:"
    )


def no_agent_for(subject: str, names: Sequence[str]) -> str:
    """Says that no agent is similar and introduces the choices."""
    about = f" for {subject}" if subject else " for that"
    have = f" (you have {', '.join(names)})" if names else ", as you don't have any yet"
    return f"I can help with that! None of your agents is made{about}{have}, so I'd like you to choose:"


def described(card: AgentCard, user: str) -> str:
    """Returns what an agent does in one line; a colleague's words are quoted."""
    return card.summary if card.owner == user else quoted(card.summary)


def quoted(text: str) -> str:
    """Quotes what another user wrote, in one line; quotation marks in it can't end the quotation."""
    return f'"{" ".join(text.split()).replace(chr(34), chr(39))}"'
