"""Whether what a clause mentions is wanted, or turned down by the words around it.

Addresses, channels and systems are mentioned both ways: ``no longer to Slack but by mail``, ``the council has
done away with Slack``, ``we left Drive, it's all in Dropbox``. Times are the time grammar's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise

from intent.acts.act import Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import CORRECTIONS, NEGATIONS, PARTICLES, classes_of, verb_forms
from intent.acts.tokens import Token

_MARKS = frozenset(",.;:!?\n\u2013\u2014-()")
_JOINTS = frozenset("but and because since so as while whereas then cause cos".split())
_REFUSING = NEGATIONS | {"no", "nobody", "none", "noone", "hardly", "left", "aint", "instead", "rather"}
_OF_CHOICE = {"instead": "of", "rather": "than"}
_REMOVING = frozenset({"delete", "stop", "cancel", "pause"})
_BEHIND = (("any", "more"), ("anymore",), ("any", "longer"), ("no", "more"), ("no", "longer"))
_AFFIRMED = CORRECTIONS | frozenset(
    "forget only just worry problem matter later earlier sooner i you we".split()
)
"""Words behind a negation that turn nothing down: ``don't forget to mail it``, ``no sorry``."""
_TOWARDS = frozenset("in into to on onto by via at through".split())
_ADDING = frozenset("also and cc plus both too well".split())
_MISTAKEN = frozenset({"mean", "meant", "wrong", "mistake", "rather", "typo"})
_FARTHEST_CORRECTION, _FARTHEST_LED = 8, 24
_LEADING_INSTEAD = frozenset(
    {("make", "it"), ("make", "that"), ("it", "to"), ("that", "to"), ("rather", "use"), ("use", "instead")}
)
"""The words before what takes the place of something said before."""


def is_turned_down(clause: Clause, place: Span) -> bool:
    """Return whether the part of a clause that mentions something at ``place`` turns it down."""
    tokens = clause.tokens
    first = bisect_right(tokens, place.start, key=lambda one: one.end)
    last = bisect_left(tokens, place.end, key=lambda one: one.start)
    while first < last - 1 and tokens[first].word in _TOWARDS:
        first += 1  # a place may hold the words that lead to it: ``dump them into #dock``
    begin = first
    while begin and not _ends_part(tokens[begin - 1]):
        begin -= 1
    end = last
    while end < len(tokens) and not _ends_part(tokens[end]):
        end += 1
    words = [token.word for token in tokens[begin:first]]
    behind = [token.word for token in tokens[last:end]]
    while words and first < last and tokens[first].word in _TOWARDS:
        words.append(tokens[first].word)  # an address is found with the words that lead to it
        first += 1
    if _is_plenty(words, tokens[first].word if first < last else ""):
        return True
    return _refuses(words) or _removes(words, behind) or _is_over(behind)


def _is_plenty(before: Sequence[str], message: str) -> bool:
    """Return whether words say that there are enough of such messages: ``I get too many emails already``."""
    counted = [word for word in before[-3:] if word not in {"of", "the", "these", "those", "damn", "bloody"}]
    return message in _MESSAGES and bool(counted) and counted[-1] in _PLENTY


_MESSAGES = frozenset("email emails e-mail e-mails mail mails".split())
_PLENTY = frozenset("enough plenty many lots loads lot tons heaps".split())


def corrected(clause: Clause, wanted: Sequence[Span], places: Sequence[Span]) -> list[Span]:
    """Return the wanted ones of several places, each as the next corrects it: ``a@b.co, no sorry c@b.co``."""
    said = {one: other for one, other in pairwise(places) if _is_corrected(clause, one, other)}
    return list(dict.fromkeys(_last(one, said) for one in wanted))


def _last(place: Span, said: Mapping[Span, Span]) -> Span:
    while place in said:
        place = said[place]
    return place


def _is_corrected(clause: Clause, one: Span, other: Span) -> bool:
    between = clause.tokens_within(one.end, other.start)
    words = [token.word for token in between if token.is_word]
    is_led = tuple(words[-2:]) in _LEADING_INSTEAD  # ``wait, half of us aren't in there. make it #floor``
    most = _FARTHEST_LED if is_led else _FARTHEST_CORRECTION
    if not between or len(words) > most or _ADDING & set(words):
        return False
    if is_turned_down(clause, other):
        return False
    is_set_off = any(token.text[0] in _MARKS for token in between)
    return bool(_MISTAKEN & set(words)) or (is_set_off and bool(CORRECTIONS & set(words[:2])))


