"""What people say who didn't know what to ask for, once they have told of their trouble: where its data are,
how often, where to send it, a turn or a day later and in any order.
"""

from __future__ import annotations

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.evidence import says_owed
from intent.acts.learned.marked_tokens import SERVICES, MarkedToken
from intent.acts.lexicon import AUXILIARIES, LEADS, NEGATIONS, QUESTION_WORDS
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.acts.told_problems import cleft_place, content_of, problem_in
from intent.times.reader import read_times

_TALK = frozenset(
    {
        ActKind.NONE, ActKind.REMEMBER, ActKind.SMALL_TALK, ActKind.UNSURE, ActKind.ANSWER,
        ActKind.CREATE_AGENT, ActKind.ASK_WORLD, ActKind.DO_IN_WORLD, ActKind.CHANGE_AGENT, None,
    }
)  # fmt: skip
_LEAVING = frozenset(
    "thanks thank thx cheers bye later tomorrow never nevermind forget leave nothing remind todo task tasks"
    " list first second third former latter either neither".split()
)
_FEWEST_TOLD = 2


def answers_while_unsure(
    kind: ActKind | None, clause: Clause, scene: Scene, tokens: tuple[MarkedToken, ...]
) -> bool:
    """Return whether a clause tells a part of the agent that somebody was looking for.

    ``kind`` is what it is taken for otherwise.
    """
    is_cleft = cleft_place(clause.tokens) > 0
    is_talk = kind in _TALK or is_cleft
    is_offered = is_cleft and scene.question is not None and scene.question.is_offer
    is_asked_else = scene.has_draft or (scene.question is not None and not is_offered)
    if not scene.is_unsure or is_asked_else or not is_talk:
        return False
    words = [word for word in clause.words if word not in LEADS]
    is_asked = bool(words) and words[0] in QUESTION_WORDS | AUXILIARIES and not is_cleft
    leaving = _LEAVING - {"list"} if is_cleft else _LEAVING
    if clause.is_question or not words or is_asked or leaving & set(words):
        return False
    if find_meant(clause, scene.agents).is_named:
        return False
    if _names_source(clause, tokens) or _names_place(clause):
        return True
    if any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone)):
        return True
    is_next = ActKind.UNSURE in scene.last and not says_owed(clause) and not NEGATIONS & set(words[:1])
    return is_next and content_of(problem_in([clause.text])) >= _FEWEST_TOLD


def _names_source(clause: Clause, tokens: tuple[MarkedToken, ...]) -> bool:
    is_known = any({"service", "source noun"} & set(one.classes) for one in tokens)
    return is_known or bool(SERVICES & set(clause.words))


def _names_place(clause: Clause) -> bool:
    return any("@" in word or (word[0] == "#" and len(word) > 1) for word in clause.words)
