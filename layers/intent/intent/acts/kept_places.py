"""The places of results that words say shall stay: ``keep it at a@b.co and send it to c@b.co``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.act import Act, ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.lexicon import NEGATIONS
from intent.acts.polarity import is_turned_down
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise

_NEAR = 3
_STAYING = frozenset("keep keeps leave stay stays remain remains".split())
_TAKING = frozenset("take remove drop delete lose change".split())
_SUBJECTS = frozenset("stay stays remain remains keep keeps".split())
_ENDS = frozenset(".,;!?")
_JOINTS = frozenset({"and", "but", "just", "then", "also"})
_ROOMS = frozenset("slack teams here chat conversation mail email e-mail".split())


def kept_places(tokens: Sequence[Token]) -> list[Token]:
    """Return the addresses and rooms that words say shall stay, in order; empty where they say of none."""
    words = [token.word for token in tokens]
    for place, word in enumerate(words):
        before = words[max(0, place - _NEAR) : place]
        denies = bool(NEGATIONS & set(before))
        stays = word in _STAYING if not denies else word in _TAKING
        if not stays or {"instead", "rather", "stop"} & set(before):
            continue
        behind = _part(tokens[place + 1 :])
        found = [one for one in behind if _is_place(one)]
        if not found and word in _SUBJECTS:
            found = [one for one in _part(tokens[:place][::-1]) if _is_address(one)][::-1]
        if found:
            return found
    return []


def keeps_address(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says that an address, or another channel as well, goes on getting what an agent
    sends.
    """
    if scene.question is not None or scene.has_draft or not scene.agents:
        return False
    kept = kept_places(clause.tokens)
    is_more = (
        bool({"too", "also", "well", "though"} & set(clause.words)) and scene.did == ActKind.CHANGE_AGENT
    )
    return any(_is_address(one) or is_more for one in kept)


def with_kept_places(acts: Sequence[Act]) -> list[Act]:
    """Return the acts, with the changes beside one that only keeps an address as additions to what it has."""
    acts = [_without_kept(act) for act in acts]
    kept = [act for act in acts if _keeps_only(act)]
    taking = [act for act in acts if act.removes and kept_places(tokenise(act.clause.text))]
    adding = [act for act in acts if act not in (*kept, *taking) and _gives_place(act)]
    if not (kept or taking) or not adding:
        return list(acts)
    meant = (*kept, *taking)[0].meant
    return [
        replace(act, adds=True, meant=meant if act.meant.is_focus else act.meant) if act in adding else act
        for act in acts
        if act not in kept
    ]


def _without_kept(act: Act) -> Act:
    """Return an act; as one that only takes addresses away, where it keeps others: ``keep a@, drop b@``."""
    tokens = tokenise(act.clause.text)
    stays = {one.text for one in kept_places(tokens)}
    gone = [one for one in tokens if _is_address(one) and one.text not in stays]
    takes = bool(_TAKING & {one.word for one in tokens})
    if act.kind is not ActKind.CHANGE_AGENT or not stays or not gone or not takes:
        return act
    start, end = gone[0].start, gone[-1].end
    where = Span(act.clause.text[start:end], act.clause.start + start, act.clause.start + end)
    return replace(act, removes=True, adds=False, slots={"where": where})


def _keeps_only(act: Act) -> bool:
    """Return whether an act only says that a place stays."""
    is_change = act.kind is ActKind.CHANGE_AGENT and not act.slots.keys() - {"where", "agent"}
    tokens = tokenise(act.clause.text)
    return (
        is_change
        and {one.text for one in kept_places(tokens)}
        >= {one.text for one in tokens if _is_address(one)}
        != set()
    )


def _gives_place(act: Act) -> bool:
    """Return whether an act names a place that isn't taken away."""
    if act.kind is not ActKind.CHANGE_AGENT or "where" not in act.slots:
        return False
    tokens = tokenise(act.clause.text)
    clause = Clause(act.clause.text, tokens)
    spans = (Span(one.text, one.start, one.end) for one in tokens if _is_address(one))
    return any(not is_turned_down(clause, span) for span in spans)


def _part(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens up to the end of their part."""
    ends = (at for at, one in enumerate(tokens) if one.text in _ENDS or one.word in _JOINTS)
    return tokens[: next(ends, len(tokens))]


def _is_place(token: Token) -> bool:
    return _is_address(token) or token.word in _ROOMS


def _is_address(token: Token) -> bool:
    return "@" in token.text or (token.text[0] == "#" and len(token.text) > 1)
