"""Whether the words of a clause bear out the kind of act that the learned model takes it for.

The model is sure of most clauses. Where it is not, a deed needs a word that says so: a remark must not become
a task because nothing else was likelier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from intent.acts import lexicon
from intent.acts.act import Act, ActKind
from intent.acts.clauses import Clause
from intent.acts.commanded_changes import commands_change
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.references import find_meant
from intent.acts.removal_evidence import (
    may_be_deletion,
    tells_of_disconnection,
    tells_of_removal,
    tells_of_return,
)
from intent.acts.requests import asks_for_reason, asks_for_something
from intent.acts.scene import Asked, Scene
from intent.acts.task_reading.due_statements import states_due
from intent.acts.tokens import tokenise
from intent.acts.wishes_for_agents import asks_about_others, disclaims, wishes_for_data
from intent.times.reader import read_times

_UNSURE_BELOW = 0.2
"""A deed that is less probable needs a word for it."""
_UNSURE_CREATION_BELOW = 0.3
_UNSURE_OF_TOLD_BELOW = 0.7
_UNSURE_DELETION_BELOW = 0.5
_QUESTION_BELOW = 0.35
_PAUSING = frozenset({"pause", "stop"})
_RESUMING = frozenset({"resume", "restore_or_resume", "start"})
_SHARING, _HIDING = frozenset({"share"}), frozenset({"unshare"})
_OPPOSITES: Mapping[ActKind, tuple[ActKind, frozenset[str], frozenset[str]]] = {
    ActKind.UNSHARE_AGENT: (ActKind.SHARE_AGENT, _SHARING, _HIDING),
    ActKind.SHARE_AGENT: (ActKind.UNSHARE_AGENT, _HIDING, _SHARING),
    ActKind.RESUME_AGENT: (ActKind.PAUSE_AGENT, _PAUSING, _RESUMING),
    ActKind.PAUSE_AGENT: (ActKind.RESUME_AGENT, _RESUMING, _PAUSING),
    ActKind.DELETE_TASK: (ActKind.COMPLETE_TASK, frozenset({"complete"}), frozenset({"delete"})),
}
"""For each kind: its opposite, the verbs that command the opposite, and those that command it."""
_OWED = frozenset(
    "need needs must should have has got gotta ought forget remember remind reminder due deadline".split()
)
_OPERATORS = frozenset("* × + ÷".split())
_MOST_OPTION_WORDS = 12


def is_sum(clause: Clause) -> bool:
    """Return whether a clause has two numbers with an operator between them."""
    words = clause.words
    return any(
        mark in _OPERATORS and before[:1].isdigit() and behind[:1].isdigit()
        for (before, mark), behind in zip(pairwise(words), words[2:], strict=False)
    )


def names_option(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause only names some of the things that the last reply asked to choose from."""
    question = scene.question
    if question is None or question.asked is not Asked.WHICH or len(clause.words) > _MOST_OPTION_WORDS:
        return False
    meant = find_meant(clause, question.options, listed=question.options)
    if not meant.things or states_due(clause, scene):
        return False
    first = next((token for token in clause.tokens if token.word not in lexicon.LEADS), clause.tokens[0])
    form = lexicon.verb_forms().get(first.word)
    is_command = form is not None and form.is_base
    return not is_command or any(first.word in one.name.lower() for one in meant.things)


def commanded_kind(kind: ActKind, clause: Clause) -> ActKind:
    """Return the kind; its opposite where the words command only that: ``share it so it isn't private``."""
    if kind in {ActKind.REOPEN_TASK, ActKind.RESTORE_TASK} and _says_done(clause):
        return ActKind.COMPLETE_TASK
    if kind in _OFF_LIST and _ticks_off(clause):
        return ActKind.COMPLETE_TASK
    if kind is ActKind.CHANGE_TASK and _ticks_it_off(clause.words):
        return ActKind.COMPLETE_TASK
    if kind is ActKind.COMPLETE_TASK and _deletes_instead(clause):
        return ActKind.DELETE_TASK
    if kind not in _OPPOSITES:
        return kind
    opposite, theirs, ours = _OPPOSITES[kind]
    said = _commanded_classes(clause)
    return opposite if theirs & said and not ours & said else kind


