"""Every sentence about acts that is shown to people; `docs/voice.md` says how they read. Pure functions."""

from __future__ import annotations

import calendar
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from agent.readiness import Missing
from agent.templates.readiness_texts import link_request, missing_text
from agent.workspace.agents import Agent, Schedule, join_services, join_words
from agent.workspace.delivery_targets import Channel, Delivery, is_mail_address, is_slack_url, shown_address
from intent.acts.act import ActKind
from intent.regular_expressions import lower_pattern
from tasks.task import Task

ADDRESS_BLOCKED = "I can't send anything to that address. Which other one should I use?"
TARGET_NOT_ALLOWED = (
    "Your workspace doesn't allow sending to that address; an administrator can allow it. "
    "Where else should the results go?"
)
_VERBS = {
    ActKind.PAUSE_AGENT: "pause", ActKind.RESUME_AGENT: "turn on again", ActKind.DELETE_AGENT: "delete",
    ActKind.SHARE_AGENT: "share", ActKind.UNSHARE_AGENT: "make private", ActKind.RUN_AGENT: "run",
    ActKind.CHANGE_AGENT: "change", ActKind.COPY_AGENT: "copy", ActKind.SHOW_AGENT: "look at",
    ActKind.SHOW_RESULT: "look at", ActKind.COMPLETE_TASK: "tick off", ActKind.REOPEN_TASK: "reopen",
    ActKind.CHANGE_TASK: "change", ActKind.DELETE_TASK: "delete", ActKind.CANCEL_RUN: "stop",
    ActKind.RESTORE_AGENT: "bring back", ActKind.RESTORE_TASK: "bring back",
}  # fmt: skip
_WITH = lower_pattern(r"\b(?:with|to|for|let) ([^,.!?]+)")
_EVERYBODY = lower_pattern(
    r"\b(?:everybody|everyone|all|team|teams|workspace|company|colleagues|coworkers|others|us|group|department"
    r"|office|rest|staff|people|crew|whole|org|public|anyone|anybody)\b"
)


def join(names: Sequence[str]) -> str:
    """Return names joined by commas and an ``and``."""
    return join_words(list(names))


def either(names: Sequence[str]) -> str:
    """Return names joined by commas and an ``or``."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last


def verb_of(kind: ActKind) -> str:
    """Return what an act does, as a verb."""
    return _VERBS.get(kind, "change")


def which_agent(verb: str, names: Sequence[str]) -> str:
    """Ask which of several agents is meant."""
    if len(names) > 8:
        return f"Which agent should I {verb}? You have {len(names)}; tell me its name."
    if len(names) == 1:
        return f"Do you mean that I should {verb} {names[0]}?"
    return f"Which one should I {verb}: {either(names)}?"


def not_among_options() -> str:
    """Say that none of the options is meant, before they are listed again."""
    return "That isn't one of these:"


def no_such_agent(words: str, names: Sequence[str]) -> str:
    """Say that no agent fits, and ask which one is meant."""
    if len(names) == 1:
        return f"I don't see an agent for “{words}”, only {names[0]}. Do you mean that one?"
    return f"I don't see an agent for “{words}”. Which one do you mean: {either(names[:8])}?"


def no_such_exception(words: str, names: Sequence[str]) -> str:
    """Say that what was to be left out doesn't exist, so that nothing was done."""
    return f"I don't see an agent for “{words}”. You have {join(names[:8])}."


def no_agents() -> str:
    """Say that there are no agents."""
    return "You don't have any agents yet. Tell me what you'd like to be told about, and I'll set one up."


def not_yours(name: str, owner: str) -> str:
    """Say that only the owner may change an agent."""
    return (
        f"{name} belongs to {owner}, so only {owner} can change it. "
        "You can run it, or set up one of your own."
    )


def already(names: str, state: str, count: int) -> str:
    """Say that nothing had to change."""
    return f"{names} {'is' if count == 1 else 'are'} already {state}."


def paused(names: str, count: int, *, until: str, kept: Sequence[str]) -> str:
    """Confirm a pause, and say what a pause until a day can't do."""
    verb = "is" if count == 1 else "are"
    text = f"{names} {verb} paused."
    if until:
        it = "it" if count == 1 else "them"
        text += f" I can't turn {it} back on by myself, so tell me when you want {it} again."
    return text + (f" {join(kept)} keeps running." if kept else "")


