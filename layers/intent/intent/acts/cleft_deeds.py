"""Deeds that a sentence asks for by saying which agent it is that they are for: ``it's rota that has to go``,
``rota is the one to delete``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, NEGATIONS, classes_of, verb_forms
from intent.acts.references import find_meant, find_name_place
from intent.acts.scene import Scene

_IT_IS = (("it's",), ("its",), ("it", "is"), ("it", "was"), ("that's",), ("was",), ("is",))
_BEFORE = LEADS | {"the", "my", "our", "because", "as", "since"}
_RELATIVE = frozenset({"that", "which", "who"})
_OBLIGED = frozenset(
    "has had have should must needs need needed to wanted want meant ought supposed can".split()
)
_DEEDS = {
    "delete": ActKind.DELETE_AGENT, "pause": ActKind.PAUSE_AGENT, "stop": ActKind.PAUSE_AGENT,
    "resume": ActKind.RESUME_AGENT, "share": ActKind.SHARE_AGENT, "unshare": ActKind.UNSHARE_AGENT,
    "run": ActKind.RUN_AGENT,
}  # fmt: skip
_MARKS = frozenset(".!?;,:\n\u2026\u2013\u2014-")
_FEWEST_BEFORE = 2
_LONGEST = 40
"""How many tokens such a sentence at the end of a message has at most."""


def cleft_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed that a clause asks for on the one agent that it says it is for; NONE where it only says
    which one is of some kind; None for any other clause.
    """
    meant = find_meant(clause, scene.agents)
    if clause.is_question or not meant.is_named or len(meant.things) != 1 or NEGATIONS & set(clause.words):
        return None
    place = find_name_place(clause.words, meant.things[0].name)
    if place is None:
        return None
    behind = _behind(clause.words, place)
    if behind is None:
        return None
    if not _OBLIGED & set(behind):
        tells = scene.question is None and not scene.has_draft and "one" in clause.words[place[1] :]
        return ActKind.NONE if tells and behind else None
    if [word for word in behind if word[0].isalnum()][-1:] in (["go"], ["gone"]):
        return ActKind.DELETE_AGENT
    for word in behind:
        form = verb_forms().get(word)
        classes = classes_of(form.base) if form is not None else frozenset()
        if (kind := next((kind for name, kind in _DEEDS.items() if name in classes), None)) is not None:
            return kind
    return None


def _behind(words: Sequence[str], place: tuple[int, int]) -> Sequence[str] | None:
    """Return the words behind what says which agent it is; None where nothing says that."""
    before = [word for word in words[: place[0]] if word[0].isalnum() and word not in _BEFORE]
    rest = words[place[1] :]
    if tuple(before) in _IT_IS and rest[:1] and rest[0] in _RELATIVE:
        return rest[1:]
    is_one = rest[:1] in (("is",), ("was",)) and rest[1:3] in (("the", "one"), ("what", "i"), ("what", "we"))
    return rest[3:] if is_one and not before else None


def clefts_apart(marked: MarkedMessage, scene: Scene) -> tuple[str, str] | None:
    """Return a message that ends with such a sentence as two, each with blanks in place of the other; None
    for any other message.
    """
    if scene.question is not None or scene.has_draft:
        return None
    tokens = [one.token for one in marked.tokens]
    for place in range(len(tokens) - 2, max(0, len(tokens) - _LONGEST), -1):
        if tokens[place].text[0] not in _MARKS:
            continue
        if sum(token.is_word for token in tokens[:place]) < _FEWEST_BEFORE:
            return None
        if cleft_deed(Clause(marked.text, tuple(tokens[place + 1 :])), scene) is not None:
            cut = tokens[place].end
            return marked.text[:cut], f"{' ' * cut}{marked.text[cut:]}"
    return None
