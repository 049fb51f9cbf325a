"""What a user tells to be kept in mind: ``note to self, the staging db is on port 5433``, what changes it
later, and what is asked about it without its name. A fact has no deed in it, so it is no task.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from conversation.sentences import sentence_spans
from intent.acts.act import ActKind
from intent.acts.agent_questions import read_question
from intent.acts.clauses import Clause
from intent.acts.lexicon import (
    AGENT_NOUNS,
    AUXILIARIES,
    CORRECTIONS,
    LEADS,
    LIST_NOUNS,
    NEGATIONS,
    QUESTION_WORDS,
    TASK_NOUNS,
    classes_of,
    verb_forms,
)
from intent.acts.references import find_meant
from intent.acts.requests import is_question
from intent.acts.scene import Scene
from intent.acts.slot_types import names_something
from intent.acts.tokens import tokenise

_NOTING = frozenset("note notes memo fyi nb remember".split())
_BEFORE_NOTE = frozenset("make take keep a an just my quick little small one".split())
_BEHIND_NOTE = frozenset(
    "to self me myself for later on that record mind future reference file : , - \u2013 \u2014 .".split()
)
_STATING = frozenset(
    "is are was were isn't aren't has had runs run lives sits stands costs uses belongs starts opens closes"
    " ends goes likes prefers speaks takes holds keeps works comes drinks eats wants moves gives pays plays"
    " wears hates loves leaves arrives".split()
)
OWED = frozenset("due deadline must should need needs ought needed gotta overdue expires".split())
_ONESELF = frozenset({"self", "me", "myself"})
_ENDS = frozenset(",.;!?\n")
_MOST_SUBJECT = 9
_NEAR = 2
_SPEAKERS, _DENIED = frozenset({"i", "we", "it", "this"}), 3


def tells_fact(clause: Clause) -> bool:
    """Return whether a clause asks to note a statement, and not something to do."""
    if (told := _behind_announcement(clause.words)) is not None:
        return not clause.is_question and is_statement(told) and not set(told) & _NO_FACTS
    words = [word for word in clause.words if word not in LEADS or word in _NOTING]
    while words and words[0] in _BEFORE_NOTE:
        words = words[1:]
    if not words or words[0] not in _NOTING or clause.is_question:
        return False
    rest = words[1:]
    if rest[:1] == ["to"] and not set(rest[1:2]) & _ONESELF:
        return False  # ``remember to water the plants``
    while rest and rest[0] in _BEHIND_NOTE:
        rest = rest[1:]
    if set(rest) & _NO_FACTS or ("has", "to") in pairwise(rest):
        return False
    return is_statement(list(takewhile(lambda word: word not in _ENDS, rest)))


_NO_FACTS = OWED | TASK_NOUNS | LIST_NOUNS


def _behind_announcement(words: Sequence[str]) -> list[str] | None:
    """Return the words up to the next sentence behind ones that announce a fact: ``so I don't forget: …``,
    ``for the record, …``; None without such.
    """
    said = [word for word in words if word[0].isalnum() or word in _ENDS]
    line = " ".join(said)
    phrase = next((one for one in _ANNOUNCING if line.startswith(f"{one} ")), None)
    if phrase is None:
        return None
    rest = said[len(phrase.split()) :]
    while rest and rest[0] in _ENDS | _BEHIND_NOTE | {"that"}:
        rest = rest[1:]
    return list(takewhile(lambda word: word not in _ENDS - {","}, rest))


_ANNOUNCING = tuple(
    f"{lead}{phrase}"
    for lead in ("", "just ", "ok ", "btw ", "oh ", "and ")
    for phrase in (
        "so that i don't forget", "so i don't forget", "so that we don't forget", "before i forget",
        "in case i forget", "for the record", "for your information", "for your records", "so you know",
        "so that you know", "for future reference", "for reference", "to keep in mind", "good to know",
        "for later",
    )
)  # fmt: skip


def is_statement(words: Sequence[str]) -> bool:
    """Return whether words say that something is so: a subject with a verb behind it."""
    if words[:1] != [] and words[0] in _SPEAKERS and NEGATIONS & set(words[1:_DENIED]):
        return True  # ``note that I do not mean every Friday``
    places = (place for place, word in enumerate(words[:_MOST_SUBJECT]) if place and word in _STATING)
    place = next(places, None)
    if place is None:
        return False
    form = verb_forms().get(words[0])
    is_command = form is not None and form.is_base
    return not is_command or place <= _NEAR


_OWING = frozenset(
    "owe owes owed pay pays paid spend spent cost costs charged charges got get gets weighs weighed measures"
    " went came made earns earned took sold bought lent borrowed gave".split()
)
"""Verbs beside the stating ones that a told amount has."""


def states_fact(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause of no known kind says how something is, with a number or a name: ``the taxi was
    34 euros``, ``I owe Sam 15``. What it says of the user's own agents and tasks is no such fact.
    """
    if scene.question is not None or scene.has_draft or clause.is_question:
        return False
    words = _after_opening(clause.words)
    place = next((at for at, word in enumerate(words[:_MOST_SUBJECT]) if at and word in _STATING | _OWING), 0)
    first = words[0] if words else ""
    if not place or first in QUESTION_WORDS | AUXILIARIES or "you" in words[:place] or "you're" in words:
        return False
    form = verb_forms().get(first)
    if form is not None and form.is_base and classes_of(first):
        return False
    is_named = names_something(" ".join(words[:place])) or first in {"i", "we"}
    if not is_named or set(words) & (OWED | TASK_NOUNS | LIST_NOUNS):
        return False
    behind = words[place + 1 :]
    is_placed = first in {"my", "our"} and bool(_PLACING & set(behind[:2]))
    if not (is_placed or any(word[0].isdigit() for word in behind) or _has_name(clause, place)):
        return False
    return not find_meant(clause, (*scene.agents, *scene.tasks)).is_named


