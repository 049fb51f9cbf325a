"""Replies about agents, apart from the wizard's questions. Pure functions.

The texts are plain, warm and short, and never claim more than was done. They are built from stored values
and the user's own words, never from an exception or a model's prose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.readiness import Missing, can_work
from agent.templates.readiness_texts import missing_text
from agent.wizard.drafts import NO_SOURCE, Draft, connections_text, render_agent, schedule_text
from agent.wizard.nearest_schedule import nearest_supported
from agent.workspace.agents import Agent, AgentCard, AgentStatus, Kind, service_name
from agent.workspace.consents import terms_of
from agent.workspace.naming import NearestAgent
from conversation.messages.models import Choice

ConnectedServices = Collection[str]
"""The services that skills connect."""

MAX_LISTED = 50
MAX_CHOICES = 9
_OWN_WORDS = re.compile(r"(?:any|every|all|each|what|who|the|my|our|your|new|[a-z]{2,}ing\b)", re.IGNORECASE)
"""Beginnings that rule out a "your" in front: "your anything urgent" is not English."""


def numbered_list(lines: Sequence[str]) -> str:
    """Numbers the lines, from 1."""
    return "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 1))


def options_text(opening: str, choices: Sequence[Choice], closing: str = "Just tell me the number.") -> str:
    """Lists numbered options; the opening says why they are offered, the closing how to pick one."""
    return f"{opening}\n\n{numbered_list([choice.label for choice in choices])}\n\n{closing}"


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


def proposal(draft: Draft) -> str:
    """Offers an agent for a complaint or chore the user mentioned."""
    what = draft.report_type() if draft.kind is Kind.REPORT and draft.what else draft.what
    source = f" from {service_name(draft.source)}" if draft.source and draft.source != NO_SOURCE else ""
    rhythm = f", on this schedule: {schedule_text(draft.schedule)}" if draft.schedule else ""
    if what is None:
        return (
            f"That sounds like something an agent could take off your hands{rhythm}. Want me to set one up?"
        )
    lead = "keep an eye on" if draft.kind is Kind.MONITOR else "automate"
    whose = "" if _OWN_WORDS.match(what) else "your "
    return (
        f"It sounds like you want to {lead} {whose}{what}{source}. I can help you create an agent that does "
        f"this automatically{rhythm}. Want me to set that up?"
    )


def created(agent: Agent, missing: Sequence[Missing], *, renamed: bool = False, assumed: str = "") -> str:
    """Reports a new agent and what it still lacks."""
    renaming = " (you already had an agent of the plain name, so I numbered this one)" if renamed else ""
    notes = f"\n\n{assumed}" if assumed else ""
    next_steps = _next_steps(agent, missing)
    return f"Perfect, your agent is saved{renaming}:\n{render_agent(agent)}{notes}\n\n{next_steps}"


def _next_steps(agent: Agent, missing: Sequence[Missing]) -> str:
    """Says when the agent works, and what it still lacks."""
    if not can_work(missing):
        return missing_text(missing)
    if agent.check is not None:
        runs = f'I tell you only when that changes. Say "run {agent.name}" to have it checked now.'
    elif agent.schedule is not None and agent.status is AgentStatus.ACTIVE:
        runs = f'It works by itself on this schedule; say "run {agent.name}" to have it work now.'
    else:
        runs = f'Say "run {agent.name}" to have it work now.'
    return " ".join(filter(None, (runs, missing_text(missing))))


def draft_dropped(draft: Draft) -> str:
    """Confirms that the unfinished agent was dropped."""
    return f"All right, I've dropped the unfinished {draft.label()}. Nothing was created."


def draft_kept(draft: Draft) -> str:
    """Says that the unfinished agent is kept for later."""
    return (
        f'No problem. I\'ll keep your {draft.label()} as far as we got; ask "where were we?" '
        "whenever you like."
    )


def one_at_a_time(draft: Draft, choices: Sequence[Choice]) -> str:
    """Offers choices when the user asks for a second agent while one is unfinished."""
    return options_text(
        f"We are still in the middle of your {draft.label()}, and I can only set up one agent at a "
        "time. Shall I:",
        choices,
    )


def limit_reached(limit: int, *, of_user: bool) -> str:
    """Says that the user, or the whole workspace, has as many agents as allowed."""
    if not of_user:
        return (
            f"Your workspace has {limit} agents, which is as many as it may have, so I couldn't save this "
            "one. I keep what we have; tell me to go on once there is room."
        )
    return (
        f"You already have {limit} agent{'s' if limit > 1 else ''}, which is as many as your workspace "
        "allows, so I couldn't save this one. Delete one you no longer need and tell me to go on; I keep "
        "what we have."
    )


def no_such_choice(choices: Sequence[Choice]) -> str:
    """Repeats the options after a number that is not among them."""
    return options_text("That number isn't among the options. They were:", choices)


def agent_list(cards: Sequence[AgentCard], user: str, served: ConnectedServices) -> str:
    """Lists the caller's agents and those shared with them."""
    if not cards:
        return (
            "You don't have any agents yet. Tell me what you'd like to automate, and I'll help you set "
            "one up."
        )
    lines = [
        f"{card.name} - {described(card, user)}{_marks(card, user, served)}" for card in cards[:MAX_LISTED]
    ]
    more = f"\n\nThese are the first {MAX_LISTED} of {len(cards)}." if len(cards) > MAX_LISTED else ""
    return f"Here are your agents:\n{numbered_list(lines)}{more}"


