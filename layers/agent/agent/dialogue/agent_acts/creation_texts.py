"""Every sentence about new agents and open schedules that is shown to people. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from agent.checks.check import Expectation
from agent.dialogue import texts
from agent.dialogue.agent_acts.schedules import Requested
from agent.readiness import Missing
from agent.workspace.agents import Agent, Schedule

_QUESTIONS = {
    "job": "what should it watch or report",
    "source": "which system or sheet has the data",
    "when": "when should it run",
    "time": "at what time",
    "where": "where should I send the results: by e-mail, to Slack or here",
}


_EXAMPLES = {
    "when": " For example: “every weekday at 8 AM”, or “only when I ask”.",
    "time": " For example: “at 8 AM”.",
    "where": " For example: “mail it to ana@example.com”, or “here”.",
    "source": " For example: “Google Sheets”, or “none”.",
    "job": " For example: “orders that are late”.",
}


WATCH_FOR_OUTAGES = "watch {url} and tell me when it is down"
WATCH_FOR_CHANGES = "watch {url} for changes"
"""The requests that an offer to watch a page stands for."""


def watched_page(*, is_change: bool) -> str:
    """Return what is watched of a page whose address isn't known yet."""
    return "whether it changes" if is_change else "whether it is up"


def offer_watch(url: str, *, is_change: bool) -> str:
    """Offer to watch a page; ask for its address where ``url`` is empty."""
    page = url.removeprefix("https://") or "that page"
    if is_change:
        offer = f"I can look at {page} every hour and tell you here when anything on it changes."
    else:
        offer = f"I can check {page} every five minutes and tell you here as soon as it is down."
    return f"{offer} {'Shall I?' if url else 'What is the address of the page?'}"


def ask_schedule(found: Requested, name: str) -> str:
    """Ask what is open about a schedule, or offer what comes near it."""
    offers = [offer.said for offer in found.offers[:2]]
    if found.why or (offers and "time" not in found.asks):
        why = found.why or "I can't run it exactly like that"
        return (
            f"{why[:1].upper()}{why[1:]}. Would {texts.either(offers)} do?"
            if offers
            else f"{why}. When should it run?"
        )
    if "am_pm" in found.asks and offers:
        return f"Do you mean {texts.either(offers)}?"
    if found.asks == ("time",):
        return f"At what time should {name} run?"
    if found.asks == ("am_pm",):
        return f"At what time exactly should {name} run, with AM or PM?"
    return f"On which days, and at what time should {name} run?"


def doubt_of(found: Requested) -> str:
    """Say what is in the way of a schedule, or what else it may mean; empty when it only lacks something."""
    offers = [
        texts.schedule(Schedule.of(offer.timing, offer.said), offer.timing.zone) for offer in found.offers[:2]
    ]
    if found.why and offers:
        return f"{found.why[:1].upper()}{found.why[1:]}. Would {texts.either(offers)} do?"
    if found.why:
        return f"{found.why[:1].upper()}{found.why[1:]}."
    if len(offers) > 1:
        return f"Do you mean {texts.either(offers)}?"
    return ""


def which_time(options: Sequence[str]) -> str:
    """Ask which of the times is wanted that were left open."""
    said = [f"{label}) {words}" for label, words in zip("abcdefgh", options, strict=False)]
    return f"Which one: {' or '.join(said)}?"


def ask_parts(
    parts: Sequence[str],
    known: str,
    *,
    proposed: str = "",
    doubt: str = "",
    is_timed: bool = False,
    is_page: bool = False,
) -> str:
    """Ask for the missing parts of a new agent in one question.

    ``proposed`` is a schedule that may do; ``doubt`` is asked in place of when it should run. ``is_timed``:
    the time of day is known, and only the days are open. ``is_page``: the data are on a web page.
    """
    left = [part for part in parts if not (doubt.endswith("?") and part == "when")]
    asked = _question(left, "" if doubt else proposed, is_timed=is_timed, is_page=is_page)
    return " ".join(one for one in (known, doubt, asked) if one)