_PLACING = frozenset("in on at under behind with inside beside near next".split())


def _has_name(clause: Clause, place: int) -> bool:
    """Return whether a word behind the verb is written as a name or a code is."""
    behind = clause.tokens[place + 1 :]
    return any(token.text[:1].isupper() and token.text.lower() not in _MYSELF for token in behind)


_MYSELF = frozenset({"i", "i'm", "i've", "i'd", "i'll"})


def _after_opening(words: Sequence[str]) -> Sequence[str]:
    said = [word for word in words if word[0].isalnum()]
    opening = LEADS | CORRECTIONS | {"soz", "sry"}
    begin = next((at for at, word in enumerate(said) if word not in opening), len(said))
    owned = next((len(one) for one in _MISTAKES if tuple(said[begin : begin + len(one)]) == one), 0)
    return said[begin + owned :]


_MISTAKES = tuple(
    tuple(one.split())
    for one in (
        "i got it wrong", "i got that wrong", "got it wrong", "got that wrong", "that was wrong",
        "that's wrong", "my mistake", "my bad", "i mixed it up", "i mixed them up", "wrong one",
        "i misread it", "i misread",
    )
)  # fmt: skip
"""How people own up to a slip before they put it right."""


def amends(text: str) -> bool:
    """Return whether a text only makes sense as a change of what was told before it: ``actually it's 20``,
    ``I moved it to the safe``, ``no, 4711``. The sentences behind the first may say why.
    """
    begin, end = next(sentence_spans(text), (0, len(text)))
    if _amends(text):
        return True
    return end < len(text.rstrip()) and "?" not in text and _amends(text[begin:end].rstrip(" .!;"))


def _amends(text: str) -> bool:
    words = [token.word for token in tokenise(text) if token.is_word]
    rest = list(_after_opening(words))
    if not rest or "?" in text or len(words) > _MOST_OF_CHANGE:
        return False
    value = _value_in(text, rest)
    corrects = bool(CORRECTIONS & set(words[: len(words) - len(rest)])) or rest[0] in {"not", "rather"}
    states = rest[0] in _IT_IS or (rest[0] in _IT and any(word in _STATING for word in rest[1:3]))
    if states:
        return True
    if rest[:2] in (["make", "that"], ["make", "it"]) or (corrects and rest[0] in {"not", "rather"}):
        return any(word[0].isdigit() for word in rest)
    if rest[0] in {"i", "we", "he", "she", "they"}:
        form = verb_forms().get(rest[1]) if len(rest) > 1 else None
        is_past = (form is not None and not form.is_base) or rest[1:2] == ["put"]
        return is_past and bool({"it", "them"} & set(rest[2:4]))
    return corrects and len(value) <= _MOST_OF_VALUE and any(word[0].isdigit() for word in value)


def _value_in(text: str, rest: Sequence[str]) -> list[str]:
    """Return the words up to the first mark behind the opening: of ``no, 14, two more come`` only ``14``."""
    tokens = tokenise(text)
    begin = next((at for at, one in enumerate(tokens) if one.is_word and one.word == rest[0]), len(tokens))
    return [one.word for one in takewhile(lambda one: one.text not in _ENDS, tokens[begin:]) if one.is_word]


