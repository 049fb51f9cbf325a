"""Which acts may be questions about the product, whatever kind they were taken for."""

from __future__ import annotations

from agent.dialogue import act_kinds
from agent.dialogue.administration import policy
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import QUESTION_WORDS
from intent.acts.tokens import tokenise

K = ActKind


def may_be_on_product(act: Act) -> bool:
    """Return whether an act may be a question about the product: no request to erase or delete is one, and no
    question about a setting that the workspace has.
    """
    if act.kind is K.SHOW_POLICY:
        return not policy.names_setting(act)
    if act.kind in {K.ERASE, K.DELETE_CONVERSATION}:
        first = next((token.word for token in tokenise(act.clause.text) if token.is_word), "")
        return first in QUESTION_WORDS
    return act.kind in act_kinds.MAY_BE_ON_PRODUCT
