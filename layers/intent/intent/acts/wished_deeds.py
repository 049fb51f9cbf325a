"""The deed on agents that a clause asks for by several words together: ``nothing should run``, ``have it run
straight away``, ``make it so that the others can see it``; and what only announces or concedes something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.joined_acts import ON_NAMED
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import (
    AGENT_NOUNS,
    AUXILIARIES,
    LEADS,
    NEGATIONS,
    POINTERS,
    QUESTION_WORDS,
    SUBJECTS,
    classes_of,
    verb_forms,
)
from intent.acts.polarity import is_turned_down
from intent.acts.references import find_meant
from intent.acts.requests import asks_for_something, joined_requests
from intent.acts.scene import Scene
from intent.acts.tokens import Token
from intent.times.words.neighbouring_days import says_neighbour

_NOW = (
    ("right", "now"), ("right", "away"), ("straight", "away"), ("straightaway",), ("at", "once"),
    ("immediately",), ("asap",), ("this", "once"), ("just", "once"), ("only", "once"), ("this", "minute"),
    ("now",),
)  # fmt: skip
_NOT_NOW = (("from", "now"), ("until", "now"), ("by", "now"), ("now", "at"), ("now", "on"), ("as", "of"))
_RUNS = frozenset({"run", "running", "rerun", "runs"})
_ASKING = frozenset("have let please kindly need want like would could can might may do run get".split())
_MUST = frozenset("should must shall may ought to want wants wanted like need needs".split())
_GOING = frozenset(
    "run running go goes going sent send sending start starting fire work working happen happening post"
    " posted posting mailed".split()
)
_PEOPLE = frozenset(
    "everyone everybody anyone anybody others people team colleagues organisation organization office company"
    " staff department workspace crew rest".split()
)
_SEEING = frozenset("see view look use access read run open".split())
_CAUSING = frozenset("let make want like allow have give open need would".split())
_TELLING = frozenset("tell say shout ping message call let write give come get".split())
_KNOWING = frozenset("know understand realise realize appreciate see".split())
_ENDS = frozenset(".!?;\n")
_BEFORE_RUN = 3


def wished_deed(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed that a clause asks for; NONE for a remark that asks for none; None for any other."""
    if scene.has_draft:
        return None
    if _sets_retention(clause):
        return ActKind.SET_POLICY
    if scene.question is None and _tells_of_use(clause):
        return ActKind.SMALL_TALK
    return _wished_of_agents(clause, scene) if scene.agents else None


def _wished_of_agents(clause: Clause, scene: Scene) -> ActKind | None:
    if _announces(clause) or _concedes(clause):
        return ActKind.NONE
    if scene.did and _goes_back(clause.words):
        return ActKind.UNDO
    if _hides_again(clause, scene):
        return ActKind.UNSHARE_AGENT
    if (same := _done_likewise(clause, scene)) is not None:
        return same
    if _lifts_pause(clause.words):
        return ActKind.RESUME_AGENT
    if stops_all(clause.words):
        return ActKind.PAUSE_AGENT
    if (switched := _switches_all(clause.words)) is not None:
        return switched
    return _wished_of_one(clause, scene)


def _wished_of_one(clause: Clause, scene: Scene) -> ActKind | None:
    if not is_on_agent(clause, scene):
        return ActKind.CHANGE_AGENT if says_moved(clause) and len(scene.agents) == 1 else None
    if is_shifted(clause):
        return ActKind.CHANGE_AGENT
    if is_set_going(clause.words) or _may_go_again(clause.words):
        return ActKind.RESUME_AGENT
    if (state := wished_state(clause.words)) is not None:
        return state
    if _shows_to_others(clause):
        return ActKind.SHARE_AGENT
    if _runs_now(clause) or _does_its_thing(clause.words):
        return ActKind.RUN_AGENT
    return ActKind.CHANGE_AGENT if _is_to_be_renamed(clause) or says_moved(clause) else None


