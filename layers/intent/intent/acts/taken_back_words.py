"""Words of a task that its own sentence takes back for others: ``call Dave, no sorry, Derek, on Monday``."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.lexicon import AUXILIARIES, CORRECTIONS, LEADS, LIST_NOUNS, NEGATIONS, TASK_NOUNS, classes_of
from intent.acts.reasons import TIME_WORDS
from intent.acts.tokens import Token, tokenise

_MEANING = (("i", "mean"), ("i", "meant"), ("make", "that"), ("or", "rather"), ("scratch", "that"))
_DETERMINERS = frozenset("the a an my our his her their".split())
_MARKS = frozenset(",-\u2013\u2014(")
_ADDING = frozenset({"too", "also", "well", "and", "as"})
_ASKING = frozenset({"add", "remind"})
_HESITATING = frozenset({"oh", "ah", "er", "um", "wait"})
_STATING = AUXILIARIES | NEGATIONS
"""Words behind a name with which it is the subject of another sentence: ``actually Bob can wait``."""
_LONGEST = 6
"""How many words may be taken back at most."""


def without_taken_back_words(message: str) -> str:
    """Return a message of the same length without the words of its tasks that it takes back itself."""
    small = message.lower()
    if "," not in small or not any(word in small for word in (*CORRECTIONS, "mean", "rather", "scratch")):
        return message
    tokens = tokenise(message)
    words = {token.word for token in tokens}
    if not (words & (TASK_NOUNS | LIST_NOUNS) or any(_ASKING & classes_of(word) for word in words)):
        return message
    for place in range(1, len(tokens) - 1):
        end = _correction_end(tokens, place) if tokens[place].text in _MARKS else place
        first = _first_taken_back(tokens, place, end) if end > place else place
        if first < place:
            start, stop = tokens[first].start, tokens[end].start
            return f"{message[:start]}{' ' * (stop - start)}{message[stop:]}"
    return message


def _correction_end(tokens: Sequence[Token], begin: int) -> int:
    """Return the place behind the words of correction that stand behind a mark; the mark's place for none."""
    at, is_said = begin + 1, False
    while at < len(tokens) - 1:
        pair = (tokens[at].word, tokens[at + 1].word)
        if pair in _MEANING or tokens[at].word in CORRECTIONS:
            at, is_said = at + 1 + (pair in _MEANING), True
        elif (tokens[at].text in _MARKS and is_said) or tokens[at].word in _HESITATING:
            at += 1
        else:
            break
    return at if is_said else begin


def _first_taken_back(tokens: Sequence[Token], mark: int, new: int) -> int:
    """Return where the words begin that those at ``new`` stand for, by their form; ``mark`` where none do.

    A name stands for a name, a number for a number, and ``the electrician`` for ``the plumber``.
    """
    last, first = tokens[mark - 1], tokens[new]
    behind = next((one.word for one in tokens[new + 1 : new + 2]), "")
    if behind in _ADDING | _STATING or not last.is_word:
        return mark
    if first.text[0].isdigit() and last.text[0].isdigit():
        return mark - 1
    if first.word in _DETERMINERS:
        near = range(mark - 1, max(0, mark - _LONGEST), -1)
        return next((at for at in near if tokens[at].word in _DETERMINERS), mark)
    is_name = first.text.istitle() and last.text.istitle() and last.word not in LEADS
    if is_name and (first.word in TIME_WORDS) is (last.word in TIME_WORDS):
        at = mark - 1
        while at > 1 and tokens[at - 1].text.istitle():
            at -= 1
        return at
    is_longer = behind == last.word or any(one.word == last.word for one in tokens[new + 1 : new + 3])
    return mark - 1 if is_longer else mark
