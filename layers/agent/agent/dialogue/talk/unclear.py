"""Answers to what wasn't understood: the best guess and one alternative, as a question."""

from __future__ import annotations

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.talk import small_talk, texts
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.phrases import as_title, trimmed
from agent.handler_interface import agent_reference
from agent.workspace.agents import service_name
from intent.acts.act import ActKind
from intent.acts.scene import Asked
from intent.acts.slot_types import may_be_title
from intent.acts.tokens import known_words, tokenise
from intent.entities.services import find_services

_VOWELS = frozenset("aeiouyàáâäãåèéêëìíîïòóôöõùúûü")
_SLIPS = frozenset({"wrong", "cat", "meant", "pocket", "husband", "wife", "kid", "toddler", "ignore", "oops"})
_LONGEST_TITLE = 60
_LEAST_WORDS, _FEW_WORDS = 3, 6


def answer(occasion: Occasion) -> Result:
    """Say what was read and ask what it may mean; another way after a second miss."""
    if not occasion.is_alone:
        return Result("")
    words = [token.word for token in tokenise(occasion.words) if token.is_word]
    if not words:
        return Result(texts.PUZZLED if occasion.last_reply else texts.UNREADABLES[0])
    if "sorry" in words or _SLIPS & set(words):
        return Result(occasion.fresh(texts.WRONG_WINDOW))
    if _is_gibberish(words):
        return Result(occasion.fresh(texts.UNREADABLES))
    if len(words) <= _FEW_WORDS and small_talk.is_social(occasion.words):
        return small_talk.answer(occasion)
    quote = trimmed(occasion.words)
    if occasion.last_reply.startswith(texts.MISSES):
        return Result(texts.unclear_again(quote))
    return _guessed(occasion, quote, len(words))


def _guessed(occasion: Occasion, quote: str, count: int) -> Result:
    named = next((card for card in occasion.turn.visible_agents() if card.name in quote.lower()), None)
    if named is not None:
        return Result(texts.unclear_about(quote, named.name), about=agent_reference(named))
    service = next((service_name(found.name) for found in find_services(quote)), None)
    if service is not None:
        return Result(texts.unclear_agent(quote, service), lacks_answer=True)
    title = as_title(occasion.words)
    if count < _LEAST_WORDS or len(title) > _LONGEST_TITLE:
        return Result(occasion.fresh(texts.REMARKS), lacks_answer=True)
    if not may_be_title(occasion.words):
        return Result(texts.unclear_whole(quote), lacks_answer=True)
    held = HeldAct(kind=ActKind.ADD_TASK, text=title, several=(title,))
    asked = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,), is_doubt=True)
    return Result(texts.unclear(quote), question=asked, lacks_answer=True)


def _is_gibberish(words: list[str]) -> bool:
    """Return whether no word looks like one."""
    return not any(word in known_words() or word.isdigit() or _looks_like_word(word) for word in words)


def _looks_like_word(word: str) -> bool:
    if len(word) < 3 or not _VOWELS & set(word):
        return False
    rows = "".join("v" if letter in _VOWELS else "c" for letter in word)
    return "cccc" not in rows and not _is_one_row(word)


def _is_one_row(word: str) -> bool:
    """Return whether all letters are neighbours on the keyboard: ``asdf``, ``lkjhh``."""
    return any(set(word) <= set(row) for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm"))
