"""The part of a long-winded clause that asks for a task, without what else is told around it: ``the train was
late, anyway, before I forget: I need to pay the fees by Friday, can you keep that for me``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, POINTERS, SUBJECTS, VERBS, classes_of
from intent.acts.mood_openings import is_mood
from intent.acts.past_forms import base_of_past
from intent.acts.remarks import is_finite_verb
from intent.acts.requests import asks_for_something
from intent.acts.task_reading.commands import puts_down_told
from intent.acts.task_titles import DEEDS
from intent.acts.tokens import Token
from intent.times.words.lexicon import MONTHS, SHORT_WEEKDAYS, SINGULAR_WEEKDAYS

_MARKS = frozenset(",:.;!?-\u2013\u2014\u2026")
_SENTENCE_ENDS = frozenset(".!?")
_JOINTS = frozenset("and but so anyway anyways anyhow".split())
_LEADS = LEADS | _JOINTS | frozenset("phew wow gosh blimey ugh argh lord lol haha ha dear".split())
_FILLERS = _LEADS | frozenset(
    "well know where by the way listen oh dear yeah let me see long story short mind"
    " you right before again what i was saying meant wanted say to is as said will would please could can"
    " thing one last small quick".split()
)
_SUBORDINATE = frozenset("while before since as now when because if whilst after until in".split())
_SPEAKERS = frozenset("i we i've we've i'd we'd".split())
_DEGREES = frozenset("really also still just definitely absolutely only actually probably".split())
_OWING = frozenset({"need", "have", "has", "got", "ought"})
_MODALS = frozenset({"must", "should", "gotta"})
_SUBJECTS = SUBJECTS | frozenset(
    "the my our his her their everyone everybody somebody someone nobody people half it's there's that's"
    " they're what two three four five six all some both what's who".split()
)
_KEEPING = frozenset("keep hold remember note save store log".split())
_AROUND_KEPT = (
    LEADS
    | POINTERS
    | frozenset(
        "can could would will you u for me us in mind down somewhere safe on to my the list of a note at"
        " please somehow as task reminder".split()
    )
)
_DAYS = frozenset(
    [*SINGULAR_WEEKDAYS, *SHORT_WEEKDAYS, *MONTHS, "today", "tomorrow", "tonight", "weekend"]
) - {"may", "march", "mar", "sun", "sat"}
"""Words that say a day, and nothing else."""
_NOTHING_NAMED = frozenset({"it", "them"})
"""Words that mean what is told before them."""
_NEAR = 9


class _Piece(NamedTuple):
    """A stretch of a clause between marks and joints: its tokens from ``start`` to ``end``."""

    start: int
    end: int
    ends_sentence: bool
    """Whether the mark of a sentence ends it."""


def asking_part(clause: Clause) -> Clause:
    """Return the part of a clause that says what is to be done; the clause where nothing else is told."""
    found = _found(clause)
    if found is None:
        return clause
    tokens = clause.tokens[found[0] : found[1]]
    start, end = tokens[0].start, tokens[-1].end
    kept = f"{' ' * start}{clause.message[start:end]}{' ' * (len(clause.message) - end)}"
    return replace(clause, message=kept, tokens=tokens)


def tells_and_owes(clause: Clause) -> bool:
    """Return whether a clause says what its speaker has to do, and behind it only asks to keep that."""
    found = _found(clause)
    if found is None or found[1] == len(clause.tokens):
        return False
    return _owes(_bare(clause.tokens[found[0] : found[1]]))


def _found(clause: Clause) -> tuple[int, int] | None:
    """Return where the only part that asks for a task begins and ends; None where others may ask, too."""
    tokens = clause.tokens
    pieces = list(_pieces(tokens))
    asking = [at for at, one in enumerate(pieces) if _asks(tokens[one.start : one.end])]
    if not asking:
        return None
    first = asking[0]
    is_ended = False
    for one in reversed(pieces[:first]):
        is_ended = is_ended or one.ends_sentence
        own = tokens[one.start : one.end]
        if tokens[one.end].text == "?" or not (_is_told(own) or (is_ended and not _asks_else(own))):
            return None
    last = len(pieces)
    while last - 1 > first and _only_keeps(clause, tokens[pieces[last - 1].start : pieces[last - 1].end]):
        last -= 1
    if any(at for at in asking[1:] if at < last):
        return None
    end = pieces[last - 1].end if last < len(pieces) else len(tokens)
    begin = _begin(tokens, pieces[first])
    said = {one.word for one in tokens[begin:end] if one.text != "IT"}  # that is a department
    is_due_before = bool(_DAYS & {one.word for one in tokens[:begin]}) and not _DAYS & said
    return None if begin and (is_due_before or _NOTHING_NAMED & said) else (begin, end)


def _begin(tokens: Sequence[Token], piece: _Piece) -> int:
    """Return where a piece begins behind its joint."""
    places = range(piece.start, piece.end)
    return next((at for at in places if tokens[at].is_word and tokens[at].word not in _JOINTS), piece.start)


def _pieces(tokens: Sequence[Token]) -> list[_Piece]:
    pieces: list[_Piece] = []
    begin = 0
    for place, token in enumerate(tokens):
        if token.text[0] in _MARKS and not token.is_word:
            if place > begin:
                pieces.append(_Piece(begin, place, token.text in _SENTENCE_ENDS))
            begin = place + 1
        elif place > begin and _joins(tokens, place):
            pieces.append(_Piece(begin, place, ends_sentence=False))
            begin = place
    if begin < len(tokens):
        pieces.append(_Piece(begin, len(tokens), ends_sentence=False))
    return pieces


def _joins(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a joint stands there; "so" is one where a mark or a subject is beside it."""
    behind = tokens[place + 1].word if place + 1 < len(tokens) else ""
    is_joint = tokens[place].word in _JOINTS
    return is_joint and (tokens[place].word != "so" or behind in _SUBJECTS | _SPEAKERS | _JOINTS)