def _ends_part(token: Token) -> bool:
    return token.text[0] in _MARKS or token.word in _JOINTS


def _refuses(words: Sequence[str]) -> bool:
    """Return whether the words before a mention deny it: ``nobody here reads``, ``instead of``."""
    words = _without_relative(words)
    for place, word in enumerate(words):
        behind = words[place + 1] if place + 1 < len(words) else ""
        if word in _OF_CHOICE:
            if behind == _OF_CHOICE[word]:
                return True
        elif word in _REFUSING and behind not in _AFFIRMED and not _is_of_job(words, place):
            return True
    return list(words[-3:-1]) == ["in", "place"] or tuple(words[-2:]) == ("in", "lieu")


def _is_of_job(words: Sequence[str], place: int) -> bool:
    """Return whether a negation asks why, or says more of what is sent, and nothing of where to: ``send me
    the leads without an owner to``.
    """
    if words[place - 1 : place] == ["why"]:
        return True
    verb = next((at for at, word in enumerate(words[:place]) if _base(word) in _FETCHING), place)
    behind = words[place + 1 :]
    pairs = pairwise(("", *behind))
    goes_on = any(_base(one) in _FETCHING and before not in _TOWARDS for before, one in pairs)
    is_of_place = not behind or goes_on or behind[0] in _TOWARDS | {"as", "be"}
    return not is_of_place and any(word not in _SMALL for word in words[verb + 1 : place])


def _base(word: str) -> str:
    form = verb_forms().get(word)
    return form.base if form is not None else ""


_FETCHING = frozenset(
    "send mail email get list give report post show forward deliver check want need pull collect summarise"
    " summarize like use read go come put".split()
)
_SMALL = frozenset(
    "it that this them these those me us him her you the a an my our your any all just only please i we to be"
    " everything anything one ones do does is are should would could can it's now".split()
)


def _without_relative(words: Sequence[str]) -> Sequence[str]:
    """Return words up to a clause that says more of a thing: ``tickets that nobody has answered``."""
    for place, word in enumerate(words):
        is_of_thing = place > 1 and words[place - 1] not in verb_forms() and words[place - 1] not in _CLAIMS
        if word in _RELATIVES and is_of_thing:
            return words[:place]
    return words


_RELATIVES = frozenset({"that", "which", "who", "whose"})
_CLAIMS = frozenset("sure certain so know now and but is are to of".split())


def _removes(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether a verb takes away what is mentioned behind it: ``binned``, ``take bob@b.co off``.

    ``drop it in #dock`` takes nothing away.
    """
    for place, word in enumerate(before):
        form = verb_forms().get(word)
        if form is None:
            continue
        classes = classes_of(form.base) & _REMOVING
        if "stop" in classes or (classes and not _TOWARDS & set(before[place + 1 :])):
            return True
        particles = {*before[place + 1 :], *behind}
        if any(
            name in _REMOVING and form.base in verbs.split() and marks & particles
            for verbs, marks, name in PARTICLES
        ):
            return True
    return False


def _is_over(behind: Sequence[str]) -> bool:
    """Return whether the words behind a mention say that it is over: ``is not used any more``."""
    said = tuple(behind)
    is_over = any(said[at : at + len(phrase)] == phrase for phrase in _BEHIND for at in range(len(said)))
    near = said[:4]
    is_over = is_over or _is_stopped(near)
    return is_over or bool(_DENYING & set(near)) or bool(_DENIED & set(pairwise(near)))


def _is_stopped(behind: Sequence[str]) -> bool:
    """Return whether words say of what is before them that it ends: ``can stop``, ``are over``."""
    if not behind or behind[0] not in _MODALS | _ENDINGS:
        return False
    return bool(_ENDINGS & set(behind[:2]))


_MODALS = frozenset("can could should must may will are is".split())
_ENDINGS = frozenset("stop stops end ends over stopped finished".split())
_DENYING = frozenset(word for word in NEGATIONS if word.endswith(("n't", "nt")))
_DENIED = frozenset((verb, "not") for verb in ("is", "are", "was", "were", "does", "do"))
