"""Answers about what was said before: the user's own sentence in quotes, or what was done, dated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from agent.dialogue.result import Result
from agent.dialogue.talk import known_facts, nearest_facts, reasons, recalled_sums, sums, texts, told_rates
from agent.dialogue.talk.conversation_facts import asks_in_general, told_here, told_in
from agent.dialogue.talk.earlier_messages import day_of, earlier_messages
from agent.dialogue.talk.first_told import asks_for_first, asks_for_former, first_request, first_told
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.quotations import quote, to_forget
from agent.dialogue.talk.recalled_deeds import asks_for_deeds, deeds_done
from agent.dialogue.talk.statements import (
    SAYING,
    Statement,
    asked_part,
    covers,
    is_of_dates,
    is_of_known,
    lacks_modifier,
    noun_asked,
    ranked,
    score_of,
    strong_terms_of,
    terms_of,
    wanted_by,
    without_time_idioms,
)
from agent.dialogue.talk.word_kinship import root
from conversation.messages.models import Message, Role
from conversation.search.words import words
from intent.acts.act import ActKind, Meant
from intent.acts.asked_facts import asks_what_is_known
from intent.acts.clauses import Clause
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.lexicon import AGENT_NOUNS, LEADS, LIST_NOUNS, QUESTION_WORDS, TASK_NOUNS
from intent.acts.tokens import tokenise
from intent.acts.told_facts import asks_more_of_told, asks_to_forget
from intent.analysis.scenes import scene_of
from intent.dates.past_periods import find_past_period
from tasks.task import Task

_TOOL = "search_conversations"
_LONGEST_TOPIC = 6
_CERTAIN, _FACT, _SURE, _WORTH_SHOWING = 0.99, 0.75, 0.5, 0.2
_TOPIC_LEADS = frozenset(
    "a an about of that you me we i us for on to with the ever is was were had have again u"
    " it as our by did do"
    " your what and which once some weeks back last week ago quote anything something i've i'd we'd remember"
    " remind who".split()
)


def answer(occasion: Occasion) -> Result:
    """Quote what the user said about the subject, or say what was done about it."""
    summed = recalled_sums.again(occasion) or sums.earlier(occasion)
    if summed is not None:
        return summed
    return (
        told_rates.of_period(occasion)
        or sums.pointed_at(occasion)
        or _of_conversation(occasion)
        or _of_subject(occasion)
    )


def _of_conversation(occasion: Occasion) -> Result | None:
    """Return the answer to a question about the conversation as a whole; None for one about a subject."""
    if asks_for_first(occasion.words):
        first = first_told(occasion) or first_request(occasion)
        if first is not None:
            return first
    if asks_for_former(occasion.words) and (former := first_told(occasion)) is not None:
        return former
    if asks_to_forget(occasion.words):
        return _kept(occasion)
    return known_facts.answer(occasion) if asks_what_is_known(occasion.words) else None


def _of_subject(occasion: Occasion) -> Result:
    """Return what the user said about the subject that a question names, or what was done about it."""
    asked = _question(occasion)
    if asked.lower().startswith("why ") and asks_for_deeds(asked):
        return reasons.answer(occasion)
    if _asks_for_last(asked) and (last := occasion.turn.situation.last_text(Role.USER)):
        return Result(texts.told("just now", last), tool=_TOOL)
    past = find_past_period(asked.lower(), occasion.turn.today)
    terms = terms_of(asked)
    messages = earlier_messages(occasion, terms, past, asked)
    if asks_for_deeds(asked) and (done := deeds_done(occasion, messages, terms, past)) is not None:
        return done
    found = _without_quoted(ranked(messages, asked), occasion)
    topic = _topic(asked)
    if not found or found[0].score < _WORTH_SHOWING:
        if (before := _quoted_last(occasion)) is not None:
            return before
        if not strong_terms_of(asked) and wanted_by(asked):
            return Result(texts.WHICH_TOLD, tool=_TOOL, lacks_answer=True)
        if ActKind.SUM in occasion.beside:
            return Result("")  # it was asked of the numbers told in the message
        return Result(texts.nothing_told(topic), tool=_TOOL, lacks_answer=True)
    found = _with_noun_first(found, asked)
    if found[0].score < _SURE or _tells_of_other(found[0], asked) or lacks_modifier(found[0], asked):
        when = day_of(found[0].said_at, occasion)
        lines = [texts.nearest_told(topic, when, found[0].sentence)]
        lines += [texts.told_since(found[0].amended)] if found[0].amended else []
        return Result("\n".join(lines), tool=_TOOL)
    return _with_second(occasion, quote(occasion, found), asked)


def _with_second(occasion: Occasion, told: Result, asked: str) -> Result:
    """Return an answer with that to a second question, where another statement surely answers it: ``which
    freezer is it, and who looks after it?``
    """
    joint = _SECOND.search(asked)
    second = asked[joint.start(1) :] if joint is not None else ""
    if not strong_terms_of(second):
        return told
    best = next(iter(ranked(earlier_messages(occasion, terms_of(second), None, second), second)), None)
    if best is None or best.score < _FACT or best.sentence in told.text:
        return told
    return replace(
        told, text=f"{told.text}\n{texts.told_more(day_of(best.said_at, occasion), best.sentence)}"
    )


_SECOND = re.compile(r",? and (?=((?:who|what|when|where|why|how|which)\b))", re.IGNORECASE)


def _quoted_last(occasion: Occasion) -> Result | None:
    """Return what was quoted last, where a question goes on from it and nothing else is found for it; None:
    nothing was, or it asks for something new.
    """
    if not _goes_on(occasion, occasion.words) and not _goes_on(occasion, occasion.turn.message):
        return None
    before = _asked_before(occasion)
    found = ranked(earlier_messages(occasion, terms_of(before), None, before), before)
    if not found or found[0].score < _SURE:
        return None
    told = quote(occasion, found, is_more=False)
    return replace(told, text=f"{texts.NO_MORE_TOLD}\n{told.text}")


def _with_noun_first(found: list[Statement], asked: str) -> list[Statement]:
    """Return the statements; of those that fit alike, first what has the thing asked for."""
    noun = noun_asked(asked)
    return sorted(found, key=lambda one: (-one.score, not (noun and covers(one.sentence, (noun,)))))


def _tells_of_other(found: Statement, asked: str) -> bool:
    """Return whether a sentence doesn't have the thing that is asked for, as in ``which flat are they in?``,
    and asks for a deed itself, or was to be told at all.
    """
    noun = noun_asked(asked)
    is_doubtful = found.is_request or _asks_whether_told(asked) or f" {noun} of " in f"{_stemmed(asked)} "
    return is_doubtful and bool(noun) and not covers(" ".join([found.sentence, *found.amended]), (noun,))


def _stemmed(asked: str) -> str:
    return " " + " ".join(root(word.term) for word in words(asked))


def _asks_whether_told(asked: str) -> bool:
    said = [token.word for token in tokenise(asked) if token.is_word]
    asks = zip(said, said[1:], said[2:], strict=False)
    return any(
        one in {"did", "have"} and who in {"i", "we"} and root(verb) in SAYING for one, who, verb in asks
    ) and not _is_open(said)


def _is_open(said: Sequence[str]) -> bool:
    """Return whether a question asks what was said, and not whether it was: ``which day did I say?``"""
    at = next((at for at, word in enumerate(said) if word in {"did", "have"}), 0)
    return at > 0 and said[at - 1].isalpha() and at <= _NEAR_ASKED and said[0] in QUESTION_WORDS


def _kept(occasion: Occasion) -> Result:
    """Say that what was told stays as long as its message does, and quote it."""
    asked = to_forget(occasion.words)
    found = ranked(earlier_messages(occasion, terms_of(asked), None, asked), asked)
    surely = next((one for one in found if one.score >= _SURE and not asks_to_forget(one.sentence)), None)
    if surely is None:
        return Result(texts.nothing_to_forget(_topic(asked)), tool=_TOOL)
    return Result(texts.cannot_forget(day_of(surely.said_at, occasion), surely.sentence), tool=_TOOL)


def quoted(occasion: Occasion) -> Result | None:
    """Return what the user said about the subject; None when nothing surely fits."""
    found = ranked(earlier_messages(occasion, terms_of(occasion.words), None), occasion.words)
    return quote(occasion, found) if found and found[0].score >= _SURE else None


def fact(occasion: Occasion) -> Result | None:
    """Return the fact that the user told and that surely answers a question; None when there is none.

    Unlike `quoted` it takes no sentence that asks for something, and only one with words few others have.
    """
    question = asked_part(occasion.words)
    terms = [term for term in strong_terms_of(question) if not is_of_dates(term)]
    said = [word.term for word in words(question)]
    asks = (_ASKING | QUESTION_WORDS) & set(said[:_NEAR_ASKED] if occasion.act.kind is ActKind.NONE else said)
    if not terms or asks_in_general(question) or not (asks or question.rstrip().endswith("?")):
        return None
    messages = earlier_messages(occasion, terms, None)
    found = [one for one in ranked(messages, question) if not one.is_request]
    if not found:
        return None
    best = found[0]
    is_near = is_of_known(best, question) or (best.is_kept and _shares_several(best, terms))
    is_sure = best.score >= _FACT or (best.score >= _SURE and is_near)
    return quote(occasion, found) if is_sure else told_in(occasion, messages)


def _shares_several(found: Statement, terms: Sequence[str]) -> bool:
    """Return whether a statement has several of the words that a question is about."""
    return sum(covers(found.sentence, (term,)) for term in terms) >= _SEVERAL


_SEVERAL = 2


def noted(occasion: Occasion) -> Result | None:
    """Return the fact that the user told in this conversation to be kept in mind, and that answers a question
    about something of theirs; None where the question may be about the product.
    """
    if occasion.act.meant.things:
        return None
    is_open = occasion.act.kind is ActKind.SUM and not sums.has_numbers(occasion)
    if occasion.act.kind not in _MAY_ASK_NOTED and not is_open:
        return None
    if (named := nearest_facts.bare(occasion)) is not None:
        return named
    question = asked_part(occasion.words)
    words_said = [token.word for token in tokenise(question)]
    said = {one for one, behind in pairwise([*words_said, ""]) if (one, behind) not in _TIMES}
    terms = [term for term in strong_terms_of(question) if not is_of_dates(term)]
    if not terms or said & _OF_PRODUCT or not (_ASKING | QUESTION_WORDS) & said:
        return None
    found = [one for one in ranked(_noted(occasion), question) if not one.is_request]
    if found and found[0].score >= _FACT:
        return quote(occasion, found)
    return fact(occasion) if said & _OURS and said & _OPEN else None


_MAY_ASK_NOTED = frozenset(
    {
        ActKind.ASK_PRODUCT, ActKind.ASK_WORLD, ActKind.ASK_USAGE, ActKind.ASK_WORKSPACE, ActKind.SHOW_POLICY,
        ActKind.UNSURE, ActKind.WHY, ActKind.NONE,
    }
)  # fmt: skip
"""The kinds that a question about what the user told may be taken for."""
_TIMES = frozenset(
    ("this", of) for of in ("morning", "afternoon", "evening", "week", "month", "year", "weekend", "summer")
)
_OURS = frozenset({"we", "our", "us", "my"})
_OPEN = frozenset("when who where which much many what what's whats who's whos".split())
_OF_PRODUCT = frozenset(
    "you your yours this here chat chats conversation conversations data model models administrator workspace"
    " omniforge assistant".split()
) | (AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS)


def _noted(occasion: Occasion) -> Iterator[Message]:
    """Yield the messages of this conversation that were read as something to remember."""
    for message, reply in pairwise(occasion.turn.situation.history):
        if message.role is Role.USER and ActKind.REMEMBER.value in _kinds_in(reply):
            yield message


def _kinds_in(reply: Message) -> list[object]:
    """Return the kinds of the acts that a reply's message was read as."""
    decision = reply.metadata.get("decision")
    acts = decision.get("acts") if isinstance(decision, Mapping) else None
    several = acts if isinstance(acts, list | tuple) else ()
    return [act.get("kind") for act in several if isinstance(act, Mapping)]


