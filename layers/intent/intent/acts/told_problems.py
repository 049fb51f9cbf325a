"""What somebody who doesn't know what to ask for tells of their trouble, without the words that only say so:
``people cancel at the last minute`` of ``Not sure what I need, people cancel at the last minute``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from intent.acts.lexicon import LEADS, NEGATIONS, POINTERS, QUESTION_WORDS
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, tokenise
from intent.acts.told_systems import without_system_told

_ENDS = frozenset(".,!?;:\n\u2013\u2014-")
_UNSURE = frozenset("idea clue dunno finger help suggest recommend begin".split())
_KNOWING = frozenset("know sure certain".split())
"""What somebody unsure says that they don't, or aren't."""
_OF_WISH = frozenset(
    "want need ask start thinking thought me again yesterday hello hi morning thanks thank".split()
)
_OPENING = (
    "my problem is that", "my problem is", "my problem", "the problem is that", "the problem is",
    "the trouble is that", "the trouble is", "the thing is", "it's just that", "it's that",
    "all i know is that", "all i know is", "i only know that", "i only know", "something about",
    "something with", "something for", "i just want", "i want", "i need", "we need", "we want", "well",
    "somehow", "just", "hmm", "basically", "mostly", "but", "and", "because", "we just", "honestly",
)  # fmt: skip
_FEWEST = 2
_LONGEST = 200
GOING_WRONG = frozenset(
    "nobody noone forget forgets forgot late lapse lapses lapsed miss missed missing overdue never"
    " lost notice notices complains unpaid expire expires hardly unanswered stuck slow old wrong".split()
)
_AGAIN = frozenset("keep keeps keeping always again constantly not ask asks asking out too only".split())
_TROUBLE = frozenset("problem trouble headache nightmare struggle worry issue".split())
_NEAR = 5


def goes_wrong(text: str) -> bool:
    """Return whether words tell of something that goes wrong, or that happens again and again."""
    words = {token.word for token in tokenise(text)} | ({"noone"} if "no one" in text.lower() else set())
    return bool((GOING_WRONG | _AGAIN) & words) or any(word.endswith("n't") for word in words)


def begins_with_trouble(words: Sequence[str]) -> bool:
    """Return whether words begin by saying that they tell of a trouble: ``my problem is the reviews``."""
    return bool(_TROUBLE & set(words[:_NEAR])) and bool({"is", "with", "are"} & set(words[:_NEAR]))


def problem_in(messages: Iterable[str]) -> str:
    """Return the trouble that messages tell of, the one told most fully; empty without any."""
    told = [one for message in messages for one in _told(without_system_told(message))]
    return max(told, key=lambda one: (content_of(one) >= _FEWEST, content_of(one)), default="")


def content_of(text: str) -> int:
    """Return how many words of a text say something of their own."""
    return sum(token.is_word and token.word not in CLOSED_CLASS | LEADS for token in tokenise(text))


def _told(message: str) -> Iterator[str]:
    """Yield the stretches of a message without the parts that say only that somebody is unsure."""
    stretch: list[Token] = []
    for whole, mark in _parts(tokenise(message)):
        part = _behind_cleft(whole)
        is_kept = mark != "?" and not _says_unsure(part)
        stretch = [*stretch, *part] if is_kept else stretch
        if stretch and (not is_kept or mark in {".", "!", "?", ";", "\n", ""}):
            if text := _without_opening(message[stretch[0].start : stretch[-1].end]):
                yield text[:_LONGEST]
            stretch = []


def _parts(tokens: Sequence[Token]) -> Iterator[tuple[Sequence[Token], str]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text in _ENDS:
            if place > begin:
                yield tokens[begin:place], token.text
            begin = place + 1
    if begin < len(tokens):
        yield tokens[begin:], ""


def _behind_cleft(part: Sequence[Token]) -> Sequence[Token]:
    """Return what ``what bugs me is that`` introduces; the whole part where it begins otherwise."""
    words = [token.word for token in part]
    begin = next((at for at, word in enumerate(words) if word not in LEADS), 0)
    if words[begin : begin + 1] not in (["what"], ["all"]):
        return part
    end = next(
        (at for at in range(begin + 2, min(len(words), begin + 7)) if words[at] in {"is", "was"}), None
    )
    if end is None or end + 2 >= len(words):
        return part
    return part[end + 1 + (words[end + 1] == "that") :]


def cleft_place(tokens: Sequence[Token]) -> int:
    """Return where words go on behind ``what I lose track of is``; 0 where they begin otherwise."""
    words = [token.word for token in tokens]
    begin = next((at for at, token in enumerate(tokens) if token.is_word and token.word not in LEADS), 0)
    if words[begin : begin + 1] not in (["what"], ["all"]) or words[begin + 1 : begin + 2] not in _TELLERS:
        return 0
    near = range(begin + 2, min(len(words) - _FEWEST_BEHIND, begin + _LONGEST_CLEFT))
    end = next((at for at in near if words[at] in {"is", "was"} and tokens[at - 1].is_word), -1)
    return end + 1


_TELLERS = (["i"], ["we"], ["i'd"], ["we'd"], ["bugs"], ["worries"], ["annoys"])
_FEWEST_BEHIND, _LONGEST_CLEFT = 3, 9


def main_clause(problem: str) -> str:
    """Return the clause of a trouble that says what goes wrong, or else the fullest: of ``so tired of this,
    people call in sick`` the second.
    """
    clauses = [one.strip() for one in problem.split(", ") if one.strip()]
    return max(clauses, key=lambda one: content_of(one) >= _FEWEST, default=problem)


def _says_unsure(part: Sequence[Token]) -> bool:
    words = [token.word for token in part if token.word not in LEADS]
    said = set(words)
    is_unknown = bool(said & _KNOWING) and bool(said & NEGATIONS) and not _misses_fact(words)
    if not said - CLOSED_CLASS - _OF_WISH or said & _UNSURE or is_unknown:
        return True
    return bool(words) and words[0] in QUESTION_WORDS - {"when", "where", "which"}


def _misses_fact(words: Sequence[str]) -> bool:
    """Return whether words tell which fact somebody doesn't know: ``I never know which are paid``."""
    at = next((at for at, word in enumerate(words) if word in _KNOWING), len(words))
    behind = words[at + 1 :]
    is_fact = behind[:1] != [] and behind[0] in _FACTS
    return is_fact and any(word not in CLOSED_CLASS | LEADS | _OF_WISH | _UNSURE for word in behind[1:])


_FACTS = frozenset({"which", "who", "whose", "when"})


def _without_opening(text: str) -> str:
    """Return words without what only introduces them."""
    rest = text.strip()
    while opening := next((one for one in _OPENING if _begins(rest, one)), ""):
        rest = rest[len(opening) :].lstrip(" ,:")
    for end in (" mostly", " really", " i think", " i guess", " to be honest", " i suppose", ","):
        rest = rest[: -len(end)] if rest.lower().endswith(end) else rest
    words = [token.word for token in tokenise(rest)]
    return rest if content_of(rest) and words[0] not in _POINTING else ""


_POINTING = POINTERS | {"they", "it's", "they're", "that's"}


def _begins(text: str, opening: str) -> bool:
    small = text.lower().replace("\u2019", "'")
    return small.startswith(opening) and not small[len(opening) : len(opening) + 1].isalnum()
