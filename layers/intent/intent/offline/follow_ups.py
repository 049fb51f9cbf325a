"""Follow-ups, which make sense only after earlier messages: picks, answers, acceptances, corrections.

`explicit_verdict` is the explicit tier, for messages with only one possible meaning. `verdict_from_note` and
`verdict_after_reply` interpret the others for the offline tier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from conversation.messages.models import Choice, Note, Role
from intent.decision import ActionType, Verdict
from intent.entities import extraction
from intent.entities.answers import asks_to_resume, index_of, parse_leading_reply, parse_pick, parse_reply
from intent.entities.extraction import find_new_name
from intent.entities.own_words import own_words, with_own_words
from intent.entities.services import find_channel, find_recipients
from intent.offline.pending_answers import read_answer
from intent.regular_expressions import either, lower_pattern, normalise
from intent.rules import agent_references, requested_operation
from intent.rules.action_entities import action_entities, agent_entities
from intent.rules.agent_references import AgentReference
from intent.rules.offered_options import find_named_option, find_offer, find_picked_option
from intent.rules.scoring import RuleScore, score
from intent.situation import Situation

_VERB = either(
    "run|re-?run|execute|trigger|launch|kick off|fire up|fire|invoke|start|pause|suspend|stop|disable|resume"
    "|unpause|enable|reactivate|delete|remove"
)
_POLITE = either("please|pls|plz|ok|okay|now|just|then|and|so|hey|(?:can|could|would) you|go ahead and|let's")
_NOUN = either("agents?|bot|automation|assistant|robot")
_AFTER = either("please|pls|now|again|once more|one more time|for me|thanks|thank you|right (?:away|now)")
_COMMAND = lower_pattern(
    rf"\W*(?:{_POLITE}[\s,]+)*({_VERB}) (?:(?:the|my|our) )?(?:{_NOUN} )?(.{{1,60}}?)(?:"
    rf" {_NOUN})?(?:[\s,]+{_AFTER})*\W*"
)
_NAMING = lower_pattern(
    rf"\W*(?:{_POLITE}[\s,]+)*(?:call|name|rename) (?:it|him|her|this one|that one|this|that|the"
    rf" (?:agent|bot)) "
)
_MOST_WORDS = 10


def command_verdict(text: str, situation: Situation) -> Verdict | None:
    """Return the verdict on a message that is only a command to an agent; None for any other message."""
    if len(text.split()) > _MOST_WORDS:
        return None
    return _on_an_agent(text, situation) or _naming(text, situation)


def _on_an_agent(text: str, situation: Situation) -> Verdict | None:
    match = _COMMAND.fullmatch(text)
    agent = _target(match[2], situation) if match else None
    action = requested_operation.action_on_agent(match[1]) if match and agent else None
    if agent is None or action is None:
        return None
    entities = action_entities(action, text, situation, agent)
    return Verdict(
        action_type=action,
        confidence=1.0,
        entities=entities,
        reasoning="commands an agent by its name or place",
    )


def _target(words: str, situation: Situation) -> AgentReference | None:
    if agent := agent_references.find_agent_by_name(words, situation.agents):
        return agent
    place = agent_references.parse_bare_position(words)
    is_of_a_list = place is not None and not situation.last_note().choices
    return (
        agent_references.agent_at_position(place, situation) if is_of_a_list and place is not None else None
    )


def _naming(text: str, situation: Situation) -> Verdict | None:
    """``call it monday-notes`` renames the agent just created, changed or shown alone."""
    note = situation.last_note()
    agent = agent_references.agent_of_last_reply(situation)
    if agent is None or note.draft is not None or not _NAMING.match(text) or not find_new_name(text):
        return None
    entities = action_entities(ActionType.UPDATE_AGENT, text, situation, agent)
    return Verdict(
        action_type=ActionType.UPDATE_AGENT,
        confidence=1.0,
        entities=entities,
        reasoning="names the agent just talked about",
    )


_MENTION = re.compile(r"\s*@(\w[\w-]{0,99})[\s:,]*(.*)", re.DOTALL)
_ADJUSTING = lower_pattern(
    r"\b(?:actually|rather|instead|better|same time|would do|is (?:fine|enough|plenty)|earlier|later)\b"
)
_A_FIELD = lower_pattern(
    r"^\W*(?:(?:please|ok|okay|now|and|also|actually|can you|could you) )*"
    r"(?:change|set|switch|update|make|move) (?:the|its|his|her) (?:data )?"
    r"(?:source|schedule|time|hour|name|delivery|recipients?|channel|format|scope|condition"
    r"|e-?mail(?: address)?)\b",
    r"^\W*(?:(?:please|ok|okay|now|and|also) )*add (?:an?|the|this|another) instruction\b",
)
_AGAIN = lower_pattern(r"\b(?:again|once more|one more time|same (?:thing|one))\b")
_OTHER = frozenset(
    {
        "question_word",
        "question_start",
        "question_mark",
        "how_to",
        "thanks",
        "small_talk",
        "greeting",
        "new_agent",
    }
)
_SURE = 0.7
_FEW_WORDS = 12
_WORDS_OF_A_PLACE = 6
_FEWEST_WORDS_OF_A_COMMAND = 3
"""Fewer words are a name."""


def explicit_verdict(situation: Situation) -> Verdict | None:
    """Return the verdict on a mention, a bare pick of an offered option, a bare answer or a plain command."""
    situation = with_own_words(situation)
    text = normalise(situation.message)
    return (
        _mentioned(text, situation)
        or _picked(text, situation)
        or _replied(text, situation.last_note())
        or command_verdict(text, situation)
    )


def _mentioned(text: str, situation: Situation) -> Verdict | None:
    match = _MENTION.fullmatch(text)
    if match is None:
        return None
    agent, rest = agent_references.find_agent_by_name(match[1], situation.agents), match[2]
    action = _on_the_mentioned(rest)
    entities = action_entities(action, rest, situation, agent)
    return Verdict(
        action_type=action,
        confidence=1.0,
        entities=entities if agent else {**entities, extraction.AGENT_NAME: match[1]},
        reasoning="names an agent with @",
    )


def _on_the_mentioned(rest: str) -> ActionType:
    reading = score(rest, names_agent=True)
    if reading.action is ActionType.QUERY_INFO and reading.confidence >= _SURE:
        return ActionType.QUERY_INFO
    return requested_operation.action_on_agent(rest) or ActionType.EXECUTE_TASK


def _picked(text: str, situation: Situation) -> Verdict | None:
    note = situation.last_note()
    place = parse_pick(text) or find_named_option(text, [choice.label for choice in note.choices])
    if place is None:
        return None
    if note.choices:
        return _choice(place, note.choices)
    agent = agent_references.agent_at_position(place, situation) if note.listed and not note.asking else None
    if agent is None:
        return None
    if wish := _wish_for_one(situation):
        return _on_the_picked(agent, wish, situation)
    entities: dict[str, JsonValue] = {extraction.OPERATION: "show_agent", **agent_entities(agent)}
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=1.0,
        entities=entities,
        reasoning="picks an agent of the list",
    )


def _wish_for_one(situation: Situation) -> str | None:
    """The user's request for an agent before the reply listed agents to pick from; else None."""
    before = own_words(situation.last_text(Role.USER))
    return before if score(before).action in (ActionType.EXECUTE_TASK, ActionType.UPDATE_AGENT) else None


