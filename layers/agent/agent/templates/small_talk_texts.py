"""Replies apart from tasks: greetings, help, returning users, unclear messages. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agent.templates.agent_texts import moment_text


def declined() -> str:
    """Acknowledges a no to an offer."""
    return "All right, I've left everything as it is. What would you like instead?"


def postponed() -> str:
    """Acknowledges a "later" to an offer."""
    return "No problem, it can wait. Just tell me when you want to come back to it."


def nothing_to_confirm() -> str:
    """Answers a yes or a number that refers to nothing."""
    return (
        "I'm not sure what that refers to: nothing is waiting for an answer right now. What would you "
        "like me to do?"
    )


def nothing_to_cancel() -> str:
    """Answers a "never mind" that refers to nothing."""
    return "All right, nothing is waiting for an answer. What would you like to do?"


def help_text(assistant: str) -> str:
    """Lists what the user can ask for."""
    return (
        f"I'm {assistant}. You can tell me in your own words what you need, for example:\n"
        '- set up an agent: "watch our Jira board for overdue tickets and alert me on Slack"\n'
        '- see them: "list my agents", "show the first one"\n'
        '- change them: "make it weekly", "pause it", "rename it", "delete it"\n'
        '- ask for a run: "run the first one"\n'
        '- your tasks: "add a task to call the bank by Friday", "what\'s on my list?"\n'
        '- what was said before: "what did we decide about the Jira agent last week?"\n'
        '- what it costs: "how much did we spend this month?"\n'
        '- your workspace: "show our settings", "keep our chats for 90 days" (administrators)'
    )


def signed_in_as(user: str, tenant: str) -> str:
    """Says as whom the user is signed in."""
    return f"You are signed in as {user}{f', in the workspace of {tenant}' if tenant else ''}."


def apologies() -> str:
    """Apologises to a user who is annoyed with the assistant."""
    return "I'm sorry I wasn't of more help. Tell me in other words what you need, or say \"help\"."


def no_harm() -> str:
    """Accepts an apology."""
    return "No problem at all! What can I do for you?"


def now_text(now: datetime, time_zone: str) -> str:
    """Says what time it is."""
    return f"It is {moment_text(now, time_zone)}."


def nothing_open() -> str:
    """Tells a returning user that nothing is unfinished."""
    return "Nothing is unfinished between us. What would you like to do?"


def last_done(did: str) -> str:
    """Tells a returning user what was done last."""
    return f"Welcome back! The last thing I did: I {did}. Nothing is unfinished. What's next?"


def still_pending(summary: str) -> str:
    """Repeats to a returning user what waits for a yes."""
    return f"Welcome back! I was waiting for your yes to this: {summary}. Shall I?"


def welcome_back(where: str) -> str:
    """Welcomes a user back to an unfinished agent."""
    return f"No problem! {where}"


def unknown_topic(topic: str | None) -> str:
    """Answers a question outside the assistant's knowledge."""
    about = f" about {topic}" if topic else ""
    return (
        f"I don't have an answer{about}. For general questions a search engine is the place; for questions "
        'about your workspace, ask your administrator. What I can do: say "help".'
    )


def ask_for_details(questions: str) -> str:
    """Asks for more detail when the user wants another solution."""
    return f"Gladly. Tell me a bit more, and I'll suggest an agent that fits:\n{questions}"


def not_understood(names: Sequence[str]) -> str:
    """Answers a request that is too unclear."""
    example = f"run or change one of your agents ({', '.join(names)})" if names else "list what you have"
    return (
        f"I'm not sure what you'd like me to do. Would you like to set up a new agent, {example}, or see "
        "your workspace's settings? A sentence in your own words is enough."
    )


def gibberish() -> str:
    """Answers an unreadable message."""
    return (
        'I couldn\'t make that out. Could you say it in other words? For example: "list my agents" '
        'or "watch our inbox for invoices".'
    )


def hello(name: str) -> str:
    """Returns a greeting."""
    return f"Hello! I'm {name}. What would you like to get done?"


def welcome() -> str:
    """Answers thanks."""
    return "You're welcome! Anything else?"


def goodbye() -> str:
    """Returns a farewell."""
    return "Goodbye! Everything we did is kept; just come back to this conversation."


def doing_well() -> str:
    """Answers "how are you?"."""
    return "All well here, thanks for asking! What can I do for you?"