_OFF_LIST = frozenset({ActKind.DELETE_TASK, ActKind.RESTORE_TASK, ActKind.REOPEN_TASK})


def _ticks_off(clause: Clause) -> bool:
    """Return whether a clause commands to tick something off, and not to delete it."""
    verbs = {word for word in clause.words if (form := lexicon.verb_forms().get(word)) and form.is_base}
    ticks = verbs & _TICKING and {"off", "done"} & set(clause.words)
    is_negated = bool(lexicon.NEGATIONS & set(clause.words))
    return bool(ticks) and not is_negated and not verbs & {"delete", "remove", "bin", "scrap"}


def _ticks_it_off(words: Sequence[str]) -> bool:
    """Return whether words command to tick "it" off, whatever they tell before it."""
    triples = zip(words, words[1:], words[2:], strict=False)
    return any(
        verb in _TICKING and pointer in lexicon.POINTERS and behind in {"off", "done"}
        for verb, pointer, behind in triples
    )


_TICKING = frozenset({"tick", "cross", "check", "mark"})


def _deletes_instead(clause: Clause) -> bool:
    """Return whether a clause asks for deletion and says that something is not done."""
    words = clause.words
    done = next((at for at, word in enumerate(words) if word in _DONE), None)
    is_not = done is not None and bool(lexicon.NEGATIONS & set(words[max(0, done - _NEAR) : done]))
    return is_not and any(word in {"delete", "deleted", "remove", "removed"} for word in words)


_NEAR = 6


def _says_done(clause: Clause) -> bool:
    """Return whether the first thing a clause tells of the state of something is that it is done."""
    states = [place for place, word in enumerate(clause.words) if word in _STATES]
    if not states or clause.words[states[0]] not in _DONE:
        return False
    return not lexicon.NEGATIONS & set(clause.words[max(0, states[0] - 3) : states[0]])


_DONE = frozenset({"done", "finished", "completed", "sorted", "ticked"})
_STATES = _DONE | {"open", "undone", "unfinished", "back", "isn't", "aren't", "wasn't"}


def _commanded_classes(clause: Clause) -> frozenset[str]:
    """Return the classes of the first command of a clause; empty when it is negated or has none."""
    before = ""
    for place, word in enumerate(clause.words):
        form = lexicon.verb_forms().get(word)
        is_verb = form is not None and form.is_base and word not in lexicon.LEADS | lexicon.AUXILIARIES
        if form is not None and is_verb:
            is_negated = before in lexicon.NEGATIONS or before in {"stop", "to", "unless"}
            return frozenset() if is_negated else _with_particles(form.base, clause.words[place + 1 :])
        before = word
    return frozenset()


def _with_particles(base: str, behind: Sequence[str]) -> frozenset[str]:
    """Return the classes of a verb with the words behind it: ``turn the first one off`` pauses."""
    joint = next((place for place, word in enumerate(behind) if word in _PART_ENDS), len(behind))
    said = frozenset(behind[:joint])
    named = {name for verbs, marks, name in lexicon.PARTICLES if base in verbs.split() and marks & said}
    return frozenset(named) or lexicon.classes_of(base)


_PART_ENDS = frozenset({",", ".", ";", "!", "?", "and", "but", "then"})


