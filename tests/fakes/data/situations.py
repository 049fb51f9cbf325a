"""Situations for the intent layer: a message that follows one reply with a note, with three known agents."""

from __future__ import annotations

from datetime import UTC, datetime

from conversation.messages.models import Choice, Message, Note, Pending, Reference, Role
from intent.situation import KnownAgent, Situation

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
NOTION = KnownAgent("id-notion", "notion-reporter", "Weekly Notion project summaries")
JIRA = KnownAgent("id-jira", "jira-overdue-monitor", "Daily overdue ticket alerts")
FINANCE = KnownAgent("id-finance", "financial-analyzer", "Monthly revenue analysis")
AGENTS = (NOTION, JIRA, FINANCE)


def history_message(role: Role, content: str, *, note: Note | None = None, sequence: int = 1) -> Message:
    """Return one message of a history."""
    return Message(
        id=str(sequence),
        conversation_id="c",
        sequence=sequence,
        role=role,
        content=content,
        created_at=NOW,
        turn_id="t",
        tokens=1,
        note=note or Note(),
    )


def situation_after(
    note: Note | None,
    message: str,
    *,
    reply: str = "Done.",
    agents: tuple[KnownAgent, ...] = AGENTS,
    wish: str = "…",
) -> Situation:
    """Return the situation of a message after a request and a reply with this note.

    Without a note, the message starts the conversation.
    """
    history = (
        ()
        if note is None
        else (history_message(Role.USER, wish), history_message(Role.ASSISTANT, reply, note=note, sequence=2))
    )
    return Situation(message=message, now=NOW, history=history, agents=agents, time_zone="Europe/Berlin")


def reference(agent: KnownAgent) -> Reference:
    """Return a note's reference to an agent."""
    return Reference(kind="agent", id=agent.id, name=agent.name)


def listing_note() -> Note:
    """Return the note of a reply that listed the agents."""
    return Note(listed=tuple(map(reference, AGENTS)))


def agent_note(agent: KnownAgent = JIRA) -> Note:
    """Return the note of a reply about one agent."""
    return Note(did=f"changed the agent {agent.name}", about=reference(agent))


def draft_note(asking: str) -> Note:
    """Return the note of a reply that asked for a part of a new agent."""
    return Note(draft={"kind": "report"}, asking=asking)


def deletion_note(agent: KnownAgent = NOTION) -> Note:
    """Return the note of a reply that asked whether to delete an agent."""
    entities = {"operation": "delete", "agent_id": agent.id, "agent_name": agent.name}
    return Note(pending=Pending(action="update_agent", entities=entities, summary=f"delete {agent.name}"))


def choices_note() -> Note:
    """Return the note of a reply that offered three numbered options."""
    return Note(
        choices=(
            Choice(
                label="Run financial-analyzer anyway",
                action="execute_task",
                entities={"agent_id": FINANCE.id},
            ),
            Choice(label="Create a new agent", action="create_agent"),
            Choice(label="Approach it differently", action="query_info"),
        )
    )