def visibility(name: str, *, is_shared: bool) -> str:
    """Says who sees an agent and how to change that."""
    if is_shared:
        return f'Everybody in your workspace sees {name}. Say "stop sharing {name}" to have it for you alone.'
    return f'Only you see {name}. Say "share {name} with my team" to have everybody in your workspace see it.'


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


def already_in_status(name: str, status: AgentStatus) -> str:
    """Says that a pause or resume changes nothing."""
    return f"{name} is already {status.value}, so there is nothing to do."


def confirm_delete(name: str) -> str:
    """Asks for confirmation before an agent is deleted."""
    return (
        f"Do you really want to delete {name}? It can be restored for 30 days. Say yes to delete it, or no."
    )


def deleted(name: str) -> str:
    """Confirms that an agent was deleted."""
    return f"Done, {name} is deleted."


def gone(name: str) -> str:
    """Says that an agent has been deleted in the meantime."""
    return f"{name} doesn't exist any more, so I've changed nothing."


def not_owned(name: str) -> str:
    """Declines a change to another user's agent."""
    return (
        f"{name} was shared with you by a colleague, and only its owner can change it, so I've left it as "
        "it is. I can set up one like it for you."
    )


ADDRESS_BLOCKED = (
    "I can't send results to that web address: it has to be a public one that begins with https://."
)

TARGET_NOT_ALLOWED = (
    "Your workspace doesn't let me send results to that address; an administrator can allow it "
    "in the workspace's policy."
)


def name_taken(name: str) -> str:
    """Says that another agent has the new name."""
    return (
        f"You already have an agent called {name}, so I've left the name as it was. Which other name "
        "would you like?"
    )


def name_unusable() -> str:
    """Rejects a new name without a letter or digit."""
    return "I can't make a name out of that: please use at least one letter or digit."


def what_to_change(card: AgentCard) -> str:
    """Asks what to change, when the change wasn't understood."""
    return (
        f"What should change about {card.name}? I can change its schedule, source, what it looks at, "
        "where results go or its name, and I can pause or delete it."
    )


WHICH_AGENT = "Which of your agents do you mean? I don't want to change the wrong one."


def confirm_what(card: AgentCard, change: str) -> str:
    """Asks for confirmation before an agent gets another job."""
    return f"I would change what {card.name} does ({change}). Shall I?"


def add_instruction(card: AgentCard, instruction: str) -> str:
    """Offers to add a change that fits no field to the instructions."""
    return f'I can add this to the instructions of {card.name}, word for word: "{instruction}" Shall I?'


def instructions_full(name: str) -> str:
    """Says that there is no room for another instruction."""
    return f"The instructions of {name} are as long as they can get, so I've left them as they are."