def bears_out(kind: ActKind, probability: float, clause: Clause, scene: Scene, *, follows: bool) -> bool:
    """Return whether a clause may be a deed of this kind; ``follows``: one of the kind stands before it."""
    if kind is ActKind.WHY:
        return clause.is_question or asks_for_reason(clause.tokens)
    only_asks = kind is ActKind.CREATE_AGENT and _only_asks(probability, clause, scene)
    if only_asks or _only_reports(kind, clause):
        return False
    if kind is ActKind.COMPLETE_TASK and (_only_wonders(clause) or not _tells_of_deed(clause)):
        return False
    if probability < _SURE_OF_DELETION and kind in _TOLD_BY and not _TOLD_BY[kind](clause):
        return False
    if follows:
        return True
    match kind:
        case ActKind.ADD_TASK if probability < _UNSURE_BELOW:
            return says_owed(clause) or scene.did == ActKind.ADD_TASK or scene.question is not None
        case ActKind.DELETE_AGENT | ActKind.DELETE_TASK if probability < _UNSURE_DELETION_BELOW:
            return may_be_deletion(kind, clause, scene)
        case ActKind.CREATE_AGENT if probability < _least_of_creation(clause):
            is_open = scene.has_draft or scene.question is not None
            return is_open or (_tells_of_work(clause, scene) and not _asks_of_past(clause))
        case ActKind.COPY_AGENT if probability < _UNSURE_CREATION_BELOW:
            words = set(clause.words)
            return bool(words & _LIKE or any("copy" in lexicon.classes_of(word) for word in words))
        case _:
            return True


def _least_of_creation(clause: Clause) -> float:
    """Return how probable a request for an agent has to be without a word for its work: more so where it
    tells what has happened, as ``I've lost track, somebody has been at it`` does.
    """
    is_told = bool(_HAPPENED & set(clause.words)) and not clause.is_question
    return _UNSURE_OF_TOLD_BELOW if is_told else _UNSURE_CREATION_BELOW


_HAPPENED = frozenset("been lost was were had ive i've".split())


def _only_reports(kind: ActKind, clause: Clause) -> bool:
    """Return whether the verb of a deed only stands in what something says: ``a task that says run X``."""
    if kind not in _ON_AGENTS:
        return False
    forms = [lexicon.verb_forms().get(word) for word in clause.words]
    places = [at for at, form in enumerate(forms) if form is not None and _COMMANDS[kind] & _classes(form)]
    return bool(places) and all(at and clause.words[at - 1] in lexicon.REPORTS for at in places)


def _only_wonders(clause: Clause) -> bool:
    """Return whether a clause is a question that asks for no deed: ``got that?``"""
    return clause.is_question and not asks_for_something(clause.tokens)


def _tells_of_deed(clause: Clause) -> bool:
    """Return whether a clause says that something happened, or commands to tick it off."""
    words = set(clause.words)
    if words & _NOT_YET and not _ticks_it_off(clause.words):
        return False
    if ("got", "to") in pairwise(clause.words):
        words -= {"got"}  # it is still to be done
    if _is_listed_as_done(clause) or words & (_DONE | _PAST) or "complete" in lexicon.classes_in(words):
        return True
    return any(word.endswith(("ed", "'d")) and len(word) > _SHORTEST_PAST for word in words)


_NOT_YET = frozenset({"nearly", "almost", "i'll", "we'll"})


def _is_listed_as_done(clause: Clause) -> bool:
    """Return whether a clause is one of several things that are done: ``vpn, docking stations are done``."""
    behind = {token.word for token in tokenise(clause.message[clause.end :])}
    return clause.words[-1] == "," and bool(_DONE & behind)


_TOLD_BY = {
    ActKind.RESTORE_TASK: tells_of_return, ActKind.DELETE_TASK: tells_of_removal,
    ActKind.REMOVE_SKILL: tells_of_disconnection,
}  # fmt: skip
_SURE_OF_DELETION = 0.6
_SHORTEST_PAST = 3
_PAST = frozenset(
    "came come went gone got did paid sent bought rang sold made took taken told spoke spoken written wrote"
    " here there off past over through in brought built cut dealt drew fed found gave had held lost"
    " met put said saw set shut swept won been called complete tick ticks in's good".split()
)
"""Words by which a clause without a verb in -ed tells of what happened, or of what has arrived."""
_LIKE = frozenset("same another like similar one also too else identical".split())


