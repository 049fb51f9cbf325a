"""Follow-ups, which make sense only after earlier messages: picks, answers, acceptances, corrections.

`certain` is the explicit tier, for messages with only one possible meaning. `by_note` and `after_words`
interpret the others for the offline tier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import JsonValue

from conversation.messages.models import Choice, Note, Role
from intent.decision import ActionType, Verdict
from intent.entities import extraction as entities
from intent.entities.answers import asks_to_resume, pick_in, reply_before_more, reply_in
from intent.entities.extraction import new_name
from intent.entities.services import channel_in, recipients_in
from intent.patterns import either, gist, notice
from intent.rules import operations, references
from intent.rules.details import details, naming
from intent.rules.offers import named_in, offer_in, picked_from
from intent.rules.references import Meant
from intent.rules.scoring import Reading, read
from intent.situation import Situation

_VERB = either(
    "run|re-?run|execute|trigger|launch|kick off|fire up|fire|invoke|start|pause|suspend|stop|disable|resume"
    "|unpause|enable|reactivate|delete|remove"
)
_POLITE = either("please|pls|plz|ok|okay|now|just|then|and|so|hey|(?:can|could|would) you|go ahead and|let's")
_NOUN = either("agents?|bot|automation|assistant|robot")
_AFTER = either("please|pls|now|again|once more|one more time|for me|thanks|thank you|right (?:away|now)")
_COMMAND = notice(
    rf"\W*(?:{_POLITE}[\s,]+)*({_VERB}) (?:(?:the|my|our) )?(?:{_NOUN} )?(.{{1,60}}?)(?:"
    rf" {_NOUN})?(?:[\s,]+{_AFTER})*\W*"
)
_NAMING = notice(
    rf"\W*(?:{_POLITE}[\s,]+)*(?:call|name|rename) (?:it|him|her|this one|that one|this|that|the"
    rf" (?:agent|bot)) "
)
_MOST_WORDS = 10


def plain_command(text: str, situation: Situation) -> Verdict | None:
    """Return the verdict on a message that is only a command to an agent; None for any other message."""
    if len(text.split()) > _MOST_WORDS:
        return None
    return _on_an_agent(text, situation) or _naming(text, situation)


def _on_an_agent(text: str, situation: Situation) -> Verdict | None:
    match = _COMMAND.fullmatch(text)
    agent = _target(match[2], situation) if match else None
    action = operations.on_an_agent(match[1]) if match and agent else None
    if agent is None or action is None:
        return None
    said = details(action, text, situation, agent)
    return Verdict(
        action_type=action, confidence=1.0, entities=said, reasoning="commands an agent by its name or place"
    )


def _target(words: str, situation: Situation) -> Meant | None:
    if agent := references.known_agent(words, situation.agents):
        return agent
    place = references.place_alone(words)
    is_of_a_list = place is not None and not situation.last_note().choices
    return references.at_place(place, situation) if is_of_a_list and place is not None else None


def _naming(text: str, situation: Situation) -> Verdict | None:
    """``call it monday-notes`` renames the agent just created, changed or shown alone."""
    note = situation.last_note()
    agent = references.just_talked_about(situation)
    if agent is None or note.draft is not None or not _NAMING.match(text) or not new_name(text):
        return None
    said = details(ActionType.UPDATE_AGENT, text, situation, agent)
    return Verdict(
        action_type=ActionType.UPDATE_AGENT,
        confidence=1.0,
        entities=said,
        reasoning="names the agent just talked about",
    )


_MENTION = re.compile(r"\s*@(\w[\w-]{0,99})[\s:,]*(.*)", re.DOTALL)
_ADJUSTING = notice(
    r"\b(?:actually|rather|instead|better|same time|would do|is (?:fine|enough|plenty)|earlier|later)\b"
)
_A_FIELD = notice(
    r"^\W*(?:(?:please|ok|okay|now|and|also|actually|can you|could you) )*"
    r"(?:change|set|switch|update|make|move) (?:the|its|his|her) (?:data )?"
    r"(?:source|schedule|time|hour|name|delivery|recipients?|channel|format|scope|condition"
    r"|e-?mail(?: address)?)\b",
    r"^\W*(?:(?:please|ok|okay|now|and|also) )*add (?:an?|the|this|another) instruction\b",
)
_AGAIN = notice(r"\b(?:again|once more|one more time|same (?:thing|one))\b")
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


def certain(situation: Situation) -> Verdict | None:
    """Return the verdict on a mention, a bare pick of an offered option, a bare answer or a plain command."""
    text = gist(situation.message)
    return (
        _mentioned(text, situation)
        or _picked(text, situation)
        or _replied(text, situation.last_note())
        or plain_command(text, situation)
    )


def _mentioned(text: str, situation: Situation) -> Verdict | None:
    match = _MENTION.fullmatch(text)
    if match is None:
        return None
    agent, rest = references.known_agent(match[1], situation.agents), match[2]
    action = _on_the_mentioned(rest)
    said = details(action, rest, situation, agent)
    return Verdict(
        action_type=action,
        confidence=1.0,
        entities=said if agent else {**said, entities.AGENT_NAME: match[1]},
        reasoning="names an agent with @",
    )


def _on_the_mentioned(rest: str) -> ActionType:
    reading = read(rest, names_agent=True)
    if reading.action is ActionType.QUERY_INFO and reading.confidence >= _SURE:
        return ActionType.QUERY_INFO
    return operations.on_an_agent(rest) or ActionType.EXECUTE_TASK


def _picked(text: str, situation: Situation) -> Verdict | None:
    note = situation.last_note()
    place = pick_in(text) or named_in(text, [choice.label for choice in note.choices])
    if place is None:
        return None
    if note.choices:
        return _choice(place, note.choices)
    agent = references.at_place(place, situation) if note.listed and not note.asking else None
    if agent is None:
        return None
    if wish := _wish_for_one(situation):
        return _on_the_picked(agent, wish, situation)
    said: dict[str, JsonValue] = {entities.OPERATION: "show_agent", **naming(agent)}
    return Verdict(
        action_type=ActionType.QUERY_INFO,
        confidence=1.0,
        entities=said,
        reasoning="picks an agent of the list",
    )


def _wish_for_one(situation: Situation) -> str | None:
    """The user's request for an agent before the reply listed agents to pick from; else None."""
    before = _last_wish(situation)
    return before if read(before).action in (ActionType.EXECUTE_TASK, ActionType.UPDATE_AGENT) else None


