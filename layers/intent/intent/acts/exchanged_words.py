"""Words of a title that a correction puts in place of others: ``Ellen, not Helen``, ``I meant soya milk``,
``that's Jon without an h``.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.tokens import Token

_MARKS = frozenset(",.;:!-\u2013\u2014\u2026")
_MOST_WORDS = 5
_NAMING = frozenset("it's its it is but that's that i i'm mean meant for".split())
_STATING = frozenset({"is", "be", "say", "says", "read", "reads", "was"})
_ONLY = frozenset({"just", "only", "simply", "merely"})
_FRAMES = (
    "i mean", "i meant", "it should be", "it should say", "it should read", "that should be",
    "that should say", "that should read", "should be", "should say", "should read", "make that", "make it",
    "it's", "its", "it is", "that's", "thats", "that is", "they're",
)  # fmt: skip
_PHRASES = tuple(tuple(frame.split()) for frame in _FRAMES)
_MEANING = (("i", "mean"), ("i", "meant"))
_STILL_NEAR = 0.7


def exchanged_words(tokens: Sequence[Token], message: str, title: str) -> str:
    """Return a title with some of its words exchanged, as a correction says; empty for any other words."""
    said = list(tokens)
    while said and (said[0].word in CORRECTIONS | LEADS or said[0].text[0] in _MARKS):
        said.pop(0)
    at = next((place for place, one in enumerate(said) if one.word == "not"), None)
    if at is None:
        return _named_instead(said, message, title)
    if not at:
        return _denied(said[1:], message, title)
    return with_exchanged(_without_meaning(said[:at]), _without_only(said[at + 1 :]), message, title)


def _without_meaning(tokens: Sequence[Token]) -> list[Token]:
    """Return words without ``I meant`` behind them."""
    kept = list(tokens)
    while kept and kept[-1].text[0] in _MARKS:
        kept.pop()
    return kept[:-2] if tuple(one.word for one in kept[-2:]) in _MEANING else list(tokens)


def _without_only(tokens: Sequence[Token]) -> list[Token]:
    """Return the words that are denied: those behind ``not just``, up to a mark."""
    kept = list(tokens)
    while kept and kept[0].word in _ONLY:
        kept.pop(0)
    end = next((at for at, one in enumerate(kept) if one.text[0] in _MARKS), len(kept))
    kept = kept[:end]
    while kept and kept[-1].word in LEADS:
        kept.pop()
    return kept


def _denied(tokens: Sequence[Token], message: str, title: str) -> str:
    """Return the title for ``not Jade, it's Jake``."""
    mark = next((place for place, one in enumerate(tokens) if one.text[0] in _MARKS), len(tokens))
    return with_exchanged(tokens[mark + 1 :], tokens[:mark], message, title)


def with_exchanged(new: Sequence[Token], old: Sequence[Token], message: str, title: str) -> str:
    """Return a title with words of a message in place of ``old``; empty where the title lacks those."""
    words = title.split()
    denied = [one.text.lower() for one in old]
    plain = [_plain(word) for word in words]
    place = _place_in(plain, denied)
    if place is None and denied[:1] == ["the"]:
        denied = denied[1:]
        place = _place_in(plain, denied)
        new = new[1:] if new and new[0].word == "the" else new
    if place is None or len(denied) > _MOST_WORDS:
        return ""
    before, behind = plain[:place], plain[place + len(denied) :]
    kept = _aligned(_behind_statement(new), before, behind)
    if not 0 < len(kept) <= _MOST_WORDS:
        return ""
    if behind and kept[-1].word.removesuffix("s") == behind[0].removesuffix("s"):
        denied = [*denied, behind[0]]  # ``the Leith and Fife offices`` for ``the Leith office``
    wanted = message[kept[0].start : kept[-1].end]
    last = words[place + len(denied) - 1]
    mark = last[len(_plain(last)) :]
    return " ".join((*words[:place], f"{wanted}{mark}", *words[place + len(denied) :]))


def _place_in(words: Sequence[str], denied: Sequence[str]) -> int | None:
    """Return where words stand in a title; None where they don't, or there are none."""
    size = len(denied)
    return next((at for at in range(len(words)) if size and words[at : at + size] == denied), None)


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s").strip(',.;:!?"“”()')