def _bare(tokens: Sequence[Token]) -> list[str]:
    """Return the words behind what leads in to them."""
    words = [one.word for one in tokens if one.is_word]
    begin = next((at for at, word in enumerate(words) if word not in _LEADS), len(words))
    return words[begin:]


def _asks(tokens: Sequence[Token]) -> bool:
    """Return whether words say by themselves what is to be done, or to be put on the list."""
    words = _bare(tokens)
    return _owes(words) or _commands(words)


def _owes(words: Sequence[str]) -> bool:
    """Return whether words begin with what their speaker has to do: ``I've really got to pay``."""
    said = [word for word in words if word not in _DEGREES]
    if len(said) < _FEWEST or said[0] not in _SPEAKERS:
        return False
    if said[1] in _MODALS:
        return True
    verb = 2 if said[1] in {"have", "has", "had"} and said[2] == "got" else 1
    return said[verb] in _OWING and said[verb + 1 : verb + 2] == ["to"]


_FEWEST = 4


def _commands(words: Sequence[str]) -> bool:
    """Return whether words begin as the command to add or remind of something that they say."""
    if len(words) < _FEWEST or words[1] in POINTERS:
        return False
    if words[:2] in (["remind", "me"], ["remind", "us"]):
        return words[2] in {"to", "that", "about", "of"} and not POINTERS & set(words[3:4])
    return bool(classes_of(words[0]) & {"add"}) and "list" in " ".join(words[1:_NEAR])


def _is_told(tokens: Sequence[Token]) -> bool:
    """Return whether words only tell how something is or was, or lead in to a request."""
    words = _bare(tokens)
    if set(words) <= _FILLERS or is_mood(words):
        return True
    if words[0] in _SUBORDINATE and any(one in SUBJECTS or "'" in one for one in words[1:3]):
        return True
    if words[0] not in _SUBJECTS or (words[0] in _SPEAKERS and words[1:2] == ["will"]):
        return False
    return "'" in words[0] or any(_is_finite(word) for word in words[1:_NEAR])


def _is_finite(word: str) -> bool:
    return is_finite_verb(word) or bool(base_of_past(word)) or word.endswith(("n't", "'s"))


def _asks_else(tokens: Sequence[Token]) -> bool:
    """Return whether words say what else is to be done, or to be told."""
    words = _bare(tokens)
    names_deed = words[:1] != [] and (words[0] in DEEDS or words[0] in _VERBS_OF_REQUESTS)
    return names_deed or asks_for_something(tokens)


_VERBS_OF_REQUESTS = frozenset(verb for verbs in VERBS.values() for verb in verbs.split())


def _only_keeps(clause: Clause, tokens: Sequence[Token]) -> bool:
    """Return whether words only ask to keep what was said before them: ``can you note that down``."""
    words = _bare(tokens)
    said = [word for word in words if word not in _AROUND_KEPT]
    keeps = len(said) == 1 and said[0] in _KEEPING and bool(POINTERS & set(words))
    return (
        set(words) <= _FILLERS | {"for", "me"}
        or keeps
        or puts_down_told(replace(clause, tokens=tuple(tokens)))
    )