def _on_the_picked(agent: Meant, wish: str, situation: Situation) -> Verdict:
    action = read(wish).action
    said = details(action, gist(wish), situation, agent)
    return Verdict(
        action_type=action,
        confidence=1.0,
        entities=said,
        reasoning="picks the agent for what was asked before",
    )


def _choice(place: int, choices: Sequence[Choice], confidence: float = 1.0) -> Verdict | None:
    position = len(choices) + place if place < 0 else place - 1
    if not 0 <= position < len(choices):
        return None
    choice = choices[position]
    return Verdict(
        action_type=_action(choice.action),
        confidence=confidence,
        entities={**choice.entities, entities.CHOICE: position + 1},
        reasoning="picks an option that was offered",
    )


def _replied(text: str, note: Note) -> Verdict | None:
    reply = reply_in(text)
    if reply is None:
        return None
    if note.pending:
        return _settles(note, reply)
    if note.draft is not None and reply in ("cancel", "later"):
        said: dict[str, JsonValue] = {entities.REPLY: reply}
        return Verdict(
            action_type=ActionType.CREATE_AGENT,
            confidence=1.0,
            entities=said,
            reasoning=f"a {reply} to the setup",
        )
    return None


def _settles(note: Note, reply: str, confidence: float = 1.0) -> Verdict | None:
    if note.pending is None:
        return None
    return Verdict(
        action_type=_action(note.pending.action),
        confidence=confidence,
        entities={**note.pending.entities, entities.REPLY: reply},
        reasoning=f"a {reply} to what was asked",
    )


def by_note(text: str, situation: Situation, own: Reading) -> Verdict | None:
    """Return the verdict on an answer to what the last reply's note asks or offers; else None."""
    note = situation.last_note()
    if note.pending and (reply := reply_before_more(text)) in ("yes", "no"):
        return _settles(note, str(reply), 0.85)
    chosen = _meant_choice(text, own, note.choices) if note.choices else None
    return chosen or _goes_on(text, situation, own)


def _goes_on(text: str, situation: Situation, own: Reading) -> Verdict | None:
    """A short message about the agent just discussed: a new time for it, or the same again for something."""
    agent = references.just_talked_about(situation)
    plain = re.sub("e-mail", "email", text, flags=re.IGNORECASE)  # "e-mail" looks like an agent's name
    is_other = references.describes_an_agent(plain) or own.signs & _OTHER or len(text.split()) > _FEW_WORDS
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
    found = entities.extract(text, now=situation.now, time_zone=situation.time_zone)
    is_for_another = bool({entities.PERIOD, entities.SCOPE, entities.FORMAT} & set(found))
    return references.goes_on(text) and (is_for_another or _AGAIN.search(text) is not None)


