"""Commands in plain form: imperatives whose object is one of the user's own names, such as ``pause parcels``.

What such words ask for is certain, so it goes before what the learned models find likely. Requests in any
other form are the models' to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from intent.acts import lexicon
from intent.acts.act import ActKind
from intent.acts.learned.marked_tokens import MarkedToken
from intent.acts.tokens import Token, known_words

_ON_AGENTS: Mapping[str, ActKind] = {
    "pause": ActKind.PAUSE_AGENT, "stop": ActKind.PAUSE_AGENT, "resume": ActKind.RESUME_AGENT,
    "restore_or_resume": ActKind.RESUME_AGENT, "delete": ActKind.DELETE_AGENT, "run": ActKind.RUN_AGENT,
    "start": ActKind.RUN_AGENT, "share": ActKind.SHARE_AGENT, "unshare": ActKind.UNSHARE_AGENT,
    "copy": ActKind.COPY_AGENT, "list": ActKind.SHOW_AGENT, "change": ActKind.CHANGE_AGENT,
}  # fmt: skip
_ON_TASKS: Mapping[str, ActKind] = {
    "delete": ActKind.DELETE_TASK, "complete": ActKind.COMPLETE_TASK, "reopen": ActKind.REOPEN_TASK,
    "restore_or_resume": ActKind.REOPEN_TASK,
}  # fmt: skip
_BEFORE_NAME = frozenset("the my our that this called named me us of all both".split()) | (
    lexicon.AGENT_NOUNS | lexicon.TASK_NOUNS
)
_PARTICLES = frozenset(
    "off on up down out away back rid again hold ice private public online offline".split()
)
_MARKING = frozenset({"mark", "check", "cross", "set"})
"""Verbs that tick off only with ``done`` or ``off`` behind the object."""
_DONE = frozenset("done complete completed finished off".split())
_NOT_DONE = frozenset("undone open unfinished incomplete not".split())
_PLAIN = (
    lexicon.LEADS
    | _PARTICLES
    | _DONE
    | _NOT_DONE
    | frozenset(
        "for until further notice from my our the to-do todo list lists tasks to at once immediately as a an"
        " while moment me us permanently forever completely entirely asap instantly straight away today now"
        " too well with everyone everybody team whole company workspace".split()
    )
)
"""Words behind the object of a command that don't change which command it is."""
_CONDITIONS = frozenset({"if", "when", "whenever", "unless", "once", "after", "before", "while"})
_CHANGING = frozenset({"change", "rename"})
_TELLS_LATER = frozenset({"remind", "reminder", "alert", "tell", "warn", "notify"})
_SENTENCE_ENDS = frozenset(".!?;\n")


class _Imperative(NamedTuple):
    """A verb, what belongs to it, and whether its object is a task (else an agent)."""

    base: str
    gerund: str
    is_task: bool
    between: tuple[str, ...]
    """The words between the verb and its object."""
    rest: tuple[str, ...]
    """The words behind the object."""


