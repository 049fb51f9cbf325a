"""Every sentence about connections that is shown to people. They never contain a secret. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import quote

from agent.dialogue.workspace_questions.texts import names_of
from agent.workspace.agents import join_services, join_words, service_name
from agent.workspace.skills import Skill, SkillCard, SkillStatus
from tools.sign_in.services import find_service

_MOST_LISTED = 20


def spelled(names: Sequence[str]) -> str:
    """Return services joined, in their usual spelling."""
    return join_words([_spelled(name) for name in names])


def _spelled(name: str) -> str:
    return service_name(name) if name.islower() else name


def how_to_connect(missing: Sequence[str], there: Sequence[str]) -> str:
    """Say what connecting services takes, and which are connected already."""
    parts = []
    if there:
        parts.append(f"{spelled(there)} {'is' if len(there) == 1 else 'are'} connected already.")
    if not missing and there:
        return parts[0]
    if not missing:
        return "Which service should I connect? Give me its name, and its address (https://…) if you have it."
    one = spelled(missing)
    it = "its address" if len(missing) == 1 else "an address for each"
    parts.append(
        f"To connect {one}, I need {it}: the https:// link that its settings or your IT team give for "
        "assistants. Paste it here and I'll set it up. Never type a password or key in this chat; an "
        "administrator stores those."
    )
    return " ".join(parts)


def sign_in(page_url: str | None, name: str) -> str:
    """Say that a service is connected by signing in to it, and where."""
    service = find_service(name)
    needs = ""
    if service is not None and service.client is not None:
        needs = " An administrator has to register a client there once; the page says how."
    if page_url is None:
        return f"To connect {_spelled(name)}, sign in to it under Connections on the page.{needs}"
    link = (
        f"{page_url}/?panel=connections&connect={quote(service.name if service else name.lower(), safe='')}"
    )
    return f"[Connect {_spelled(name)}]({link}): sign in there, and your agents can use it.{needs}"


def still_needs_address() -> str:
    """Say that nothing can be connected without an address."""
    return "Without its https:// address I can't connect it. Come back with the address any time."


def ask_name() -> str:
    """Ask what a connection should be called."""
    return "What should I call this connection?"


def ask_to_connect(skill: Skill) -> str:
    """Ask before a service is connected."""
    serves = f" for {join_services(skill.serves)}" if skill.serves else ""
    secret = f" It signs in with the stored secret {skill.secret}." if skill.secret else ""
    whose = "everybody's agents" if skill.shared else "your agents"
    return (
        f"Shall I connect {skill.url}{serves} as “{skill.name}”? {whose.capitalize()} may then "
        f"use it.{secret}"
    )


def connected(skill: Skill) -> str:
    """Confirm a new connection, which is still to be tried."""
    return f"{skill.name} is set up, and I'm trying it now. Ask “is {skill.name} working?” in a moment."


def refused(reason: str) -> str:
    """Say that an address can't be connected."""
    return f"I can't connect that, so nothing was stored. {reason}"


def listed(cards: Sequence[SkillCard], lacking: Sequence[str], waiting: Collection[str]) -> str:
    """Say what is connected, and what agents still lack; ``waiting``: the ids of skills without a sign-in."""
    need = f" Your agents still need {join_services(tuple(lacking))}." if lacking else ""
    if not cards:
        return f"Nothing is connected yet.{need}"
    lines = "\n".join(
        f"- {_line(card)}{', waits for your sign-in' if card.id in waiting else ''}"
        for card in cards[:_MOST_LISTED]
    )
    more = f"\n- {len(cards) - _MOST_LISTED} more" if len(cards) > _MOST_LISTED else ""
    return f"Connected:\n\n{lines}{more}{chr(10) * 2 if need else ''}{need.strip()}"


def title(card: SkillCard) -> str:
    """Return what people call a connection: the services it serves, and its name where that is another."""
    serves = join_services(card.serves) if card.serves else ""
    return f"{serves} ({card.name})" if serves and serves.lower() != card.name else serves or card.name


def _line(card: SkillCard) -> str:
    return f"{title(card)}, turned off" if card.status is SkillStatus.DISABLED else title(card)


def whether_connected(answers: Sequence[tuple[str, SkillCard | None]]) -> str:
    """Say of each service whether it is connected."""
    sentences = []
    for name, card in answers:
        if card is None:
            sentences.append(f"No, {_spelled(name)} isn't connected.")
        elif card.status is SkillStatus.DISABLED:
            sentences.append(f"{_spelled(name)} is set up, but turned off.")
        else:
            sentences.append(f"Yes, {_spelled(name)} is connected.")
    return " ".join(sentences)


def ask_to_remove(names: Sequence[str], agents: Sequence[str]) -> str:
    """Ask before services are disconnected, naming them and who uses them."""
    them = "it" if len(names) == 1 else "them"
    used = ""
    if agents:
        used = (
            f" {names_of(agents)} {'reads' if len(agents) == 1 else 'read'} from {them} and can't "
            f"work without {them}."
        )
    return f"Shall I disconnect {join_words(list(names))}?{used}"


def removed(names: Sequence[str]) -> str:
    """Confirm that services are disconnected."""
    return f"Disconnected: {join_words(list(names))}."


def gone() -> str:
    """Say that what was to be disconnected isn't there any more."""
    return "That isn't connected any more."


def renew(names: Sequence[str]) -> str:
    """Say how a connection is renewed."""
    return (
        f"{spelled(names)} {'is' if len(names) == 1 else 'are'} connected. If that stopped working, an "
        "administrator renews the stored key it signs in with; nothing has to be set up again."
    )


def not_connected(names: Sequence[str], there: Sequence[str], *, is_vague: bool) -> str:
    """Say that there is nothing to disconnect, or ask which one. ``is_vague``: something was meant."""
    if names and there:
        return (
            f"{spelled(names)} isn't connected, so there is nothing to remove. Connected: {names_of(there)}."
        )
    if names:
        return f"{spelled(names)} isn't connected, so there is nothing to remove."
    if there and is_vague:
        return f"Nothing like that is connected. Connected: {names_of(there)}."
    if there:
        return f"Which one should I disconnect: {names_of(there)}?"
    return "Nothing is connected, so there is nothing to remove."


def not_yours(name: str, owner: str) -> str:
    """Say that only its owner or an administrator may disconnect a service."""
    return f"{name} belongs to {owner}; only {owner} or an administrator can disconnect it."