def _is_a_time(text: str, situation: Situation) -> bool:
    """Whether the message is little more than a time, or replaces one time with another."""
    when = entities.said_time(text, time_zone=situation.time_zone).get(entities.SCHEDULE_TEXT)
    is_most_of_it = isinstance(when, str) and 2 * len(when.split()) >= len(text.split())
    return is_most_of_it or (when is not None and _ADJUSTING.search(text) is not None)


def _is_a_place(text: str, situation: Situation) -> bool:
    """Whether the message is little more than a delivery target, right after a reply about one agent."""
    about = situation.last_note().about
    names_one = channel_in(text) is not None or bool(recipients_in(text))
    return (
        about is not None and about.kind == "agent" and names_one and len(text.split()) <= _WORDS_OF_A_PLACE
    )


def resumes(text: str) -> Verdict | None:
    """Return the verdict on a question about where the conversation left off; None for any other text."""
    if not asks_to_resume(text):
        return None
    said: dict[str, JsonValue] = {entities.OPERATION: "resume_conversation"}
    return Verdict(
        action_type=ActionType.QUERY_INFO, confidence=0.9, entities=said, reasoning="asks where things stood"
    )


def _meant_choice(text: str, own: Reading, choices: Sequence[Choice]) -> Verdict | None:
    """The only option with the requested action. Options with an operation can be picked by number only."""
    is_refused = (reply_in(text) or reply_before_more(text)) in ("no", "cancel", "later")
    if is_refused or len(text.split()) > _FEW_WORDS or own.action is ActionType.UNKNOWN:
        return None
    fitting = [
        place
        for place, choice in enumerate(choices, 1)
        if choice.action == own.action.value and entities.OPERATION not in choice.entities
    ]
    return _choice(fitting[0], choices, 0.85) if len(fitting) == 1 else None


def picked_in_words(text: str, situation: Situation) -> Verdict | None:
    """Return the verdict on a number that picks an option in the last reply's text, if that is a command."""
    picked = picked_from(_last_said(situation, Role.ASSISTANT), text)
    if len(picked.split()) < _FEWEST_WORDS_OF_A_COMMAND:
        return None
    action = _commanded(picked, references.last_agent(situation) is not None)
    return _suggested(action, "picks an option of the reply") if action else None


def after_words(text: str, situation: Situation, own: Reading) -> Verdict | None:
    """Return the verdict that the last reply's text suggests: an offer accepted or a question answered."""
    said = _last_said(situation, Role.ASSISTANT)
    if not said:
        return None
    is_about_agent = references.last_agent(situation) is not None
    is_vague = own.action is ActionType.UNKNOWN or own.confidence < _SURE
    answer = reply_in(text) or (reply_before_more(text) if is_vague else None)
    offer = offer_in(said)
    if answer == "yes" and offer and (action := _commanded(offer, is_about_agent)):
        return _suggested(action, "accepts what the reply offered")
    is_asked = said.rstrip().endswith("?")
    if is_vague and is_asked and answer not in ("no", "cancel") and len(text.split()) <= _FEW_WORDS:
        return _same_as_before(situation)
    return None


def _commanded(words: str, is_about_agent: bool) -> ActionType | None:
    action = read(words, names_agent=is_about_agent).action
    return None if action is ActionType.UNKNOWN else action


def _same_as_before(situation: Situation) -> Verdict | None:
    """The user's previous request, for a message that answers the reply's question about it."""
    before = read(_last_wish(situation))
    known = before.action is not ActionType.UNKNOWN
    return _suggested(before.action, "answers what the reply asked back") if known else None


def _last_wish(situation: Situation) -> str:
    return _last_said(situation, Role.USER)


def _last_said(situation: Situation, role: Role) -> str:
    return next((message.content for message in reversed(situation.history) if message.role is role), "")


def _suggested(action: ActionType, reasoning: str) -> Verdict:
    return Verdict(action_type=action, confidence=0.75, reasoning=reasoning)


def _action(value: str) -> ActionType:
    return ActionType(value) if value in ActionType.__members__.values() else ActionType.UNKNOWN
