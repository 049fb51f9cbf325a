"""Short answers: yes, no and later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from intent.acts.clauses import Clause

_YES = frozenset(
    "yes yeah yep yup ya yea aye sure ok okay okey oki correct right exactly absolutely definitely perfect"
    " fine agreed confirmed confirm please go alright indeed great good sounds works oui ja si tak y yess"
    " yesss jup affirmative course great lovely perfect approved".split()
)
_NO = frozenset("no nope nah nay never non nein don't dont wait stop hold n noo nooo negative".split())
_YES_PHRASES = (
    "go ahead", "do it", "go for it", "sounds good", "that's right", "thats right", "of course",
    "please do", "that works", "that's fine", "thats fine", "works for me", "looks good",
    "by all means", "go on", "save it", "that's it", "that's correct", "all good", "why not",
    "carry on", "fine by me", "be my guest", "make it so", "i'm sure", "im sure", "am sure", "spot on",
    "as you say", "delete it", "delete them", "remove it", "bin it",
)  # fmt: skip
_NO_PHRASES = (
    "no way", "not really", "not at all", "forget it", "never mind", "nevermind", "leave it", "keep it",
    "keep them", "rather not", "i changed my mind", "changed my mind", "cancel that", "drop it",
    "don't do", "do not", "not now", "scrap that", "leave them", "neither", "none of", "no no",
)  # fmt: skip
_LATER_PHRASES = (
    "later", "not now", "another time", "tomorrow", "let me think", "i'll come back", "ill come back",
    "come back to", "get back to you", "need to ask", "have to ask", "gotta go", "got to go",
    "be right back", "brb", "in a bit", "meeting starts", "to be continued", "hold that thought",
    "i'll be back", "go on tomorrow", "have to run", "must dash", "need to go", "continue later",
    "not sure yet", "park it", "park this",
)  # fmt: skip

_INTERJECTIONS = frozenset("oh um uh er ah hm hmm well so actually and".split())
_ALSO_BEGINS = frozenset("please right good great go".split())
"""Words for yes that also begin longer sentences."""
_MOST_OF_LATER, _BEGINNING = 14, 5
"""How many words a later has at most; among how many at the beginning a no stands."""

AGREEING = _YES | frozenset("works do done goes going want got mhm uh-huh".split())


def agrees_in_words(clause: Clause) -> bool:
    """Return whether a clause has a word that people agree with, whatever else it says."""
    return bool(AGREEING & set(clause.words)) or any(sign in clause.text for sign in YES_SIGNS)


YES_SIGNS = ("\N{THUMBS UP SIGN}", "\N{OK HAND SIGN}", "\N{WHITE HEAVY CHECK MARK}")

Reply: TypeAlias = Literal["yes", "no", "later"]


def read_reply(clause: Clause) -> Reply | None:
    """Return the yes, no or later that a clause begins with; None when it says none of them."""
    words = [token.word for token in clause.tokens if token.is_word]
    if not words:
        return None
    text = f" {' '.join(words)} "
    if any(f" {phrase} " in text for phrase in _LATER_PHRASES) and len(words) <= _MOST_OF_LATER:
        return "later"
    beginning = f" {' '.join(words[:_BEGINNING])} "
    if any(text.startswith(f" {phrase} ") or f" {phrase} " in beginning for phrase in _NO_PHRASES):
        return "no"
    if any(text.startswith(f" {phrase} ") for phrase in _YES_PHRASES):
        return "yes"
    return _said_by(words)


def _said_by(words: Sequence[str]) -> Reply | None:
    """Return what the first word that isn't an interjection says."""
    place = next((at for at, word in enumerate(words) if word not in _INTERJECTIONS), len(words) - 1)
    if words[place] in _NO:
        return "no"
    is_other = words[place] in _ALSO_BEGINS and len(words) > place + 3
    return "yes" if words[place] in _YES and not is_other else None