def _only_asks(probability: float, clause: Clause, scene: Scene) -> bool:
    """Return whether words that look like a request for a new agent only ask whether it would do."""
    if disclaims(clause):
        return True
    if probability >= _QUESTION_BELOW or not asks_about_others(clause):
        return False
    return not any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone))


def says_owed(clause: Clause) -> bool:
    """Return whether a clause says that something has to be done, or names the list."""
    words = {token.text.lower() for token in clause.tokens}  # as spelt: ``nite`` is no ``note``
    if _others_forget(clause):
        words -= {"forget", "remember"}
    classes = {name for word in words if (form := lexicon.verb_forms().get(word)) for name in _classes(form)}
    return bool(words & (_OWED | lexicon.TASK_NOUNS | lexicon.LIST_NOUNS) or classes & {"add", "remind"})


def _others_forget(clause: Clause) -> bool:
    """Return whether a clause tells what other people forget, or its speaker would: ``the guys forget about
    the invoice``, ``I'd forget my own head``.
    """
    said = [place for place, word in enumerate(clause.words) if word in {"forget", "remember"} and place]
    before = [clause.words[place - 1] for place in said]
    return bool(before) and all(
        word == "i'd" or (word.isalpha() and word not in _BEFORE_FORGETTING) for word in before
    )


_BEFORE_FORGETTING = (
    lexicon.LEADS
    | lexicon.NEGATIONS
    | frozenset("to i we will gonna must should let me us always might may could would can you and".split())
)


def _classes(form: lexicon.VerbForm) -> frozenset[str]:
    return lexicon.classes_of(form.base) if form.is_base else frozenset()


