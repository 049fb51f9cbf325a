"""The schedule of words that name it in steps: corrected, with an exception, or with a second choice.

``daily at 16:00. sorry, 15:30, and not on Saturdays``; ``every other Friday, or every Friday if that's not
possible``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.lexicon import CORRECTIONS, EXCEPTIONS, LEADS, NEGATIONS
from intent.acts.tokens import Token, tokenise
from intent.acts.wishes_for_agents import IMPOSSIBLE

_ENDS = frozenset(".!?;\n\u2026")
_CHANGING = NEGATIONS | EXCEPTIONS | {"possible", "ideal", "ideally", "better", "rather", "preferably"}
_REACH = 7


def first_choice(words: str) -> str:
    """Return words up to what shall hold only if the first is impossible, and without what changes nothing:
    ``even when that day is a Sunday``.
    """
    words = _without_concession(words)
    tokens = tokenise(words)
    for place, token in enumerate(tokens):
        if token.word != "if" or not IMPOSSIBLE & {one.word for one in tokens[place + 1 : place + _REACH]}:
            continue
        begin = place
        while begin and tokens[begin - 1].text not in _ENDS and tokens[begin - 1].word != "or":
            begin -= 1
        cut = begin - 1 if begin and tokens[begin - 1].word == "or" else place
        return words[: tokens[cut].start].rstrip(" ,.;-")
    return words


def second_choice(words: str) -> str:
    """Return what shall be instead of words such as ``if that's a faff, just do every Friday``; the same
    words where they begin with no such doubt.
    """
    tokens = [token for token in tokenise(words) if token.is_word]
    begin = next((at for at, token in enumerate(tokens) if token.word not in LEADS), 0)
    if begin == len(tokens) or not tokens or tokens[begin].word not in {"if", "o"}:
        return words
    doubts = [at for at, token in enumerate(tokens[: begin + _REACH + 1]) if token.word in IMPOSSIBLE]
    return words[tokens[doubts[-1]].end :].lstrip(" ,") if doubts and doubts[-1] + 1 < len(tokens) else words


def _without_concession(words: str) -> str:
    tokens = tokenise(words)
    for place, token in enumerate(tokens[:-1]):
        if token.word == "even" and tokens[place + 1].word in {"when", "if", "on", "though"}:
            rest = next((one.start for one in tokens[place + 1 :] if not one.is_word), len(words))
            return f"{words[: token.start].rstrip(' ,')}{words[rest:]}"
    return words


def steps(words: str) -> list[str]:
    """Return words in the steps in which they say when: what comes first, then each correction of it."""
    found: list[str] = []
    for tokens in _parts(tokenise(words)):
        text = words[tokens[0].start : tokens[-1].end]
        if not found or _corrects(tokens):
            found.append(text)
        else:
            found[-1] = f"{found[-1]} {text}"
    return found


def _parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the sentences, and what stands before and behind a word of correction."""
    begin = 0
    for place, token in enumerate(tokens):
        ends = token.text in _ENDS
        corrects = token.word in CORRECTIONS and place > begin
        if (ends or corrects) and any(one.is_word for one in tokens[begin:place]):
            yield tokens[begin:place]
            begin = place + 1 if ends else place
    if any(one.is_word for one in tokens[begin:]):
        yield tokens[begin:]


def _corrects(tokens: Sequence[Token]) -> bool:
    """Return whether a part takes something back or leaves something out."""
    words = [token.word for token in tokens if token.is_word]
    return bool(words) and (words[0] in CORRECTIONS or bool(_CHANGING & set(words)))


def plain_change(words: str) -> str:
    """Return the words of a correction as a change is said: ``15:30`` of ``no, 15:30``, ``not on sunday`` of
    ``and sunday not, we are closed``.
    """
    tokens = tokenise(words)
    while len(tokens) > 1 and tokens[0].word in CORRECTIONS and not tokens[1].is_word:
        tokens = tokens[2:]
    told = [token.word for token in tokens if token.is_word and token.word not in {"and", "but", "so"}]
    if len(told) > 1 and told[1] in {"not", "no"} and told[0].removesuffix("s").endswith("day"):
        return f"not on {told[0]}"
    return words[tokens[0].start :] if tokens else words
