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
from intent.acts.daily_life import Tone, tone_of
from intent.acts.lexicon import AUXILIARIES, LEADS, SUBJECTS, verb_forms
from intent.acts.remarks import is_remark, laughs
from intent.acts.requests import asks_for_something
from intent.acts.scene import Asked
from intent.acts.slot_types import may_be_title
from intent.acts.tokens import known_words, tokenise
from intent.entities.services import find_services
from intent.times.reader import read_times

_VOWELS = frozenset("aeiouyàáâäãåèéêëìíîïòóôöõùúûü")
_SLIPS = frozenset({"wrong", "cat", "meant", "pocket", "husband", "wife", "kid", "toddler", "ignore", "oops"})
_SLIPPED = frozenset({"sorry", "cat", "meant", "pocket", "ignore", "oops", "window", "chat"})
_LONGEST_TITLE = 60
_LEAST_WORDS, _FEW_WORDS = 3, 6


def answer(occasion: Occasion) -> Result:
    """Say what was read and ask what it may mean; another way after a second miss."""
    if not occasion.is_alone:
        return Result("")
    words = [token.word for token in tokenise(occasion.words) if token.is_word]
    if not words:
        return Result(texts.PUZZLED if occasion.last_reply else texts.UNREADABLES[0])
    if laughs(occasion.words):
        return Result(occasion.fresh(texts.JOKES))
    if (felt := remarked(occasion)) is not None:
        return felt
    if is_remark(occasion.words) and not _SLIPPED & set(words):
        return Result(occasion.fresh(texts.HEARD), lacks_answer=True)
    if "sorry" in words or _SLIPS & set(words):
        return Result(occasion.fresh(texts.WRONG_WINDOW))
    if len(words) <= _FEW_WORDS and small_talk.is_social(occasion.words):
        return small_talk.answer(occasion)
    if _is_gibberish(words):
        return Result(occasion.fresh(texts.UNREADABLES))
    quote = trimmed(occasion.words)
    if occasion.last_reply.startswith(texts.MISSES):
        return Result(texts.unclear_again(quote))
    return _guessed(occasion, quote, len(words))


def remarked(occasion: Occasion) -> Result | None:
    """Return a word of sympathy or gladness for a remark about everyday life; None for anything else."""
    tone = tone_of(occasion.words)
    if tone is None or tone is Tone.PLAIN:
        return None
    return Result(occasion.fresh(small_talk.FELT[tone]), lacks_answer=True)


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
    if not may_be_title(occasion.words) or not _may_be_done(occasion):
        remark = occasion.fresh(texts.REMARKS) if _tells(occasion.words) else texts.unclear_whole(quote)
        return Result(remark, lacks_answer=True)
    held = HeldAct(kind=ActKind.ADD_TASK, text=title, several=(title,))
    asked = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,), is_doubt=True)
    return Result(texts.unclear(quote), question=asked, lacks_answer=True)


def _may_be_done(occasion: Occasion) -> bool:
    """Return whether words are something that can be done: they begin with a verb or say when."""
    tokens = tokenise(occasion.words)
    first = next((one.word for one in tokens if one.is_word and one.word not in LEADS), "")
    form, situation = verb_forms().get(first), occasion.turn.situation
    is_deed = asks_for_something(tokens) or (form is not None and form.is_base)
    if _BEING & {token.word for token in tokens}:
        return False
    return is_deed or bool(read_times(occasion.words, now=situation.now, zone=situation.time_zone))


_BEING = frozenset("is are was were isn't aren't wasn't weren't".split())


def _tells(text: str) -> bool:
    """Return whether words tell how something is, or what somebody does."""
    words = {token.word for token in tokenise(text)}
    return bool(words & (AUXILIARIES | SUBJECTS)) or len(words & {",", ".", ";"}) > 0


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
