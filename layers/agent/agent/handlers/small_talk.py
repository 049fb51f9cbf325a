"""Answers to messages that ask for nothing we do: greetings, thanks, small talk, unreadable words. Pure."""

from __future__ import annotations

import re

from agent.handler_interface import HandlerReply, TurnRequest
from agent.templates import small_talk_texts
from agent.wizard.answer_parsing import is_cancel
from intent.regular_expressions import LazyPattern

_GREETING = LazyPattern(
    r"^\W*(hi|hello|hey|howdy|good (morning|afternoon|evening|day)|greetings|hiya"
    r"|yo)\b[\w\s]{0,25}[!.,?\s]*$",
)
_THANKS = LazyPattern(
    r"\b(thanks|thank you|thx|ty|cheers|much appreciated|awesome|great job|well done|perfect|nice one)\b",
)
_FAREWELL = LazyPattern(r"\b(bye|goodbye|good night|see (you|ya)|talk (to you )?later|that'?s all)\b")
_MOOD = LazyPattern(r"\bhow are (you|things)\b|\bhow'?s it going\b|\bwhat'?s up\b")
_SCOLDING = LazyPattern(
    r"^\W*(\w+\W+){0,2}(you('re| are)?|this is|that was) (so |really |just |pretty |completely |an? )*"
    r"(stupid|dumb|useless|terrible|awful|idiot|rubbish|crap|annoying|no help|not helpful|hopeless)\W*$"
)
_SORRY = LazyPattern(r"^\W*((oh|i'?m|i am|so|very)\W+)*(sorry|apologies|my bad|my mistake|oops)\W*$")
_AGREEMENT = LazyPattern(
    r"^\W*(ok|okay|k|yes|yep|yeah|sure|fine|no|nope|cool|great|good|right|i see|got it)\W*$"
)
_ASKING = LazyPattern(
    r"^\W*((hey|hi|hello|please|ok|so|and|now|then)\W+)*(what|who|whom|whose|which|when|where|why|how|is|are|was"
    r"|were|do|does|did|can|could|would|should|will|has|have|tell me|explain|describe|define|name|calculate"
    r"|compute|convert|translate|compare|give me|write)\b",
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_VOWELLED = LazyPattern(r"[aeiouyàáâäãåèéêëìíîïòóôöõùúûü]|[^\x00-\u024f]")


def reply(turn: TurnRequest) -> HandlerReply:
    """A short human answer, or a question that helps."""
    name, message = turn.situation.assistant_name, turn.message
    if is_cancel(message):
        return HandlerReply(small_talk_texts.nothing_to_cancel())
    if is_small_talk(message):
        return HandlerReply(_small_talk(message, name))
    if _is_gibberish(message):
        return HandlerReply(small_talk_texts.gibberish())
    text = small_talk_texts.not_understood(tuple(card.name for card in turn.visible_agents()[:5]))
    return HandlerReply(text, lacks_answer=is_question(message))


def is_small_talk(message: str) -> bool:
    """Whether the message is short and merely sociable."""
    return len(message.split()) <= 12 and any(
        pattern.search(message)
        for pattern in (_GREETING, _THANKS, _FAREWELL, _MOOD, _SCOLDING, _SORRY, _AGREEMENT)
    )


def is_question(message: str) -> bool:
    """Whether the message asks for something and does not only state it."""
    return message.rstrip().endswith("?") or _ASKING.search(message) is not None


def _is_gibberish(message: str) -> bool:
    """Whether nothing in the message looks like a word."""
    words = _WORD.findall(message)
    return not any(_VOWELLED.search(word) for word in words) or (
        len(words) == 1 and _is_smashed(words[0].lower())
    )


def _is_smashed(word: str) -> bool:
    """Whether a long word has four consonants in a row, as random keystrokes have."""
    return len(word) > 5 and len(re.findall(r"[bcdfghjklmnpqrstvwxz]{4}", word)) > 0


def _small_talk(message: str, name: str) -> str:
    if _MOOD.search(message):
        return small_talk_texts.doing_well()
    if _SCOLDING.search(message):
        return small_talk_texts.apologies()
    if _SORRY.search(message):
        return small_talk_texts.no_harm()
    if _GREETING.search(message):
        return small_talk_texts.hello(name)
    if _THANKS.search(message):
        return small_talk_texts.welcome()
    return small_talk_texts.goodbye() if _FAREWELL.search(message) else small_talk_texts.nothing_to_confirm()
