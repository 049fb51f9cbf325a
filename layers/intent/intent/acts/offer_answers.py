"""Words that complete what the last reply offered: ``a nudge tomorrow at ten would help``, ``Mondays at 9, to
#product``. They say when, where or from what, and name nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.learned.marked_tokens import SERVICES, MarkedMessage
from intent.acts.lexicon import AUXILIARIES, LEADS, verb_forms
from intent.acts.parts import Part
from intent.acts.references import find_meant, stem
from intent.acts.scene import Scene
from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import Token, tokenise
from intent.acts.told_systems import system_told_in
from intent.times.reader import read_times

K = ActKind
_MAY_COMPLETE = frozenset(
    {
        K.ADD_TASK, K.CREATE_AGENT, K.ANSWER, K.REMEMBER, K.NONE, K.SMALL_TALK, K.YES, K.UNSURE,
        K.CHANGE_TASK, K.CHANGE_AGENT, K.CONNECT, K.DO_IN_WORLD, K.ASK_WORLD, K.RECALL, K.ASK_USAGE, K.PICK,
        K.LIST_TASKS, K.CLOCK, K.LATER,
    }
)  # fmt: skip
_WORDS = frozenset(
    "nudge nudges poke ping prod heads-up headsup reminder reminders shout kick note word signal alarm alert"
    " warning message mail email digest summary summaries overview report rundown round-up roundup post"
    " update bell buzz call memo hear know remind tell warn notify send show let".split()
)
"""What people ask for who wish to be reminded or told."""
_HERE = frozenset({"here", "chat"})
_AGREEING = frozenset(
    "would could might help do enough fine works work good great nice ideal suit suits list make say"
    " let's".split()
)
_MOST_WORDS, _MOST_BESIDE = 40, 4


def completed_by(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> tuple[int, int] | None:
    """Return the places of the tokens that complete an offer; None where nothing was offered, or where words
    refuse it, ask anything or name another subject.
    """
    question = scene.question
    if question is None or not question.is_offer or "?" in marked.text or len(marked.tokens) > _MOST_WORDS:
        return None
    tokens = [one.token for one in marked.tokens]
    if any(part.kind not in _MAY_COMPLETE for part in parts) or _names_agent(tokens, marked, scene):
        return None
    timed = _timed(tokens, marked, scene)
    if not (timed or _says_place(tokens) or system_told_in(marked.text)):
        return None
    if _names_other(tokens, timed, question.about):
        return None
    return _asking_stretch(tokens, timed) or (0, len(tokens))


def gives_address(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether a message begins with a web address where the last reply asked only for the source of a
    new agent: whatever it says of the page belongs to that.
    """
    question = scene.question
    is_asked = scene.has_draft and question is not None and question.slots == ("source",)
    if not is_asked or "?" in marked.text or any(part.kind not in _MAY_COMPLETE | {K.NO} for part in parts):
        return False
    first = next((one.token.text for one in marked.tokens if one.token.word not in LEADS), "")
    return first.startswith(("http://", "https://"))


def _names_agent(tokens: Sequence[Token], marked: MarkedMessage, scene: Scene) -> bool:
    return find_meant(Clause(marked.text, tuple(tokens)), scene.agents).is_named


def _timed(tokens: Sequence[Token], marked: MarkedMessage, scene: Scene) -> frozenset[int]:
    """Return the places of the tokens that say when."""
    spans = [one.span for one in read_times(marked.text, now=scene.now, zone=scene.zone)]
    return frozenset(
        at for at, token in enumerate(tokens) for start, end in spans if start <= token.start < end
    )


def _says_place(tokens: Sequence[Token]) -> bool:
    return any(one.text[0] in "#@" or "@" in one.text or one.word in _HERE for one in tokens)


def _names_other(tokens: Sequence[Token], timed: frozenset[int], about: str) -> bool:
    """Return whether words are of another subject than the one that was offered."""
    known = {stem(token.word) for token in tokenise(about)}
    own = frozenset(
        at for at, token in enumerate(tokens)
        if at not in timed and _says_something(token) and stem(token.word) not in known
    )  # fmt: skip
    signals = [at for at, token in enumerate(tokens) if token.word in _WORDS]
    if _commands_other(tokens):
        return True
    named = system_told_in(" ".join(token.text for token in tokens))
    if named and len(own) >= _MOST_BESIDE:
        return True  # a job of its own, with its own source
    if not signals:
        return any(tokens[at].text != named for at in own)
    return any(_asks_for_other(tokens, at, own, known) for at in signals)


def _commands_other(tokens: Sequence[Token]) -> bool:
    """Return whether words begin with a command that is not about being told: ``add milk to my list``."""
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    form = verb_forms().get(words[0]) if words else None
    is_pointing = words[1:2] in (["it"], ["that"])
    return form is not None and form.is_base and words[0] not in _SAYS_LITTLE and not is_pointing


def _says_something(token: Token) -> bool:
    is_said = token.word in _SAYS_LITTLE or token.word.partition("'")[0] in CLOSED_CLASS
    is_address = token.text[0] in "#@" or "@" in token.text or "://" in token.text
    return token.is_word and not is_said and not is_address


_SAYS_LITTLE = CLOSED_CLASS | LEADS | _WORDS | _AGREEING | SERVICES | _HERE


def _asks_for_other(
    tokens: Sequence[Token], signal: int, own: Collection[int], known: Collection[str]
) -> bool:
    """Return whether the words around one for being told say of what else: ``remind me to call Ola``, ``tell
    me the open invoices``, ``a sales digest``.
    """
    if signal - 1 in own:
        return True
    begin = signal + 1
    while begin < len(tokens) and tokens[begin].word in _RECEIVING:
        begin += 1
    behind = tokens[begin + 1].word if begin + 1 < len(tokens) else ""
    if tokens[begin : begin + 1] and tokens[begin].word == "to" and behind in _WORDS:
        return stem(behind) not in known  # ``remind me to send the report``
    for at in range(begin, min(len(tokens), begin + _NEAR)):
        if not tokens[at].is_word or tokens[at].word in _ENDING:
            return False
        if at in own:
            return True
    return False


_RECEIVING = frozenset({"me", "us", "it", "them"})
_ENDING = AUXILIARIES | frozenset("i i'd we we'd that'd it'd that which before after".split())
_NEAR = 5


def _asking_stretch(tokens: Sequence[Token], timed: frozenset[int]) -> tuple[int, int] | None:
    """Return the stretch that has a word for being told and a time, where there are several stretches."""
    begin = 0
    for at in range(len(tokens) + 1):
        if at < len(tokens) and tokens[at].text not in _BETWEEN and tokens[at].word not in _JOINTS:
            continue
        has_word = any(token.word in _WORDS for token in tokens[begin:at])
        if has_word and timed & set(range(begin, at)) and timed - set(range(begin, at)):
            return begin, at
        begin = at + 1
    return None


_BETWEEN = frozenset(".;!")
_JOINTS = frozenset({"so", "but", "because"})
