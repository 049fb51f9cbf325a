"""Watches of a web page that are only offered yet, or whose address is still to be told."""

from __future__ import annotations

from agent.checks.check import Check, Expectation
from agent.checks.check_phrases import check_from_words
from agent.dialogue.agent_acts import creation_texts, new_agents
from agent.dialogue.agent_acts.check_schedules import usual_check_schedule
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.handler_interface import TurnRequest
from agent.workspace.delivery_targets import Delivery
from intent.acts.act import Act, ActKind
from intent.acts.page_troubles import PageTrouble, names_page
from intent.acts.scene import Asked
from intent.entities.services import find_services
from intent.regular_expressions import lower_pattern, straighten_quotes
from intent.web_addresses import first_web_address


def offered(trouble: PageTrouble) -> Result:
    """Return the offer to watch the page of a trouble whose address was told with it."""
    wish = creation_texts.WATCH_FOR_CHANGES if trouble.is_change else creation_texts.WATCH_FOR_OUTAGES
    held = HeldAct(kind=ActKind.CREATE_AGENT, text=wish.format(url=trouble.url))
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,))
    return Result(creation_texts.offer_watch(trouble.url, is_change=trouble.is_change), question=question)


def begun(expects: Expectation, act: Act, turn: TurnRequest) -> NewAgent:
    """Return the agent that watches a page once its address is known, with what is said of when and where."""
    told = new_agents.begin_check(Check(url=_SOME_PAGE, expect=expects), act, turn, is_only=False)
    return NewAgent(
        brief=" ".join(act.clause.text.split()),
        what=creation_texts.watched_page(is_change=expects is Expectation.UNCHANGED),
        expects=expects,
        schedule=told.schedule,
        delivery=told.delivery,
        zone=turn.situation.time_zone,
    )


def expected_of(text: str) -> Expectation | None:
    """Return what a request wants a page without its address watched for; None for any other request."""
    services = {one.name for one in find_services(straighten_quotes(text))}
    if first_web_address(text) or not names_page(text) or not services <= _NO_SERVICE:
        return None
    check = check_from_words(f"{text.rstrip(' .!?')} {_SOME_PAGE}")
    return check.expect if check is not None and check.expect in _WITHOUT_DETAILS else None


_SOME_PAGE = "https://page.example"
_NO_SERVICE = frozenset({"website", "email", "slack", "teams"})
"""What is named as a service and holds no data of its own: the page itself, and where results go."""
_WITHOUT_DETAILS = frozenset({Expectation.REACHABLE, Expectation.UNCHANGED})


def with_address(new: NewAgent, act: Act, turn: TurnRequest) -> NewAgent | None:
    """Return the agent with the address that an answer gives; None where it gives none."""
    words = act.clause.text
    url = first_web_address(words)
    if new.expects is None or new.check is not None or not url:
        return None
    # What is quoted is no word of the user's own, and may be what the page is to say.
    told = check_from_words(words) or _with_text(turn.situation.message)
    check = told or Check(url=url, expect=new.expects)
    found = new_agents.begin_check(check, act, turn, is_only=False)
    is_usual = found.schedule == usual_check_schedule(check, new.zone)
    is_known = check.expect is new.expects and is_usual
    return found.model_copy(
        update={
            "brief": f"{new.brief} {' '.join(words.split())}",
            "schedule": (new.schedule if is_known else None) or found.schedule,
            "delivery": found.delivery if found.delivery != Delivery() else new.delivery,
            "before": new.before,
        }
    )


def _with_text(words: str) -> Check | None:
    """Return the check for the text that a page is told to show then: ``it'll say "Book now"``."""
    check = check_from_words(f"tell me when {words}")
    return check if check is not None and check.text else None


def as_it_happens(new: NewAgent, words: str) -> NewAgent:
    """Return the watch of a page, looked at as often as is usual, where words say to tell of it as soon as it
    happens: ``whenever it changes``; any other agent as it is.
    """
    is_asked = new.schedule is None and new.proposed is None
    if new.check is None or not is_asked or not _EVENTS.search(words):
        return new
    usual = usual_check_schedule(new.check, new.zone)
    update = {"schedule": usual, "lacks": (), "when": "", "doubt": "", "delivery": new.delivery or Delivery()}
    return new.model_copy(update=update)


_EVENTS = lower_pattern(
    r"\b(?:when(?:ever)?|as soon as|once|the (?:moment|minute|second)|if|right away|straight ?away|at once"
    r"|immediately|instantly|any ?time)\b"
)
