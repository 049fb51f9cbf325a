"""The agents and tasks that a part of a message means, in its scene: named, excepted or known before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from intent.acts.absent_agents import absent_agent, absent_exception
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.after_deeds import another_meant
from intent.acts.clauses import Clause
from intent.acts.denied_deeds import DENIABLE, meant_of_contrast
from intent.acts.lexicon import (
    AGENT_NOUNS,
    CORRECTIONS,
    EXCEPTIONS,
    LEADS,
    POINTERS,
    TASK_NOUNS,
    verb_forms,
)
from intent.acts.list_places import find_numbered, is_beyond_list, is_in_period
from intent.acts.named_segments import named_subject, subject_before_pronoun
from intent.acts.parts import Part, words_of
from intent.acts.passive_requests import with_denied_joined
from intent.acts.polarity import corrected
from intent.acts.preferences import bare_hour, before_reason
from intent.acts.present_times import wished_time
from intent.acts.question_words import ACTING, FINITE
from intent.acts.references import (
    exception_place,
    find_meant,
    find_name_place,
    is_content,
    kept_first_place,
    name_parts,
    points_back,
    says_all,
)
from intent.acts.scene import Asked, Scene
from intent.acts.slots import Found
from intent.acts.spoken_before import all_others, described_before
from intent.acts.task_reading.commands import puts_amount
from intent.acts.task_reading.due_offsets import anchor_place
from intent.acts.task_reading.due_statements import corrects_day
from intent.acts.task_reading.groups import narrowed
from intent.acts.task_reading.own_reports import tasks_reported
from intent.acts.task_reading.reports import done_by_verb
from intent.acts.tokens import tokenise
from intent.acts.wished_deeds import says_shift, stops_all


def meant_agent(part: Part, scene: Scene, found: Found) -> Meant:
    """Return the agents that a part means."""
    part, things = _before_reason(part), scene.agents
    if part.kind is not ActKind.COPY_AGENT and (absent := absent_exception(part.clause, things)):
        return Meant(words=absent, is_all=True)
    if (limited := _limited(part, things)) is not None:
        return limited
    if part.kind in DENIABLE and (wanted := meant_of_contrast(part.clause, things)) is not None:
        return wanted
    if kept_first_place(part.clause.tokens) is not None and (left := find_meant(part.clause, things)).is_all:
        return left
    is_placed = not _names_one(part.clause, things)
    if is_placed and (chosen := _named_before(part.clause, things)) is not None:
        return Meant(things=(chosen,), is_named=True)
    if (subject := named_subject(part.clause, things)) is not None and part.kind is not ActKind.COPY_AGENT:
        return Meant(things=(subject,), is_named=True)
    if is_placed and (numbered := find_numbered(part.clause.tokens, scene.listed_agents)):
        return Meant(things=numbered)
    if (other := another_meant(part.clause, scene)) is not None and part.kind == scene.corrected:
        return Meant(things=(other,), is_named=True)
    named = None if exception_place(part.clause.tokens) is not None else words_of(part, "agent")
    named = None if named is not None and _is_told(named, part, things) else named
    meant = _said_agents(part, named, scene, found)
    if not meant.things and (told := _told_by_job(part, scene)) is not None:
        return told
    return meant if meant.things or meant.candidates else _agent_by_focus(meant, named, part, scene)


def _told_by_job(part: Part, scene: Scene) -> Meant | None:
    """Return the one agent of a change whose job is described, and nothing else: ``can the list of cancelled
    customers go to #sales?``
    """
    told = part.tagged.get("job", ()) if part.kind is ActKind.CHANGE_AGENT else ()
    tokens = tuple(one for one in part.clause.tokens if any(at.start <= one.start < at.end for at in told))
    if not tokens or points_back(replace(part.clause, tokens=tokens)):
        return None
    meant = find_meant(replace(part.clause, tokens=tokens), scene.agents)
    return meant if len(meant.things) == 1 else None


def _before_reason(part: Part) -> Part:
    """Return a part that amends a time without the reason behind it: what that names is not meant."""
    is_change = part.kind in {ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK}
    said = before_reason(part.clause) if is_change else part.clause
    return part if len(said.tokens) == len(part.clause.tokens) else replace(part, clause=said, tagged={})


def _with_unneeded_joined(part: Part) -> Part:
    """Return a part that deletes with those joined that it says aren't needed: ``no a or b any more``."""
    joined = with_denied_joined(part.clause) if part.kind is ActKind.DELETE_TASK else part.clause
    return part if joined is part.clause else replace(part, clause=joined)