def read_command(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return what the words command; None when they are no command in plain form."""
    if (listed := _listing(tokens)) is not None:
        return listed
    found = _imperative(tokens)
    if (
        found is None
        or not set(found.rest) <= _PLAIN | _marks_of(found.base)
        or "?" in {token.token.text for token in tokens[:-1]}
    ):
        return None
    return _kind(found)


def _marks_of(base: str) -> frozenset[str]:
    """Return the words that make another command of a verb: ``give parcels a rest``."""
    return frozenset().union(*(marks for verbs, marks, _ in lexicon.PARTICLES if base in verbs.split()))


def read_command_on_unknown(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return what words command of an agent that isn't there: ``pause notion-bot``; None for any others."""
    if not any(is_unknown_name(token.token) for token in tokens):
        return None
    named = [one._replace(mask="AGENT") if is_unknown_name(one.token) else one for one in tokens]
    found = read_command(named)
    return None if found in {ActKind.LIST_AGENTS, ActKind.LIST_TASKS} else found


def is_unknown_name(token: Token) -> bool:
    """Return whether a token is written as the names of agents are, with a hyphen, and is no known word."""
    parts = token.word.split("-")
    return len(parts) > 1 and all(map(str.isalpha, parts)) and token.word not in known_words()


def read_bare_command(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return what ``pause it`` commands: a verb, a pronoun and nothing that says when, where or how."""
    begin = next((at for at, one in enumerate(tokens) if not _leads_up(one)), len(tokens))
    said = takewhile(lambda token: token.token.word not in lexicon.NEGATIONS, tokens[begin:])
    words = [token.token.word for token in said if token.token.is_word]
    words = [word for word in words if word not in lexicon.LEADS]
    if words[:2] in (["i", "mean"], ["i", "meant"]):
        words = words[2:]
    form = lexicon.verb_forms().get(words[0]) if words else None
    if form is None or not form.is_base or len(words) > _MOST_BARE or "?" in tokens[-1].token.text:
        return None
    rest = set(words[1:])
    if not (rest & _PRONOUNS or words[0] in _ALONE) or not rest <= _PRONOUNS | _PLAIN:
        return None
    found = _Imperative(words[0], "", is_task=False, between=(), rest=tuple(words[1:]))
    kind = _kind(found)
    return kind if kind in _BARE else None


def _leads_up(token: MarkedToken) -> bool:
    """Return whether a token only leads up to a command: ``No, hang on, only pause it``."""
    word = token.token.word
    return not token.token.is_word or word in lexicon.LEADS | lexicon.CORRECTIONS | {"only"}


def says_instead(tokens: Sequence[MarkedToken], start: int) -> bool:
    """Return whether a command on "it" begins that was meant instead: ``sorry, I mean pause it``."""
    words = [token.token.word for token in tokens[start:] if token.token.is_word]
    means = any(pair in {("i", "mean"), ("i", "meant")} for pair in pairwise(words[:_FIRST]))
    return start > 0 and means and read_bare_command(tokens[start:]) is not None


_FIRST, _ALONE = 4, frozenset({"pause", "unpause", "resume", "unshare"})
_MOST_BARE = 6
_PRONOUNS = frozenset({"it", "that", "this", "them"})
_BARE = frozenset(
    {ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT, ActKind.RUN_AGENT, ActKind.SHARE_AGENT, ActKind.SHOW_AGENT}
)


def _listing(tokens: Sequence[MarkedToken]) -> ActKind | None:
    """Return the list that is asked for by words that only say so: ``tell me which agents I have``."""
    words = {token.token.word for token in tokens if token.token.is_word}
    if any(token.mask in {"AGENT", "TASK"} for token in tokens) or not words <= _LISTING | _AGENTS | _TASKS:
        return None
    if not words & _SHOWING or bool(words & _AGENTS) is bool(words & _TASKS):
        return None
    return ActKind.LIST_AGENTS if words & _AGENTS else ActKind.LIST_TASKS


_AGENTS = frozenset({"agents", "bots", "automations", "robots"})
_TASKS = frozenset({"tasks", "todos", "to-dos"})
_SHOWING = frozenset("list show see display tell give view which what what's".split())
_LISTING = (
    lexicon.LEADS
    | _SHOWING
    | frozenset(
        "me us my our all the of a an i we you have do got there are on overview currently to only want"
        " wanted would like need i'd rather".split()
    )
)


def begins_command(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether a command begins at ``cut``, and is no part of what the sentence wants told later."""
    found = _imperative(tokens[cut : cut + _MOST_COMMANDING])
    if found is None or _CONDITIONS & set(found.rest):
        return False
    if _kind(found) is None and not lexicon.classes_of(found.base) & _CHANGING:
        return False
    if "quoted" in tokens[cut].classes:
        return False
    before = {token.token.word for token in tokens[_sentence_start(tokens, cut) : cut]}
    return not before & (_TELLS_LATER | lexicon.REPORTS)


_MOST_COMMANDING = 60
"""In how many tokens a command is looked for: a message of thousands has as many cuts."""


def is_within_names(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether ``cut`` is between names that stand in a row: ``delete this, that and the other``."""
    if _is_between_people(tokens, cut):
        return True
    behind = [token for token in tokens[cut:] if token.token.word not in _JOINING]
    before = [token for token in tokens[:cut] if token.token.word not in _JOINING]
    if not behind or not before or behind[0].mask not in {"AGENT", "TASK"}:
        return False
    rest = next((token for token in behind if token.mask != behind[0].mask), None)
    ends = rest is None or not rest.token.is_word or rest.token.word in _PLAIN
    return ends and before[-1].mask == behind[0].mask


def _is_between_people(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether ``cut`` is between two names that end a sentence: ``to reply to Ana and Tom``."""
    words = [token.token for token in tokens[cut : cut + 3]]
    if cut < 2 or len(words) < 2 or words[0].word not in {"and", "&", "or"}:
        return False
    names = (tokens[cut - 1].token, words[1])
    is_end = len(words) == 2 or not words[2].is_word
    before = tokens[cut - 2].token
    return is_end and before.is_word and all(name.is_word and name.text.istitle() for name in names)


_JOINING = frozenset({",", "and", "&", "or", "the"})


def continues_command(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether a command on what was spoken of begins at ``cut``, joined to what is before it:
    ``…, but also share it``.
    """
    words = [token.token.word for token in tokens[cut : cut + _MOST_BEFORE_POINTER] if token.token.is_word]
    at = next((place for place, word in enumerate(words) if word not in lexicon.LEADS), 0)
    if at == 0 or at + 1 >= len(words) or not lexicon.POINTERS & set(words[at + 1 : at + 3]):
        return False
    form = lexicon.verb_forms().get(words[at])
    return form is not None and form.is_base and bool(lexicon.classes_of(form.base) & _ON_POINTERS)


_MOST_BEFORE_POINTER = 6
_ON_POINTERS = frozenset({*_ON_AGENTS, *_ON_TASKS, "rename", "call"}) - {"list", "start"}


def changes_named(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether a sentence begins at ``cut`` that changes an agent named before: ``make it noon``."""
    behind = [token.token.word for token in tokens[cut:] if token.token.is_word]
    at = _commands(tokens[cut:])
    points = bool(_PRONOUNS & set(behind[at : at + 1]))
    is_change = at > 0 and "change" in lexicon.classes_of(behind[at - 1]) and points
    is_sentence = cut > 0 and tokens[cut - 1].token.text in _SENTENCE_ENDS
    return is_sentence and is_change and any(token.mask == "AGENT" for token in tokens[:cut])


def begins_on_another(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether words begin at ``cut`` that say of another agent what it should do, behind a command:
    ``pause parcels for now, and rota-check should come at 8``.
    """
    if tokens[cut].token.word not in _JOINTS:
        return False
    named = next((at for at in range(cut + 1, min(cut + 4, len(tokens))) if tokens[at].mask == "AGENT"), 0)
    after = next((at for at in range(named, len(tokens)) if tokens[at].mask != "AGENT"), 0) if named else 0
    is_told = after > 0 and tokens[after].token.word in _OBLIGING
    before = tokens[_sentence_start(tokens, cut) : cut]
    return is_told and _commands(before) > 0 and any(one.mask == "AGENT" for one in before)


_OBLIGING = frozenset("should must shall has needs can could would goes ought may will".split())


def follows_command(tokens: Sequence[MarkedToken], cut: int) -> bool:
    """Return whether another command begins at ``cut``, behind one on a place of a list or on the last deed:
    ``turn the first one off and run the second``, ``undo that and tick off the other``, ``rename it and let
    my team see it``.
    """
    if tokens[cut].token.word not in _JOINTS:
        return False
    before, behind = tokens[_sentence_start(tokens, cut) : cut], tokens[cut:]
    if _undoes(before):
        return _commands(behind) > 0
    if (_commands_it(before) or _commands_named(before)) and _commands_it(behind) and not _keeps(before):
        return True
    return _commands_place(before) and _commands_place(behind)


def _commands_it(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words begin as a command on "it", or on who is to see it."""
    words = [token.token.word for token in tokens if token.token.is_word and token.token.word not in _JOINTS]
    at = _commands(tokens)
    commands = at > 0 and bool((_PRONOUNS | {"both"}) & {token.token.word for token in tokens[at : at + 1]})
    return commands or (words[:1] == ["let"] and bool(_PRONOUNS & set(words)))


def _commands_named(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words begin as a command on agents by their names: ``run parcels and rota now``."""
    at = _commands(tokens)
    begins = (place for place, token in enumerate(tokens) if token.mask == "AGENT")
    return at > 0 and next(begins, len(tokens)) in {at, at + 1}


def _keeps(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words say that something stays: what follows may be what it stays with."""
    words = [token.token.word for token in tokens if token.token.is_word]
    return bool({"keep", "leave", "let"} & set(words[: _commands(tokens)]))


def _undoes(tokens: Sequence[MarkedToken]) -> bool:
    words = [token.token.word for token in tokens if token.token.is_word]
    words = words[_commands(tokens) - 1 :]
    return "undo" in lexicon.classes_of(words[0]) and set(words[1:]) <= lexicon.POINTERS if words else False


def _commands(tokens: Sequence[MarkedToken]) -> int:
    """Return how many words lead up to the command that tokens begin with, with its verb; 0 for none."""
    words = [token.token.word for token in tokens if token.token.is_word]
    begins = (place for place, word in enumerate(words) if word not in lexicon.LEADS)
    at = next(begins, len(words))
    form = lexicon.verb_forms().get(words[at]) if at < len(words) else None
    is_command = form is not None and form.is_base and form.base not in lexicon.AUXILIARIES
    return at + 1 if is_command and lexicon.classes_of(words[at]) | ({words[at]} & _TURNING) else 0


_JOINTS = frozenset({"and", "then", "but", "&"})
_PLACES = frozenset("first second third fourth fifth sixth last other former latter".split())


def _commands_place(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words begin as a command on a place of a list: ``run the second one``."""
    words = [token.token.word for token in tokens if token.token.is_word]
    at = _commands(tokens)
    return at > 0 and bool(_PLACES & set(words[at : at + 3]))


_TURNING = frozenset({"turn", "put", "take", "get", "bring"})


def _sentence_start(tokens: Sequence[MarkedToken], place: int) -> int:
    """Return where the sentence that goes on at ``place`` begins."""
    marks = (at + 1 for at in range(place - 1, -1, -1) if tokens[at].token.text in _SENTENCE_ENDS)
    return next(marks, 0)


def _imperative(tokens: Sequence[MarkedToken]) -> _Imperative | None:
    words = [token for token in tokens if token.token.is_word or token.token.text in _SEPARATORS]
    at = _verb_at(words)
    if at is None:
        return None
    verb = words[at]
    place, gerund, between = at + 1, "", []
    while place < len(words) and words[place].mask not in {"AGENT", "TASK"}:
        word = words[place].token.word
        form = lexicon.verb_forms().get(word)
        if place == at + 1 and word.endswith("ing") and form is not None:
            gerund = form.base
        elif word not in _BEFORE_NAME | _PARTICLES and (verb.token.word not in _LETTING or not _lets(word)):
            return None
        between.append(word)
        place += 1
    if place == len(words):
        return None
    is_task = words[place].mask == "TASK"
    return _Imperative(verb.token.word, gerund, is_task, tuple(between), _behind(words[place:]))


_SEPARATORS = frozenset({",", "&", ";", ".", "!"})
_LETTING = frozenset({"let", "allow"})
_PEOPLE = frozenset(
    "everyone everybody anyone anybody all team company workspace colleagues others people staff".split()
)
_USING = frozenset("use see run view read open access".split())


def _lets(word: str) -> bool:
    """Return whether a word may stand between ``let`` and what all people in a workspace may use."""
    return word in _PEOPLE | _USING or word in {"whole", "entire", "other", "to", "have"}


def _verb_at(words: Sequence[MarkedToken]) -> int | None:
    """Return where the first word is that is more than a lead-in, if it is a verb in its base form."""
    for place, token in enumerate(words):
        if token.mask in {"AGENT", "TASK"}:
            return None
        form = lexicon.verb_forms().get(token.token.word)
        is_verb = token.token.word in _LETTING or (form is not None and form.is_base)
        if is_verb and token.token.word not in lexicon.LEADS:
            return place
        if token.token.word not in lexicon.LEADS and token.token.text not in _SEPARATORS:
            return None
    return None


def _behind(words: Sequence[MarkedToken]) -> tuple[str, ...]:
    """Return the words behind the object, which may be several names, up to a reason."""
    joined = {",", "and", "&", ";", "or"}
    last = 0
    for place, token in enumerate(words):
        if token.mask == words[0].mask:
            last = place
        elif token.token.word not in joined | _BEFORE_NAME:
            break
    behind = [token.token.word for token in words[last + 1 :] if token.token.is_word]
    return tuple(takewhile(lambda word: word != "because", behind))


def kind_of_verb(base: str, behind: Sequence[str], *, is_task: bool) -> ActKind | None:
    """Return what a verb, with the words behind it, does to an agent or a task; None for no deed here."""
    return _kind(_Imperative(base, "", is_task, between=(), rest=tuple(behind)))


def _kind(found: _Imperative) -> ActKind | None:
    if found.gerund:
        return _stopped(found)
    particles = {*found.between, *found.rest}
    if found.base in _LETTING:
        is_shared = not found.is_task and _PEOPLE & particles and _USING & particles
        return ActKind.SHARE_AGENT if is_shared else None
    named = next(
        (
            name
            for verbs, marks, name in lexicon.PARTICLES
            if found.base in verbs.split() and marks & particles
        ),
        None,
    )
    if found.is_task and found.base in _MARKING:
        return _marked(particles)
    kinds = _ON_TASKS if found.is_task else _ON_AGENTS
    if named is not None:
        return kinds.get(named)
    classes = lexicon.classes_of(found.base)
    return next((kind for name, kind in kinds.items() if name in classes), None)


def _stopped(found: _Imperative) -> ActKind | None:
    """Return what ``stop sharing`` and ``stop running`` command; None for any other verb and deed."""
    if "stop" not in lexicon.classes_of(found.base) or found.is_task:
        return None
    return {"share": ActKind.UNSHARE_AGENT, "run": ActKind.PAUSE_AGENT}.get(found.gerund)


def _marked(words: set[str]) -> ActKind | None:
    if words & _NOT_DONE:
        return ActKind.REOPEN_TASK
    return ActKind.COMPLETE_TASK if words & _DONE else None
