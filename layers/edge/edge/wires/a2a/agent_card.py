"""The agent card: what A2A clients read of the assistant before they send anything.

Source: `AgentCard` of the package `a2a-sdk`, 1.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PROTOCOL_VERSION = "1.0"
VERSION = "1"
"""Of the card: it changes when a skill does."""

_SKILLS: tuple[tuple[str, str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "agents",
        "Agents for chores",
        "Sets up agents that do a chore on a schedule or when asked, changes, runs and lists them.",
        ("agents", "automation", "schedule"),
        ("I want our project updates from Notion every Monday at 9, and mail them to me", "List my agents"),
    ),
    (
        "tasks",
        "Task list",
        "Adds, lists, changes and completes the user's tasks.",
        ("tasks", "to-do"),
        ("Add a task to buy groceries", "What is still open?"),
    ),
    (
        "questions",
        "Questions",
        "Answers questions, with the tools that the user has allowed.",
        ("questions", "search", "memory"),
        ("What did I say about the budget last week?",),
    ),
)


def card(public_url: str) -> Mapping[str, Any]:
    """The card of the assistant at an address."""
    return {
        "name": "OmniForge",
        "description": "An assistant that remembers every message; its agents work on request or on time.",
        "version": VERSION,
        "supportedInterfaces": [
            {
                "url": f"{public_url.rstrip('/')}/a2a",
                "protocolBinding": "JSONRPC",
                "protocolVersion": PROTOCOL_VERSION,
            }
        ],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "securitySchemes": {
            "bearer": {"httpAuthSecurityScheme": {"scheme": "Bearer", "description": "A token of the API."}}
        },
        "securityRequirements": [{"schemes": {"bearer": {"list": []}}}],
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [
            {"id": key, "name": name, "description": what, "tags": list(tags), "examples": list(examples)}
            for key, name, what, tags, examples in _SKILLS
        ],
    }
