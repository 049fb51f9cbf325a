"""Replies about skills. They never contain a secret and never claim more than was done."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from agent.templates import agent_texts
from agent.workspace.skills import (
    Health,
    HealthStatus,
    Skill,
    SkillCard,
    WaitingTool,
)
from tools.remote.remote_server import plain_name

_REASONS = {
    "timeout": "it took too long to answer",
    "unreachable": "it couldn't be reached",
    "unavailable": "it, or the secret it is called with, wasn't available",
    "too_large": "its answer was too large",
    "url_blocked": "its address isn't one I may speak to",
    "scheme_blocked": "its address isn't https",
    "result_invalid": "it doesn't speak MCP as it should",
    "not_allowed": "it refuses the key it is called with, or wants one",
    "not_found": "it is gone, or not yours to use",
    "sign_in_needed": "somebody has to sign in to it first",
}
_CALL_REASONS = {
    **_REASONS,
    "too_large": "its answer was too large",
    "result_invalid": "it answered something other than it promises",
    "failed": "it reported an error",
}

MAX_NAMED = 10
MAX_QUOTED = 200
HOW_TO = (
    "A skill is an MCP server or a webhook that your agents may use. To connect one, tell me its address and "
    'a name, such as "connect the MCP server https://mcp.example.com/mcp as wiki". If it wants a key, an '
    "admin enters it under Connections on the page, never here; a webhook always needs one, because its "
    "requests are signed."
)


def unusable(name: str, reason: str, page_url: str | None) -> str:
    """Says that a run had to do without a skill; ``reason`` is an error code."""
    if reason == "sign_in_needed":
        return f"Connect {name} first: {sign_in_words(page_url, name)}."
    return f"I couldn't use the skill {name}: {_REASONS.get(reason, 'it refused')}."


def sign_in_words(page_url: str | None, service: str) -> str:
    """Returns where to sign in to a service, within a sentence."""
    if page_url is None:
        return "sign in to it under Connections on the page"
    return f"[sign in here]({page_url}/?panel=connections&connect={quote(service, safe='')})"


def tools_wait(name: str, tools: Sequence[str]) -> str:
    """Says that a run had to do without some tools of a skill, because its owner has to accept them first."""
    return (
        f"I did without {_count(len(tools))} of the skill {name}: {_names(tools)}. "
        f"{'They are' if len(tools) > 1 else 'It is'} new or changed, and its owner has to accept that first."
    )


def tool_failed(skill: str, tool: str, reason: str) -> str | None:
    """Says that a tool of a skill failed in a run; None when the failure wasn't its server's."""
    why = _CALL_REASONS.get(reason)
    return None if why is None else f"The tool {tool} of the skill {skill} failed: {why}."


def secret_by_name_hint() -> str:
    """Returns the sentence appended to the reply when the user wrote a key or password for an agent."""
    return (
        "\n\nI've left the key or password you wrote out of it: agents and skills hold none. An admin enters "
        "it under Connections on the page, and a skill is then called with it. Better replace one that was "
        "written in a chat."
    )


def health(skill: Skill, time_zone: str) -> str:
    """Says what the last check of a skill found and that a new one is under way."""
    known = _known(skill.name, skill.health, time_zone)
    waiting = skill.health.waiting_tools
    if waiting:
        known += f" {_count(len(waiting))} of it {'wait' if len(waiting) > 1 else 'waits'} for its owner: "
        known += f'say "accept the tools of the {skill.name} skill" to see what changed.'
    if gone := skill.health.removed_tools:
        known += f" It doesn't offer {_names(gone)} any more."
    return f"{known} I'm having it looked at again; ask me in a moment."


def confirm_tools(skill: Skill, tools: Sequence[WaitingTool]) -> str:
    """Shows tools that are new or have changed, in their server's words, and asks whether to accept them."""
    lines = [_waiting_line(tool) for tool in tools]
    more = len(skill.health.waiting_tools) - len(tools)
    rest = f"\n\n{more} more {'wait' if more > 1 else 'waits'}; these come first." if more else ""
    return (
        f"These tools of {skill.name} are new or have changed, so agents do without them. What is quoted is "
        f"its server's text, not mine:\n{agent_texts.numbered_list(lines)}{rest}\n\n"
        f"Shall I accept {_them(lines)} like this?"
    )


def tools_accepted(name: str, tools: Sequence[str]) -> str:
    """Confirms that tools of a skill were accepted."""
    return f"Done, I've accepted {_names(tools)} of {name}. Agents use {_them(tools)} from their next run on."


def tools_changed_again(name: str) -> str:
    """Says that nothing was accepted, because a tool isn't any more as it was shown."""
    return (
        f"The tools of {name} changed again meanwhile, so I've accepted nothing. Ask me to accept them, and "
        "I'll show how they are now."
    )


def no_tools_wait(name: str) -> str:
    """Says that there is nothing to accept."""
    return f"No tool of {name} waits to be accepted, as far as I knew when it was last looked at."


def which(cards: Sequence[SkillCard]) -> str:
    """Asks which skill is meant; says so if there are none."""
    if not cards:
        return f"There are no skills yet. {HOW_TO}"
    return f"Which skill do you mean? You have: {', '.join(card.name for card in cards)}."


def tools_not_owned(name: str) -> str:
    """Declines to accept tools of another user's skill."""
    return f"{name} isn't yours, and only its owner or an admin may accept its tools."


def _waiting_line(tool: WaitingTool) -> str:
    name = plain_name(tool.name)
    if tool.accepted_description is None:
        return f"{name} (new): {_quoted(tool.description)}"
    if tool.accepted_description == tool.description:
        return f"{name} (changed: {', '.join(tool.changed)}): {_quoted(tool.description)}"
    return (
        f"{name} (changed: {', '.join(tool.changed)}): now {_quoted(tool.description)}, "
        f"accepted as {_quoted(tool.accepted_description)}"
    )


def _quoted(text: str) -> str:
    """The text of a server between quotation marks, which it can't end itself."""
    plain = text.replace('"', "'")
    return f'"{plain[:MAX_QUOTED]}{"…" * (len(plain) > MAX_QUOTED)}"' if plain else "no description"


def _names(tools: Sequence[str]) -> str:
    return f"{', '.join(map(plain_name, tools[:MAX_NAMED]))}{' and more' * (len(tools) > MAX_NAMED)}"


def _them(tools: Sequence[str]) -> str:
    return "them" if len(tools) > 1 else "it"


def _count(number: int) -> str:
    return f"{number} tool{'s' * (number > 1)}"


def _known(name: str, found: Health, time_zone: str) -> str:
    if found.checked_at is None:
        return f"Nobody has looked at {name} yet."
    when = agent_texts.moment_text(found.checked_at, time_zone)
    if found.status is HealthStatus.OK:
        tools = f" and offers {', '.join(found.tools[:10])}" if found.tools else ""
        return f"{name} worked when it was last looked at, on {when}{tools}."
    why = _REASONS.get(found.reason, "it refused")
    return f"{name} did not work when it was last looked at, on {when}: {why}."