_ASKING = frozenset("is are was were did do does wich wat need tell remind".split())


def asked_in_deed(occasion: Occasion) -> Result | None:
    """Return the fact that answers a question which was taken for a deed: ``and which discount do they
    give``; None for any other words.
    """
    if occasion.act.kind not in _MAY_LOOK_LIKE_QUESTIONS:
        return None
    said = (token.word for token in tokenise(occasion.act.clause.text) if token.is_word)
    first = next((word for word in said if word not in LEADS), "")
    if first not in _WHICH:
        return None
    meant = Meant() if occasion.act.meant.is_focus else occasion.act.meant
    return noted(replace(occasion, act=replace(occasion.act, kind=ActKind.NONE, meant=meant)))


_WHICH = QUESTION_WORDS | {"wich", "wat"}
_MAY_LOOK_LIKE_QUESTIONS = (ON_AGENTS | ON_TASKS | {ActKind.CREATE_AGENT}) - {ActKind.LIST_TASKS}


def fact_instead(occasion: Occasion, read_tasks: Callable[[], Sequence[Task]]) -> Result | None:
    """Return the fact that answers what looks like a question about the list or the product; None where a
    task fits, too.
    """
    is_list = occasion.act.kind is ActKind.LIST_AGENTS
    if occasion.act.kind not in _MAY_ASK_OF_LISTS or (is_list and occasion.turn.visible_agents()):
        return None if is_list else noted(occasion) or told_here(occasion)
    said = {token.text.lower() for token in tokenise(occasion.words)}  # as spelt: ``agen`` is no agent
    terms = strong_terms_of(asked_part(occasion.words))
    if said & _OF_LISTS or any(score_of(task.title, terms, "") > 0 for task in read_tasks()):
        return None
    return fact(occasion)


