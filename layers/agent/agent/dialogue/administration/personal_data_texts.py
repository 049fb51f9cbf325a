"""Every sentence about users' own data that is shown to people. Pure functions."""

from __future__ import annotations

from agent.dialogue.workspace_questions.texts import counted


def export() -> str:
    """Say how users get their data as a file."""
    return (
        "I can't send files. You can save each chat yourself: its menu (⋯) in the list of chats has Save "
        "as JSON and Save as Markdown. All chats in one file come from /v1/export, agents, tasks and "
        "results from /v1/agents, /v1/tasks and /v1/runs; your IT team can fetch them for you."
    )


def ask_to_erase(*, is_of_all: bool) -> str:
    """Ask before everything of a user is erased, naming what goes."""
    scope = "I can erase what is yours, not the whole workspace; its operator does that. " * is_of_all
    return (
        f"{scope}Shall I erase everything of yours: chats, agents, tasks, results and usage? It takes a "
        "few minutes, you are locked out meanwhile, and nothing can be brought back."
    )


def all_or_nothing() -> str:
    """Ask again: an erasure takes everything and happens at once."""
    return (
        "Not yet: an erasure takes everything at once and keeps nothing. If you need a copy or want to keep "
        "something, see to that first. Shall I erase it all now?"
    )


def duration() -> str:
    """Say how long an erasure takes."""
    return (
        "A few minutes; until it is done you can't sign in. Backups are gone after 35 days. Nothing is "
        "erased so far. Shall I erase everything of yours?"
    )


def erasing() -> str:
    """Confirm that an erasure was requested."""
    return (
        "Everything of yours is being erased, this chat too. Expect to be locked out for a few minutes; "
        "backups are gone after 35 days."
    )


def on_hold() -> str:
    """Say that nothing may be erased."""
    return "Your workspace is on legal hold, so nothing may be erased until an administrator lifts it."


def ask_to_delete_conversation(grace_days: int, *, is_held: bool) -> str:
    """Ask before the conversation is deleted."""
    return f"Shall I delete this chat? {_back(grace_days, is_held=is_held)} Your agents and tasks stay."


def deleting_conversation(grace_days: int, *, is_held: bool) -> str:
    """Confirm that the conversation goes."""
    return f"This chat is gone in a moment. {_back(grace_days, is_held=is_held)}"


def how_to_delete_conversation(grace_days: int, *, is_held: bool) -> str:
    """Say how conversations are deleted."""
    return (
        "Open the chat's menu (⋯) in the list of chats and choose Delete, or tell me to delete this chat. "
        f"{_back(grace_days, is_held=is_held)} Your agents and tasks stay."
    )


def _back(grace_days: int, *, is_held: bool) -> str:
    if is_held:
        return "Your workspace is on legal hold: you won't see it any more, but its data stays."
    return f"It can be restored for {counted(grace_days, 'day')}." if grace_days else "It can't be restored."
