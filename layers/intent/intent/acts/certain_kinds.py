"""The kind of act that words say for certain in their scene, whatever the learned model finds likely."""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.after_deeds import asked_of_meant, leaves_rest, leaves_some, meant_instead, said_of_deed
from intent.acts.asked_at_once import asked_at_once
from intent.acts.asked_clocks import asked_day, asks_clock_elsewhere
from intent.acts.asked_facts import asks_what_is_known
from intent.acts.asked_sums import asks_sum
from intent.acts.asked_why import asks_why_it_comes
from intent.acts.changes_of_all import changes_all, exchanges_address
from intent.acts.clauses import Clause
from intent.acts.cleft_deeds import cleft_deed
from intent.acts.commands import kind_of_verb, read_bare_command, read_command, read_command_on_unknown
from intent.acts.copy_requests import asks_for_copy, names_newest
from intent.acts.corrections import corrects_time, done_to_another, goes_back_to_time, renames_focus
from intent.acts.days_off import asks_for_days_off
from intent.acts.denied_deeds import denied_deed, hides_shared, same_deed, withdraws
from intent.acts.evidence import names_option, says_owed, tells_parts
from intent.acts.farewells import says_done_here
from intent.acts.further_agents import further_agent
from intent.acts.help_questions import asks_what_helps
from intent.acts.kept_places import keeps_address
from intent.acts.kept_requests import kept_fact
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.lexicon import LEADS, POINTERS, QUESTION_WORDS, classes_of, verb_forms
from intent.acts.list_places import find_places
from intent.acts.listed_amounts import asked_of_amounts
from intent.acts.missing_results import tells_missing
from intent.acts.named_segments import pointing_command, subject_before_pronoun
from intent.acts.named_states import named_state
from intent.acts.on_request import gives_schedule, takes_schedule_away
from intent.acts.others_agents import asks_to_see_others
from intent.acts.passive_requests import passive_request
from intent.acts.places import amends_place, asks_to_send, moves_source, redirects
from intent.acts.plain_answers import read_answer
from intent.acts.present_times import changes_present
from intent.acts.present_work import asked_of_work
from intent.acts.question_words import TIME_NOUNS
from intent.acts.references import find_meant
from intent.acts.removal_evidence import drops_listed, drops_named
from intent.acts.requests import asks_for_something
from intent.acts.respelled_names import respelled_name
from intent.acts.retitled_tasks import find_retitled
from intent.acts.scene import Scene
from intent.acts.shown_runs import shows_runs
from intent.acts.single_days import leaves_out_once
from intent.acts.slots import gives_name
from intent.acts.task_reading.asked_lists import asks_for_task_on, list_talked_of
from intent.acts.task_reading.commands import task_command
from intent.acts.task_reading.own_reports import kind_of_report
from intent.acts.task_reading.task_like_last import is_like_last
from intent.acts.time_changes import asks_to_have
from intent.acts.title_corrections import corrected_title
from intent.acts.titles_done import kind_of_titled
from intent.acts.told_changes import changes_told
from intent.acts.told_deeds import deed_or_report
from intent.acts.told_facts import asks_more_of_told, asks_to_forget, tells_fact
from intent.acts.told_instructions import instructs_agent
from intent.acts.told_past import told_past
from intent.acts.unsure_answers import answers_while_unsure
from intent.acts.watched_pages import means_watched_page
from intent.acts.wished_deeds import wished_deed
from intent.acts.wishes_for_agents import asks_to_watch
from intent.times.reader import read_times

_ON_ONE_TASK = ON_TASKS - {ActKind.ADD_TASK, ActKind.LIST_TASKS}


