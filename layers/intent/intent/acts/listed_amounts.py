"""Messages that list amounts, and questions about amounts that were listed: what is noted, what is a sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from conversation.sentences import split_sentences
from intent.acts.act import ActKind
from intent.acts.asked_sums import asks_sum
from intent.acts.clauses import Clause
from intent.acts.denied_deeds import hides_shared
from intent.acts.evidence import is_sum
from intent.acts.kept_facts import asks_to_keep
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, POINTERS, TASK_NOUNS, classes_of
from intent.acts.parts import Part
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.amounts.bills import has_products
from intent.amounts.dealings import read_dealing
from intent.amounts.listings import read_one
from intent.amounts.reader import read_series
from intent.amounts.series import Series
from intent.amounts.told import Found, find_question, told_change
from intent.times.reader import read_times

K = ActKind
_KEEPING = frozenset("keep remember note save store log record hold have here fyi know need".split())
_DEEDS = frozenset(
    {"create", "add", "remind", "run", "pause", "stop", "delete", "start", "resume", "watch", "deliver"}
)
_ON_THINGS = (ON_TASKS | ON_AGENTS | {K.CREATE_AGENT}) - {K.LIST_TASKS}
_SURE, _LIKELY = 0.5, 0.3


class Listed(NamedTuple):
    """The part that lists amounts or asks about some, and the place behind it."""

    part: Part
    end: int


def listed_amounts(marked: MarkedMessage, segments: Sequence[Segment], scene: Scene) -> Listed | None:
    """Return the part of a message that asks about amounts, or the whole message that only tells some; None
    for any other.
    """
    if scene.question is not None or scene.has_draft or not segments:
        return None
    is_deed = _is_deed_with_number(marked.text, segments)
    found = None if is_deed else asked_of_amounts(marked.text, scene)
    if found is not None:
        behind = (at for at, one in enumerate(marked.tokens) if one.token.start >= found.end)
        end = next(behind, len(marked.tokens))
        return Listed(_part(marked, K.SUM, end), end)
    whole = Clause(marked.text, tuple(one.token for one in marked.tokens))
    if hides_shared(whole, scene):
        return None  # ``keep it to me only`` asks to keep no fact
    if is_sum(whole) or (len(segments) == 1 and asks_sum(whole, scene)):
        return None  # it says what to work out, whatever it lists beside that
    has_place = any("@" in one.token.text or one.token.text[0] == "#" for one in marked.tokens)
    is_kept = asks_to_keep(marked.text) and not (has_place and _asks_for_deed(segments))
    goes_on = not is_deed and _goes_on(marked.text, scene)
    tells = goes_on or _tells_spending(marked.text, scene) or is_kept
    if not tells and (series := read_series(marked.text)) is not None:
        tells = _only_tells(marked.text, series, segments, scene)
    if tells:
        return Listed(_part(marked, K.REMEMBER, len(marked.tokens)), len(marked.tokens))
    return None


def _is_deed_with_number(text: str, segments: Sequence[Segment]) -> bool:
    """Return whether a message asks for a deed, and lists no amounts of its own: ``bake 20 more rolls
    tomorrow, write that down`` changes none that were told.
    """
    return _asks_for_deed(segments) and "?" not in text and read_series(text) is None


def asked_of_amounts(text: str, scene: Scene) -> Found | None:
    """Return the question about amounts that a text is; None where it may be another one."""
    found = find_question(text, lambda: scene.amounts)
    if found is None:
        return None
    is_own = read_series(text) is not None and not has_products(found.series)
    if is_own and _is_for_deed(found.series.heading, scene):
        return None
    return None if find_meant(Clause(text, tokenise(text)), scene.agents).is_named else found


def _part(marked: MarkedMessage, kind: ActKind, end: int) -> Part:
    tokens = tuple(one.token for one in marked.tokens[:end])
    return Part(Clause(marked.text, tokens, "", tokens[-1].text == "?"), kind, _SURE, {})


def _goes_on(text: str, scene: Scene) -> bool:
    """Return whether a message does nothing but add an amount to those told just before, or correct one."""
    found = told_change(text, lambda: scene.amounts)
    if found is None or not found[1].is_close:
        return False
    rest = (text[: found[0].start], text[found[0].end :])
    return not any(_is_for_deed(one, scene) or _asks(one) for one in rest if one.strip())


def _tells_spending(text: str, scene: Scene) -> bool:
    """Return whether a message does nothing but tell what somebody has spent, earned or worked:
    ``today I spent 210 on seed``, ``6.5 hours on the Hartley site``.
    """
    words = [token.word for token in tokenise(text) if token.is_word]
    said = [word for word in words if word not in LEADS | _DAYS]
    is_spent = said[:1] in (["i"], ["we"]) and bool(_SPENT & set(said[1:3]))
    if any(read_dealing(one) for one in split_sentences(text)):
        return not any(_asks(one) or _is_for_deed(one, scene) for one in split_sentences(text))
    is_logged = said[:1] != [] and said[0] in _LOGGING and read_one(text) is not None
    is_worked = len(said) > 2 and said[0][0].isdigit() and said[1] in _MEASURED and said[2] in _OF_WORK
    is_worked = is_worked and not (said[2] == "at" and said[3:] and said[3][0].isdigit())
    if (
        not (is_spent or is_worked or is_logged)
        or {"each", "every"} & set(said)
        or not any(map(str.isdigit, text))
    ):
        return False
    return is_logged or not any(_asks(one) for one in split_sentences(text))


_LOGGING = frozenset("log note record jot".split())
_DAYS = frozenset(
    "today yesterday tonight monday tuesday wednesday thursday friday saturday sunday on last".split()
)
_SPENT = frozenset("spent paid owe owed earned sold lent borrowed worked drove bought".split())
_MEASURED = frozenset("hours hour hrs hr minutes mins miles km kilometres kilometers".split())
_OF_WORK = frozenset({"on", "for", "at", "with"})


def _only_tells(text: str, series: Series, segments: Sequence[Segment], scene: Scene) -> bool:
    """Return whether a message does nothing but tell amounts: it asks for no deed beside them."""
    if _asks_for_deed(segments):
        return False
    is_whole = not series.heading and not text[: series.start].strip() and not text[series.end :].strip(" .!")
    is_likely_sum = any(one.kind is K.SUM and one.ranked[0].probability >= _LIKELY for one in segments)
    if is_likely_sum and not is_whole:
        return False
    around = [*split_sentences(text[: series.start]), series.heading, *split_sentences(text[series.end :])]
    return not any(_is_for_deed(one, scene) or _asks(one) for one in around if one.strip())


def _asks_for_deed(segments: Sequence[Segment]) -> bool:
    return any(one.kind in _ON_THINGS and one.ranked[0].probability >= _SURE for one in segments)


def _asks(text: str) -> bool:
    tokens = tokenise(text)
    first = next((token.word for token in tokens if token.is_word and token.word not in LEADS), "")
    asks = first not in _KEEPING and (asks_for_something(tokens) or _ends_asking(tokens))
    return "?" in text or asks


def _ends_asking(tokens: Sequence[Token]) -> bool:
    """Return whether a text ends with a question about what it tells: ``…, what does that make``."""
    mark = next((at for at in range(len(tokens) - 1, -1, -1) if not tokens[at].is_word), None)
    behind = [token.word for token in tokens[mark + 1 :]] if mark is not None else []
    return bool(_ASKING & set(behind[:1])) and bool(POINTERS & set(behind))


_ASKING = frozenset({"what", "what's", "whats", "how"})


def _is_for_deed(heading: str, scene: Scene) -> bool:
    """Return whether the words of a list say that it is for tasks or agents, or for certain times."""
    words = [token.word for token in tokenise(heading)]
    if set(words) & (AGENT_NOUNS | LIST_NOUNS | TASK_NOUNS):
        return True
    first = next((word for word in words if word[0].isalnum() and word not in LEADS), "")
    if (
        classes_of(first) & _DEEDS
        and not {"up", "together", "these", "those", "them"} & set(words)
        and first not in _KEEPING
    ):
        return True
    return any(one.is_recurring for one in read_times(heading, now=scene.now, zone=scene.zone))
