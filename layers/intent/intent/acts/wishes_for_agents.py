"""Whether words that look like a request for a new agent wish for one, or only ask whether it would do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts.act import Act
from intent.acts.clauses import Clause
from intent.acts.further_agents import further_agent
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import AUXILIARIES, LEADS, NEGATIONS, QUESTION_WORDS, classes_of
from intent.acts.scene import Scene
from intent.acts.tokens import Token, known_words

IMPOSSIBLE = NEGATIONS | frozenset(
    "impossible tricky faff pain hassle trouble hard awkward problem bother".split()
)
"""Words with which people doubt that what they ask for can be had: ``if that's a faff``."""
_ENDS = frozenset(".!?;:\n\u2026")
_ASKED_PERSONS = frozenset("you u i we someone somebody something anyone anybody it that this there".split())
_ASKING_VERBS = AUXILIARIES - {"am", "have", "had", "has"}
_BEFORE_QUESTION = frozenset("after for in at on by to from of and but so until within about".split())
_ASKING = frozenset("ask asking wondering curious enquiring inquiring".split())
_ONLY = frozenset({"only", "just", "merely", "simply"})
_KNOW = frozenset({"know", "ask", "understand"})
_WISHES = frozenset("want need like love i'd id we'd keen wish appreciate keep could can would".split())
_DATA_PLACES = frozenset({"in", "from", "on", "through"})
_BEFORE_NAME = frozenset("our the my all a of this its".split())
_REQUESTED = frozenset("know see get have told list eye tabs track you u something somebody someone".split())


def disclaims(clause: Clause) -> bool:
    """Return whether words say that they only ask: ``I'm merely asking``, ``don't set anything up``."""
    words = clause.words
    for place, word in enumerate(words):
        behind = words[place + 1 : place + _REACH]
        if word in _ONLY and (
            _ASKING & set(behind[:1]) or (_WISHES & set(behind[:1]) and _KNOW & set(behind))
        ):
            return True
        is_set_up = "set" in behind and "up" in behind and {"anything", "nothing", "something"} & set(behind)
        if word in NEGATIONS and (is_set_up or ("asking" in behind and "set" in behind)):
            return True
    return False


_REACH = 8


def doubts_wish(clause: Clause) -> bool:
    """Return whether a clause begins by doubting what was asked for: ``if that's a faff just do Fridays``."""
    words = [word for word in clause.words if word not in LEADS and word != "o" and word[0].isalnum()]
    return words[:1] == ["if"] and bool(IMPOSSIBLE & set(words[1:_REACH]))


def asks_about_others(clause: Clause) -> bool:
    """Return whether a clause asks what somebody or something else does: ``may it be sent to a clerk?``"""
    return disclaims(clause) or any(_is_about_others(words) for words in _questions(clause))


def wishes_for_data(clause: Clause) -> bool:
    """Return whether a clause asks to be told or shown something, and names the system that has it."""
    words = set(clause.words)
    return bool(words & _WISHES and words & _REQUESTED) and _names_place(clause.tokens)


def wishes_for_agent(clause: Clause, scene: Scene) -> bool:
    """Return whether words that are unsure of what they ask still name what to tell, and the data for it."""
    is_open = scene.has_draft or scene.question is not None
    return not is_open and not disclaims(clause) and wishes_for_data(clause)


def _questions(clause: Clause) -> Iterator[list[str]]:
    """Yield the words of the sentences that ask, without words that only lead in."""
    begin, tokens = 0, clause.tokens
    for place in range(len(tokens) + 1):
        ends = place == len(tokens) or tokens[place].text in _ENDS
        if not ends:
            continue
        is_asked = clause.is_question if place == len(tokens) else tokens[place].text == "?"
        words = [token.word for token in tokens[begin:place] if token.is_word and token.word not in LEADS]
        if words and (is_asked or _asks_of_results(words)):
            yield words
        begin = place + 1


def _asks_of_results(words: Sequence[str]) -> bool:
    """Return whether words ask how results come, with or without a mark: ``do the results come by mail``."""
    places = (at for at, word in enumerate(words[:_FARTHEST_RESULT]) if word in _RESULTS)
    noun = next(places, 0)
    return words[0] in _ASKING_VERBS and noun > 0 and bool(_ARRIVING & set(words[noun + 1 : noun + 2]))


_FARTHEST_RESULT = 4
_RESULTS = frozenset("results result reports report mails emails answers alerts messages they".split())
_ARRIVING = frozenset("come comes go goes arrive arrives land get sent mailed posted shown appear".split())


def _is_about_others(words: Sequence[str]) -> bool:
    begin = 1 if words[0] in _BEFORE_QUESTION and len(words) > 1 else 0
    if begin and words[begin] in QUESTION_WORDS:
        return True
    return len(words) > 1 and words[0] in _ASKING_VERBS and words[1] not in _ASKED_PERSONS


def _names_place(tokens: Sequence[Token]) -> bool:
    """Return whether the name of a system stands behind ``in``, ``from`` or ``out of``."""
    for place, token in enumerate(tokens[:-1]):
        is_out = token.word == "of" and place > 0 and tokens[place - 1].word == "out"
        if token.word not in _DATA_PLACES and not is_out:
            continue
        at = place + 1
        while at < len(tokens) - 1 and tokens[at].word in _BEFORE_NAME:
            at += 1
        name = tokens[at]
        is_unknown = name.text.isalpha() and len(name.text) > 2 and name.word not in known_words()
        if name.word in SERVICES or is_unknown or (name.text[0].isupper() and name.word not in _DAYS):
            return True
    return False


_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


def asks_whether_possible(words: Sequence[str]) -> bool:
    """Return whether words only ask whether what was asked for can be done: ``is that possible?``"""
    said = {word for word in words if word[0].isalnum() and word not in LEADS}
    return bool(said & _POSSIBLE) and said <= _POSSIBLE | _AROUND_POSSIBLE


_POSSIBLE = frozenset("possible doable feasible able can could work".split())
_AROUND_POSSIBLE = frozenset("is would that this it do you be something all at".split())


def asks_to_watch(clause: Clause) -> bool:
    """Return whether a clause begins as a command to watch a web address: ``and keep an eye on https://…``."""
    words = [word for word in clause.words if word not in _BEFORE_COMMAND and word[0].isalnum()]
    has_address = any(token.text.startswith(("http://", "https://")) for token in clause.tokens)
    if not has_address or clause.is_question or not words:
        return False
    return "watch" in classes_of(words[0]) or tuple(words[:3]) in _WATCHING


_BEFORE_COMMAND = LEADS | {"and", "also", "then", "plus"}
_WATCHING = frozenset(
    {
        ("keep", "an", "eye"), ("keep", "a", "close"), ("have", "a", "look"), ("take", "a", "look"),
        ("keep", "tabs", "on"), ("keep", "watch", "on"),
    }
)  # fmt: skip


def changes_focus(act: Act, clause: Clause, scene: Scene) -> bool:
    """Return whether words that only say when or where to are about the agent just spoken of."""
    if further_agent(clause, scene) is not None or asks_to_watch(clause):
        return False
    is_open = scene.question is None and not scene.has_draft
    says_only = bool(act.slots) and act.slots.keys() <= {"when", "where"}
    doubts = "when" in act.slots and doubts_wish(clause)
    return is_open and scene.focus_kind == "agent" and (says_only or doubts)