_MAY_ASK_OF_LISTS = frozenset({ActKind.LIST_TASKS, ActKind.LIST_AGENTS, ActKind.RESUME_DRAFT})
_OF_LISTS = LIST_NOUNS | TASK_NOUNS | AGENT_NOUNS | {"due", "overdue", "open", "outstanding"}


_NEAR_ASKED = 3


def names_subject(question: str) -> bool:
    """Return whether a question says what it is about: not so ``did I say?``"""
    return bool(terms_of(question) or wanted_by(question))


def _question(occasion: Occasion) -> str:
    words_asked = occasion.words if names_subject(occasion.words) else occasion.turn.message
    if _is_elliptic(occasion, words_asked):
        return f"{_asked_before(occasion).rstrip('?.! ')} {asked_part(words_asked)}"
    return asked_part(words_asked)


def _asked_before(occasion: Occasion) -> str:
    """Return the last question about earlier talk of the replies just before, else the last message."""
    history = occasion.turn.situation.history[-2 * _RECENT :]
    asked = (
        told.content for reply, told in pairwise(reversed(history))
        if told.role is Role.USER and ActKind.RECALL in reply.note.kinds
    )  # fmt: skip
    return asked_part(next(asked, occasion.turn.situation.last_text(Role.USER)))


_RECENT = 3
"""How many replies back a question still goes on from."""


