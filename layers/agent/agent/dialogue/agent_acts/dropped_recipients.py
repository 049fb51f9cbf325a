"""Requests to take a recipient off an agent: ``take tom@b.co off parcels``, ``Tom needn't get it``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.dialogue.workbench import Workbench
from agent.workspace.agents import Agent
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.lexicon import POINTERS, classes_of, verb_forms
from intent.acts.references import find_name_place
from intent.acts.tokens import tokenise

K = ActKind
_OTHERS = frozenset({K.CREATE_AGENT, K.COPY_AGENT, K.ADD_TASK, K.SUM, K.ASK_WORLD, K.RECALL, K.WHY})
_REMOVING = frozenset(
    "remove drop delete strike cut exclude unsubscribe take leave cross kick omit scratch pull".split()
)
_WHOLE = frozenset({"remove", "drop", "delete", "strike", "exclude", "unsubscribe", "kick", "omit"})
"""Verbs that need no ``off`` where an address stands behind them."""
_AWAY = frozenset({"off", "from", "out"})
_AROUND = frozenset("the my our also please just and address mail email of".split())
_DENYING = frozenset(
    "needn't neednt shouldn't mustn't doesn't don't won't not longer more stop never".split()
)
_SENDING = frozenset("send mail email post deliver forward give copy cc".split())
_GETTING = frozenset("get gets receive receives need needs want wants read reads have see be".split())
_TOWARDS = frozenset({"to", "for"})
_ALONE = frozenset({"only", "just", "alone"})
_ENDING = frozenset({"delete", "pause", "stop"})
_NEAR, _FAR = 4, 9


def as_meant(acts: Sequence[Act], bench: Workbench) -> list[Act]:
    """Return the acts, each that takes recipients off an agent as the change of its delivery."""
    turn = bench.turn
    if turn.note.question is not None or turn.note.draft is not None:
        return list(acts)
    return [_meant(act, bench) for act in acts]


def _meant(act: Act, bench: Workbench) -> Act:
    agent = _agent_of(act, bench) if act.kind not in _OTHERS else None
    if agent is None:
        return act
    words = _with_names([token.word for token in tokenise(act.clause.text)], agent)
    gone = _taken_off(words, agent)
    told = {word for word in words if "@" in word or (word[0] == "#" and len(word) > 1)}
    if not gone or len(gone) == len(agent.delivery.recipients) or told - {one.lower() for one in gone}:
        return act
    place = Span(", ".join(gone), act.clause.start, act.clause.end)
    meant = Meant(things=(Thing(agent.id, agent.name),), is_named=act.meant.is_named)
    when = {"when": act.slots["when"]} if act.kind is K.CHANGE_AGENT and "when" in act.slots else {}
    return replace(
        act, kind=K.CHANGE_AGENT, clause=place, meant=meant, slots={**when, "where": place}, adds=False,
        removes=True, confidence=1.0, is_doubted=False,
    )  # fmt: skip


def _agent_of(act: Act, bench: Workbench) -> Agent | None:
    """Return the agent of several recipients that an act names, or points at; None for any other."""
    words = [token.word for token in tokenise(act.clause.text)]
    named = [card for card in bench.turn.own_agents() if find_name_place(words, card.name)]
    about = bench.turn.note.about
    is_about = not named and about is not None and about.kind == "agent"
    found = named[0].id if len(named) == 1 else about.id if is_about and about is not None else ""
    agent = bench.agent(found) if found else None
    if agent is None or len(agent.delivery.recipients) <= 1:
        return None
    called = {name for one in agent.delivery.recipients for name in short_names(one)}
    return agent if named or (_POINTING | called) & set(words) else None


def _with_names(words: Sequence[str], agent: Agent) -> list[str]:
    """Return words with the one recipient that they name before them in the place of ``him`` and ``her``."""
    named: list[str] = []
    told = []
    for word in words:
        if word in _PERSONS and len(named) == 1:
            told.append(named[0])
            continue
        if any(word.removesuffix("'s") in set(short_names(one)) for one in agent.delivery.recipients):
            named = [*(name for name in named if name != word), word]
        told.append(word)
    return told


_PERSONS = frozenset({"him", "her", "she", "he", "them", "they"})
_RESULTS = frozenset("mail mails email emails e-mail e-mails list recipients mailing".split())
_POINTING = POINTERS | _RESULTS
"""Words that mean the agent last spoken of, or what it sends."""


def _taken_off(words: Sequence[str], agent: Agent) -> list[str]:
    """Return the recipients that words take off an agent, or all but the one that they leave alone."""
    recipients = agent.delivery.recipients
    if alone := [one for one in recipients if _is_left_alone(words, one)]:
        return [one for one in recipients if one not in alone]
    return [one for one in recipients if _is_taken_off(words, one, agent.name)]


def _is_left_alone(words: Sequence[str], recipient: str) -> bool:
    """Return whether a name stands behind ``to`` and beside ``only`` or ``alone``."""
    places = (at for at, word in enumerate(words) if word in set(short_names(recipient)))
    return any(
        bool(_TOWARDS & set(words[max(0, at - 2) : at]))
        and bool(_ALONE & {*words[max(0, at - 2) : at], *words[at + 1 : at + 2]})
        for at in places
    )


def _is_taken_off(words: Sequence[str], recipient: str, agent: str) -> bool:
    names = set(short_names(recipient))
    places = [at for at, word in enumerate(words) if word.removesuffix("'s") in names]
    return any(
        _is_removed(words, at) or _is_sent_no_more(words, at, agent) or _gets_no_more(words, at)
        for at in places
    )


def _is_removed(words: Sequence[str], at: int) -> bool:
    """Return whether a verb of removal stands before an address, or before a name and ``off`` behind it."""
    begin = at
    while begin and words[begin - 1] in _AROUND:
        begin -= 1
    form = verb_forms().get(words[begin - 1]) if begin else None
    verb = words[begin - 1] if form is None and begin else form.base if form is not None else ""
    is_away = bool(_AWAY & set(words[at + 1 : at + _NEAR]))
    return verb in _REMOVING and (is_away or ("@" in words[at] and verb in _WHOLE))


def _is_sent_no_more(words: Sequence[str], at: int, agent: str) -> bool:
    """Return whether words deny that something is sent to a name: ``no more parcels for tom``, ``stop
    mailing tom``.
    """
    if not at or not (words[at - 1] in _TOWARDS or _sends(words[at - 1])):
        return False
    end = at - 1 if words[at - 1] in _TOWARDS else at
    denied = [place for place in range(max(0, at - _FAR), end) if words[place] in _DENYING]
    between = words[denied[-1] + 1 : end] if denied else []
    known = _AROUND | _POINTING | {"any", "more", "longer", *agent.split("-"), agent}
    return bool(between) and all(word in known or _sends(word) for word in between)


def _sends(word: str) -> bool:
    form = verb_forms().get(word)
    return form is not None and form.base in _SENDING


def _gets_no_more(words: Sequence[str], at: int) -> bool:
    """Return whether words say of a name that it gets something no longer: ``Tom needn't get it``."""
    behind = words[at + 1 : at + 1 + _NEAR]
    forms = (verb_forms().get(word) for word in words[:at])
    if any(form is not None and classes_of(form.base) & _ENDING for form in forms):
        return False  # ``delete parcels, Tom doesn't need it``
    place = next((place for place, word in enumerate(behind[:3]) if word in _DENYING), None)
    return place is not None and bool(_GETTING & set(behind[place + 1 :]))


def short_names(recipient: str) -> Iterator[str]:
    """Yield what people call an address: all of it, what is before its ``@``, a room without its mark."""
    name = recipient.lower()
    yield name
    if "@" in name:
        local = name.partition("@")[0]
        yield local
        yield from local.split(".")
    elif name.startswith("#"):
        yield name[1:]