def _names_one(clause: Clause, things: Sequence[Thing]) -> bool:
    """Return whether a clause says the full name of one thing, so that its numbers and ordinals are no
    places.
    """
    meant = find_meant(clause, things)
    return meant.is_named and len(meant.things) == 1


def _with_joined_names(meant: Meant, clause: Clause, things: Sequence[Thing]) -> Meant:
    """Return what is meant with the full names that are joined to it: ``old-bids and test2``."""
    places = sorted(
        (at, thing) for thing in things if (at := find_name_place(clause.words, thing.name)) is not None
    )
    names = [one for one in places if not any(_holds(other[0], one[0]) for other in places)]
    known = [place for place, (_, thing) in enumerate(names) if thing in meant.things]
    if not known or not meant.is_named or meant.excepted:
        return meant
    first, last = known[0], known[-1]
    while first and _is_joint(clause, names[first - 1][0][1], names[first][0][0]):
        first -= 1
    while last + 1 < len(names) and _is_joint(clause, names[last][0][1], names[last + 1][0][0]):
        last += 1
    joined = tuple(dict.fromkeys(thing for _, thing in names[first : last + 1]))
    return replace(meant, things=joined) if len(joined) > len(meant.things) else meant


def _holds(other: tuple[int, int], one: tuple[int, int]) -> bool:
    return other != one and other[0] <= one[0] and one[1] <= other[1]


def _is_joint(clause: Clause, start: int, end: int) -> bool:
    """Return whether the words between two names only join them."""
    between = clause.words[start:end]
    return bool(between) and set(between) <= _JOINING


_JOINING = frozenset({"and", ",", "&", "plus", "the", "also", "as", "well"})


def _is_told(named: Clause, part: Part, things: Sequence[Thing]) -> bool:
    """Return whether words that were taken for an agent's name tell something: ``the shop is closed``, or are
    of what is told before a time is wished: ``the sheet isn't in before 9. Use 9:30``.
    """
    if find_meant(named, things).things:
        return False
    wished = wished_time(part.clause) if part.kind is ActKind.CHANGE_AGENT else None
    if not (_BEING & set(named.words) or (wished is not None and named.end <= wished.start)):
        return False
    return not AGENT_NOUNS & set(named.words)


_BEING = frozenset("is are was were has have had be been".split())


def _said_agents(part: Part, named: Clause | None, scene: Scene, found: Found) -> Meant:
    """Return the agents that the words of a part say, as tagged or at all."""
    things = scene.agents
    if counted := _as_counted(part.clause, scene.listed_agents):
        return Meant(things=counted)
    meant = find_meant(
        named or part.clause, things, listed=scene.listed_agents, used=_used(part, found, "agent")
    )
    meant = _with_joined_names(meant, part.clause, things) if named is not None else meant
    meant = _both(_of_list(meant, part.clause, scene.listed_agents), part.clause, things, scene)
    meant = _counted(_corrected(meant, part.clause), part.clause, AGENT_NOUNS)
    if excepted := _excepted(part):
        kept = find_meant(excepted, things)
        meant = _without(meant, kept.things or kept.candidates)
    going = _kept_going(part.clause, things)
    return _without(meant, going) if len(meant.things) > 1 and going else meant


