"""Answers to questions about the product, from the written answers and the tenant's own. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection

from agent.answers.budget_caps import LASTING
from agent.answers.named_systems import named_system
from agent.answers.variables import answer_variables
from agent.handler_interface import HandlerReply, TurnRequest
from agent.workspace.agents import service_name
from conversation.messages.models import Note, Reference
from intent.acts.doubting_tails import without_doubting_tail
from intent.answers.answer import Answer
from intent.answers.finder import KNOWN_CONFIDENCE, AnswerFinder, FoundAnswer, finder_for
from intent.entities.services import find_services

MODEL_ANSWERS = 3
"""How many answers a model is told of."""
MIN_TOLD = 0.2
"""Below this likelihood that a question is about the product, a model is told of no answer."""
CERTAIN = 0.8
"""From here on a question is answered, whatever its message was taken for."""
LIKELY, FITTING = 0.3, 0.25
"""How likely a question is about the product, and how well an answer fits, from which on it is offered."""
ENOUGH = 0.9
"""From here on the written answer is given as it is; below, a model may answer by it, where there is one."""


class ProductAnswers:
    """Answers questions about the product; ``has_models`` returns whether this deployment uses any model."""

    def __init__(self, *, has_models: Callable[[], bool]) -> None:
        self._has_models = has_models

    def answer(self, turn: TurnRequest, *, certain: bool = False) -> HandlerReply | None:
        """The answer, when the message asks about the product; else None.

        ``certain``: only when it surely does, for messages that were taken for something else.
        """
        found = self._find(turn)
        if found is None or (certain and found.confidence < CERTAIN):
            return None
        answer = found.answer
        question = without_doubting_tail(turn.message).rstrip()
        system = named_system(question) if answer.id in _ON_SYSTEMS else None
        about = _about(turn, answer)
        lacks_answer = (found.confidence < ENOUGH or bool(turn.files)) and not answer.is_own
        text = self._text(turn, answer)
        if system is not None and not answer.is_own:
            text = _about_system(system.name, answer, text, turn.connected_services)
        if answer.id == "connect-a-service" and not answer.is_own:
            text = _with_service(turn.message, text)
        if not answer.is_own and _asks_the_contrary(turn.message, answer):
            text = _without_verdict(text)
        return HandlerReply(text, Note(about=about), lacks_answer=lacks_answer)

    def own(self, turn: TurnRequest) -> HandlerReply | None:
        """The tenant's own answer to a message, whatever it is about; None when it has none."""
        reply = self.answer(turn)
        about = reply.note.about if reply is not None else None
        is_own = about is not None and any(answer.id == about.id for answer in turn.roster.answers)
        return reply if is_own else None

    def likely(self, turn: TurnRequest, *, is_known: bool = False) -> HandlerReply | None:
        """The answer that a question probably about the product may mean; None when none fits.

        ``is_known``: it is about the product or the workspace.
        """
        found = _finder(turn).best(turn.message)
        if found is None or found.score < FITTING or (found.confidence < LIKELY and not is_known):
            return None
        return HandlerReply(self._text(turn, found.answer))

    def facts(self, turn: TurnRequest) -> tuple[tuple[str, str], ...]:
        """The titles and texts that a model has to go by; empty when the message is not about the product."""
        finder = _finder(turn)
        if finder.is_about_product(turn.message, _own_names(turn)) < MIN_TOLD:
            return ()
        found = finder.search(turn.message, limit=MODEL_ANSWERS)
        return tuple((answer.title, self._text(turn, answer)) for answer in found)

    def _find(self, turn: TurnRequest) -> FoundAnswer | None:
        about = turn.note.about
        previous = about.id if about is not None and about.kind == "answer" else None
        if about is not None and about.kind == "setting":
            previous = _ANSWERS_ON_SETTINGS.get(about.id, "message-limits")
        finder, names = _finder(turn), _own_names(turn)
        if (named := _with_setting(turn)) is not None and (
            told := finder.find(named, names=names)
        ) is not None:
            return told
        question = without_doubting_tail(turn.message).rstrip()
        system = named_system(question)
        found = None if system is None else finder.find(system.question, names=names)
        if found is not None and found.answer.id in _ON_SYSTEMS:
            return found
        found = finder.find(question, previous, names=names)
        return _on_files(found, finder) if turn.files else found

    def _text(self, turn: TurnRequest, answer: Answer) -> str:
        policy = turn.roster.record.policy
        variables = answer_variables(policy, connected=turn.connected_services, has_models=self._has_models())
        return answer.render({**variables, "assistant_name": turn.situation.assistant_name})


