"""What the assistant says, apart from the wizard's questions. Pure texts: plain, warm, short, and never more
than was done.

Texts are built from stored values and from what the user said, never from an exception or a model's prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.agents import Agent, AgentCard, AgentStatus, Kind, service_name
from agent.drafts import NO_SOURCE, Draft
from agent.nearness import Near
from agent.plans import connections_text, described, schedule_text
from agent.runs import Run
from conversation.notes import Choice

NOT_RUNNING_YET = "Running agents isn't available in this version yet"
MAX_LISTED = 50


def numbered(lines: Sequence[str]) -> str:
    """Lines with their place in front."""
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))


def options(opening: str, choices: Sequence[Choice], closing: str = "Just tell me the number.") -> str:
    """Numbered options between a sentence that says why they are offered and how to pick."""
    return f"{opening}\n\n{numbered([choice.label for choice in choices])}\n\n{closing}"


def proposal(draft: Draft) -> str:
    """An offer to take a pain away."""
    what = draft.type_of_report() if draft.kind is Kind.REPORT and draft.what else draft.what
    source = f" from {service_name(draft.source)}" if draft.source and draft.source != NO_SOURCE else ""
    rhythm = f", on this schedule: {schedule_text(draft.schedule)}" if draft.schedule else ""
    if what is None:
        return (
            f"That sounds like something an agent could take off your hands{rhythm}. Want me to set one up?"
        )
    lead = "keep an eye on" if draft.kind is Kind.MONITOR else "automate"
    return (
        f"It sounds like you want to {lead} your {what}{source}. I can help you create an agent that does "
        f"this automatically{rhythm}. Want me to set that up?"
    )


def created(agent: Agent, *, renamed: bool = False, assumed: str = "") -> str:
    """A new agent, with what it still lacks."""
    taken = " (you already had an agent of the plain name, so I numbered this one)" if renamed else ""
    notes = f"\n\n{assumed}" if assumed else ""
    return f"Perfect, your agent is saved{taken}:\n{described(agent)}{notes}\n\n{readiness(agent)}"


def readiness(agent: Agent | AgentCard) -> str:
    """What keeps an agent from working, said plainly."""
    if agent.needs_connection:
        needs = connections_text(agent.needs_connection)
        return (
            f"It can't work yet: it still needs a connection to {needs}, and neither connecting nor "
            "running agents is available in this version."
        )
    return f"It won't run by itself so far: {NOT_RUNNING_YET[0].lower()}{NOT_RUNNING_YET[1:]}."


def draft_dropped(draft: Draft) -> str:
    """The unfinished agent is given up."""
    return f"All right, I've dropped the unfinished {draft.label()}. Nothing was created."


def draft_kept(draft: Draft) -> str:
    """The unfinished agent waits."""
    return (
        f'No problem. I\'ll keep your {draft.label()} as far as we got; ask "where were we?" '
        "whenever you like."
    )


def one_at_a_time(draft: Draft, choices: Sequence[Choice]) -> str:
    """A second wish while an agent is unfinished."""
    return options(
        f"We are still in the middle of your {draft.label()}, and I can only set up one agent at a "
        "time. Shall I:",
        choices,
    )


def limit_reached(limit: int) -> str:
    """The user has as many agents as allowed."""
    return (
        f"You already have {limit} agent{'s' if limit > 1 else ''}, which is as many as your workspace "
        "allows, so I couldn't save this one. Delete one you no longer need and tell me to go on; I keep "
        "what we have."
    )


def no_such_choice(choices: Sequence[Choice]) -> str:
    """A number beyond the options."""
    return options("That number isn't among the options. They were:", choices)


def agent_list(cards: Sequence[AgentCard], user: str) -> str:
    """The caller's agents and those shared with them."""
    if not cards:
        return (
            "You don't have any agents yet. Tell me what you'd like to automate, and I'll help you set "
            "one up."
        )
    lines = [f"{card.name} - {card.summary}{_marks(card, user)}" for card in cards[:MAX_LISTED]]
    more = f"\n\nThese are the first {MAX_LISTED} of {len(cards)}." if len(cards) > MAX_LISTED else ""
    return f"Here are your agents:\n{numbered(lines)}{more}"


def agent_shown(agent: Agent, user: str) -> str:
    """One agent in full."""
    shared = "" if agent.owner == user else "\n\nIt is shared with you: only its owner can change it."
    return f"This is {agent.name}:\n{described(agent)}\n\n{readiness(agent)}{shared}"


def run_list(runs: Sequence[Run], time_zone: str) -> str:
    """The newest runs."""
    if not runs:
        return f"There are no runs yet. {NOT_RUNNING_YET}; what you ask me to run is only recorded."
    lines = [f"{run.agent_name} - {moment(run.created_at, time_zone)}, not executed" for run in runs]
    return f"Your latest runs:\n{numbered(lines)}\n\n{NOT_RUNNING_YET}, so these were only recorded."


def run_recorded(card: AgentCard) -> str:
    """A run that was asked for."""
    paused = " (its schedule is paused)" if card.status is AgentStatus.PAUSED else ""
    return (
        f"I've recorded your request to run {card.name}{paused}: {card.summary}. {NOT_RUNNING_YET}, so "
        "nothing was executed and nothing was sent; the run is stored as not executed."
    )