def certain_kind(
    segment: Segment,
    scene: Scene,
    clause: Clause,
    tokens: Sequence[MarkedToken],
    before: Sequence[ActKind] = (),
) -> ActKind | None:
    """Return the kind that the words of a clause say; None where the learned model has to decide.

    ``before`` are the kinds of the message's parts before this one.
    """
    if (said := _beside_work(clause, scene) or _of_agents(clause, scene, before)) is not None:
        return said
    if (told := _of_title(clause, scene) or kind_of_report(clause, scene)) is not None:
        return told
    leaves = leaves_rest(clause) or (bool(before) and leaves_some(clause))
    if scene.question is None and leaves and (before or not scene.has_draft):
        return ActKind.NONE if scene.has_draft else ActKind.NO
    if (further := further_agent(clause, scene)) is not None:
        return further
    found = (
        asked_of_work(clause, scene)
        or shows_runs(clause, scene)
        or list_talked_of(clause.words, scene)
        or (ActKind.LIST_TASKS if asks_for_task_on(clause, scene) else None)
        or _reads_back(clause, scene)
        or _corrected(clause, scene)
        or deed_or_report(clause, scene)
        or (ActKind.CHANGE_AGENT if _moves(clause, scene) else None)
        or _commanded(segment, scene, tokens, before)
        or passive_request(clause, scene)
        or _told(clause, scene)
        or _answered(segment, scene, clause, tokens)
        or wished_deed(clause, scene)
        or _requested(segment, scene, clause, tokens)
        or done_to_another(segment, clause, scene)
    )
    if found is None and segment.kind is ActKind.CREATE_AGENT and means_watched_page(clause, scene):
        return ActKind.CHANGE_AGENT
    if found in _MAY_TELL and answers_while_unsure(segment.kind, clause, scene, tuple(tokens)):
        return ActKind.CREATE_AGENT
    return ActKind.PICK if found is None and names_option(clause, scene) else found