def _kept_going(clause: Clause, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the agents of which the last sentence or part says that they go on, or only tells: ``pause b. a
    must still go``, ``pause b, leave a on``, ``share b, a has all the pay in it``.
    """
    ends = [at for at, token in enumerate(clause.tokens[:-1]) if token.text in {".", "!", ";", ",", "but"}]
    last = replace(clause, tokens=clause.tokens[ends[-1] + 1 :]) if ends else None
    if last is None:
        return ()
    goes_on = _GOING_ON & set(last.words) or _LEAVING & set(last.words[:1])
    return find_meant(last, things).things if goes_on else _told_of(last, things)


def _told_of(part: Clause, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the agent with whose name words begin that only tell something of it."""
    if _LIKEWISE & set(part.words):
        return ()
    for thing in things:
        place = find_name_place(part.words, thing.name)
        if place is not None and not set(part.words[: place[0]]) - {"the", "my", "our", "as", "because"}:
            behind = part.words[place[1] :]
            return (thing,) if behind[:1] and behind[0] in _TELLING else ()
    return ()


_TELLING = frozenset("is isn't has hasn't was wasn't contains holds shows lists works".split())
_LIKEWISE = frozenset("too also either neither same likewise done needed over useless obsolete".split())


_GOING_ON = frozenset({"still", "must", "keep", "keeps", "stay", "stays", "should", "goes"})
_LEAVING = frozenset({"leave", "not", "never"})


def _agent_by_focus(meant: Meant, named: Clause | None, part: Part, scene: Scene) -> Meant:
    """Return what a part means whose tagged words name no agent: a full name elsewhere, the other, "it"."""
    things = scene.agents
    if (spoken := _spoken_of(named or part.clause, part, scene)) is not None:
        return spoken
    if absent := absent_agent(part.clause, things):
        return Meant(words=absent)
    if meant.excepted and (pointed := _pointed_at(part, scene)) is not None:
        return _without(pointed, meant.excepted)
    if part.kind is ActKind.COPY_AGENT and (model := find_meant(part.clause, things)).is_named:
        return model
    if (whole := _named_in_full(part.clause, things)) is not None:
        return whole
    if others := _the_other(named or part.clause, scene, scene.listed_agents or things):
        return Meant(things=others) if len(others) == 1 else Meant(candidates=others)
    if is_beyond_list(named or _beside_times(part), scene.listed_agents or things):
        return meant
    if (owner := _owner_of_word(part.clause, things)) is not None:
        return Meant(things=(owner,))
    if points_back(named or part.clause) or not meant.words or named is None:
        return _pointed_at(part, scene) or meant
    return meant


def _spoken_of(clause: Clause, part: Part, scene: Scene) -> Meant | None:
    """Return what a command on "it", or a question about all others, means by what was said before."""
    if part.kind in _ASKING and (rest := all_others(clause, scene, scene.agents)):
        return Meant(things=rest)
    if not _commands_it(part.clause):
        return None
    told = described_before(part.clause, scene.agents)
    return _pointed_at(part, scene) if told is None else Meant(things=(told,))


_ASKING = frozenset({ActKind.SHOW_AGENT, ActKind.SHOW_RESULT})


def _beside_times(part: Part) -> Clause:
    """Return the clause of a part without its times: ``the 5th`` is a day there, and no place of a list."""
    times = (*part.tagged.get("when", ()), *part.tagged.get("old", ()))
    kept = (one for one in part.clause.tokens if not any(at.start <= one.start < at.end for at in times))
    return replace(part.clause, tokens=tuple(kept))


def _owner_of_word(clause: Clause, things: Sequence[Thing]) -> Thing | None:
    """Return the only agent that has words of a clause in its name: ``and Gmail only on weekdays``."""
    if POINTERS & set(clause.words):
        return None
    said = {token.word for token in clause.tokens if is_content(token)}
    owners = [one for one in things if said & set(name_parts(one.name))]
    return owners[0] if len(owners) == 1 and len(things) > 1 else None


def _commands_it(clause: Clause) -> bool:
    """Return whether a clause begins with a command on "it": ``make it the third, some pay late``."""
    said = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    form = verb_forms().get(said[0]) if len(said) > 1 else None
    return form is not None and form.is_base and said[1] in POINTERS


def _pointed_at(part: Part, scene: Scene) -> Meant | None:
    """Return the agent that words such as "it" mean; None where nothing was talked about."""
    if asked := _asked_about(part, scene):
        return Meant(things=asked, is_focus=True)
    is_there = scene.focus is not None and scene.focus.id in {thing.id for thing in scene.agents}
    if scene.focus_kind in {"agent", "run"} and scene.focus is not None and is_there:
        return Meant(things=(scene.focus,), is_focus=True)
    return Meant(things=scene.agents, is_focus=True) if len(scene.agents) == 1 else None


def _limited(part: Part, things: Sequence[Thing]) -> Meant | None:
    """Return all things but those that a clause says stay as they are; None where it says no such thing.

    ``all off please, only parcels keeps running``, ``nothing should run, parcels excepted``.
    """
    clause = part.clause
    stops = part.kind is ActKind.PAUSE_AGENT and stops_all(clause.words)
    is_all = stops or _names_state(clause.words, part.kind)
    if part.kind not in _LIMITED or not (is_all or says_all(clause.tokens)):
        return None
    kept = tuple(thing for words in _kept_parts(clause) for thing in find_meant(words, things).things)
    if (cut := exception_place(clause.tokens)) is not None and clause.tokens[cut + 1 :]:
        behind = Clause(clause.message, clause.tokens[cut + 1 :])
        kept = (*kept, *find_meant(behind, things).things)
    if not kept or len(kept) >= len(things):
        is_whole = is_all and not kept and not find_meant(clause, things).is_named
        return Meant(things=tuple(things), is_all=True) if is_whole else None
    left = tuple(thing for thing in things if thing not in kept)
    return Meant(things=left, is_all=True, excepted=tuple(dict.fromkeys(kept)))


def _names_state(words: Sequence[str], kind: ActKind) -> bool:
    """Return whether words name all agents of the state that an act ends: ``the paused ones back on``."""
    states = _STATES_ENDED.get(kind, frozenset())
    return any(one in states and two in {"ones", "agents", "bots"} for one, two in pairwise(words))


_STATES_ENDED = {
    ActKind.RESUME_AGENT: frozenset("paused stopped inactive suspended disabled sleeping".split()),
    ActKind.PAUSE_AGENT: frozenset("active running enabled".split()),
}
_LIMITED = frozenset(
    {
        ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.DELETE_AGENT, ActKind.RUN_AGENT,
        ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT,
    }
)  # fmt: skip
_KEEPING = frozenset(
    "keep keeps stay stays remain remains continue continues excepted excluded carry".split()
)
_PART_ENDS = frozenset(",.;:!?\n()\u2013\u2014") | {"and", "but", "so", "because"}


def _kept_parts(clause: Clause) -> Iterator[Clause]:
    """Yield the parts of a clause that say what stays as it is: ``only parcels keeps running``."""
    begin = 0
    for place in range(len(clause.tokens) + 1):
        is_end = place == len(clause.tokens) or clause.tokens[place].word in _PART_ENDS
        if not is_end:
            continue
        tokens = clause.tokens[begin:place]
        if _KEEPING & {token.word for token in tokens}:
            yield Clause(clause.message, tokens)
        begin = place + 1


def meant_rest(clause: Clause, before: Sequence[Act], things: Sequence[Thing]) -> Meant | None:
    """Return all things but those that the acts before it name, where a clause says ``the rest``."""
    words = clause.words
    spoken = {thing for act in before for thing in (*act.meant.things, *act.meant.excepted)}
    if not spoken or find_meant(clause, things).is_named:
        return None
    kept = {thing for act in before for thing in act.meant.excepted if act.meant.is_all}
    left = tuple(thing for thing in things if thing not in (kept or spoken))
    says_rest = any(pair in _RESTS for pair in pairwise(words)) or _counts_others(words, len(left))
    return Meant(things=left, is_all=True, excepted=tuple(kept)) if left and says_rest else None


def _counts_others(words: Sequence[str], count: int) -> bool:
    """Return whether words say ``the other two`` where just so many are left."""
    said = next((behind for word, behind in pairwise(words) if word == "other"), "")
    return said in _NUMBERS.get(count, frozenset())


def _counted(meant: Meant, clause: Clause, nouns: Set[str]) -> Meant:
    """Return what is meant; all that it may be, where words say just so many: ``delete the two tasks about
    it``.
    """
    count = len(meant.candidates)
    if meant.things or count not in _NUMBERS:
        return meant
    numbers = _NUMBERS[count]
    is_said = any(
        word in numbers and near & (nouns | {"ones", "about", "of"})
        for word, near in _with_next(clause.words)
    )
    return replace(meant, things=meant.candidates, candidates=()) if is_said else meant


def _with_next(words: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each word with the few behind it."""
    for place, word in enumerate(words):
        yield word, frozenset(words[place + 1 : place + 4])


_NUMBERS = {
    2: frozenset({"two", "2", "both"}), 3: frozenset({"three", "3"}), 4: frozenset({"four", "4"}),
    5: frozenset({"five", "5"}),
}  # fmt: skip
_RESTS = frozenset(
    {("the", "rest"), ("the", "others"), ("all", "others"), ("everything", "else"), ("other", "ones")}
)


def _corrected(meant: Meant, clause: Clause) -> Meant:
    """Return what is meant without a name that another one corrects: ``pause parcels, no, rota-check``."""
    if len(meant.things) < 2 or not meant.is_named:
        return meant
    spans: dict[Thing, Span] = {}
    for thing in meant.things:
        if (at := find_name_place(clause.words, thing.name)) is not None:
            first, last = clause.tokens[at[0]], clause.tokens[at[1] - 1]
            spans[thing] = Span(thing.name, first.start, last.end)
    places = sorted(spans.values(), key=lambda one: one.start)
    kept = corrected(clause, places, places)
    things = tuple(thing for thing in meant.things if thing not in spans or spans[thing] in kept)
    return replace(meant, things=things)


def _named_in_full(clause: Clause, things: Sequence[Thing]) -> Meant | None:
    """Return what a clause names in full, or all of them, outside the words tagged as such; None beside a
    pronoun.
    """
    whole = find_meant(clause, things)
    return whole if (whole.is_named or whole.is_all) and not points_back(clause) else None


def _the_other(clause: Clause, scene: Scene, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return what "the other" means beside what was just talked about; empty for any other words."""
    focus = scene.focus
    known = {thing.id for thing in things}
    if focus is None or focus.id not in known or not says_other(clause.words):
        return ()
    return tuple(thing for thing in things if thing.id != focus.id)


def says_other(words: Sequence[str]) -> bool:
    """Return whether words say ``the other``, and not ``the other people``."""
    for word, behind in zip(words, [*words[1:], ""], strict=True):
        is_alone = behind in _OTHER_ONES or not behind.isalpha() or behind in FINITE | ACTING
        if word == "others" or (word == "other" and is_alone):
            return True
    return False


_OTHER_ONES = AGENT_NOUNS | {"one", "ones", "two", "three", "way", "please", "too", "as", "instead"}


def _both(meant: Meant, clause: Clause, things: Sequence[Thing], scene: Scene) -> Meant:
    """Return what "both" means: two things, the two that were just talked about, else it has to be asked."""
    if not meant.is_all or "both" not in clause.words or len(meant.things) == _PAIR:
        return meant
    of_them = tuple(one for one in clause.tokens if one.word not in {"both", "all"})
    described = find_meant(replace(clause, tokens=of_them), things) if of_them else Meant()
    for pair in (described.things, described.candidates):
        if len(pair) == _PAIR and not described.is_all:
            return Meant(things=pair)
    ids = {one.id for one in scene.pair}
    pair = tuple(one for one in things if one.id in ids)
    return Meant(things=pair) if len(pair) == _PAIR else Meant(candidates=meant.things, words="both")


_PAIR = 2


def _all_listed(meant: Meant, whole: Meant) -> Meant:
    """Return what the whole clause means where it lists more things than the words tagged as their names."""
    is_more = len(whole.things) > len(meant.things) > 0 and set(meant.things) <= set(whole.things)
    return whole if is_more and not whole.is_all else meant


def _of_list(meant: Meant, clause: Clause, listed: Sequence[Thing]) -> Meant:
    """Return what "both" and "all of them" mean after a list: what it listed."""
    if not meant.is_all or not listed or not {"both", "them", "these", "those"} & set(clause.words):
        return meant
    known = {thing.id for thing in listed}
    kept = tuple(thing for thing in meant.things if thing.id in known)
    return replace(meant, things=kept) if kept else meant


def _as_counted(clause: Clause, listed: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return all that was listed, where words count as many: ``pause those two``; empty for other words."""
    numbers = _NUMBERS.get(len(listed), frozenset()) - {"both"}
    is_said = any(one in {"those", "these"} and two in numbers for one, two in pairwise(clause.words))
    return tuple(listed) if is_said else ()


def _asked_about(part: Part, scene: Scene) -> tuple[Thing, ...]:
    """Return what "them" means after a question about several things; empty for anything else."""
    options = scene.question.options if scene.question is not None else ()
    is_plural = {"them", "those", "these", "both", "they"} & set(part.clause.words)
    return options if len(options) > 1 and is_plural and scene.question_is_confirm else ()


def _without(meant: Meant, excepted: Sequence[Thing]) -> Meant:
    kept = tuple(thing for thing in meant.things if thing not in excepted)
    return replace(meant, things=kept, excepted=tuple(dict.fromkeys((*meant.excepted, *excepted))))


def _focus_of_amount(clause: Clause, scene: Scene) -> Thing | None:
    """Return the task talked about, where a clause puts the last sum in a task that it doesn't name."""
    if scene.focus_kind != "task" or not puts_amount(clause, scene):
        return None
    return None if find_meant(clause, scene.tasks).things else scene.focus


def _of_report(part: Part, scene: Scene) -> Meant:
    """Return the tasks that a report names, or its pieces."""
    if not part.pieces:
        return Meant(things=tasks_reported(part.clause, scene))
    found = (find_meant(Clause(part.clause.message, one), scene.tasks).things for one in part.pieces)
    return Meant(things=tuple(dict.fromkeys(thing for things in found for thing in things)))


def meant_task(part: Part, scene: Scene, found: Found) -> Meant:
    """Return the tasks that a part means."""
    part = _with_unneeded_joined(_before_reason(part))
    if part.pieces or (part.kind is ActKind.COMPLETE_TASK and tasks_reported(part.clause, scene)):
        return _of_report(part, scene)
    if (place := anchor_place(part.clause.tokens)) is not None:
        part = replace(part, clause=Clause(part.clause.message, part.clause.tokens[: place - 3]), tagged={})
    if (focus := _focus_of_amount(part.clause, scene)) is not None:
        return Meant(things=(focus,), is_focus=True)
    if (apart := _told_apart(part, scene)) is not None:
        return apart
    is_placed = not _names_one(part.clause, scene.tasks)
    if is_placed and (numbered := find_numbered(part.clause.tokens, scene.listed_tasks)):
        return Meant(things=numbered)
    leaves_out = exception_place(part.clause.tokens) is not None and not corrects_day(part.clause.words)
    named = None if leaves_out else words_of(part, "task")
    if named is not None and all(any(s <= one.start < e for s, e in found.used) for one in named.tokens):
        named = None  # the words that say when name no task
    named = None if named is not None and says_shift(named.words) else named
    meant = find_meant(
        named or part.clause, scene.tasks, listed=scene.listed_tasks, used=_used(part, found, "task")
    )
    if named is not None:
        meant = _all_listed(meant, find_meant(part.clause, scene.tasks, listed=scene.listed_tasks))
    meant = _both(_of_list(meant, part.clause, scene.listed_tasks), part.clause, scene.tasks, scene)
    if excepted := _excepted(part):
        kept = find_meant(excepted, scene.tasks)
        meant = _without(meant, kept.things or kept.candidates)
    meant = narrowed(meant, part.clause, part.kind, scene) if part.kind in _ON_GROUPS else meant
    meant = _counted(meant, part.clause, TASK_NOUNS)
    is_known = meant.things or meant.candidates or meant.is_all
    return meant if is_known else _by_focus(meant, named, part, scene, _used(part, found, "task"))


def _told_apart(part: Part, scene: Scene) -> Meant | None:
    """Return the one task that a part means by what it says beside its deed: that another was meant, which
    one a pronoun stands for, or that one is unwanted; None for any other part.
    """
    if (other := another_meant(part.clause, scene)) is not None and part.kind == scene.corrected:
        return Meant(things=(other,), is_named=True)
    if (subject := subject_before_pronoun(part.clause, scene.tasks)) is not None:
        return Meant(things=(subject,))
    return _not_wanted(part, scene)


def _not_wanted(part: Part, scene: Scene) -> Meant | None:
    """Return the one task that is taken back of several just added: ``not the vet one, she rang them``."""
    words = part.clause.words
    begin = next((at for at, word in enumerate(words) if word not in LEADS | {","}), len(words))
    if part.kind is not ActKind.DELETE_TASK or scene.did != ActKind.ADD_TASK or words[begin:][:1] != ("not",):
        return None
    behind = part.clause.tokens[begin + 1 :]
    end = next((at for at, token in enumerate(behind) if not token.is_word), len(behind))
    meant = find_meant(Clause(part.clause.message, behind[:end]), scene.tasks) if end else Meant()
    return meant if len(meant.things) == 1 else None


def _by_focus(
    meant: Meant, named: Clause | None, part: Part, scene: Scene, used: Sequence[tuple[int, int]]
) -> Meant:
    """Return what a part means that describes no task: a full title elsewhere, the other one, "it"."""
    if (whole := _named_in_full(part.clause, scene.tasks)) is not None:
        return whole
    done = done_by_verb(part.clause.words, scene.tasks) if part.kind is ActKind.COMPLETE_TASK else None
    if done is not None:
        return Meant(things=(done,))
    if others := _the_other(named or part.clause, scene, scene.listed_tasks or scene.tasks):
        return Meant(things=others) if len(others) == 1 else Meant(candidates=others)
    untimed = tuple(one for one in part.clause.tokens if not any(s <= one.start < e for s, e in used))
    of_list = named or replace(part.clause, tokens=untimed or part.clause.tokens)
    if is_beyond_list(of_list, scene.listed_tasks or scene.tasks):
        return meant
    is_told_bare = not meant.words or (named is None and not corrects_day(part.clause.words))
    points = points_back(named or part.clause) or is_told_bare
    if (asked := _asked_about(part, scene)) and points:
        return Meant(things=asked, is_focus=True)
    if scene.focus_kind == "task" and scene.focus is not None and (points or _corrects(part.clause, scene)):
        return Meant(things=(scene.focus,), is_focus=True)
    return meant


_ON_GROUPS = frozenset({ActKind.COMPLETE_TASK, ActKind.CHANGE_TASK, ActKind.DELETE_TASK, ActKind.REOPEN_TASK})


def _corrects(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause corrects what was just done: ``no, wednesday``, ``8 instead``."""
    return bool(scene.did) and (clause.words[0] in CORRECTIONS or bool(bare_hour(clause)))


def _excepted(part: Part) -> Clause | None:
    """Return the words that name what is left out; None where no word says so."""
    return words_of(part, "except") if _LEAVES_OUT & set(part.clause.words) else None


_LEAVES_OUT = EXCEPTIONS | {
    "not",
    "keep",
    "keeps",
    "leave",
    "apart",
    "aside",
    "other",
    "without",
    "skip",
    "spare",
}


_TIMES = frozenset({"when", "due"})
"""Slots whose words the grammar of times places more exactly."""


def _used(part: Part, found: Found, slot: str) -> tuple[tuple[int, int], ...]:
    """Return the spans that say something else than which thing is meant."""
    if slot in part.tagged:
        return ()
    others = (
        span for name, spans in part.tagged.items() if name != slot and name not in _TIMES for span in spans
    )
    return (*found.used, *((span.start, span.end) for span in others))


def meant_option(part: Part, scene: Scene) -> Meant:
    """Return the options of the open question that a part chooses, or what it means instead of them."""
    question = scene.question
    if question is None:
        return Meant()
    named = words_of(part, "option") or words_of(part, "agent") or words_of(part, "task") or part.clause
    found = find_meant(named, question.options, listed=question.options)
    if len(found.things) > 1:
        found = chosen_first(named, question.options) or found
    if found.things and _refuses(part.clause):
        return Meant(things=tuple(one for one in question.options if one not in found.things))
    if not found.things and "both" in part.clause.words:
        return Meant(things=question.options, is_all=True)
    if not found.things and question.asked is Asked.CONFIRM:
        return find_meant(part.clause, scene.tasks if question.of.startswith("task") else scene.agents)
    return found


def chosen_first(clause: Clause, options: Sequence[Thing]) -> Meant | None:
    """Return the one option that words choose before they say why: ``the sausage one, game season has just
    begun``; None where they choose none or several before a mark.
    """
    tokens = clause.tokens
    end = next((at for at, one in enumerate(tokens) if at and one.text in _BEFORE_REASON), len(tokens))
    behind = [one.word for one in tokens[end:] if one.is_word]
    if len(behind) < _FEWEST_OF_REASON or behind[0] in {"and", "or", "plus", "also"}:
        return None
    found = find_meant(replace(clause, tokens=tokens[:end]), options, listed=options)
    return found if len(found.things) == 1 else None


_BEFORE_REASON = frozenset(",.;:-\u2013\u2014(")
_FEWEST_OF_REASON = 3


def _refuses(clause: Clause) -> bool:
    """Return whether a clause begins with what is not meant: ``not the second one``."""
    first = next((token.word for token in clause.tokens if token.word not in LEADS and token.is_word), "")
    return first in {"not", "except", "without"}


def _named_before(clause: Clause, things: Sequence[Thing]) -> Thing | None:
    """Return the one of several things named before it in the message that a clause means by its place:
    ``I have parcels and rent, run the latter``; None where it says no such thing.
    """
    tokens = clause.tokens
    for at, token in enumerate(tokens):
        behind = tokens[at + 1].word if at + 1 < len(tokens) else ""
        is_chosen = token.word in {"former", "latter"} or behind in {"one", "of"}
        is_chosen = is_chosen and not is_in_period([one.word for one in tokens], at)
        if token.word not in _PLACES_BEFORE or not at or tokens[at - 1].word != "the" or not is_chosen:
            continue
        words = [one.text.lower() for one in tokenise(clause.message[: token.start])]
        places = ((find_name_place(words, thing.name), thing) for thing in things)
        named = [thing for _, thing in sorted((place, one) for place, one in places if place is not None)]
        if len(named) == _PAIR:
            return named[_PLACES_BEFORE[token.word]]
    return None


_PLACES_BEFORE = {"former": 0, "first": 0, "latter": 1, "second": 1, "last": 1}
_PAIR = 2