def pauses_only_now(names: str, day: str) -> str:
    """Say that a pause can't begin on a later day, and offer it for now."""
    return (
        f"I can't begin a pause later or end it by myself, so {names} goes on as before. Shall I pause"
        f" it now,"
        f" instead of {day}?"
    )


def resumed(agents: Sequence[Agent], missing: Sequence[Missing]) -> str:
    """Confirm that agents work again, and when."""
    lines = []
    for agent in agents:
        when = f" and runs {schedule(agent.schedule)}" if agent.schedule else ""
        lines.append(f"{agent.name} is active again{when}.")
    return "\n".join(lines) + (lacking(missing) if len(agents) == 1 else "")


def ask_to_delete(names: Sequence[str], kept: Sequence[str]) -> str:
    """Ask before agents are deleted, naming each of them."""
    rest = f" {join(kept)} stays." if kept else ""
    return f"Shall I delete {join(names)}?{rest}"


def deleted(names: str, count: int) -> str:
    """Confirm a deletion."""
    return f"Deleted: {names}. Say “undo” if you want {'it' if count == 1 else 'them'} back."


def only_with_all(names: str) -> str:
    """Say that agents are shared with everybody or nobody."""
    return (
        f"I can't share {names} with single people, only with everybody in your workspace. "
        "Shall I share it with everybody?"
    )


def names_one_person(words: str, names: Sequence[str]) -> bool:
    """Return whether words share something with somebody in particular."""
    text = words.lower()
    for name in names:
        text = text.replace(name.lower(), " ")
    found = _WITH.search(text)
    is_limited = any(one in text for one in (" only", "nobody else", "no one else", "just with"))
    return (found is not None or is_limited) and _EVERYBODY.search(text) is None


def shared(names: str, *, is_shared: bool) -> str:
    """Confirm that an agent is shared or private now."""
    verb, them = ("are", "them") if " and " in names else ("is", "it")
    if is_shared:
        return f"{names} {verb} now shared: everybody in your workspace can see and run {them}."
    return f"{names} {verb} private now: only you can see {them}."


def what_to_change(name: str) -> str:
    """Ask what should become different."""
    return (
        f"What should change about {name}: when it runs, where it sends its results, what it reads "
        "or what it does?"
    )


def already_so(agent: Agent) -> str:
    """Say that an agent already is as asked."""
    return f"{agent.name} is already set up that way: {described(agent)}"


def changed(old: Agent, said: Sequence[str], missing: Sequence[Missing]) -> str:
    """Confirm a change by saying only what is different."""
    return f"{old.name} {join(said)}.{lacking(missing)}"


def ask_own_address() -> str:
    """Ask for the user's own address."""
    return "I don't know your address. Which one should I mail as well?"


def name_unusable() -> str:
    """Ask for a name with letters or digits."""
    return "A name needs at least one letter or digit. What should I call it?"


def name_taken(name: str) -> str:
    """Ask for another name."""
    return f"You already have an agent called {name}. What other name should it have?"


def limit_reached(limit: int, *, of_user: bool) -> str:
    """Say that no more agents fit."""
    whose = "You have" if of_user else "Your workspace has"
    return (
        f"{whose} {limit} agents, which is the most there can be. Delete one first; this one waits meanwhile."
    )


def instructions_full(name: str) -> str:
    """Say that no more instructions fit."""
    return f"{name} has as many instructions as it can hold. Change them on the page to make room."


def schedule(found: Schedule, zone: str = "") -> str:
    """Return when an agent runs, within a sentence; the zone only when it is another than ``zone``."""
    text = found.words
    text = text if text.split("s ")[0].split(" ")[0].rstrip("s,") in _DAYS else text[:1].lower() + text[1:]
    return text if found.time_zone == zone else f"{text} ({found.time_zone})"


_DAYS = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July"
    " August September October November December".split()
)


def delivers(delivery: Delivery) -> str:
    """Return where results go, as a predicate: ``posts to Slack (#dock)``."""
    return _delivery(delivery, ("reports", "mails", "posts"))