def _behind_statement(tokens: Sequence[Token]) -> list[Token]:
    """Return the words that name what is meant: of ``the deck is for Ana`` those behind the verb."""
    kept = list(tokens)
    while kept and kept[-1].text[0] in _MARKS:
        kept.pop()
    cut = max((at for at, one in enumerate(kept) if one.word in _STATING), default=-1)
    kept = kept[cut + 1 :]
    while kept and (kept[0].word in _NAMING | LEADS or kept[0].text[0] in _MARKS):
        kept.pop(0)
    return kept


def _aligned(tokens: Sequence[Token], before: Sequence[str], behind: Sequence[str]) -> list[Token]:
    """Return new words without those that the title has around the old ones: ``room 14`` for ``12``."""
    kept = list(tokens)
    said = [one.text.lower() for one in kept]
    for count in range(min(len(said) - 1, len(before)), 0, -1):
        if said[:count] == list(before[-count:]):
            kept, said = kept[count:], said[count:]
            break
    for count in range(min(len(said) - 1, len(behind)), 0, -1):
        if said[-count:] == list(behind[:count]):
            return kept[:-count]
    return kept


def _named_instead(tokens: Sequence[Token], message: str, title: str) -> str:
    """Return the title for words that only say how a part of it should be: ``I meant soya milk``."""
    words = tuple(one.word for one in tokens)
    frame = next((one for one in sorted(_PHRASES, key=len, reverse=True) if words[: len(one)] == one), ())
    kept = list(tokens[len(frame) :]) if frame else []
    kept = _without_spelling(kept)
    while kept and (kept[-1].text[0] in _MARKS or kept[-1].word in LEADS):
        kept.pop()
    if not 0 < len(kept) <= _MOST_WORDS or not all(one.is_word or one.text == "&" for one in kept):
        return ""
    wanted = message[kept[0].start : kept[-1].end].split()
    return _with_window(wanted, title) or _with_near_word(wanted, title, may_count=frame[0] != "make")


def _without_spelling(tokens: list[Token]) -> list[Token]:
    """Return words without what says how the name is spelt: ``Jon without an h``."""
    words = [one.word for one in tokens]
    cut = next((at for at, word in enumerate(words) if at and word in {"with", "without"}), None)
    is_spelling = cut is not None and words[cut + 1 : cut + 2] != [] and words[cut + 1] in _COUNTING_LETTERS
    return tokens[:cut] if is_spelling else tokens


_COUNTING_LETTERS = frozenset({"a", "an", "two", "one", "no", "the"})


def _with_window(wanted: Sequence[str], title: str) -> str:
    """Return the title with the stretch that shares a word with the wanted ones: ``soya milk``."""
    words = title.split()
    size = len(wanted)
    small = [word.lower() for word in wanted]
    if size < 2:
        return ""
    for at in range(len(words) - size + 1):
        stretch = [_plain(word) for word in words[at : at + size]]
        is_same = [one == two for one, two in zip(stretch, small, strict=True)]
        if any(is_same) and not all(is_same):
            return " ".join((*words[:at], *wanted, *words[at + size :]))
    return ""


def _with_near_word(wanted: Sequence[str], title: str, *, may_count: bool) -> str:
    """Return the title with one word that is spelt nearly as the wanted one, or its only number."""
    if len(wanted) != 1:
        return ""
    [word] = wanted
    words = title.split()
    if word.isdigit():
        numbers = [at for at, one in enumerate(words) if one.isdigit() and one != word]
        at = numbers[0] if may_count and len(numbers) == 1 else None
    elif word[0].isupper() and len(names := _names_in(words)) == 1:
        at = names[0]
    else:
        near = [(_likeness(word, one), at) for at, one in enumerate(words) if _plain(one) != word.lower()]
        best, place = max(near, default=(0.0, 0))
        at = place if best >= _STILL_NEAR else None
    return "" if at is None else " ".join((*words[:at], word, *words[at + 1 :]))


def _names_in(words: Sequence[str]) -> list[int]:
    """Return the places of the names in a title: its words with a capital letter, behind the first."""
    return [at for at, word in enumerate(words) if at and word[0].isupper()]


def _likeness(word: str, other: str) -> float:
    return SequenceMatcher(None, word.lower(), _plain(other)).ratio()


def meant_object(tokens: Sequence[Token]) -> list[Token]:
    """Return the words behind ``I meant``; empty for any other words."""
    said = [one for one in tokens if one.word not in CORRECTIONS | LEADS and one.text[0] not in _MARKS]
    return said[2:] if tuple(one.word for one in said[:2]) in _MEANING else []