def _tells_of_use(clause: Clause) -> bool:
    """Return whether a clause only says what good something does: ``that will save me an hour``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if words[:1] == [] or words[0] not in _WHAT_IS_OF_USE or clause.is_question:
        return False
    at = next((at for at, word in enumerate(words[1:_NEAR_USE], 1) if word in _OF_USE), 0)
    return at > 0 and words[at + 1 : at + 2] in (["me"], ["us"], ["my"], ["our"], ["a"], ["everyone"])


_WHAT_IS_OF_USE = frozenset("that this it that'll it'll which that's this'll it'd that'd".split())
_OF_USE = frozenset("save saves spare spares help helps saved helped spared saving sparing helping".split())
_NEAR_USE = 5


def says_now(words: Sequence[str]) -> bool:
    """Return whether words say that something is to be done at once."""
    return _has_phrase(words, _NOW) and not _has_phrase(words, _NOT_NOW)


def says_moved(clause: Clause) -> bool:
    """Return whether a clause says that data are no longer in one known service but in another."""
    named = [token for token in clause.tokens if token.word in SERVICES]
    gone = {token.word for token in named if is_turned_down(clause, Span(token.text, token.start, token.end))}
    return bool(gone) and any(token.word not in gone and not _is_address(token) for token in named)


def _is_address(token: Token) -> bool:
    return token.word in {"slack", "teams", "gmail", "outlook"}


def is_on_agent(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause names an agent or all, or points at the one just spoken of or the only one."""
    if scene.focus_kind == "task":
        return find_meant(clause, scene.agents).is_named
    if "both" in clause.words and len(scene.agents) == _BOTH:
        return True
    is_known = scene.focus_kind in {"agent", "run"} or len(scene.agents) == 1
    is_known = is_known or (scene.question is not None and bool(scene.question.options))
    return (is_known and bool(POINTERS & set(clause.words))) or find_meant(clause, scene.agents).is_named


_BOTH = 2


def stops_all(words: Sequence[str]) -> bool:
    """Return whether words wish that nothing runs: ``nothing should run``, ``I don't want anything sent``."""
    for place, word in enumerate(words):
        before, behind = words[max(0, place - 4) : place], words[place + 1 : place + 6]
        is_denied = word == "nothing" or (word in {"anything", "any"} and bool(NEGATIONS & set(before)))
        if is_denied and _GOING & set(behind) and (_MUST & set(before) or _MUST & set(behind)):
            return True
    return False


def _lifts_pause(words: Sequence[str]) -> bool:
    """Return whether words end a pause by its noun: ``cancel the pause``."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    return said[:1] != [] and said[0] in _LIFTING and bool({"pause", "break"} & set(said[1:_NEAR_NOUN]))


_LIFTING, _NEAR_NOUN = frozenset("cancel lift end finish".split()), 4


def _sets_retention(clause: Clause) -> bool:
    """Return whether a clause wants conversations kept so many days: ``chats are to be kept for 30 days``."""
    words = clause.words
    is_said = bool(_CONVERSATIONS & set(words) and _DAYS & set(words)) and any(
        word.isdigit() for word in words
    )
    if not is_said or asks_how_it_is(words) or NEGATIONS & set(words):
        return False
    for before, word in zip(("", *words), words, strict=False):
        if (before == "be" and word in _KEPT) or (word in _KEEP and before not in SUBJECTS | AUXILIARIES):
            return True
    return False


_CONVERSATIONS = frozenset("conversations conversation chats chat messages history retention threads".split())
_DAYS = frozenset("days day weeks months years".split())
_KEPT = frozenset("kept stored retained deleted erased held".split())
_KEEP = frozenset("keep store retain set change reduce lower raise".split())


def _switches_all(words: Sequence[str]) -> ActKind | None:
    """Return what ``all agents off`` and ``everything back on`` say without a verb."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS and word not in _OF_ALL]
    is_all = {"all", "everything"} & set(words[:3]) and "list" not in words
    state = said[0] if is_all and said else ""
    return ActKind.PAUSE_AGENT if state == "off" else ActKind.RESUME_AGENT if state == "on" else None


_OF_ALL = AGENT_NOUNS | frozenset("all everything of them my our the back up again".split())


def _goes_back(words: Sequence[str]) -> bool:
    """Return whether words want something as it was: ``could the name go back to what it was``."""
    line = f" {' '.join(words)} "
    is_former = any(
        f" {phrase} " in line for phrase in ("it was", "was before", "it used to be", "they were")
    )
    returns = any(f" {phrase} " in line for phrase in ("back to", "back as", "back how", "back the way"))
    return (is_former and returns and words[0] not in QUESTION_WORDS) or _wants_as_before(words)


def _wants_as_before(words: Sequence[str]) -> bool:
    """Return whether words want something as it was: ``put it please like it was before``."""
    said = [word for word in words if word not in LEADS | {"back", "again"}]
    for at, word in enumerate(said[1:], 1):
        begin = max((mark for mark in range(at) if not said[mark][0].isalnum()), default=-1) + 1
        if word in _ALTERED and said[at - 1] in _PUTTING and not _ASKING_OF_PAST & set(said[begin:at]):
            behind = tuple(said[at + 1 : at + 4])
            return any(behind[: len(one)] == one for one in _AS_BEFORE)
    return False


