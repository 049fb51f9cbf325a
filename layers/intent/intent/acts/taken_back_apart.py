"""Messages whose first sentence takes back what was just done, before they ask for something else: ``Forget
that, I don't want it after all. Just put it on my list``.
"""

from __future__ import annotations

from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import LEADS, POINTERS
from intent.acts.scene import Scene

_TAKING = frozenset("forget scrap drop ditch cancel".split())
_ENDS = frozenset(".!;")
_FEWEST_BEHIND = 3


def taken_back_apart(marked: MarkedMessage, scene: Scene) -> tuple[str, str] | None:
    """Return such a message as two, what stands in the other one blank in each; None for any other."""
    if scene.question is not None or scene.has_draft or not scene.did:
        return None
    tokens = [one.token for one in marked.tokens]
    begin = next((at for at, token in enumerate(tokens) if token.word not in LEADS), len(tokens))
    words = [token.word for token in tokens[begin : begin + 2]]
    if len(words) < 2 or words[0] not in _TAKING or words[1] not in POINTERS:
        return None
    end = next((at for at in range(begin + 2, len(tokens)) if tokens[at].text in _ENDS), len(tokens))
    if sum(token.is_word for token in tokens[end + 1 :]) < _FEWEST_BEHIND:
        return None
    cut = tokens[end].end
    return marked.text[:cut], f"{' ' * cut}{marked.text[cut:]}"