def sent(delivery: Delivery) -> str:
    """Return where results went, as a predicate: ``posted to Slack (#dock)``."""
    return _delivery(delivery, ("reported", "mailed", "posted"))


def _delivery(delivery: Delivery, verbs: tuple[str, str, str]) -> str:
    reports, mails_to, posts = verbs
    rooms = [shown for one in delivery.recipients if "@" not in one and (shown := _room(one))]
    mails = [one for one in delivery.recipients if is_mail_address(one)]
    parts = []
    for channel in delivery.channels:
        if channel is Channel.CONVERSATION:
            parts.append(f"{reports} here")
        elif channel is Channel.EMAIL:
            parts.append(f"{mails_to} {join(mails) if mails else 'you'}")
        else:
            room = f" ({join(rooms)})" if rooms else ""
            parts.append(f"{posts} to {join_services((channel.value,))}{room}")
    return join(parts)


def _room(recipient: str) -> str:
    """Return a place to post to as it is shown; empty for Slack's links, which say nothing to people."""
    return "" if is_slack_url(recipient) else shown_address(recipient)


def services(names: Sequence[str]) -> str:
    """Return services in their usual spelling."""
    return join_services(tuple(names))


def lacking(missing: Sequence[Missing]) -> str:
    """Say what an agent still needs, besides `links_wanted`; empty when that is nothing, or was told."""
    text = missing_text(missing)
    return f" {text}" if text else ""


def link_kept() -> str:
    """Say what became of a link that whoever knows it can post to."""
    return "I keep the link sealed and don't show it again."


def links_wanted(missing: Sequence[Missing]) -> tuple[str, ...]:
    """Ask for what several agents may lack alike; nothing when they lack none of it."""
    return tuple(filter(None, (link_request(missing),)))


def described(agent: Agent, zone: str = "") -> str:
    """Say what an agent does, when, from what and to where, in one sentence."""
    source = f" from {services(agent.sources)}" if agent.sources and agent.check is None else ""
    when = schedule(agent.schedule, zone) if agent.schedule else "only when you ask"
    state = " It is paused." if agent.status == "paused" else ""
    told = f" It follows: “{'”; “'.join(agent.instructions.splitlines())}”." if agent.instructions else ""
    return f"{agent.what}{source}; it runs {when} and {delivers(agent.delivery)}.{told}{state}"


def holding() -> str:
    """Answer somebody who is called away."""
    return "Take your time."


def doubtful(words: str, verb: str, names: Sequence[str]) -> str:
    """Ask before a deed that words hardly ask for."""
    return f"By “{words}”, do you want me to {verb} {join(names)}, or should I put it on your list?"


def doubtful_task(title: str) -> str:
    """Ask before something is put on the list that may not belong there."""
    return f"Shall I put “{title}” on your list, or did you want an agent for it?"


def doubtful_undo(words: str) -> str:
    """Ask before the last change is undone."""
    return f"By “{words}”, do you want me to undo the last change, or did you mean something else?"


def not_done(wishes: Sequence[str], questions: Sequence[str]) -> str:
    """Name what was asked for and not done, and what wasn't answered."""
    done = f"I did not do: {join([f'“{wish}”' for wish in wishes])}." if wishes else ""
    answered = f"I have no answer to: {join([f'“{one}”' for one in questions])}." if questions else ""
    return f"{done} {answered}".strip()


def declined() -> str:
    """Accept a no."""
    return "OK, I'll leave everything as it is."


def nothing_to_confirm() -> str:
    """Answer a yes to nothing."""
    return "Good. Nothing is waiting for an answer right now: what would you like me to do?"


def left_alone(names: Sequence[str]) -> str:
    """Confirm that nothing happens to things."""
    return f"OK, {join(names)} {'stay as they are' if len(names) > 1 else 'stays as it is'}."


def nothing_to_undo() -> str:
    """Say that there is nothing to take back."""
    return "There is nothing to undo: I haven't changed anything in this conversation yet."


def not_renamed() -> str:
    """Say that the last change gave nothing another name."""
    return "The last change gave nothing another name, so I leave it. To take that one back, say “undo”."


def no_such_change(noun: str) -> str:
    """Say that no change of a kind is left to take back."""
    return f"I find no {noun} to take back here. To undo the last change, say “undo”."


