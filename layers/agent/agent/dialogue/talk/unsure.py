"""Answers to people who don't know where to begin: two examples from what they said, as a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from agent.dialogue import texts as dialogue_texts
from agent.dialogue.agent_acts.sources import named_source
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.suggestions import suggested
from agent.dialogue.talk import small_talk, texts
from agent.dialogue.talk.chores import Chore, chore_in
from agent.dialogue.talk.occasion import Occasion
from agent.workspace.agents import service_name
from conversation.messages.models import Role
from intent.acts.act import ActKind
from intent.acts.help_questions import asks_what_helps, without_help_question
from intent.acts.overload import tells_overload
from intent.acts.scene import Asked
from intent.acts.task_reading.forgotten import habitually_forgotten
from intent.acts.tokens import tokenise
from intent.acts.told_problems import begins_with_trouble, content_of, goes_wrong, main_clause, problem_in
from intent.acts.told_systems import system_told_in
from intent.acts.told_troubles import trouble_in
from intent.acts.wished_knowledge import wished_knowledge
from intent.entities.services import find_services
from intent.times.reader import read_times

_SUGGESTED_TIME = "weekdays at 8:00 AM"


def answer(occasion: Occasion) -> Result:
    """Offer the chore that was told, give examples that fit, or suggest an answer to what was asked."""
    told = without_help_question(occasion.words)
    if occasion.is_alone and told != occasion.words:
        situation = replace(occasion.turn.situation, message=told)
        occasion = replace(occasion, turn=replace(occasion.turn, situation=situation))
    if not occasion.is_alone:
        return Result("")  # the message asked for something else
    if asks_what_helps([token.word for token in tokenise(occasion.words) if token.is_word]):
        source, _ = _source_and_trade(occasion)
        return Result(texts.what_helps(source), lacks_answer=True)
    tells_trouble = begins_with_trouble([token.word for token in tokenise(occasion.words)])
    tells_trouble = tells_trouble or tells_overload(occasion.words) or bool(trouble_in(occasion.words))
    if small_talk.is_blame(occasion.words) and not tells_trouble:
        return small_talk.answer(occasion)
    draft = occasion.turn.note.draft
    if draft is not None and "brief" in draft:
        return _for_draft(NewAgent.of(draft))
    if any(one in occasion.words.lower() for one in _LEAVING):
        return Result(dialogue_texts.declined())
    if (offered := _offer(occasion)) is not None:
        return offered
    wished = wished_knowledge([occasion.words])
    trouble = wished or problem_in([occasion.words])
    if wished or (content_of(trouble) >= _FEWEST_TOLD and goes_wrong(trouble)):
        quote = trouble if len(trouble) <= _LONGEST_QUOTE else main_clause(trouble)
        if (asked := texts.ask_where_kept(quote)) not in occasion.last_reply:
            return Result(asked, lacks_answer=True)
    return _exemplified(occasion)


_FEWEST_TOLD = 2


def _exemplified(occasion: Occasion) -> Result:
    """Give two examples that fit, of which one may be taken, or ask for a chore."""
    source, trade = _source_and_trade(occasion)
    if trade is not None:
        text = texts.examples(f" with {source}" if source else "", trade.first, trade.second)
        if text not in occasion.last_reply:
            return Result(text, question=suggested(source, (trade.first, trade.second)))
    return Result(occasion.fresh(texts.ASK_CHORE))


_LEAVING = ("leave it", "nothing for now", "never mind", "nevermind", "forget it", "not now", "nothing today")


def _offered_reminder(title: str, occasion: Occasion) -> Result:
    """Offer a task for what somebody keeps forgetting, at the times that they tell."""
    situation = occasion.turn.situation
    times = read_times(occasion.words, now=situation.now, zone=situation.time_zone)
    when = next((occasion.words[slice(*one.span)] for one in times), "")
    slots = {"when": when} if when else {}
    held = HeldAct(kind=ActKind.ADD_TASK, text=title, several=(title,), slots=slots)
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,), is_offer=True)
    return Result(texts.offer_reminder(title, when), question=question, lacks_answer=True)


def _offer(occasion: Occasion) -> Result | None:
    """Return the offer of what would help with what was told; None where nothing in particular was."""
    if title := habitually_forgotten(occasion.words):
        return _offered_reminder(title, occasion)
    if tells_overload(occasion.words):
        return _asked_for_tasks()
    if thing := trouble_in(occasion.words):
        return _offered_for(thing, occasion)
    chore = chore_in(occasion.words)
    return None if chore is None else _offered(chore)


def _offered_for(thing: str, occasion: Occasion) -> Result:
    """Offer an agent that reports on a thing that goes wrong, or a reminder where no source is told."""
    known = named_source(occasion.words)
    source = service_name(known) if known else system_told_in(occasion.words)
    if (
        source and source.lower() not in thing.lower().split()
    ):  # ``the greenhouse vents`` are in no Greenhouse
        return _offered(Chore(thing, thing, source))
    held = HeldAct(kind=ActKind.ADD_TASK, text=thing, several=(thing,))
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,), is_offer=True)
    return Result(texts.offer_either(thing), question=question, lacks_answer=True)


def _asked_for_tasks() -> Result:
    """Ask for the things to do of somebody who has too many."""
    held = HeldAct(kind=ActKind.ADD_TASK, text="")
    question = AskedQuestion(asked=Asked.SLOTS, slots=("title",), waiting=(held,))
    return Result(texts.ASK_TASKS, question=question, lacks_answer=True)


def _offered(chore: Chore) -> Result:
    """Offer an agent for just what was told."""
    slots = {"job": chore.job, "source": chore.source}
    held = HeldAct(kind=ActKind.CREATE_AGENT, text=chore.text, slots=slots)
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,), is_offer=True)
    quote = chore.text if len(chore.text) <= _LONGEST_QUOTE else chore.job
    return Result(texts.offer_chore(chore.source, quote.rstrip(".!")), question=question, lacks_answer=True)


_LONGEST_QUOTE = 200


def _for_draft(draft: NewAgent) -> Result:
    """Suggest the part of a new agent that was asked for."""
    missing = draft.missing()
    if "job" in missing or "source" in missing:
        return Result(texts.SUGGEST_JOB if "job" in missing else "")
    if "when" in missing or "time" in missing:
        return _suggested(texts.suggest_time(_SUGGESTED_TIME), "when", _SUGGESTED_TIME)
    if "where" in missing:
        return _suggested(texts.SUGGEST_PLACE, "where", "here in the chat")
    return Result("")


def _suggested(text: str, slot: str, value: str) -> Result:
    held = HeldAct(kind=ActKind.ANSWER, text=value, slots={slot: value})
    return Result(text, question=AskedQuestion(asked=Asked.CONFIRM, waiting=(held,)))


class _Trade(NamedTuple):
    """A line of work: the beginnings of the words that tell it, and two things an agent could do there."""

    marks: tuple[str, ...]
    first: str
    second: str


def _source_and_trade(occasion: Occasion) -> tuple[str, _Trade | None]:
    """Return the system that is named, empty for none, and the line of work that is told of."""
    text = f"{occasion.turn.situation.last_text(Role.USER)} {occasion.words}" if _is_short(occasion) else (
        occasion.words
    )  # fmt: skip
    words = [word.strip(".,;:!?()'\"") for word in text.lower().split()]
    trade = next((one for one in _TRADES if any(_tells(word, one.marks) for word in words)), None)
    source = next((service_name(found.name) for found in find_services(text)), "") or _named_system(text)
    return source, trade


def _is_short(occasion: Occasion) -> bool:
    words = [token.word for token in tokenise(occasion.words) if token.is_word]
    return len(occasion.words.split()) <= 3 or asks_what_helps(words)


def _tells(word: str, marks: Sequence[str]) -> bool:
    plain = word.removesuffix("s")
    return any(mark in (word, plain) or (len(mark) > 4 and word.startswith(mark)) for mark in marks)


def _named_system(text: str) -> str:
    """Return the name behind ``in`` or ``with`` that is written with a capital; empty without one."""
    plain = [word.strip(".,;:!?") for word in text.split()]
    for before, name in pairwise(plain):
        is_name = len(name) > 2 and name[:1].isupper() and name not in _NO_SYSTEM
        if is_name and before.lower() in {"in", "on", "with", "use", "using", "through"}:
            return name
    return ""


_NO_SYSTEM = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April June July August"
    " September October November December English London Leeds Paris Berlin".split()
)
_TRADES = (
    _Trade(("yoga", "studio", "gym", "fitness", "class", "pilates", "dance"),
           "every Sunday, list who hasn't been to a class for three weeks",
           "every evening, tell you who has booked for tomorrow"),
    _Trade(("payroll", "hr", "staff", "rota", "roster", "temp", "recruit"),
           "every Friday, list the timesheets that are missing",
           "on the 1st, list the contracts that end this month"),
    _Trade(("law", "solicitor", "legal", "notary", "attorney"),
           "every morning, list the deadlines of the next seven days",
           "every Friday, list the matters nobody has billed"),
    _Trade(("tyre", "garage", "mechanic", "car", "workshop", "mot"),
           "every morning, list the day's bookings and the parts they need",
           "every Friday, list the tyres that are running low"),
    _Trade(("food", "truck", "restaurant", "kitchen", "cafe", "café", "bakery", "bar", "pub", "chef"),
           "every afternoon, tell you tonight's bookings",
           "every morning, warn you when stock of something runs low"),
    _Trade(("parish", "church", "choir", "vicar", "congregation"),
           "every Thursday, list who serves on Sunday",
           "every Monday, tell you which rooms of the hall are booked that week"),
    _Trade(("club", "team", "league", "coach", "match", "members", "football", "cricket", "rugby", "tennis"),
           "on the 1st, list the members who haven't paid",
           "every Friday, send round who plays on Saturday"),
    _Trade(("return", "refund", "parcel", "warehouse", "shipping", "logistic", "freight", "dock", "depot"),
           "every morning, list the returns that have waited for more than three days",
           "tell you when a parcel is stuck"),
    _Trade(("shop", "store", "retail", "etsy", "boutique", "florist", "sell", "webshop", "order"),
           "every morning, list the new orders",
           "tell you when stock of something runs low"),
    _Trade(("dent", "clinic", "nurse", "doctor", "patient", "practice", "practise", "hospital", "ward", "vet",
            "pharmac", "residents", "care"),
           "every evening, list who didn't come to their appointment",
           "every Monday, list whose check-up is due"),
    _Trade(("school", "teach", "class", "pupil", "student", "nursery", "university", "library"),
           "every Monday, list the forms that parents haven't returned",
           "every morning, list who is absent"),
    _Trade(("bookkeep", "account", "invoice", "finance", "tax", "audit", "books"),
           "every Monday, list the invoices that are still unpaid",
           "on the 1st, add up last month's expenses"),
    _Trade(("estate", "rent", "tenant", "property", "letting", "hotel", "guest", "landlord", "reception"),
           "every evening, list tomorrow's arrivals",
           "on the 3rd, list whose rent hasn't come in"),
    _Trade(("build", "construction", "site", "plumb", "electric", "carpent", "roof", "scaffold"),
           "every Friday, list the timesheets that are missing",
           "every morning, tell you the day's jobs"),
    _Trade(("server", "tests", "deploy", "software", "developer", "devops", "engineer", "code"),
           "every morning, list the tests that failed overnight",
           "watch your website and tell you when it is down"),
    _Trade(("sales", "crm", "customer", "salesforce", "lead", "marketing", "campaign"),
           "every Thursday, list the deals whose close date has slipped",
           "every Monday, list the customers nobody has called for a month"),
    _Trade(("support", "ticket", "helpdesk", "call"),
           "every morning, list the tickets that nobody has answered",
           "tell you when an urgent one comes in"),
    _Trade(("policy", "policies", "insur", "broker", "claims", "underwrit"),
           "every morning, list the policies that end within 30 days",
           "every Friday, list the claims that are still open"),
    _Trade(("paper", "admin", "form", "document", "contract", "scan"),
           "every Monday, list the documents that still need a signature",
           "every month, list the contracts that are about to end"),
    _Trade(("report", "spreadsheet", "excel", "export", "number"),
           "every Monday at 8, mail you last week's numbers from your sheet",
           "tell you when a number leaves its usual range"),
)  # fmt: skip