def _is_elliptic(occasion: Occasion, words_asked: str) -> bool:
    """Return whether a question takes its subject from the message before: ``and the other one?``."""
    goes_on = _goes_on(occasion, words_asked) or _goes_on(occasion, occasion.turn.message)
    is_open = not terms_of(asked_part(words_asked)) and bool(wanted_by(words_asked))
    return not strong_terms_of(asked_part(words_asked)) and (goes_on or is_open)


def _goes_on(occasion: Occasion, words_asked: str) -> bool:
    """Return whether a question goes on from what was just told or quoted."""
    scene = scene_of(occasion.turn.situation)
    tokens = tuple(tokenise(words_asked))
    clause = Clause(words_asked, tokens, is_question=words_asked.rstrip().endswith("?"))
    return bool(tokens) and asks_more_of_told(clause, scene)


def _without_quoted(found: list[Statement], occasion: Occasion) -> list[Statement]:
    """Return the statements; without the one that the last reply quoted, where another one is asked for and
    there is one that fits.
    """
    if not {"other", "else", "another"} & {token.word for token in tokenise(occasion.words)}:
        return found
    rest = [one for one in found if one.sentence not in occasion.last_reply and one.score >= _WORTH_SHOWING]
    return rest or found


def _asks_for_last(asked: str) -> bool:
    """Return whether a question is only what the user said last: ``what did I just say?``"""
    said = {token.word for token in tokenise(asked) if token.is_word}
    is_last = "just" in said or {"last", "thing"} <= said
    return is_last and "i" in said and not terms_of(asked) and any(root(word) in SAYING for word in said)


def _topic(text: str) -> str:
    """Return what a question is about, in its own words; empty when it names nothing."""
    parts: list[list[str]] = [[]]
    for word in without_time_idioms(text).split():
        plain = word.strip("?!.,;:")
        if root(plain.lower()) in SAYING:
            parts.append([])
        elif plain:
            parts[-1].append(plain)
        if word[-1] in "?!.,;:":
            parts.append([])
    named = [" ".join(_trimmed(part)) for part in parts]
    best = max(named, key=lambda part: len(terms_of(part)), default="")
    return best if len(best.split()) <= _LONGEST_TOPIC else ""


def _trimmed(part: Sequence[str]) -> Sequence[str]:
    while part and part[0].lower() in _TOPIC_LEADS:
        part = part[1:]
    while part and part[-1].lower() in _TOPIC_LEADS:
        part = part[:-1]
    return part
