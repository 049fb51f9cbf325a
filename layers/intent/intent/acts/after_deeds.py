"""What a clause says of the deed just done: that it was the wrong one, that a thing is to stay as it was, or
that the other of two things is meant as well. Pure; what it takes back is the last change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intent.acts.act import ActKind, Thing
from intent.acts.clauses import Clause
from intent.acts.former_values import wants_former
from intent.acts.joined_acts import ON_NAMED
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.lexicon import CORRECTIONS, LEADS, NEGATIONS, POINTERS, classes_of, verb_forms
from intent.acts.references import find_meant, name_parts
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.times.reader import read_times

K = ActKind
_SETTING = frozenset({K.CHANGE_AGENT, K.CHANGE_TASK})
_REVERSIBLE = (ON_NAMED | _SETTING) - {K.RUN_AGENT}
_MARKS = frozenset(",.;:!?\n()\u2013\u2014-")
_ENDS = _MARKS | {"and", "but", "because", "since", "so", "cause", "cos", "as"}
OPENING = (
    LEADS
    | CORRECTIONS
    | frozenset(
        "ach eh ugh aw mm hm on second thought thoughts reflection rather better then why not let's you know"
        " what well fine i'd it's maybe".split()
    )
)
"""Words that open a correction and say nothing of what is corrected."""
_FIELDS = frozenset("time times schedule name address days day hour hours recipient channel title".split())
_STATES = (
    frozenset(
        "as is was were are it its the same way like that this those them running run going go on off in at"
        " with by to alone be active paused open private shared sharing mail email e-mail mails slack teams"
        " here old before originally now all list undone untouched unchanged stay keep continue there where"
        " how one am pm o'clock up set done".split()
    )
    | _FIELDS
)
"""Words that say how something is or was, and nothing new of it."""
_AS_NOW = (
    ("as", "it", "is"),
    ("as", "is"),
    ("like", "that"),
    ("like", "this"),
    ("that", "way"),
    ("this", "way"),
)
_GOING = frozenset("run running going go on active".split())
_CONTRARY = {
    K.PAUSE_AGENT: _GOING,
    K.RESUME_AGENT: frozenset({"off", "paused"}),
    K.SHARE_AGENT: frozenset({"private"}),
    K.UNSHARE_AGENT: frozenset({"shared", "open", "sharing"}),
    K.COMPLETE_TASK: frozenset({"open", "list", "undone"}),
    K.REOPEN_TASK: frozenset({"done"}),
}
"""For each deed, the states that it ended."""
_RETURNING = frozenset("bring get put take turn switch give have".split())
_CORRECTING = CORRECTIONS | frozenset("undo wrong not isn't wasn't aren't untick instead restore".split())
_MISTAKEN = frozenset("one thing agent task item button bot name person".split())


def said_of_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the kind of a clause that is about what was just done; None for any other clause."""
    if scene.question is not None or scene.has_draft:
        return None
    if scene.did == K.RUN_AGENT and _asks_for_outcome(clause):
        return K.SHOW_RESULT
    if (again := _done_to_more(clause, scene)) is not None:
        return again
    if _wants_former(clause, scene) or _undoes(clause, scene) or _undoes_it(clause.words, scene):
        return K.UNDO
    if scene.did in _REVERSIBLE and calls_off(clause.words):
        return _instead(clause, scene)
    if scene.did in _REVERSIBLE and another_meant(clause, scene) is None and _takes_back(clause, scene):
        return K.REOPEN_TASK if scene.did == K.COMPLETE_TASK and _unticks(clause.words) else K.UNDO
    return K.RESUME_AGENT if _keeps_on(clause, scene) else _kept(clause, scene)


