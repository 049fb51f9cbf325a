"""Statements that only make sense after another one: those that take it back, and those that give what a
question about earlier talk looked for in vain.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from conversation.sentences import split_sentences
from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, LEADS, classes_of, verb_forms
from intent.acts.requests import is_question
from intent.acts.scene import Scene
from intent.acts.tokens import tokenise
from intent.acts.told_facts import amends

_TAKING_BACK = (CORRECTIONS - {"hmm", "hm", "oh"}) | frozenset(
    "tch ugh hang scrap strike typo rather not".split()
)
_OPENING = LEADS | _TAKING_BACK | CORRECTIONS | frozenset("on that it hold i meant my mistake bad ,".split())
_ASKED_FOR = frozenset(
    "create watch produce add remind delete pause resume run rename call copy connect undo restore"
    " share".split()
)
_FEWEST, _MOST = 2, 40


def takes_back(text: str) -> bool:
    """Return whether a statement begins by taking back what was said before: ``wait, he retired``; or gives a
    value and excuses the one before: ``4800 sorry, fat fingers``.
    """
    if _excuses_value(text):
        return True
    words = [token.word for token in tokenise(text) if token.is_word]
    opening = list(takewhile(lambda word: word in _OPENING, words))
    rest = words[len(opening) :]
    if not _TAKING_BACK & set(opening) or not _FEWEST <= len(words) <= _MOST or not rest:
        return False
    is_excuse = opening[-1] == "sorry" and rest[0] in {"for", "about"}
    if is_excuse or (rest[0] in _SPEAKER and _LEAVING & set(rest[:_NEAR])):
        return False  # ``sorry for the delay``, ``sorry, I have to go``
    return tells(text)


_SPEAKER = frozenset({"i", "i'm", "im", "i've", "ive", "i'll", "gotta", "got", "must", "we", "have"})
_LEAVING = frozenset("go run leave off dash back away brb hurry".split())
_NEAR = 6


def _excuses_value(text: str) -> bool:
    """Return whether a text is a number or a name with an excuse behind it, and nothing else."""
    tokens = [token for token in tokenise(text) if token.is_word]
    begin = next((at for at, token in enumerate(tokens) if token.word in _EXCUSING), 0)
    value, behind = tokens[:begin], {token.word for token in tokens[begin:]}
    if not 0 < len(value) <= _MOST_OF_VALUE or "?" in text or not behind <= _EXCUSING | _AROUND_EXCUSE:
        return False
    if is_question(value) or value[0].word in LEADS:
        return False
    return any(any(map(str.isdigit, token.text)) or token.text[0].isupper() for token in value)


_MOST_OF_VALUE = 3
_EXCUSING = frozenset(
    "sorry typo oops whoops mistyped misspelt misspelled apologies autocorrect fat-fingered typed".split()
)
_AROUND_EXCUSE = LEADS | frozenset(
    "fat fingers finger thumbs thumb big clumsy my mistake bad i meant that was a an the it is wrong wrongly"
    " number key keyboard phone slip slipped of meant not again lol haha".split()
)


def tells(text: str) -> bool:
    """Return whether no sentence of a text asks or commands."""
    return "?" not in text and not any(_asks(sentence) for sentence in split_sentences(text))


def _asks(sentence: str) -> bool:
    tokens = tokenise(sentence)
    words = [token.word for token in tokens if token.is_word]
    rest = list(_behind_opening(words))
    form = verb_forms().get(rest[0]) if rest else None
    is_command = form is not None and form.is_base and bool(classes_of(rest[0]) & _ASKED_FOR)
    return is_question(tokens) or is_command


def _behind_opening(words: Sequence[str]) -> Sequence[str]:
    begin = next((at for at, word in enumerate(words) if word not in LEADS | _TAKING_BACK), len(words))
    return words[begin:]


def changes_told(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause takes back or changes what the user just told or asked of what was told."""
    was_told = bool(_OF_FACTS & {*scene.last}) or scene.did in _OF_FACTS
    is_open = scene.question is not None or scene.has_draft or scene.did not in {"", *_OF_FACTS}
    if not was_told or is_open or clause.is_question:
        return False
    return amends(clause.text) or takes_back(clause.text)


_OF_FACTS = frozenset({ActKind.REMEMBER, ActKind.RECALL})


def tells_what_was_missing(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause of no known kind tells a name or a number behind a question about earlier talk:
    ``found it, mr okoro, 020 7946 0958``.
    """
    is_open = scene.question is not None or scene.has_draft
    if is_open or scene.last[-1:] != (ActKind.RECALL,) or clause.is_question:
        return False
    has_value = any(token.text[0].isdigit() or "@" in token.text for token in clause.tokens)
    behind = (token.text for token in clause.tokens[1:])
    has_name = any(text[:1].isupper() and text.lower() not in _MYSELF for text in behind)
    return (has_value or has_name) and len(clause.words) <= _MOST and tells(clause.text)


_MYSELF = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


def tells_changed_number(clause: Clause) -> bool:
    """Return whether a clause tells a number and what it was before: ``it's 96 now, was 110 till today``."""
    words = clause.words
    if clause.is_question or _ASKING & set(words) or is_question(clause.tokens):
        return False
    numbers = [at for at, word in enumerate(words) if word[0].isdigit()]
    former = [at for at in numbers if at and _FORMER & set(words[max(0, at - 2) : at])]
    return len(numbers) > len(former) > 0 and bool(_STATING & set(words))


_FORMER = frozenset({"was", "were", "not", "from", "than"})
_STATING = frozenset("is are it's its they're there's now has have".split())
_ASKING = frozenset("what what's whats how much many total altogether difference equals = + - * / %".split())