def _tells_of_work(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has what a job for an agent has: a command, a source, a place, a time."""
    words = set(clause.words)
    verbs = {name for word in _commands(clause) for name in lexicon.classes_of(word)}
    if words & lexicon.AGENT_NOUNS or verbs & _WORK or _CERTAIN_SERVICES & words:
        return True
    if any(token.text.startswith(("http", "#")) or "@" in token.text for token in clause.tokens):
        return True
    if wishes_for_data(clause):
        return True
    return any(one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone))


def tells_parts(clause: Clause, scene: Scene) -> bool:
    """Return whether a clause has what only a request for an agent has together: a time that comes again and
    an address for results, and no agent that is known.
    """
    has_address = any("@" in token.text and "." in token.text for token in clause.tokens)
    if not has_address or find_meant(clause, scene.agents).is_named or disclaims(clause):
        return False
    return says_often(clause.words) or any(
        one.is_recurring for one in read_times(clause.text, now=scene.now, zone=scene.zone)
    )


def says_often(words: Sequence[str]) -> bool:
    """Return whether words say that something comes again and again: ``every day``, ``mondays``."""
    return any(
        (word in {"every", "evry", "each"} and behind in _RECURRING_UNITS) or word in _RATES
        for word, behind in pairwise((*words, ""))
    )


_RECURRING_UNITS = frozenset(
    "day week month morning evening night hour weekday monday tuesday wednesday thursday friday"
    " saturday sunday"
    " workday quarter afternoon".split()
)
_RATES = frozenset(
    "daily weekly monthly hourly weekdays mondays tuesdays wednesdays thursdays fridays".split()
)


def _asks_of_past(clause: Clause) -> bool:
    """Return whether a sentence of a clause asks what there was: ``what was that agent we made?``"""
    words = (",", *clause.words)
    return any(
        word in lexicon.QUESTION_WORDS and mark in _MARKS and behind in _WAS
        for mark, word, behind in zip(words, words[1:], (*words[2:], ""), strict=False)
    )


_MARKS = frozenset(",.;:!?-")
_WAS = frozenset({"was", "were", "did"})


def _commands(clause: Clause) -> Iterator[str]:
    """Yield the verbs in their base form that don't tell what somebody does: not ``I should tell you``."""
    words = clause.words
    for place, word in enumerate(words):
        form = lexicon.verb_forms().get(word)
        before = words[max(0, place - 2) : place]
        tells = bool({"i", "we", "he", "she", "they"} & set(before)) and not {"you", "to"} & set(before)
        is_object = before[-1:] in (("lost",), ("kept",), ("losing",))  # ``lost track``
        if form is not None and form.is_base and not tells and not is_object:
            yield word


_WORK = frozenset({"create", "watch", "produce", "deliver", "list"})
_CERTAIN_SERVICES = SERVICES - frozenset("monday box drive square notion teams deel".split())
_COMMANDS: Mapping[ActKind, frozenset[str]] = {
    ActKind.CREATE_AGENT: _WORK,
    ActKind.ADD_TASK: frozenset({"add", "remind"}),
    ActKind.COMPLETE_TASK: frozenset({"complete"}),
    ActKind.REOPEN_TASK: frozenset({"reopen", "restore"}),
    ActKind.DELETE_TASK: frozenset({"delete", "cancel"}),
    ActKind.PAUSE_AGENT: frozenset({"pause", "stop"}),
    ActKind.RESUME_AGENT: frozenset({"resume", "restore", "start"}),
    ActKind.DELETE_AGENT: frozenset({"delete"}),
    ActKind.SHARE_AGENT: frozenset({"share"}),
    ActKind.UNSHARE_AGENT: frozenset({"unshare", "stop"}),
    ActKind.RUN_AGENT: frozenset({"run", "start"}),
    ActKind.CANCEL_RUN: frozenset({"cancel", "stop"}),
    ActKind.RESTORE_AGENT: frozenset({"restore", "undo"}),
    ActKind.RESTORE_TASK: frozenset({"restore", "undo"}),
    ActKind.COPY_AGENT: frozenset({"copy"}),
    ActKind.UNDO: frozenset({"undo"}),
}
"""For each kind the classes of verbs that command it."""
_STATED = {
    ActKind.RESUME_AGENT: frozenset({"again", "back"}),
    ActKind.COPY_AGENT: frozenset({"same", "another", "like", "similar", "identical"}),
    ActKind.COMPLETE_TASK: _DONE, ActKind.ADD_TASK: _OWED | lexicon.TASK_NOUNS | lexicon.LIST_NOUNS,
}  # fmt: skip


def is_commanded(act: Act, clause: Clause) -> bool:
    """Return whether an act's own words ask for it: by a verb of its kind, or by what shall be different."""
    if act.kind is ActKind.CHANGE_AGENT:
        return commands_change(act, clause)
    if act.kind is ActKind.CHANGE_TASK:
        return bool(act.slots) and bool(act.meant.things)
    words = set(clause.words)
    if words & _STATED.get(act.kind, frozenset()) or (
        act.kind is ActKind.COMPLETE_TASK and bool(act.meant.things) and _is_listed_as_done(clause)
    ):
        return True
    return bool(_COMMANDS.get(act.kind, frozenset()) & lexicon.classes_in(words))


def agent_commands(clause: Clause) -> tuple[ActKind, ...]:
    """Return the kinds of acts on agents that the verbs of a clause command, the usual first; none if it
    adds something.
    """
    classes = lexicon.classes_in(set(clause.words))
    if classes & _COMMANDS[ActKind.ADD_TASK]:
        return ()
    return tuple(kind for kind in _ON_AGENTS if _COMMANDS[kind] & classes)


_ON_AGENTS = (
    ActKind.RUN_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.DELETE_AGENT, ActKind.SHARE_AGENT,
    ActKind.UNSHARE_AGENT,
)  # fmt: skip