def _undoes(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause commands to undo what was done to one agent: ``undo the one on rent``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    named = find_meant(clause, scene.agents)
    return words[:1] == ["undo"] and len(named.things) == 1


def _undoes_it(words: Sequence[str], scene: Scene) -> bool:
    """Return whether words command to undo "that" or a change of some kind, whatever they tell as the reason:
    ``undo that, the printer only comes on Thursdays``, ``on second thought undo the rename``.
    """
    at = next((at for at, word in enumerate(words[:-1]) if word == "undo"), None)
    if at is None or NEGATIONS & set(words[max(0, at - 2) : at]):
        return False
    names_change = words[at + 1] in _DETERMINERS and bool(_NAMED_CHANGES & set(words[at + 2 : at + 3]))
    is_known = scene.did in _REVERSIBLE or (names_change and scene.last_deed in _REVERSIBLE)
    is_meant = names_change or words[at + 1] in POINTERS
    rest = pairwise(words[at + 1 + names_change :])
    return is_known and is_meant and not any(one in _ENDS | LEADS and _is_command(two) for one, two in rest)


def calls_off(words: Sequence[str]) -> bool:
    """Return whether words begin by taking back what was said before: ``no, scrap that, I still have to``.

    Said of "it", they may mean the thing itself: ``scrap it``.
    """
    begin = next((at for at, word in enumerate(words) if word[0].isalnum() and word not in LEADS), len(words))
    said = words[begin : begin + 3]
    return said[:1] != () and said[0] in _CALLING_OFF and said[1:2] == ("that",) and {*said[2:]} <= _ENDS


_CALLING_OFF = frozenset("scrap scratch strike forget cancel ignore disregard".split())


def _instead(clause: Clause, scene: Scene) -> ActKind:
    """Return what a clause that calls off the last deed asks for: another time, else to undo it."""
    is_time = scene.did in _SETTING and _names_time(clause, scene)
    return K(scene.did) if is_time and not _PAST & set(clause.words) else K.UNDO


_PAST = frozenset({"was", "were"})
_DETERMINERS = frozenset({"the", "that", "my", "this"})
_NAMED_CHANGES = frozenset("rename renaming pause pausing move change sharing share deletion".split())


def _wants_former(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause wants what was talked about, or an agent that it names, as it was before."""
    named = find_meant(clause, scene.agents)
    is_named = named.is_named and len(named.things) == 1
    names = {part for thing in named.things for part in (*name_parts(thing.name), thing.name.lower())}
    was_set = scene.did in _REVERSIBLE | {K.RECALL} or scene.last_deed in _SETTING
    is_talked_of = scene.focus is not None and was_set
    return (is_named or is_talked_of) and wants_former(clause, names, may_be_short=is_talked_of)


def _keeps_on(clause: Clause, scene: Scene) -> bool:
    """Return whether a message begins by wanting named agents on: ``wait no, leave rent-check on``."""
    if clause.message[: clause.start].strip():
        return False
    said = [word for word in clause.words if word[0].isalnum()]
    begin = next((at for at, word in enumerate(said) if word not in OPENING), len(said))
    named = find_meant(clause, scene.agents)
    names = {part for thing in named.things for part in (*name_parts(thing.name), thing.name.lower())}
    rest = set(said[begin + 1 :]) - names - {"the", "one", "agent"}
    is_kept = said[begin : begin + 1] in (["leave"], ["keep"])
    return is_kept and named.is_named and bool(rest) and rest <= _GOING - {"go"}


def _asks_for_outcome(clause: Clause) -> bool:
    """Return whether a question has no words but ``and``, ``well`` or ``any news``."""
    said = [word for word in clause.words if word[0].isalnum()]
    return clause.is_question and bool(said) and set(said) <= _PROMPTING


_PROMPTING = frozenset("and so well then any anything news luck yet hm hmm ok okay now".split())


def corrects_deed(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says what else the last deed is to be done to."""
    return another_meant(clause, scene) is not None or said_of_deed(clause, scene) in ON_NAMED


def another_meant(clause: Clause, scene: Scene) -> Thing | None:
    """Return the one thing that a clause says the last deed was meant for: ``it's the eu one done``, or the
    one just taken back: ``it was rent-check I wanted paused``.
    """
    deed = scene.corrected
    if deed not in ON_NAMED - {K.RUN_AGENT} or scene.focus is None or scene.question is not None:
        return None
    things = scene.agents if deed in ON_AGENTS else scene.tasks if deed in ON_TASKS else ()
    others = tuple(one for one in things if one.id != scene.focus.id)
    for sentence in clause.sentences():
        if not _says_meant(sentence, is_undone=bool(scene.undone)):
            continue
        meant = find_meant(sentence, others).things
        is_focus = find_meant(sentence, (scene.focus,)).is_named
        if len(meant) == 1 and (not is_focus or _is_longer(meant[0], scene.focus)):
            return meant[0]
    return None


def meant_instead(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed that was just taken back, where a clause says which thing it was meant for."""
    is_meant = bool(scene.undone) and another_meant(clause, scene) is not None
    return K(scene.undone) if is_meant else None


def asked_of_meant(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what is asked of the agent that a clause only says was meant: the same as of the one before, or
    to see it; None for any other clause.
    """
    is_open = scene.question is not None or scene.has_draft
    named = find_meant(clause, scene.agents)
    if is_open or not named.is_named or len(named.things) != 1 or another_meant(clause, scene) is not None:
        return None
    names = {*name_parts(named.things[0].name), named.things[0].name.lower()}
    words = {word for word in clause.words if word[0].isalnum()} - names
    if not {"meant", "mean"} & words or not words <= _AROUND_MEANT:
        return None
    return next((kind for kind in _ASKED_AGAIN if kind in scene.last[-1:]), K.SHOW_AGENT)


_AROUND_MEANT = LEADS | CORRECTIONS | POINTERS | frozenset("i meant mean the agent was is of course".split())
_ASKED_AGAIN = (K.SHOW_AGENT, K.SHOW_RESULT, K.RUN_AGENT, K.CHANGE_AGENT)


def _is_longer(thing: Thing, other: Thing) -> bool:
    """Return whether the name of one thing contains that of another: ``prices-old`` and ``prices``."""
    return other.name.lower() in thing.name.lower()


def _says_meant(sentence: Clause, *, is_undone: bool) -> bool:
    """Return whether a sentence says which thing was meant; one such as ``it's the old one that's done`` does
    so only where something is corrected or ``is_undone``.
    """
    said = [word for word in sentence.words if word[0].isalnum() and word not in LEADS]
    line = f" {' '.join(said)} "
    if said[:2] in (["not", "that"], ["not", "this"], ["not", "it"]) or {"meant", "mean"} & set(said):
        return True
    begins = said[:1] in (["it's"], ["its"], ["that's"]) or said[:2] in (["it", "is"], ["it", "was"])
    if is_undone and any(phrase in line for phrase in _SHOULD):
        return True
    points_out = " the one " in line or (begins and bool({"that", "that's", "wanted"} & set(said)))
    before = {word.strip(",.;:!?") for word in sentence.message[: sentence.end].lower().split()}
    return points_out and (is_undone or bool(before & _CORRECTING))


_SHOULD = (" should have been ", " should've been ", " supposed to be ")


def _done_to_more(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the last deed where a clause only says ``both``, or another thing and ``that one too``."""
    deed = next((one for one in ON_NAMED if one == scene.last_deed), None)
    if deed is None or deed is K.RUN_AGENT:
        return None
    said = [word for word in clause.words if word[0].isalnum()]
    begin = next((at for at, word in enumerate(said) if word not in OPENING), len(said))
    if said[begin : begin + 1] == ["both"] and scene.pair:
        return deed if not any(map(_is_command, said[begin + 1 :])) else None
    things = scene.agents if deed in ON_AGENTS else scene.tasks if deed in ON_TASKS else ()
    if not {"too", "also"} & set(said) or not things:
        return None
    named = find_meant(clause, things)
    names = {part for thing in named.things for part in (*thing.name.lower().split(), thing.name.lower())}
    rest = {word for word in said[begin:] if word not in names | _ALSO | POINTERS | LEADS}
    is_other = "other" in rest and len(things) == len(rest | {"one"}) and rest <= {"other", "one"}
    return deed if is_other or (named.is_named and not rest) else None


_ALSO = frozenset("too also right of course the i forgot there's".split())


def _is_command(word: str) -> bool:
    form = verb_forms().get(word)
    return form is not None and form.is_base and bool(classes_of(word))


def _takes_back(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause says that the last deed was a mistake, or commands its reverse for "it"."""
    focus = (scene.focus,) if scene.focus is not None else ()
    others = tuple(one for one in scene.agents if one not in focus)
    words = clause.words
    gives = scene.did in _SETTING and any("@" in word or (word[0] == "#" and len(word) > 1) for word in words)
    if gives or find_meant(clause, others).is_named or _names_time(clause, scene):
        return False
    for place, word in enumerate(words):
        behind = words[place + 1 : place + _NEAR]
        if word == "wrong" and (behind[:1] == () or behind[0] in _MISTAKEN):
            return not NEGATIONS & set(words[max(0, place - _NEAR) : place]) - {"no"}
        if word == "accidentally" or (word in {"mistake", "accident"} and words[place - 1] in {"by", "a"}):
            return True
        points = bool({"it", "that", "them", "this"} & set(behind[:1]))
        if points and (_brings_back(word, behind, scene) or classes_of(word) & _REVERSING):
            return not NEGATIONS & set(words[max(0, place - 2) : place]) - {"no"}
    return False


def _unticks(words: Sequence[str]) -> bool:
    return any("reopen" in classes_of(word) and POINTERS & set(words[at + 1 : at + 2])
               for at, word in enumerate(words))  # fmt: skip


def _brings_back(word: str, behind: Sequence[str], scene: Scene) -> bool:
    """Return whether words begin as ``put it back``; ``turn it back on`` is the reverse of a pause alone."""
    is_back = word in _RETURNING and behind[1:2] == ("back",)
    return is_back and (scene.did == K.PAUSE_AGENT or not _SWITCHED & set(behind[2:3]))


_SWITCHED = frozenset({"on", "off", "online", "up"})
_NEAR = 4
_REVERSING = frozenset({"reopen", "restore"})


def _names_time(clause: Clause, scene: Scene) -> bool:
    return bool(read_times(clause.text, now=scene.now, zone=scene.zone))


def _kept(clause: Clause, scene: Scene) -> ActKind | None:
    """Return UNDO where a clause keeps what the last deed ended, NO where it keeps what is."""
    kept = kept_state(clause)
    if kept is None:
        return None
    said, whole = set(kept), f" {' '.join(kept)} "
    if scene.did not in _REVERSIBLE:
        return K.NO if scene.focus is not None and not scene.did else None
    is_former = bool({"was", "were", "before", "old", "originally"} & said)
    is_now = any(f" {' '.join(phrase)} " in whole for phrase in _AS_NOW) or "now" in said
    if is_now and not is_former:
        return K.NO
    if scene.did in _SETTING:
        return K.UNDO if is_former or said - _POINTING else None
    ended = next((states for deed, states in _CONTRARY.items() if deed == scene.did), frozenset[str]())
    return K.UNDO if is_former or ended & said else None


_POINTING = frozenset("it that this them alone as be stay keep the".split())


def kept_state(clause: Clause) -> tuple[str, ...] | None:
    """Return the words by which a clause says how something stays; None where it says no such thing.

    ``leave it on mail, …``, ``keep the time as it was``, ``let it run``, ``don't touch it``.
    """
    tokens = [token for token in clause.tokens if token.is_word or token.text in _MARKS]
    begin = next(
        (at for at, one in enumerate(tokens) if one.is_word and one.word not in OPENING), len(tokens)
    )
    words = [token.word for token in tokens[begin:]]
    if words[:1] in (["don't"], ["dont"]) and words[1:2] in (["touch"], ["change"]):
        return ("it",) if words[2:3] != [] and words[2] in POINTERS else None
    if not words or words[0] not in {"keep", "leave", "let"}:
        return None
    end = next(
        (at for at, word in enumerate(words) if word in _ENDS and words[at - 1 : at] != [word]), len(words)
    )
    end = _behind_as(words, end)
    if _goes_on(words[end:]):
        return None
    rest = tokens[begin + 1 : begin + end]
    if not rest or not all(map(_is_state, rest)) or _asks_more(words, rest):
        return None
    return tuple(token.word for token in rest)


def leaves_rest(clause: Clause) -> bool:
    """Return whether a clause only says that nothing else is to change: ``everything else as it is``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    begins = next((at for at, pair in enumerate(pairwise(words)) if pair in _RESTS), None)
    if begins is None or not set(words[:begins]) <= _LEAVING:
        return False
    return set(words[begins + 2 :]) <= _STAYING and len(words) > begins + 2


def leaves_some(clause: Clause) -> bool:
    """Return whether a clause only says of something that it stays: ``what my wife gets stays how it is``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    at = next((at for at, word in enumerate(words) if word in _STAYS), 0)
    behind = words[at + 1 :]
    return at > 0 and not clause.is_question and behind != [] and set(behind) <= _STAYING - NEGATIONS


_STAYS = frozenset({"stay", "stays", "remain", "remains"})
_LEAVING = frozenset("with leave keep and but all".split())
_RESTS = frozenset(
    {("everything", "else"), ("the", "rest"), ("all", "else"), ("rest", "of"), ("anything", "else")}
)
_STAYING = _STATES | frozenset(
    "stays stay remains remain left can be fine right correct good okay ok please should".split()
)


def _goes_on(words: Sequence[str]) -> bool:
    """Return whether words behind what stays ask for something new: ``and add bob@b.co``."""
    is_former = bool({"old", "back", "before", "former"} & set(words))
    names = any("@" in word or (word[0] == "#" and len(word) > 1) for word in words)
    return not is_former and (names or any(map(_is_command, words[1:2])))


def _behind_as(words: Sequence[str], end: int) -> int:
    """Return the end of a part whose ``as`` compares: ``as it was`` is no reason."""
    while end < len(words) and words[end] == "as":
        behind = next((at for at in range(end + 1, len(words)) if words[at] in _ENDS), len(words))
        end = behind if behind > end + 1 else len(words)
    return end


def _is_state(token: Token) -> bool:
    word = token.word
    return word in _STATES or word in LEADS or word[0].isdigit() or "@" in word or word[0] == "#"


def _asks_more(words: Sequence[str], rest: Sequence[Token]) -> bool:
    """Return whether a verb of keeping asks for something else: ``let me``, ``keep going``."""
    first = rest[0].word
    is_object = first in POINTERS | _FIELDS | {"the", "as"}
    lets = words[0] == "let" and not _GOING & {token.word for token in rest}
    return not is_object or lets