def quoted(task: Task) -> str:
    """Return a title in quotation marks."""
    return f"“{task.title}”"


def due_time(moment: datetime, today: date) -> str:
    """Return a day with a time of day within a sentence: ``tomorrow at 3:00 PM``."""
    half = "AM" if moment.hour < 12 else "PM"
    return f"{due(moment.date(), today)} at {moment.hour % 12 or 12}:{moment:%M} {half}"


def repeating(first: str, said: str) -> str:
    """Return when something is due that comes again: ``Friday at 3:00 PM, then Fridays at 3:00 PM``."""
    is_name = said.startswith(tuple(calendar.day_name))
    return f"{first}, then {said if is_name else said[:1].lower() + said[1:]}"


TAKEN_BY_DAY = "If you mean the evening, tell me."
TAKEN_LATE = "If you mean the morning, tell me."


def which_time(words: str) -> str:
    """Ask for the day and the time that words leave open."""
    return f"When exactly: what day and time do you mean by “{words}”?"


def no_repetition(words: str) -> str:
    """Say that a task can't repeat so, and ask for a way in which it can."""
    return (
        f"A task can't come again “{words}”. Tell me one day and time, or days of the week or the month "
        "on which it comes."
    )


def due(day: date, today: date) -> str:
    """Return a day within a sentence: ``today``, ``tomorrow``, ``Friday, March 6``."""
    if (day - today).days in {0, 1}:
        return ("today", "tomorrow")[(day - today).days]
    year = f", {day.year}" if day.year != today.year else ""
    return f"{day:%A}, {day:%B} {day.day}{year}"


def listed_agents(names: Sequence[tuple[str, str, str]]) -> str:
    """List agents: name, what it does and its state, numbered."""
    count = len(names)
    lines = "\n".join(
        f"{place}. {name}: {summary}{state}" for place, (name, summary, state) in enumerate(names, 1)
    )
    return f"You have {count} agent{'' if count == 1 else 's'}:\n\n{lines}"


def no_run_later(name: str, when: str) -> str:
    """Say that a single run can't be planned, and what can be done."""
    return (
        f"I can't start {name} once at a later time ({when}). Shall it run at that time every week, or "
        "do you want it now?"
    )


def started(name: str, parameters: Mapping[str, str], *, is_again: bool = False) -> str:
    """Confirm that an agent works now."""
    told = [parameters[name] for name in ("period", "scope") if name in parameters]
    about = f"{' again' if is_again else ''}{f' for {join(told)}' if told else ''}"
    return f"Started {name}{about}. The result will appear here."


def undone(said: Sequence[str]) -> str:
    """Confirm that something is as it was before."""
    return f"Undone: {join(said)}."


def former_agent(agent: Agent, fields: Sequence[str]) -> str:
    """Return how an agent is again, by the fields that changed back, as a clause."""
    parts = []
    if "name" in fields:
        parts.append(f"is called {agent.name} again")
    if "status" in fields:
        parts.append(f"is {agent.status.value} again")
    if "schedule" in fields:
        parts.append(
            f"runs {schedule(agent.schedule)} again" if agent.schedule else "runs only when you ask again"
        )
    if "delivery" in fields:
        parts.append(f"{delivers(agent.delivery)} again")
    if "shared" in fields:
        parts.append("is shared again" if agent.shared else "is private again")
    subject = "the agent" if "name" in fields else agent.name
    return f"{subject} {join(parts)}" if parts else f"{agent.name} is as it was"


def former_task(task: Task, fields: Sequence[str]) -> str:
    """Return how a task is again, as a clause."""
    if "completed" in fields:
        return f"{quoted(task)} is {'ticked off' if task.completed else 'open'} again"
    return f"{quoted(task)} is as it was"


def changed_since(name: str) -> str:
    """Say that something can't be undone."""
    return (
        f"{name} was changed again since, so I left it as it is. "
        "Tell me how it should be, and I'll change it."
    )


def nothing_deleted() -> str:
    """Say that nothing can be brought back."""
    return "There is nothing to bring back: nothing was deleted in the last 30 days."


def restored(names: str, count: int) -> str:
    """Confirm that something deleted is there again."""
    return f"{names} {'is' if count == 1 else 'are'} back, as before."