def _question(
    parts: Sequence[str], proposed: str = "", *, is_timed: bool = False, is_page: bool = False
) -> str:
    days = {"when": "on which days should it run"} if is_timed else {}
    page = {"source": "what is the address of the page"} if is_page else {}
    asked = [{**_QUESTIONS, **days, **page}[part] for part in parts]
    if proposed and "when" in parts:
        asked[list(parts).index("when")] += f" ({proposed}, for example)"
    if not asked:
        return ""
    joined = asked[0] if len(asked) == 1 else f"{', '.join(asked[:-1])}, and {asked[-1]}"
    return f"{joined[:1].upper()}{joined[1:]}?"


def ask_parts_again(parts: Sequence[str]) -> str:
    """Ask once more for what wasn't understood, with an example to follow."""
    example = next((_EXAMPLES[part] for part in parts if part in _EXAMPLES), "")
    return f"Sorry, I still miss something. {_question(parts)}{example}"


def understood_so_far(what: str, when: str, source: str) -> str:
    """Repeat what is known of a new agent, in short; empty when that is nothing."""
    parts = [part for part in (what, f"from {source}" if source else "", when) if part]
    return f"OK: {', '.join(parts)}." if parts else ""


def which_name(name: str, names: Sequence[str]) -> str:
    """Ask which of several new names an agent should have."""
    return f"Which name should {name} have: {texts.either(names)}?"


def cannot_send(way: str) -> str:
    """Say that results can't go the way that was named."""
    return _CANNOT_SEND.get(way, f"I can't send to {way}.")


_CANNOT_SEND = {
    "text message": "I can't send text messages.", "phone": "I can't call or write to a phone.",
    "pager": "I can't send to a pager.", "fax": "I can't send a fax.",
    "direct message": "I can't send direct messages.",
    "push notification": "I can't send push notifications.",
}  # fmt: skip


def still_delivers(name: str, where: str) -> str:
    """Say that results go where they went, and ask where else they should."""
    return f"{name} still {where}. Should it go by e-mail, to Slack or here instead?"


def set_aside(what: str) -> str:
    """Say that an unfinished agent waits while another one is set up."""
    return f"The agent for {what} is still open; I'll come back to it."


def still_open(what: str) -> str:
    """Name an unfinished agent after another one was set up."""
    return f"The agent for {what} is still open."


def not_saved_yet(what: str) -> str:
    """Say that an unfinished agent can't do anything yet."""
    return f"The agent for {what or 'you'} isn't saved yet."


def draft_dropped() -> str:
    """Confirm that a new agent isn't made."""
    return "OK, I've dropped it. Nothing was saved."


def draft_kept(what: str) -> str:
    """Say that an unfinished agent waits."""
    return f"No problem. The agent for {what or 'you'} waits; say “go on” when you're ready."


def left_with_draft(what: str) -> str:
    """Say goodbye to somebody whose agent is unfinished."""
    return f"Bye! The agent for {what or 'you'} waits; say “go on” when you're back."


def created(agent: Agent, zone: str, missing: Sequence[Missing], assumed: Sequence[str]) -> str:
    """Confirm a new agent in one or two sentences."""
    when = f"runs {texts.schedule(agent.schedule, zone)}" if agent.schedule else "runs when you ask"
    source = f" reads {texts.services(agent.sources)}," if agent.sources else ""
    if agent.check is not None:  # the name of any other check says what it looks at
        is_of_changes = agent.check.expect is Expectation.UNCHANGED
        source = f" watches {agent.check.url} for changes," if is_of_changes else ""
    taken = f" ({assumed[0]})" if assumed and "is taken as" not in assumed[0] else ""
    where = texts.delivers(agent.delivery)
    return f"Saved: {agent.name}{source} {when}{taken} and {where}.{texts.lacking(missing)}"
