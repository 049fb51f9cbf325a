"""Commands that leave no doubt: a verb and nothing but an agent's name or place, or a name for the agent just
talked about.

What such a message would be without knowing the agents (``run the numbers``) is judged elsewhere.
"""

from __future__ import annotations

from intent import operations, references
from intent.decision import ActionType
from intent.details import details
from intent.patterns import either, notice
from intent.references import Meant
from intent.situation import Situation
from intent.titles import new_name
from intent.verdict import Verdict

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
    """The verdict on a message that is such a command and nothing else."""
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
