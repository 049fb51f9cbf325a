"""Words that only complain of an agent: what should change about it is asked, not how it is set up told."""

from __future__ import annotations

from agent.dialogue import texts
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from intent.acts.act import Act, ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import NEGATIONS, QUESTION_WORDS
from intent.acts.removal_evidence import is_unneeded
from intent.acts.requests import is_question
from intent.acts.tokens import tokenise
from intent.acts.told_deeds import mentions

_TELLING = frozenset({ActKind.SHOW_AGENT, ActKind.UNSURE, ActKind.NONE, ActKind.DELETE_AGENT})
_USE = frozenset(
    "working works work use useful helping helps help know good right happy need read reads reading idea"
    " great ideal sure".split()
)
_BAD = frozenset(
    "annoying annoys useless pointless wrong unhappy fed awkward rubbish nuisance bothers".split()
)


def asked_first(act: Act, bench: Workbench) -> Result | None:
    """Return the question what should change about an agent that words only complain of; None for others.

    Nothing waits for the answer, so that any deed may follow.
    """
    if act.kind not in _TELLING or len(act.meant.things) != 1 or act.slots.keys() & _NEW_VALUES:
        return None
    tokens = tokenise(act.clause.text)
    is_deleted = act.kind is ActKind.DELETE_AGENT
    if is_deleted and any(mentions(Clause(act.clause.text, tokens))):
        return None
    words = {token.word for token in tokens}
    if is_deleted and is_unneeded([token.word for token in tokens]):
        return None
    complains = bool(_BAD & words) or bool(NEGATIONS & words and _USE & words)
    if not complains or act.clause.text.rstrip().endswith("?") or is_question(tokens):
        return None
    if QUESTION_WORDS & {token.word for token in tokens[:2]}:
        return None
    agent = bench.agent(act.meant.things[0].id)
    if agent is None or agent.owner != bench.turn.caller.user:
        return None
    return Result(texts.what_to_change(agent.name), about=agent_reference(agent))


_NEW_VALUES = frozenset({"name", "source"})