_IT_IS = frozenset({"it's", "its", "they're", "theyre"})
_IT = frozenset({"it", "they", "he", "she"})
_MOST_OF_CHANGE, _MOST_OF_VALUE = 24, 3


def asks_more_of_told(clause: Clause, scene: Scene) -> bool:
    """Return whether a question only makes sense after what was just told or quoted: ``and the other one?``,
    ``where is it now?``
    """
    asks = clause.is_question or is_question(clause.tokens) or _begins_more(clause) or _ends_asking(clause)
    asks = asks or (len(clause.tokens) <= _FEW and bool(QUESTION_WORDS & set(clause.words)))
    if scene.question is not None or scene.has_draft or not asks:
        return False
    is_of_agent = scene.did == ActKind.SHOW_AGENT and not _asks_of_agent(clause)
    is_asked = scene.did == ActKind.RECALL or is_of_agent
    is_told = not scene.did and scene.last == (ActKind.REMEMBER,)
    words = [word for word in clause.words if word[0].isalnum()]
    if not (is_asked or is_told) or len(words) > _MOST_OF_ELLIPSIS:
        return False
    asked = words[1:] if words[:1] != [] and words[0] in _BEFORE_ASKED else words
    begins = asked[:1] != [] and asked[0] in QUESTION_WORDS
    points = bool(_POINTING & set(words)) and (begins or _ends_asking(clause))
    is_of_day = bool({"on", "due", "planned"} & set(words)) and any(map(_is_day, words))
    named = find_meant(clause, scene.agents).is_named or set(words) & (TASK_NOUNS | LIST_NOUNS | {"you"})
    # ``and what's on for thursday?`` is about the list.
    is_bare = is_asked and len(words) <= _FEW and bool(QUESTION_WORDS & set(words))  # ``till when``
    return not named and not is_of_day and (points or is_bare or (is_asked and _begins_more(clause)))


def _is_day(word: str) -> bool:
    return (word.endswith("day") and word != "day") or word in {"tomorrow", "tonight"}


def _asks_of_agent(clause: Clause) -> bool:
    """Return whether a question is about the parts of an agent: ``and where does it get that from?``"""
    question = read_question(clause.text, is_marked=True)
    return question is not None and bool(question.fields)


def _ends_asking(clause: Clause) -> bool:
    """Return whether words ask once more with the question word behind: ``they are called how again``."""
    words = [word for word in clause.words if word[0].isalnum()]
    return words[-1:] == ["again"] and bool(QUESTION_WORDS & set(words[1:-1]))


def _begins_more(clause: Clause) -> bool:
    said = [word for word in clause.words if word[0].isalnum()]
    words = said[next((at for at, word in enumerate(said) if word not in _PRAISE), 0) :]
    begins = words[:1] in (["and"], ["or"]) or words[:2] in (["what", "about"], ["how", "about"])
    behind = words[1:2] if words[:1] in (["and"], ["or"]) else words[2:3]
    form = verb_forms().get(behind[0]) if behind else None
    return begins and bool(behind) and not (form is not None and form.is_base and classes_of(behind[0]))


_PRAISE = LEADS - {"and", "or", "also", "but"}
_POINTING = frozenset({"it", "its", "that", "they", "them", "he", "she", "his", "her", "their"})
_BEFORE_ASKED = frozenset("until till since by for from at to on in with".split())
_MOST_OF_ELLIPSIS, _FEW = 10, 3


def asks_to_forget(text: str) -> bool:
    """Return whether a text asks to forget something that was told: ``forget what I said about the car``,
    ``you can forget the florist``.
    """
    words = [token.word for token in tokenise(text) if token.is_word]
    rest = list(_after_opening(words))
    while rest and rest[0] in _BEFORE_FORGET:
        rest = rest[1:]
    if rest[:1] != ["forget"]:
        return False
    said = {"told", "said", "mentioned", "wrote", "gave"}
    if said & set(rest) and {"i", "i've", "we"} & set(rest):
        return True
    behind = rest[2:] if rest[1:2] == ["about"] else rest[1:]
    is_named = behind[:1] != [] and behind[0] in _OWNING and behind[1:2] != [] and behind[1] not in _NOT_TOLD
    return is_named and not set(behind) & (TASK_NOUNS | LIST_NOUNS | AGENT_NOUNS | _NOT_TOLD)


_BEFORE_FORGET = frozenset("can could please you may should now".split())
_OWNING = frozenset("the my our his her their".split())
_NOT_TOLD = frozenset("last change changes rest whole other previous draft request one idea thing".split())
