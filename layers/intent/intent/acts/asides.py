"""Leaves out the reasons that people give around a command: ``my boss asked for it, so …``.

Only a reason that says nothing else is left out: no name, time, number or address, no wish and no
negation. Beside a request for a new agent nothing is, because any sentence may tell of its job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intent.acts import lexicon
from intent.acts.act import ActKind
from intent.acts.commands import begins_command, read_bare_command, read_command
from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.plain_answers import TELLING_MASKS
from intent.acts.statements import names_occasion, tells_of_others

_SENTENCE_ENDS = frozenset(".!?;\u2026")
_CAUSES = frozenset({"because", "since", "as"})
_SUBJECTS = frozenset(
    "i i'm i've we we're we've my our things it's they they're he she everyone everybody somebody someone"
    " people there's that's".split()
)
_TELLING = frozenset(
    {
        "service", "source noun", "quoted", "negation", "exception", "agent noun", "task noun", "list noun",
        "run noun", "policy noun", "agent name", "task title", "weekday", "month", "unit",
    }
)  # fmt: skip
_WISHES = frozenset(
    "want wants need needs like love wish would should must could can prefer rather instead only i'd we'd"
    " stop hold keep wait called named".split()
)
_WHENEVER = frozenset({"when", "when's"})
_FEWEST, _MOST = 3, 14
"""How many words a reason has."""


def without_asides(tokens: Sequence[MarkedToken]) -> tuple[MarkedToken, ...]:
    """Return the tokens without bare reasons, where something else is a command."""
    tokens = _without_reason(tokens)
    parts = list(_parts(tokens))
    commands = [part for part in parts if _is_command(part)]
    if not commands or any(_is_creation(part) for part in commands):
        return tuple(tokens)
    return tuple(token for part in parts if part in commands or not _is_reason(part) for token in part)


def _without_reason(tokens: Sequence[MarkedToken]) -> Sequence[MarkedToken]:
    """Return the tokens without the reason behind a command in plain form, whatever days it names: ``pause
    it, we have a long weekend``.
    """
    cuts = (at for at, one in enumerate(tokens) if one.token.text in _MARKS or one.token.word in _BECAUSE)
    cut = next(cuts, len(tokens))
    head = tokens[:cut]
    head = _without_once(head) if read_bare_command(head) is None else head
    if (read_bare_command(head) or read_command(head)) not in _DEEDS:
        return tokens
    end = next((at for at in range(cut + 1, len(tokens)) if tokens[at].token.text in _MARKS), len(tokens))
    words = [one.token.word for one in tokens[cut + 1 : end] if one.token.is_word]
    is_named = any(one.mask in {"AGENT", "TASK"} for one in tokens[cut + 1 : end])
    if words and not is_named and (tells_of_others(words, with_own=True) or names_occasion(words)):
        rest = tokens[end + 1 :]
        return [*head, tokens[cut], *rest] if rest else head
    return [*head, *tokens[cut:]]


def _without_once(head: Sequence[MarkedToken]) -> Sequence[MarkedToken]:
    """Return a command without its single days off: ``stop it over the long weekend``."""
    at = next((at for at, one in enumerate(head) if one.token.word in _OVER), len(head))
    words = [one.token.word for one in head[at:] if one.token.is_word]
    return head[:at] if names_occasion(words[1:]) else head


_MARKS = _SENTENCE_ENDS | frozenset(",:-\u2013\u2014")
_BECAUSE = frozenset("because cos cause since".split())
_OVER = frozenset({"over", "for", "during", "on", "at"})
_DEEDS = frozenset({ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.RUN_AGENT, ActKind.DELETE_AGENT})


def _parts(tokens: Sequence[MarkedToken]) -> Iterator[tuple[MarkedToken, ...]]:
    """Yield the sentences, and their parts that a comma or a word such as ``because`` sets off."""
    begin = 0
    for place in range(1, len(tokens)):
        before, word = tokens[place - 1].token.text, tokens[place].token.word
        is_clause = before == "," and (word in _SUBJECTS | _CAUSES | {"so"} or begins_command(tokens, place))
        if before in _SENTENCE_ENDS or is_clause or word == "because":
            yield tuple(tokens[begin:place])
            begin = place
    yield tuple(tokens[begin:])


def _words(part: Sequence[MarkedToken]) -> list[MarkedToken]:
    return [token for token in part if token.token.is_word]


def _verb(part: Sequence[MarkedToken]) -> str:
    """Return the verb that a part begins with in its base form; empty when it begins with something else."""
    first = next((token for token in _words(part) if token.token.word not in lexicon.LEADS), None)
    is_verb = first is not None and "base verb" in first.classes and first.mask not in TELLING_MASKS
    return first.token.word if first is not None and is_verb else ""


def _is_command(part: Sequence[MarkedToken]) -> bool:
    return bool(_verb(part))


def _is_creation(part: Sequence[MarkedToken]) -> bool:
    has_name = any(token.mask in {"AGENT", "TASK"} for token in part)
    asks = any(token.token.word in lexicon.QUESTION_WORDS - _WHENEVER for token in _words(part)[:4])
    classes = lexicon.classes_of(_verb(part))
    return not has_name and not asks and bool(classes & {"create", "watch", "copy", "connect"})


def _is_reason(part: Sequence[MarkedToken]) -> bool:
    words = _words(part)
    if not _FEWEST <= len(words) <= _MOST or words[0].token.word not in _SUBJECTS | _CAUSES:
        return False
    describes = any(_DESCRIBING & set(token.classes) or token.token.word == "one" for token in words)
    if words[0].token.word in _POINTING_OUT and describes:
        return False  # it may say which one was meant: ``it's the scanner one that's done``
    if words[1].token.word in _MEANING:
        return False  # it says what was meant: ``I mean pause it``
    return not any(_tells(token, is_first=place == 0) for place, token in enumerate(words))


_POINTING_OUT = frozenset({"it's", "that's", "it"})
_MEANING = frozenset({"mean", "meant"})
_DESCRIBING = frozenset({"task word", "agent word", "agent about"})


def _tells(token: MarkedToken, *, is_first: bool) -> bool:
    """Return whether a word may say something of the request itself."""
    is_name = "capital" in token.classes and not is_first and not token.token.word.startswith("i'")
    is_known = token.mask in TELLING_MASKS or bool(_TELLING & set(token.classes))
    return (is_name and token.token.word != "i") or is_known or token.token.word in _WISHES