def _on_the_picked(agent: AgentReference, wish: str, situation: Situation) -> Verdict:
    action = score(wish).action
    entities = action_entities(action, normalise(wish), situation, agent)
    return Verdict(
        action_type=action,
        confidence=1.0,
        entities=entities,
        reasoning="picks the agent for what was asked before",
    )


def _choice(place: int, choices: Sequence[Choice], confidence: float = 1.0) -> Verdict | None:
    index = index_of(place, choices)
    if index is None:
        return None
    choice = choices[index]
    return Verdict(
        action_type=_action(choice.action),
        confidence=confidence,
        entities={**choice.entities, extraction.CHOICE: index + 1},
        reasoning="picks an option that was offered",
    )


def _replied(text: str, note: Note) -> Verdict | None:
    reply = parse_reply(text)
    if reply is None or (reply == "yes" and text.rstrip().endswith("?")):
        return None
    if note.pending:
        return _settles(note, reply)
    if note.draft is not None and reply in ("cancel", "later"):
        entities: dict[str, JsonValue] = {extraction.REPLY: reply}
        return Verdict(
            action_type=ActionType.CREATE_AGENT,
            confidence=1.0,
            entities=entities,
            reasoning=f"a {reply} to the setup",
        )
    return None


def _settles(note: Note, reply: str, confidence: float = 1.0) -> Verdict | None:
    if note.pending is None:
        return None
    return Verdict(
        action_type=_action(note.pending.action),
        confidence=confidence,
        entities={**note.pending.entities, extraction.REPLY: reply},
        reasoning=f"a {reply} to what was asked",
    )


def verdict_from_note(text: str, situation: Situation, own: RuleScore) -> Verdict | None:
    """Return the verdict on an answer to what the last reply's note asks or offers; else None."""
    note = situation.last_note()
    if note.pending and (reply := read_answer(text, note.pending)) is not None:
        return _settles(note, reply, 0.85)
    chosen = _meant_choice(text, own, note.choices) if note.choices else None
    return chosen or _goes_on(text, situation, own)


