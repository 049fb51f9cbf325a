"""Messages that mean something only after what was said before: picks, answers, corrections.

`certain` is the explicit tier: what needs no judgement at all. `likely` is the offline tier's reading of
the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from conversation.models import Role
from conversation.notes import Choice
from intent import entities, references
from intent.answers import asks_to_resume, pick_in, reply_before_more, reply_in
from intent.decision import ActionType
from intent.keywords import Reading, read
from intent.patterns import pattern, straight
from intent.situation import Situation
from intent.verdict import Verdict

_MENTION = re.compile(r"\s*@([\w][\w-]{0,99})[\s:,]*(.*)", re.DOTALL)
_OFFER = pattern(
    r"\b(?:i (?:can|could|would|will)|i'll|shall i|should i|may i|want me to|(?:would|do) you "
    r"(?:like|want) me to|let me|have me) ([^?!\n]+)"
)
_OPTION = re.compile(r"(?:^|[\s(])\(?([1-9])[.)]\s+(.*?)(?=(?:[\s(]\(?[1-9][.)]\s)|\n|$)", re.DOTALL)
_STRONG = 0.7
_SHORT_WORDS = 12


def certain(situation: Situation) -> Verdict | None:
    """What a mention, a bare pick of something just offered or a bare answer to a question of ours says; else None."""
    text = straight(situation.message)
    return _mentioned(text, situation) or _picked(text, situation) or _replied(text, situation)


def _mentioned(text: str, situation: Situation) -> Verdict | None:
    match = _MENTION.fullmatch(text)
    if match is None:
        return None
    agent = references.known_agent(match[1], situation.agents)
    reading = read(match[2], ["@"])
    action = (
        reading.action
        if reading.action in (ActionType.UPDATE_AGENT, ActionType.QUERY_INFO)
        else ActionType.EXECUTE_TASK
    )
    named: dict[str, JsonValue] = {entities.AGENT_NAME: agent.name if agent else match[1]}
    if agent:
        named[entities.AGENT_ID] = agent.id
    return Verdict(
        action_type=action, confidence=1.0, entities=named, reasoning="the message names an agent with @"
    )


def _picked(text: str, situation: Situation) -> Verdict | None:
    place, note = pick_in(text), situation.last_note()
    if place is None:
        return None
    if note.choices:
        return _choice(place, note.choices)
    agent = references.at_place(place, situation) if note.listed and not note.asking else None
    if agent is None:
        return None
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=1.0,
        entities={
            entities.OPERATION: "show_agent",
            entities.AGENT_ID: agent.id,
            entities.AGENT_NAME: agent.name,
            entities.ORDINAL: place,
        },
        reasoning="the message picks an agent of the list",
    )


def _choice(place: int, choices: Sequence[Choice]) -> Verdict | None:
    position = len(choices) + place if place < 0 else place - 1
    if not 0 <= position < len(choices):
        return None
    choice = choices[position]
    return Verdict(
        action_type=_action(choice.action),
        confidence=1.0,
        entities={**choice.entities, entities.CHOICE: position + 1},
        reasoning="the message picks an option that was offered",
    )


def _replied(text: str, situation: Situation) -> Verdict | None:
    note, reply = situation.last_note(), reply_in(text)
    if reply is None:
        return None
    if note.pending:
        said = {**note.pending.entities, entities.REPLY: reply}
        return Verdict(
            action_type=_action(note.pending.action),
            confidence=1.0,
            entities=said,
            reasoning=f"a {reply} to what was asked",
        )
    if note.draft is not None and reply in ("cancel", "later"):
        return Verdict(
            action_type=ActionType.CREATE_AGENT,
            confidence=1.0,
            entities={entities.REPLY: reply},
            reasoning=f"a {reply} to the agent being set up",
        )
    return None


def likely(situation: Situation, own: Reading) -> Verdict | None:
    """What the message says against the history, where its own words (``own``) say less; else None."""
    text, note = straight(situation.message), situation.last_note()
    if asks_to_resume(text) and (situation.history or own.confidence < _STRONG):
        return Verdict(
            action_type=ActionType.QUERY_INFO,
            confidence=0.9,
            entities={entities.OPERATION: "resume_conversation"},
            reasoning="asks where the conversation stood",
        )
    if note.draft is not None:
        return _for_the_draft(text, situation, own)
    if note.pending and (reply := reply_before_more(text)) in ("yes", "no"):
        said = {**note.pending.entities, entities.REPLY: reply}
        return Verdict(
            action_type=_action(note.pending.action),
            confidence=0.85,
            entities=said,
            reasoning=f"a {reply}, and more",
        )
    if note.choices and (chosen := _meant_choice(own, note.choices, text)):
        return chosen
    return _after_words(text, situation, own)


def _for_the_draft(text: str, situation: Situation, own: Reading) -> Verdict | None:
    """The next step of the agent being set up, unless the message is plainly about something else."""
    note = situation.last_note()
    asked = [field.strip() for field in (note.asking or "").split(",") if field.strip()]
    found = entities.answer(text, asked, now=situation.now, time_zone=situation.time_zone)
    names_agent = references.agent_meant(text, situation) is not None
    if (
        not names_agent
        and _answers(found, asked)
        and not own.signs & {"question_word", "question_start", "how_to"}
    ):
        return _continues(found)
    is_command = own.confidence >= _STRONG and own.action not in (ActionType.CREATE_AGENT, ActionType.UNKNOWN)
    if is_command and (names_agent or own.signs & _OTHER_BUSINESS):
        return None
    return _continues(found)


_OTHER_BUSINESS = frozenset(
    {
        "question_word",
        "question_start",
        "how_to",
        "command_ask",
        "retention",
        "managed",
        "this_agent",
        "new_skill",
        "command_run",
    }
)


def _answers(found: dict[str, JsonValue], asked: Sequence[str]) -> bool:
    keys = {
        entities.SCHEDULE_TEXT if field == "schedule" else entities.WHAT if field == "details" else field
        for field in asked
    }
    telling = keys - {entities.WHAT}
    return bool(telling & set(found))


def _continues(found: dict[str, JsonValue]) -> Verdict:
    return Verdict(
        action_type=ActionType.CREATE_AGENT,
        confidence=0.85,
        entities=found,
        reasoning="goes on with the agent being set up",
    )


def _meant_choice(own: Reading, choices: Sequence[Choice], text: str) -> Verdict | None:
    """The only option that does what the message asks for, when the message is short."""
    if len(text.split()) > _SHORT_WORDS:
        return None
    fitting = [place for place, choice in enumerate(choices, 1) if choice.action == own.action.value]
    chosen = (
        _choice(fitting[0], choices) if len(fitting) == 1 and own.action is not ActionType.UNKNOWN else None
    )
    return chosen and Verdict(
        action_type=chosen.action_type,
        confidence=0.85,
        entities=chosen.entities,
        reasoning="asks for one of the options",
    )


def _after_words(text: str, situation: Situation, own: Reading) -> Verdict | None:
    """The reading that the last reply's words suggest:

    an offer accepted, an option picked, a question answered.
    """
    reply = next(
        (message.content for message in reversed(situation.history) if message.role is Role.ASSISTANT), ""
    )
    if not reply:
        return None
    place = pick_in(text)
    options = dict(_OPTION.findall(reply))
    if place is not None and str(place) in options and (picked := _as_command(options[str(place)])):
        return _suggested(picked, "picks an option of the reply")
    answer = reply_in(text) or (reply_before_more(text) if own.confidence < _STRONG else None)
    offer = _OFFER.search(straight(reply))
    if answer == "yes" and offer and (offered := _as_command(offer[1])):
        return _suggested(offered, "accepts what the reply offered")
    is_vague = own.action is ActionType.UNKNOWN or own.confidence < _STRONG
    if is_vague and place is None and reply_in(text) is None and not reply.rstrip().endswith("?"):
        return None
    return (
        _same_as_before(situation)
        if is_vague and len(text.split()) <= _SHORT_WORDS and reply_in(text) != "no"
        else None
    )


def _as_command(words: str) -> ActionType | None:
    action = read(re.sub(r"^\W*(?:I|me|we|you)\b\s*", "", straight(words))).action
    return None if action is ActionType.UNKNOWN else action


def _same_as_before(situation: Situation) -> Verdict | None:
    """What the user asked for before, when the reply asked something back."""
    said = [message.content for message in situation.history if message.role is Role.USER]
    before = read(said[-1]) if said else None
    if before is None or before.action is ActionType.UNKNOWN:
        return None
    return _suggested(before.action, "answers what the reply asked back")


def _suggested(action: ActionType, reasoning: str) -> Verdict:
    return Verdict(action_type=action, confidence=0.75, reasoning=reasoning)


def _action(value: str) -> ActionType:
    return ActionType(value) if value in ActionType.__members__.values() else ActionType.UNKNOWN
