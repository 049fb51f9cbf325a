"""Requests in any polite words to keep one fact: ``would you be so kind as to memorise that our vegan guests
sit at table nine?``

Not the matter of this module: a fact with such a request in a sentence beside it (`kept_facts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS, verb_forms
from intent.acts.task_titles import DEEDS
from intent.acts.tokens import Token, tokenise
from intent.acts.told_facts import OWED, is_statement
from intent.times.words.lexicon import WEEKDAYS

_POLITE = LEADS | frozenset(
    "would could can will may might must should do does did be is it it'd it's that'd i i'd i'll we we'd you"
    " you'd my me us a an the favour favor so very really kind kindly nice great good helpful lovely ok okay"
    " fine possible ask asking beg want need like love wish mind appreciate appreciated grateful thankful"
    " glad happy obliged if as to for of and try make take sure always ever everyone please pls plz also"
    " when where there's one more something let have get here small little quick u ya trouble bother"
    " kindness"
    " that'd how about maybe perhaps".split()
)
"""Words before a request to keep something that say no more than "please"."""
_OPEN = (
    "keep in mind|keep it in mind|keep in your mind|bear in mind|keep in your head|keep in memory"
    "|keep in your memory|kept in mind|keeping in mind|bearing in mind|make a note|make note"
    "|make a mental note|mental note|take note|take a note|making a note|hold on to this|hold onto this"
    "|hold this|not forget|don't forget|not to forget|note down|commit to memory|remember|remembering"
    "|memorise|memorize|memorising|memorizing|remeber|rember|remmember|note|noting|mind"
)
"""Verbs for keeping something, behind which it may follow without "that" or a colon."""
_CLOSED = (
    "write down|jot down|put down|be aware|retain|retaining|store|storing|save|saving|record|register|know"
    "|log|keep|remembered|memorised|memorized|noted|kept"
)
_KEEPING = tuple((tuple(one.split()), True) for one in _OPEN.split("|")) + tuple(
    (tuple(one.split()), False) for one in _CLOSED.split("|")
)
_INTRODUCING = frozenset({"that", ":"})
_BEHIND_KEEPING = frozenset("this the following for me us please well too down , -".split())
_NO_FACTS = OWED | TASK_NOUNS | LIST_NOUNS | AGENT_NOUNS - {"job", "jobs"}
_MOST_POLITE, _FEWEST_TOLD, _LONGEST = 16, 3, 400
_ENDS = frozenset(".;!?\n")


def kept_fact(text: str) -> str:
    """Return the statement that a text asks to keep, in its own words; empty where it asks for something to
    be done, asks a question, or tells nothing.
    """
    tokens = tokenise(text[:_LONGEST])
    at = _behind_request(tokens)
    if at is None:
        return ""
    end = next((place for place in range(at, len(tokens)) if tokens[place].text in _ENDS), len(tokens))
    told = tokens[at:end]
    if not told or (any(one.is_word for one in tokens[end:]) and "?" in text[tokens[end].end :]):
        return ""
    return text[told[0].start : told[-1].end].strip(" ,")


def _behind_request(tokens: Sequence[Token]) -> int | None:
    """Return the place of the statement behind a request to keep it; None without both."""
    words = [token.word for token in tokens]
    others = 0
    for place in range(min(len(words), _MOST_POLITE)):
        phrase = next((one for one in _KEEPING if tuple(words[place : place + len(one[0])]) == one[0]), None)
        if phrase is not None and (not others or "you" in words[:place]):
            takes_bare = phrase[1] and not others
            takes_phrase = phrase[0][0] not in _TAKING_THINGS
            begin = _begin_of_told(
                words, place + len(phrase[0]), takes_bare=takes_bare, takes_phrase=takes_phrase
            )
            if begin is not None and _is_asked(words[:place], phrase[0]):
                return begin
        others += words[place] not in _POLITE and words[place][0].isalnum()
        asks_others = words[place] in {"ask", "asking"} and words[place + 1 : place + 2] != ["you"]
        if others > _MOST_OTHERS or asks_others or words[place] in _TO_OTHERS | _ENDS:
            return None
    return None


_TAKING_THINGS = frozenset("store storing save saving record register log keep".split())
"""Verbs behind which "that" may point at a thing: ``keep that one to myself``."""
_MOST_OTHERS = 2
"""How many words that say something may stand before a request to keep what follows "that"."""
_TO_OTHERS = frozenset("tell remind email mail send call write text he she they him her them who why".split())


def _is_asked(before: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the words before a verb make it a request: not so ``do you know that …``."""
    said = [word for word in before if word[0].isalnum() and word not in LEADS]
    if phrase[0] in _WISHED_PAST and "if" not in said:
        return False
    if said[-2:-1] in (["do"], ["did"]) and said[-1:] == ["you"]:
        return False
    if phrase[0] in {"know", "mind"} and said[-1:] in (["you"], ["i"], ["we"], ["d"]):
        return False  # ``would you mind that …``, ``I know that …``
    return said[-1:] not in (["i"], ["we"], ["they"], ["it"])


_WISHED_PAST = frozenset({"remembered", "memorised", "memorized", "noted", "kept"})
"""Forms that only ask for something behind "if": ``it would help if you remembered that …``."""


def _begin_of_told(words: Sequence[str], at: int, *, takes_bare: bool, takes_phrase: bool) -> int | None:
    """Return the place where the statement begins; None where no statement follows. Behind "that" or a colon
    a phrase without a known verb of statements may do.
    """
    place = at
    while place < len(words) and words[place] in _BEHIND_KEEPING:
        place += 1
    is_introduced = place < len(words) and words[place] in _INTRODUCING
    begin = place + 1 if is_introduced else at if takes_bare else len(words)
    while begin < len(words) and not words[begin][0].isalnum():
        begin += 1
    rest = words[begin:]
    end = next((at for at, word in enumerate(rest) if word in _ENDS), len(rest))
    told = [word for word in rest[:end] if word[0].isalnum()]
    owes = any(one in {"have", "has", "got"} and two == "to" for one, two in pairwise(told))
    if len(told) < _FEWEST_TOLD or told[0] in QUESTION_WORDS | {"to", "if", "whether"} or owes:
        return None
    if set(told) & _NO_FACTS:
        return None
    if is_statement(told):
        return begin
    is_behind_colon = is_introduced and words[place] == ":"
    is_told = (
        is_introduced
        and takes_phrase
        and not _is_deed(told[0])
        and not (is_behind_colon and _DAYS & set(told))
    )
    return begin if is_told else None


_DAYS = frozenset({*WEEKDAYS, "today", "tomorrow", "tmrw", "tonight"})
"""What makes something noted in passing a thing to do: ``put down: dentist thursday 3pm``."""


def _is_deed(word: str) -> bool:
    """Return whether words that begin with a word say what to do: ``ring the vet``."""
    form = verb_forms().get(word)
    return word in DEEDS or (form is not None and form.is_base)
