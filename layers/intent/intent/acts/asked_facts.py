"""Questions for all that the user told to be kept, with no subject: ``what do you know about me?``, ``show me
everything you've remembered``.
"""

from __future__ import annotations

from intent.acts.lexicon import LEADS
from intent.acts.tokens import tokenise

_ASKING = (
    "what do you know", "what you know", "what do you remember", "what you remember", "what all do you know",
    "what have you got", "what have i told you", "what did i tell you", "what i told you",
    "what i've told you", "everything you know", "everything i told you", "all you know",
)  # fmt: skip
_AROUND = LEADS | frozenset(
    "tell me show can could you what do know remember about my myself us we i have told did tell got all"
    " everything so far until till already exactly of me anything else stored saved on is there to i've"
    " the things in this chat conversation and say today".split()
)
_KEPT = frozenset(
    "remembered remember remembering noted note stored storing saved saving kept keeping keep memorised"
    " memorized written recorded taken holding told got have having mind".split()
)
_WHOLE = frozenset(
    "everything all what whatever list which things facts notes anything summary overview".split()
)
_BY_WHOM = frozenset("you you've you're youve i i've ive".split())
_AROUND_KEPT = _AROUND | _KEPT | _WHOLE | _BY_WHOM | frozenset(
    "list give read back repeat summarise summarize recap for in mind a an down file record are been were was"
    " asked ask gave given mentioned each from our us were's would that which let see please memory those"
    " these any far now still currently look".split()
)  # fmt: skip
_NOTED = frozenset(
    "remembered remember remembering noted note notes stored storing saved saving kept keeping memorised"
    " memorized recorded mind facts memory file".split()
)


def asks_what_is_known(text: str) -> bool:
    """Return whether a question is what is known of the user, and names no subject."""
    words = [token.word for token in tokenise(text) if token.is_word]
    line = f" {' '.join(words)} "
    if any(f" {phrase} " in line for phrase in _ASKING) and set(words) <= _AROUND:
        return True
    said = set(words)
    is_whole = bool(_WHOLE & said) and bool(_BY_WHOM & said) and bool(_NOTED & said)
    return is_whole and said <= _AROUND_KEPT and _begins(words)


def _begins(words: list[str]) -> bool:
    """Return whether words begin as a request to list something, and not as one to keep it."""
    rest = [word for word in words if word not in LEADS]
    while rest and rest[0] in {"can", "could", "would", "will", "you", "i", "let", "me", "to", "want", "see"}:
        rest = rest[1:]
    return rest[:1] != [] and rest[0] in _OPENING


_OPENING = _WHOLE | frozenset("show tell give list read repeat summarise summarize recap say remind".split())