_ALTERED = frozenset("it that this them everything all".split())
_PUTTING = frozenset("put make set have want get need turn switch change do".split())
_ASKING_OF_PAST = frozenset({"did", "was", "why", "when", "who", "don't", "not", "didn't"})
_AS_BEFORE = (
    ("like", "it", "was"), ("as", "it", "was"), ("how", "it", "was"), ("the", "way", "it"),
    ("like", "before"), ("as", "before"),
    ("like", "they", "were"), ("as", "they", "were"), ("how", "they", "were"),
    ("to", "how", "it"), ("to", "what", "it"), ("to", "the", "way"),
)  # fmt: skip


def _shows_to_others(clause: Clause) -> bool:
    """Return whether a clause wants other people to see something: ``let the team look at it``."""
    words = clause.words
    if asks_for_access(words):
        return True
    for place, word in enumerate(words):
        if word not in _PEOPLE or (word == "rest" and not {"team", "us"} & set(words[place : place + 5])):
            continue
        before, behind = words[:place], words[place + 1 :]
        is_denied = bool(NEGATIONS & set(before))
        is_wished = _CAUSING & set(before) and not asks_how_it_is(words)
        if (is_wished or _asks_also(words)) and _SEEING & set(behind) and not is_denied:
            return True
    return False


def asks_for_access(words: Sequence[str]) -> bool:
    """Return whether a question asks that people get what they don't have yet: ``can the rest of the team get
    access to rota?``
    """
    asked = takewhile(lambda word: word not in _ENDS, words)
    said = [word for word in asked if word[0].isalnum() and word not in LEADS | _IN_PASSING]
    if len(said) < _FEWEST_OF_ACCESS or said[0] not in _MAY or said[1] in {"you", "i"}:
        return False
    if (_PRESENT | NEGATIONS) & set(said):
        return False
    row = said[2:_NEAR_ACCESS]
    places = (at for at, word in enumerate(row) if word in _GETTING)
    return any(
        row[at + 1 : at + 2] == ["access"]
        or (row[at] == "get" and row[at + 1 : at + 2] in (["to"], ["at"]) and bool(row[at + 2 :]))
        for at in places
    )


_MAY = frozenset("can could may might would".split())
_GETTING = frozenset("get have gain given granted".split())
_IN_PASSING = frozenset("maybe perhaps the full read".split())
_PRESENT = frozenset("already yet still currently".split())
_FEWEST_OF_ACCESS, _NEAR_ACCESS = 4, 10


def is_set_going(words: Sequence[str]) -> bool:
    """Return whether words want something to go again: ``to set parcels going again``, ``get it running``."""
    for place, word in enumerate(words):
        before, behind = words[max(0, place - 4) : place], words[place + 1 : place + 8]
        is_told = bool((NEGATIONS | {"wanted"}) & set(before) or SUBJECTS & set(before[-1:]))
        state = next((at for at, one in enumerate(behind) if one in _GOING_AGAIN), None)
        if (
            word in _SETTING
            and not is_told
            and state
            and _says_again(behind[state + 1 : state + 3])
            and not asks_how_it_is(words)
        ):
            return True
    return False


def _says_again(words: Sequence[str]) -> bool:
    return "again" in words or tuple(words[:2]) == ("once", "more")


def _may_go_again(words: Sequence[str]) -> bool:
    """Return whether words end by asking if something may go again: ``can it go again, please?``"""
    said = [word for word in words if word[0].isalnum() and word not in LEADS - {"again"}]
    end = len(said) - (2 if said[-2:] == ["once", "more"] else 1)
    going, asked = said[end - 1 : end], said[max(0, end - _FARTHEST_ASKED) : max(0, end - 1)]
    is_asked = any(word in _MAY and behind in POINTERS | {"the"} for word, behind in pairwise((*asked, "")))
    return _says_again(said[end:]) and bool(_GO & set(going)) and is_asked


_MAY = frozenset({"can", "could", "may", "should"})
_GO = frozenset({"go", "run", "start", "work", "begin"})
_FARTHEST_ASKED = 6


def wished_state(words: Sequence[str]) -> ActKind | None:
    """Return what brings about a state that words want: ``if it could be arranged that it is paused``."""
    for place, (word, behind) in enumerate(pairwise(words)):
        before = words[place - 1] if place else ""
        is_told = before in {"i", "we"} or (word == "sure" and before not in {"make", "making"})
        if word not in _ARRANGING or behind != "that" or is_told:
            continue
        if NEGATIONS & set(words) or asks_how_it_is(words):
            return None
        said = words[place + 2 : place + 2 + _FARTHEST_STATE]
        states = (state for mark, state in pairwise(said) if mark in {"be", "is", "gets", "get"})
        return next((_STATES[state] for state in states if state in _STATES), None)
    return None