def _goes_on(text: str, situation: Situation, own: RuleScore) -> Verdict | None:
    """A short message about the agent just discussed: a new time for it, or the same again for something."""
    agent = agent_references.agent_of_last_reply(situation)
    plain = re.sub("e-mail", "email", text, flags=re.IGNORECASE)  # "e-mail" looks like an agent's name
    is_other = (
        agent_references.describes_an_agent(plain) or own.signals & _OTHER or len(text.split()) > _FEW_WORDS
    )
    if agent is None or situation.last_note().draft is not None or is_other:
        return None
    is_a_field = _A_FIELD.search(text) is not None
    is_change = is_a_field or _is_a_time(text, situation) or _is_a_place(text, situation)
    action = ActionType.UPDATE_AGENT if is_change else ActionType.EXECUTE_TASK
    if action is ActionType.EXECUTE_TASK and not _asks_for_more(text, situation):
        return None
    return Verdict(action_type=action, confidence=0.85, reasoning="goes on with the agent just talked about")


def _asks_for_more(text: str, situation: Situation) -> bool:
    """Whether the message asks for the same again, or for another scope, period or format of it."""
    found = extraction.extract_entities(text, now=situation.now, time_zone=situation.time_zone)
    is_for_another = bool({extraction.PERIOD, extraction.SCOPE, extraction.FORMAT} & set(found))
    return agent_references.is_continuation(text) and (is_for_another or _AGAIN.search(text) is not None)


def _is_a_time(text: str, situation: Situation) -> bool:
    """Whether the message is little more than a time, or replaces one time with another."""
    when = extraction.extract_schedule(text, time_zone=situation.time_zone).get(extraction.SCHEDULE_TEXT)
    is_most_of_it = isinstance(when, str) and 2 * len(when.split()) >= len(text.split())
    return is_most_of_it or (when is not None and _ADJUSTING.search(text) is not None)


def _is_a_place(text: str, situation: Situation) -> bool:
    """Whether the message is little more than a delivery target, right after a reply about one agent."""
    about = situation.last_note().about
    names_one = find_channel(text) is not None or bool(find_recipients(text))
    return (
        about is not None and about.kind == "agent" and names_one and len(text.split()) <= _WORDS_OF_A_PLACE
    )


def resume_verdict(text: str) -> Verdict | None:
    """Return the verdict on a question about where the conversation left off; None for any other text."""
    if not asks_to_resume(text):
        return None
    entities: dict[str, JsonValue] = {extraction.OPERATION: "resume_conversation"}
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=0.9,
        entities=entities,
        reasoning="asks where things stood",
    )


def _meant_choice(text: str, own: RuleScore, choices: Sequence[Choice]) -> Verdict | None:
    """The only option with the requested action. Options with an operation can be picked by number only."""
    is_refused = (parse_reply(text) or parse_leading_reply(text)) in ("no", "cancel", "later")
    if is_refused or len(text.split()) > _FEW_WORDS or own.action is ActionType.UNKNOWN:
        return None
    fitting = [
        place
        for place, choice in enumerate(choices, 1)
        if choice.action == own.action.value and extraction.OPERATION not in choice.entities
    ]
    return _choice(fitting[0], choices, 0.85) if len(fitting) == 1 else None


def verdict_from_picked_option(text: str, situation: Situation) -> Verdict | None:
    """Return the verdict on a number that picks an option in the last reply's text, if that is a command."""
    picked = find_picked_option(situation.last_text(Role.ASSISTANT), text)
    if len(picked.split()) < _FEWEST_WORDS_OF_A_COMMAND:
        return None
    action = _commanded(picked, agent_references.last_mentioned_agent(situation) is not None)
    return _suggested(action, "picks an option of the reply") if action else None


def verdict_after_reply(text: str, situation: Situation, own: RuleScore) -> Verdict | None:
    """Return the verdict that the last reply's text suggests: an offer accepted or a question answered."""
    reply = situation.last_text(Role.ASSISTANT)
    if not reply:
        return None
    is_about_agent = agent_references.last_mentioned_agent(situation) is not None
    is_vague = own.action is ActionType.UNKNOWN or own.confidence < _SURE
    answer = parse_reply(text) or (parse_leading_reply(text) if is_vague else None)
    offer = find_offer(reply)
    if answer == "yes" and offer and (action := _commanded(offer, is_about_agent)):
        return _suggested(action, "accepts what the reply offered")
    is_asked = reply.rstrip().endswith("?")
    if is_vague and is_asked and answer not in ("no", "cancel") and len(text.split()) <= _FEW_WORDS:
        return _same_as_before(situation)
    return None


def _commanded(words: str, is_about_agent: bool) -> ActionType | None:
    action = score(words, names_agent=is_about_agent).action
    return None if action is ActionType.UNKNOWN else action


def _same_as_before(situation: Situation) -> Verdict | None:
    """The user's previous request, for a message that answers the reply's question about it."""
    before = score(own_words(situation.last_text(Role.USER)))
    known = before.action is not ActionType.UNKNOWN
    return _suggested(before.action, "answers what the reply asked back") if known else None


def _suggested(action: ActionType, reasoning: str) -> Verdict:
    return Verdict(action_type=action, confidence=0.75, reasoning=reasoning)


def _action(value: str) -> ActionType:
    return ActionType(value) if value in ActionType.__members__.values() else ActionType.UNKNOWN