def _beside_work(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause is that is about none of the user's things: a sum, a clock, a farewell, what could
    be done at all.
    """
    if asks_sum(clause, scene):
        return ActKind.SUM
    if asks_clock_elsewhere(clause, scene) or _asks_weekday(clause, scene):
        return ActKind.CLOCK
    words = [token.word for token in clause.tokens if token.is_word]
    if clause.is_question and asks_what_helps(words):
        return ActKind.UNSURE
    is_open = scene.has_draft or scene.question is not None
    return ActKind.SMALL_TALK if says_done_here(words) and not is_open else None


def _asks_weekday(clause: Clause, scene: Scene) -> bool:
    is_question = clause.is_question or bool(QUESTION_WORDS & set(clause.words))
    is_question = is_question and scene.question is None and not scene.has_draft
    return is_question and asked_day(clause.text, now=scene.now, zone=scene.zone) is not None


def _of_title(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause says of a task whose whole title it has, or of one more of the sort just added."""
    if is_like_last(clause, scene):
        return ActKind.ADD_TASK
    is_retitled = find_retitled(clause, scene) is not None
    return ActKind.CHANGE_TASK if is_retitled else kind_of_titled(clause, scene)


def _of_agents(clause: Clause, scene: Scene, before: Sequence[ActKind]) -> ActKind | None:
    """Return what words want of agents at once, or that turn something down: days, a place, the agent, a
    deed.
    """
    stated = told_past(clause, scene) or named_state(clause, scene) or cleft_deed(clause, scene)
    if (stated := stated or asked_at_once(clause, scene)) is not None:
        return stated
    if asks_why_it_comes(clause, scene):
        return ActKind.SHOW_AGENT
    if asks_to_see_others(clause, scene):
        return ActKind.LIST_AGENTS
    if _is_certain_change(clause, scene, before):
        return ActKind.CHANGE_AGENT
    if drops_named(clause, scene):
        return ActKind.DELETE_AGENT
    if withdraws(clause) and scene.question is None and not scene.has_draft:
        return ActKind.NO
    if hides_shared(clause, scene):
        return ActKind.UNSHARE_AGENT
    if tells_missing(clause, scene):
        return ActKind.SHOW_RESULT
    return denied_deed(clause, scene) or same_deed(clause, scene)


def _is_certain_change(clause: Clause, scene: Scene, before: Sequence[ActKind]) -> bool:
    """Return whether a clause changes an agent whatever verb it has: by days off, a kept address, no schedule
    any more, a run left out, other times to have it at, or how it is to work.
    """
    return (
        asks_for_days_off(clause, scene)
        or leaves_out_once(clause, scene)
        or keeps_address(clause, scene)
        or takes_schedule_away(clause, scene)
        or asks_to_have(clause, scene)
        or changes_present(clause, scene)
        or changes_all(clause, scene)
        or exchanges_address(clause, scene)
        or gives_schedule(clause, scene)
        or instructs_agent(clause, scene, is_behind=bool(before) and before[-1] in ON_AGENTS)
    )


_MAY_TELL = frozenset({None, ActKind.REMEMBER, ActKind.NONE})


def _reads_back(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what shows the thing talked about, where it is to be read back: ``read it back to me``, ``and
    it's due when?``
    """
    words = clause.words
    triples = zip(words, words[1:], words[2:], strict=False)
    is_asked = any(one == "read" and two in POINTERS and three == "back" for one, two, three in triples)
    shows = {"task": ActKind.LIST_TASKS, "agent": ActKind.SHOW_AGENT}
    is_asked = is_asked or _asks_when_due(clause, scene)
    return shows.get(scene.focus_kind) if is_asked and scene.question is None else None


def _moves(clause: Clause, scene: Scene) -> bool:
    return redirects(clause, scene) or moves_source(clause, scene) or asks_to_send(clause, scene)


def _corrected(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause corrects of the last deed; None for any other clause."""
    if (other := on_other(clause, scene)) is not None:
        return other
    if (
        renames_focus(clause, scene)
        or _gives_name(clause, scene)
        or respelled_name(clause, scene) is not None
    ):
        return ActKind.CHANGE_AGENT
    if (changed := goes_back_to_time(clause, scene)) is not None:
        return changed
    if (said := meant_instead(clause, scene) or said_of_deed(clause, scene)) is not None:
        return said
    if corrected_title(clause, scene):
        return ActKind.CHANGE_TASK
    return asked_of_meant(clause, scene)


def _gives_name(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause gives another name to an agent that it names."""
    named = [at for at, word in enumerate(clause.words) if word == "name"]
    gives = not clause.is_question and any(gives_name(clause.words[: at + 1]) for at in named)
    return gives and not scene.has_draft and find_meant(clause, scene.agents).is_named


def on_other(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause commands of an agent that it names before the pronoun where a task was talked
    about, or of a task where an agent was: ``the sla thing, make it 8:15``.
    """
    is_open = scene.has_draft or scene.question is not None
    found = None if is_open or scene.focus_kind not in {"task", "agent"} else pointing_command(clause)
    if found is None:
        return None
    is_task = scene.focus_kind == "agent"
    others, own = (scene.tasks, scene.agents) if is_task else (scene.agents, scene.tasks)
    if subject_before_pronoun(clause, others) is None or find_meant(clause, own).things:
        return None
    verb = verb_forms()[found.words[0]].base
    kind = kind_of_verb(verb, found.words[2:], is_task=is_task)
    is_change = "rename" in classes_of(verb) or bool(read_times(clause.text, now=scene.now, zone=scene.zone))
    changed = ActKind.CHANGE_TASK if is_task else ActKind.CHANGE_AGENT
    return changed if kind is None and is_change else kind


def _told(clause: Clause, scene: Scene) -> ActKind | None:
    """Return what a clause that tells or asks about facts, amounts or another time is."""
    if (tells_fact(clause) or _asks_to_keep(clause, scene)) and not tells_parts(clause, scene):
        return ActKind.REMEMBER
    if asks_what_is_known(clause.text) or asks_more_of_told(clause, scene) or _forgets_told(clause, scene):
        return ActKind.RECALL
    if changes_told(clause, scene):
        return ActKind.REMEMBER
    if asked_of_amounts(clause.text, scene) is not None:
        return ActKind.SUM
    if amends_place(clause, scene):
        return ActKind.CHANGE_AGENT
    if corrects_time(clause, scene):
        return ActKind.CHANGE_TASK if scene.focus_kind == "task" else ActKind.CHANGE_AGENT
    return None


def _asks_to_keep(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to keep a fact, of something else than the user's agents."""
    is_open = scene.has_draft or scene.question is not None
    return not is_open and bool(kept_fact(clause.text)) and not find_meant(clause, scene.agents).is_named


def _forgets_told(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks to forget what was told, and none of the user's own things."""
    is_open = scene.has_draft or scene.question is not None
    return asks_to_forget(clause.text) and not (
        is_open or find_meant(clause, (*scene.agents, *scene.tasks)).is_named
    )


def _answered(
    segment: Segment, scene: Scene, clause: Clause, tokens: Sequence[MarkedToken]
) -> ActKind | None:
    """Return what words are that take up the last reply."""
    if (answered := read_answer(tokens, scene)) is not None:
        return answered
    if segment.kind is ActKind.DO_IN_WORLD and scene.question and scene.question.slots == ("title",):
        return ActKind.ADD_TASK
    if segment.kind is ActKind.ADD_TASK and _names_asked_job(clause, tokens, scene):
        return ActKind.ANSWER
    if scene.question is None and scene.focus_kind == "agent" and _asks_if_same(clause):
        return ActKind.SHOW_AGENT
    is_idle = not scene.did or scene.question is not None
    if scene.question is None and scene.focus is not None and _asks_what_is_kept(clause):
        return {"task": ActKind.LIST_TASKS, "agent": ActKind.SHOW_AGENT}.get(scene.focus_kind)
    return ActKind.ASK_WORKSPACE if not is_idle and _asks_whether_done(clause) else None


def _names_asked_job(clause: Clause, tokens: Sequence[MarkedToken], scene: Scene) -> bool:
    """Return whether words only name things, where the last reply asked for the job: ``new epics``."""
    is_asked = scene.question is not None and scene.question.slots == ("job",)
    first = next((one for one in tokens if one.token.word not in LEADS), None)
    is_command = first is not None and "base verb" in first.classes
    return is_asked and first is not None and not is_command and not says_owed(clause)


def _asks_whether_done(clause: Clause) -> bool:
    """Return whether a question only asks if what was asked for is done: ``all 3 done?``"""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS - {"all"}]
    is_whole = bool(_WHOLE & set(words)) and bool(_DONE & set(words))
    rest = set(words) - _WHOLE - _DONE - _AROUND_DONE
    return clause.is_question and is_whole and not any(not word.isdigit() for word in rest)


def _asks_when_due(clause: Clause, scene: Scene) -> bool:
    """Return whether a question is when the task just talked about is due: ``what's the due date on it``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    if scene.focus_kind != "task" or scene.question is not None or not {"due", "deadline"} & set(words):
        return False
    asks = clause.is_question or bool(QUESTION_WORDS & set(words[:1]))
    return asks and set(words) <= POINTERS | QUESTION_WORDS | _AROUND_DUE


_AROUND_DUE = TIME_NOUNS | frozenset(
    "due deadline date is are was the its it's one on of for at by now again exactly set currently".split()
)


def _asks_what_is_kept(clause: Clause) -> bool:
    """Return whether a question is about what the last deed put down: ``is that in?``, ``what date did you
    put?``
    """
    words = {word for word in clause.words if word[0].isalnum() and word not in LEADS}
    if not clause.is_question:
        return False
    if _POINTED & words and _KEPT & words:
        return words <= _POINTED | _KEPT | _AROUND_KEPT
    return "you" in words and bool(_PUT & words) and bool((TIME_NOUNS | {"when"}) & words)


def _asks_if_same(clause: Clause) -> bool:
    """Return whether words only make sure that a part of an agent is as it was: ``same time, right?``."""
    words = {word for word in clause.words if word[0].isalnum()}
    makes_sure = clause.is_question or bool(words & _MAKING_SURE)
    return makes_sure and bool(words & _SAME) and bool(words & _PARTS) and words <= _AROUND_SAME


_SAME, _MAKING_SURE = frozenset({"same", "still"}), frozenset({"right", "correct", "though", "yeah"})
_PARTS = frozenset("time times hour day days schedule place address channel".split())
_AROUND_SAME = LEADS | _SAME | _MAKING_SURE | _PARTS | frozenset(
    "at the is it it's that on as before too isn't yes in of course stays stay".split()
)  # fmt: skip
_PUT = frozenset("put set make made note noted write wrote enter entered choose chose pick picked".split())
_POINTED = frozenset({"that", "it", "this", "they", "those"})
_KEPT = frozenset("in done saved noted added set stored recorded got get there booked logged down".split())
_AROUND_KEPT = frozenset("is are was did do have you now on the my list yet been already".split())
_WHOLE = frozenset({"all", "both", "everything", "they", "those", "these"})
_DONE = frozenset({"done", "finished", "sorted", "saved", "set", "through"})
_AROUND_DONE = frozenset(
    "are is have been you did do was were of them that it the things two three four five six now up".split()
)


def _commanded(
    segment: Segment, scene: Scene, tokens: Sequence[MarkedToken], before: Sequence[ActKind]
) -> ActKind | None:
    commanded = read_command(tokens)
    is_asked = scene.has_draft or scene.question is not None
    is_on_agent = scene.focus_kind in {"agent", "run"} or (bool(before) and before[-1] in ON_AGENTS)
    if commanded is None and not is_asked and scene.listed:
        commanded = read_command(_with_places(tokens, scene))
    if commanded is None and (is_asked or is_on_agent):
        commanded = read_bare_command(tokens)
    if commanded is ActKind.SHOW_AGENT and scene.has_draft:
        return None  # the unfinished agent is meant
    if commanded is None and not is_asked and scene.focus_kind == "agent":
        commanded = _commanded_of_focus(tokens)
    return None if commanded is None or _is_otherwise(commanded, segment, scene) else commanded


def _with_places(tokens: Sequence[MarkedToken], scene: Scene) -> list[MarkedToken]:
    """Return the tokens with the places of the list that was just shown as the names of what stands there:
    ``bin no. 2``, ``drop 1 and 3``.
    """
    marked = list(tokens)
    mask = "TASK" if scene.listed_kind == "task" else "AGENT"
    for place in reversed(find_places([one.token for one in tokens], scene.listed)):
        marked[place.first : place.last + 1] = [marked[place.last]._replace(mask=mask)]
    return marked


def _commanded_of_focus(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return what the last part of a clause commands of "it", where nothing before it asks for anything:
    ``oh, that one I forgot. switch it on too``.
    """
    places = [place for place, one in enumerate(tokens[:-1]) if one.token.text[0] in _PART_MARKS]
    cut = places[-1] + 1 if places else 0
    if any(one.mask in {"AGENT", "TASK"} for one in tokens[:cut]):
        return None
    return (
        None if asks_for_something([one.token for one in tokens[:cut]]) else read_bare_command(tokens[cut:])
    )


_PART_MARKS = frozenset(",.;:!?\u2013\u2014")


def _requested(
    segment: Segment, scene: Scene, clause: Clause, tokens: Sequence[MarkedToken]
) -> ActKind | None:
    """Return what a clause requests of what is not there yet, of a connection or of a task."""
    if asks_for_copy(clause, scene):
        return ActKind.COPY_AGENT
    if drops_listed(clause, scene):
        return ActKind.DELETE_AGENT
    if names_newest(clause, scene):
        return ActKind.CHANGE_AGENT
    if segment.kind in ON_AGENTS and _wants_back(clause, scene):
        return ActKind.RESTORE_AGENT
    if _accepts_tools(clause):
        return ActKind.CONNECT
    if segment.kind not in _ON_ONE_TASK and (on_unknown := read_command_on_unknown(tokens)) is not None:
        return on_unknown
    if _asks_to_watch_address(clause, scene):
        return ActKind.CREATE_AGENT
    return task_command(clause, scene)


def _wants_back(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause asks for something back that isn't there: ``can I have rota back?``"""
    words = clause.words
    for place, word in enumerate(words[:-2]):
        before = words[place - 1] if place else "."
        is_asked = before in {"i", "we", "to", "please"} or not before[0].isalnum()
        if word in _HAVING and is_asked and "back" in words[place + 1 : place + _NEAR]:
            return not find_meant(clause, scene.agents).is_named
    return False


_HAVING = frozenset({"have", "get", "want", "need", "bring"})
_NEAR = 7


def _accepts_tools(clause: Clause) -> bool:
    """Return whether a clause accepts the tools of a connection: ``I accept the changed tools of notion``."""
    words = [word for word in clause.words if word[0].isalnum() and word not in LEADS]
    begins = words[1:2] if words[:1] in (["i"], ["we"]) else words[:1]
    return bool(_ACCEPTS & set(begins)) and "tools" in words


_ACCEPTS = frozenset({"accept", "approve"})


def _asks_to_watch_address(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause begins as a command to watch a web address, for a new agent."""
    return asks_to_watch(clause) and not find_meant(clause, scene.agents).is_named


def _is_otherwise(commanded: ActKind, segment: Segment, scene: Scene) -> bool:
    """Return whether words may repeat what was asked about, or stop a run instead of an agent."""
    is_asked = scene.question_is_confirm and scene.question is not None and scene.question.of == commanded
    likeliest = segment.ranked[0].kind
    is_repeated = is_asked and likeliest in {ActKind.YES, ActKind.NO}
    return is_repeated or (commanded is ActKind.PAUSE_AGENT and likeliest is ActKind.CANCEL_RUN)