_ARRANGING = frozenset(
    "arranged ensure ensured sure it asked asks requested requests suggested wants".split()
)
_STATES = {
    **dict.fromkeys(("paused", "suspended", "stopped", "halted"), ActKind.PAUSE_AGENT),
    **dict.fromkeys(("resumed", "restarted", "reactivated", "unpaused"), ActKind.RESUME_AGENT),
}
_FARTHEST_STATE = 8
_SETTING = frozenset({"set", "get", "have", "bring", "put"})
_GOING_AGAIN = frozenset({"going", "running", "working", "active", "on", "up", "live"})


def _asks_also(words: Sequence[str]) -> bool:
    """Return whether words ask in the form of a question for what they want: ``could they see it too``,
    ``is it possible that they see it? if so, do it``.
    """
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    is_also = said[:1] in (["could"], ["would"]) and bool({"too", "also", "well"} & set(words))
    return is_also or ("possible" in words and ("if", "so") in set(pairwise(words)))


def _hides_again(clause: Clause, scene: Scene) -> bool:
    """Return whether words want an agent back for its owner alone: ``just me again, nobody else``."""
    words = clause.words
    is_known = scene.focus_kind == "agent" or find_meant(clause, scene.agents).is_named
    line = f" {' '.join(word for word in words if word[0].isalnum())} "
    is_alone = any(
        found and before.split()[-1:] not in _NOT_ALONE
        for before, found, _ in (line.partition(f" {phrase} ") for phrase in _ALONE)
    )
    if not is_alone or not is_known or asks_how_it_is(words) or clause.is_question:
        return False
    if _DELIVERED & set(words) or any("@" in word or word[0] == "#" for word in words):
        return False
    return scene.did == ActKind.SHARE_AGENT or "again" in words or bool(_SEEING & set(words))


_ALONE = ("just me", "only me", "only for me", "just for me", "nobody else", "no one else", "nobody but me",
          "no one but me", "only i", "just mine", "only mine")  # fmt: skip
_NOT_ALONE = [[word] for word in NEGATIONS]
_DELIVERED = frozenset(
    "mail mails email send sends sent post posts gets get receive receives slack teams run start".split()
)


def _done_likewise(clause: Clause, scene: Scene) -> ActKind | None:
    """Return the deed that ``do it for parcels`` asks for: what was asked about, or what was done last.

    UNSURE where nothing says which.
    """
    words = [word for word in clause.words if word[0].isalnum()]
    is_if_so = words[:1] == ["if"] and words[1:2] != [] and words[1] in {"so", "yes", "possible"}
    said = [word for word in words[2 * is_if_so :] if word not in LEADS]
    if said[:1] != ["do"] or not (is_if_so or set(said[1:2]) <= _LIKEWISE) or len(said) > _MOST_LIKEWISE:
        return None
    is_for_one = "for" in said and find_meant(clause, scene.agents).is_named
    if not is_for_one and not is_if_so:
        return None
    before = (
        (clause.message[: clause.start] if is_if_so else scene.said_before).lower().replace("?", " ").split()
    )
    if _SHARED_PEOPLE & set(before) and _SEEN & set(before):
        return ActKind.SHARE_AGENT
    deed = next((one for one in ON_NAMED if one == scene.last_deed), None)
    return deed if deed and is_for_one else ActKind.UNSURE


_MOST_LIKEWISE = 8
_LIKEWISE = frozenset({"it", "that", "so", "this", "the"})
_SHARED_PEOPLE = _PEOPLE | frozenset(
    "colleague colleagues coworker coworkers boss teammates teammate".split()
)
_SEEN = _SEEING | frozenset("sees uses share shared sharing".split())


def _runs_now(clause: Clause) -> bool:
    """Return whether a clause asks for a run at once, whatever else it says of the usual time."""
    words = clause.words
    runs = [place for place, word in enumerate(words) if word in _RUNS]
    if not runs or not says_now(words) or asks_how_it_is(words):
        return False
    near = words[max(0, runs[0] - _BEFORE_RUN) : runs[0]]
    if NEGATIONS & set(near) or _SHIFTS & set(words):
        return False
    return bool(_ASKING & {*words[: runs[0]], words[0]})


def _does_its_thing(words: Sequence[str]) -> bool:
    """Return whether words ask that an agent works once: ``can rota do its thing today?``"""
    at = next((at for at, pair in enumerate(pairwise(words)) if pair in _DOING_ITS), None)
    if at is None or not _THING & set(words[at + 2 : at + 4]):
        return False
    before = words[max(0, at - _NEAR_DOING) : at]
    is_regular = bool(_SHIFTS & set(words)) or any(word.endswith("days") for word in words)
    return bool(_CAUSING_WORK & set(before)) and not is_regular and not NEGATIONS & set(before)