_ON_SYSTEMS = frozenset({"which-services", "where-results-go"})
"""The answers to which the name of a system belongs."""
_ANSWERS_ON_SETTINGS = {
    **dict.fromkeys(LASTING, "budget"),
    "retention_days": "retention", "archived_retention_days": "retention",
    "deleted_grace_days": "restore-deleted", "legal_hold": "legal-hold", "agents_per_user": "how-many-agents",
    "allowed_models": "choose-a-model", "time_zone": "time-zones", "allowed_mail_domains": "share-outside",
}  # fmt: skip
"""The answer that goes on from what was said of a setting."""


def _on_files(found: FoundAnswer | None, finder: AnswerFinder) -> FoundAnswer | None:
    """Return the answer on files in place of what a question sent with files only resembles: ``what do you
    see in it?``
    """
    if found is None or found.answer.is_own or found.confidence >= KNOWN_CONFIDENCE:
        return found
    return found._replace(answer=finder.get(_FILES) or found.answer)


_FILES = "files"


def _about(turn: TurnRequest, answer: Answer) -> Reference:
    """Return what is talked about after an answer: the setting that it is asked of, or the answer."""
    about = turn.note.about
    is_of_setting = about is not None and about.kind == "setting"
    if is_of_setting and about is not None and _ANSWERS_ON_SETTINGS.get(about.id) == answer.id:
        return about
    return Reference(kind="answer", id=answer.id, name=answer.title)


def _with_setting(turn: TurnRequest) -> str | None:
    """Return a question about "it" with the budget in its place, where that was just talked about."""
    about, words = turn.note.about, turn.message.split()
    if about is None or about.kind != "setting" or about.id not in LASTING or "it" not in words:
        return None
    return " ".join("the budget" if word == "it" else word for word in words)


def _about_system(name: str, answer: Answer, text: str, connected: Collection[str]) -> str:
    """Return an answer that says what holds for the system asked about."""
    if name.lower() in text.lower():
        return text
    if name.lower() in {one.lower() for one in connected}:
        return f"Yes, {name} is connected."
    if answer.id == "which-services":
        now = f"Connected now: {', '.join(sorted(connected))}." if connected else "Nothing is connected yet."
        return (
            f"{name} isn't built in. It works if it offers an address for AI assistants, as many services "
            f"now do: its help or your IT department knows. {now}"
        )
    return f"Not to {name} by itself. {text}"


def _with_service(message: str, text: str) -> str:
    """Return the answer with the one service that a message names in it."""
    named = {service_name(found.name) for found in find_services(message)}
    return text.replace("the service", named.pop()) if len(named) == 1 else text


def _asks_the_contrary(message: str, answer: Answer) -> bool:
    """Return whether a question may want another yes or no than the answer's: ``does it have to …?``"""
    asked = {word.strip(",.!?") for word in message.lower().replace("\u2019", "'").split()}
    own = set(answer.title.lower().strip("?").split())
    return bool({word for word in asked - own if word in _TURNING or word.endswith("n't")})


_TURNING = frozenset(
    "have need needs must has required necessary not never no stop stops only without".split()
)


def _without_verdict(text: str) -> str:
    """Return a text without the yes or no at its beginning: what it goes on to say is the answer."""
    first, _, rest = text.partition(" ")
    return rest[:1].upper() + rest[1:] if first in {"Yes.", "No.", "Yes,", "No,"} and rest else text


def _finder(turn: TurnRequest) -> AnswerFinder:
    return finder_for(turn.roster.answers)


def _own_names(turn: TurnRequest) -> tuple[str, ...]:
    """What a question may be about instead of the product."""
    agents = (card.name for card in turn.visible_agents())
    skills = (card.name for card in turn.roster.skills_of(turn.caller.user))
    return (*agents, *skills)