NO_SUCH_AGENT = (
    "I couldn't find an agent by that name, and I don't want to change the wrong one. Do you mean:"
)


def no_agents() -> str:
    """Says that there are no agents to change or run."""
    return "You don't have any agents yet. Would you like to set one up? Just tell me what it should do."


def no_such_agent(cards: Sequence[AgentCard]) -> str:
    """Says that no agent has this name or position."""
    if not cards:
        return no_agents()
    names = ", ".join(card.name for card in cards[:10])
    return f"I couldn't find that agent. You have: {names}. Which one do you mean?"


def moment_text(when: datetime, time_zone: str) -> str:
    """Formats a moment with its time zone: ``30 January 2026, 9:00 AM (UTC)``."""
    local = when.astimezone(ZoneInfo(time_zone))
    return (
        f"{local.day} {local:%B %Y}, {local.hour % 12 or 12}:{local:%M} "
        f"{'AM' if local.hour < 12 else 'PM'} ({time_zone})"
    )


VISIBILITY_HELP = (
    'An agent is seen by its owner alone, until they say "share it with my team": then everybody in your '
    "workspace sees it and can run it, and only its owner can change it."
)
OPTIONS_AGAIN = "Welcome back! I had offered you these, because your request could mean any of them:"
WHICH_OPTION = "Gladly, but which of them?"
UNSURE = "I want to get this right, and your request could mean more than one thing. Shall I:"


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


def _marks(card: AgentCard, user: str, served: ConnectedServices) -> str:
    marks = []
    if card.status is AgentStatus.PAUSED:
        marks.append("paused")
    needs = tuple(need for need in card.needs_connection if need not in served)
    if needs:
        marks.append(f"needs {connections_text(needs)}")
    if card.owner != user:
        marks.append(f"shared by {card.owner}")
    return f" ({'; '.join(marks)})" if marks else ""


def changed(name: str, agent: Agent, what: str, missing: Sequence[Missing]) -> str:
    """Reports a changed agent; ``missing`` is what has to be told of what it lacks."""
    lacks = f"\n\n{missing_text(missing)}" if missing else ""
    return f"Done, I've changed {name}: {what}. It now looks like this:\n{render_agent(agent)}{lacks}"


def already_so(name: str, requested: Sequence[str]) -> str:
    """Says that the agent is like that already."""
    return (
        f"{name} is like that already ({'; '.join(requested)}), so I've left it as it is. "
        "What should change about it?"
    )


def schedule_unfit(text: str) -> str:
    """Says that a schedule is not supported and names the nearest one that is."""
    near = nearest_supported(text)
    instead = f" The nearest I can do is {near}." if near else ""
    return (
        f'My schedules can\'t do "{text[:1].lower()}{text[1:]}": they repeat every so many minutes, five or '
        f"more, or hours, or at fixed times of a day, week or month.{instead}"
    )


SHARED_WITH_ALL = (
    "I can share it with everybody in your workspace, but not with single people. Shall I share it with all?"
)


def confirm_sharing(name: str) -> str:
    """Asks for confirmation before an agent is shared."""
    return f"I understood: share {name} with everybody in your workspace. Shall I?"


def resumed(agent: Agent, missing: Sequence[Missing]) -> str:
    """Confirms that an agent's schedule is active again; ``missing`` is what has to be told that it lacks."""
    lacks = f"\n\n{missing_text(missing)}" if missing else ""
    return f"Done, {agent.name} is active again: {schedule_text(agent.schedule)}.{lacks}"


def paused(name: str, *, is_for_a_while: bool = False) -> str:
    """Confirms that an agent is paused; with ``is_for_a_while``, adds that it won't resume by itself."""
    alone = " I don't resume agents by myself:" if is_for_a_while else ""
    say = "say" if alone else "Say"
    return f'Done, {name} is paused.{alone} {say} "resume {name}" when you want its schedule back.'


def how_often(agent: Agent) -> str:
    """Asks for the new schedule, when the user wants another one but doesn't say which."""
    return f"How often should {agent.name} work? Its schedule now: {schedule_text(agent.schedule)}."