_DOING_ITS = frozenset(("do", whose) for whose in ("its", "it's", "their", "your"))
_THING = frozenset({"thing", "job", "work", "bit", "magic", "stuff"})
_CAUSING_WORK = frozenset("can could let have make get may would please".split())
_NEAR_DOING = 4
_SHIFTS = frozenset("later earlier sooner instead than every each".split())
"""Words by which a clause changes when something runs."""


def is_shifted(clause: Clause) -> bool:
    """Return whether a clause wants something so much earlier or later: ``an hour sooner than it is now``."""
    words = clause.words
    is_asked = asks_how_it_is(words) and not commands_doing(words)
    if _says_like(words) or is_asked or NEGATIONS & set(words):
        return False
    return says_shift(words)


def commands_doing(words: Sequence[str]) -> bool:
    """Return whether ``do`` is the verb of a command and asks nothing: ``do rota an hour later``."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS]
    forms = (verb_forms().get(word) for word in said[1:])
    return said[:1] == ["do"] and not any(form is not None and form.is_base for form in forms)


def says_shift(words: Sequence[str]) -> bool:
    """Return whether words say how much earlier or later: ``an hour sooner``, ``the day before``."""
    is_length = any(word in _LENGTHS and behind in _SHIFTED for word, behind in pairwise(words))
    return is_length or says_neighbour(" ".join(words))


_LENGTHS = frozenset("hour hours minute minutes min mins day days week weeks".split())
_SHIFTED = frozenset({"later", "earlier", "sooner", "latter"})


def _says_like(words: Sequence[str]) -> bool:
    """Return whether words ask for another one like this; ``on the same day`` asks for no such thing."""
    return any(word in _LIKE and behind not in _KEPT for word, behind in pairwise((*words, "")))


_KEPT = frozenset("day days time place way weekday hour date".split())
_LIKE = frozenset("same like another copy similar again".split())


def _is_to_be_renamed(clause: Clause) -> bool:
    """Return whether a clause says that something has to get another name: ``it must be renamed``."""
    words = clause.words
    forms = ((place, verb_forms().get(word)) for place, word in enumerate(words))
    renamed = [place for place, form in forms if form is not None and "rename" in classes_of(form.base)]
    return bool(renamed) and bool(_MUST_BE & set(words[: renamed[0]])) and not asks_how_it_is(words)


_MUST_BE = frozenset("should must shall has have needs need ought want".split())


def asks_how_it_is(words: Sequence[str]) -> bool:
    """Return whether words ask how things are: ``is it running now?``"""
    first = next((word for word in words if word[0].isalnum() and word not in LEADS), "")
    return first in QUESTION_WORDS | AUXILIARIES - {"can", "could", "will", "would", "may", "might"}


def _announces(clause: Clause) -> bool:
    """Return whether somebody only says what they will tell us later: ``I'll say when to start again``."""
    sentences = list(_sentences(clause.tokens))
    others = [one for one in sentences if not _is_announcement(one)]
    return len(others) < len(sentences) and not any(map(asks_for_something, others))


def _is_announcement(tokens: Sequence[Token]) -> bool:
    words = [token.word for token in tokens if token.is_word and token.word not in LEADS]
    if words[:2] in (["i", "will"], ["we", "will"]):
        words = words[1:]
    begins = bool(words) and words[0] in {"i'll", "we'll", "will"}
    return begins and words[1:2] != [] and words[1] in _TELLING and bool({"when", "once", "as"} & set(words))


def _concedes(clause: Clause) -> bool:
    """Return whether a clause only says what somebody knows already: ``I know it isn't due yet,``."""
    words = [token.word for token in clause.tokens if token.is_word and token.word not in LEADS]
    knows = words[:1] in (["i"], ["we"]) and words[1:2] != [] and words[1] in _KNOWING
    is_one = len(list(_sentences(clause.tokens))) == 1 and not clause.is_question
    return knows and len(words) > _FEWEST_CONCEDED and is_one and not any(joined_requests(clause.tokens))


_FEWEST_CONCEDED = 3


def _sentences(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.text[0] in _ENDS:
            if place > begin:
                yield tokens[begin:place]
            begin = place + 1
    if begin < len(tokens):
        yield tokens[begin:]


def _has_phrase(words: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(
        tuple(words[at : at + len(phrase)]) == phrase for phrase in phrases for at in range(len(words))
    )