def changed(name: str, agent: Agent, what: Sequence[str]) -> str:
    """An agent that was changed."""
    return (
        f"Done, I've changed {name}: {'; '.join(what)}. It now looks like "
        f"this:\n{described(agent)}\n\n{readiness(agent)}"
    )


def paused(name: str) -> str:
    """An agent that was paused."""
    return f'Done, {name} is paused. Say "resume {name}" when you want its schedule back.'


def resumed(agent: Agent) -> str:
    """An agent whose schedule counts again."""
    return f"Done, {agent.name} is active again: {schedule_text(agent.schedule)}. {readiness(agent)}"


def already(name: str, status: AgentStatus) -> str:
    """A pause or resume that changes nothing."""
    return f"{name} is already {status.value}, so there is nothing to do."


def confirm_delete(name: str) -> str:
    """Before an agent is deleted."""
    return (
        f"Do you really want to delete {name}? This can't be undone. Say yes to delete it, or no to keep it."
    )


def deleted(name: str) -> str:
    """An agent that is gone."""
    return f"Done, {name} is deleted."


def gone(name: str) -> str:
    """An agent that was there a moment ago."""
    return f"{name} doesn't exist any more, so I've changed nothing."


def not_owned(name: str) -> str:
    """A change to somebody else's agent."""
    return (
        f"{name} was shared with you by a colleague, and only its owner can change it, so I've left it as "
        "it is. I can set up one like it for you."
    )


def name_taken(name: str) -> str:
    """A new name that another agent has."""
    return (
        f"You already have an agent called {name}, so I've left the name as it was. Which other name "
        "would you like?"
    )


def name_unusable() -> str:
    """A new name without a letter or digit."""
    return "I can't make a name out of that: please use at least one letter or digit."


def what_to_change(card: AgentCard) -> str:
    """A change that wasn't understood."""
    return (
        f"What should change about {card.name}? I can change its schedule, source, what it looks at, "
        "where results go or its name, and I can pause or delete it."
    )


WHICH_AGENT = "Which of your agents do you mean? I don't want to change the wrong one."


def confirm_what(card: AgentCard, change: str) -> str:
    """Before an agent gets another job."""
    return f"I would change what {card.name} does ({change}). Shall I?"


def add_instruction(card: AgentCard, instruction: str) -> str:
    """A change that fits no field."""
    return f'I can add this to the instructions of {card.name}, word for word: "{instruction}" Shall I?'


def instructions_full(name: str) -> str:
    """No room for another instruction."""
    return f"The instructions of {name} are as long as they can get, so I've left them as they are."


def schedule_unfit(text: str) -> str:
    """A schedule that can't be kept."""
    return (
        f'"{text}" is something my schedules can\'t do: they repeat every so many minutes or hours, '
        "or at fixed times of a day, week or month."
    )


NO_SUCH_AGENT = (
    "I couldn't find an agent by that name, and I don't want to change the wrong one. Do you mean:"
)


def no_agents() -> str:
    """Nothing there to change or run."""
    return "You don't have any agents yet. Would you like to set one up? Just tell me what it should do."


def no_such_agent(cards: Sequence[AgentCard]) -> str:
    """A name or a place that no agent has."""
    if not cards:
        return no_agents()
    names = ", ".join(card.name for card in cards[:10])
    return f"I couldn't find that agent. You have: {names}. Which one do you mean?"


def skill(topic: str | None) -> str:
    """Why a skill can't be made."""
    about = f' ("{topic}")' if topic else ""
    return (
        f"I understand you'd like a new skill{about} that agents can use. Skills can't be registered in "
        "this version yet, so I've stored nothing. It would take a name, what it does, and the MCP "
        "server or webhook that does the work. What I can do now is set up an agent for the job; just "
        "tell me what it should do."
    )


def moment(when: datetime, time_zone: str) -> str:
    """A moment for people, with its time zone: ``30 January 2026, 9:00 AM (UTC)``."""
    local = when.astimezone(ZoneInfo(time_zone))
    return (
        f"{local.day} {local:%B %Y}, {local.hour % 12 or 12}:{local:%M} "
        f"{'AM' if local.hour < 12 else 'PM'} ({time_zone})"
    )


OPTIONS_AGAIN = "Welcome back! I had offered you these, because your request could mean any of them:"
UNSURE = "I want to get this right, and your request could mean more than one thing. Shall I:"


def nearest_agent(near: Near, subject: str) -> str:
    """Why the nearest agent does not fit."""
    lacking = " or ".join(near.lacking[:3])
    why = f"nothing about it mentions {lacking}" if lacking else "it wasn't made for exactly this"
    about = f" for {subject}" if subject else ""
    return (
        f"I can help with that! I looked for an agent{about} and found your '{near.card.name}' agent, but "
        f"it is set up for something else ({near.card.summary}): {why}. That's why I'd like you to choose:"
    )


def no_agent_for(subject: str, names: Sequence[str]) -> str:
    """No agent comes near."""
    about = f" for {subject}" if subject else " for that"
    have = f" (you have {', '.join(names)})" if names else ", as you don't have any yet"
    return f"I can help with that! None of your agents is made{about}{have}, so I'd like you to choose:"


def _marks(card: AgentCard, user: str) -> str:
    marks = []
    if card.status is AgentStatus.PAUSED:
        marks.append("paused")
    if card.needs_connection:
        marks.append(f"needs {connections_text(card.needs_connection)}")
    if card.owner != user:
        marks.append("shared with you")
    return f" ({'; '.join(marks)})" if marks else ""
