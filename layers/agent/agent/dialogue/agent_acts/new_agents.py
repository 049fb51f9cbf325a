"""A new agent while its parts are being collected: what is known, what is missing, and what it becomes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from agent.checks.check import Check, Expectation
from agent.checks.check_phrases import check_from_words
from agent.dialogue.agent_acts import creation_texts, deliveries, labels, sources
from agent.dialogue.agent_acts.check_schedules import usual_check_schedule
from agent.dialogue.agent_acts.job_kinds import detect_kind
from agent.dialogue.agent_acts.job_words import (
    around_source,
    before_source,
    behind_source,
    find_job,
    job_used,
    left_over,
    passed_on,
)
from agent.dialogue.agent_acts.open_days import EVERY_DAY, asks_only_days, days_in
from agent.dialogue.agent_acts.part_corrections import correction_in
from agent.dialogue.agent_acts.prefaces import without_preface
from agent.dialogue.agent_acts.request_parts import parts_of
from agent.dialogue.agent_acts.request_times import asks_how_often, telling_words, wished_time
from agent.dialogue.agent_acts.schedule_steps import second_choice
from agent.dialogue.agent_acts.schedules import Requested, given_schedule, requested_schedule, without_events
from agent.dialogue.agent_acts.source_words import WEB, find_place, find_source, says_no_source
from agent.dialogue.agent_acts.told_rules import job_meant, says_rule
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.handler_interface import TurnRequest
from agent.workspace.agents import MAX_FIELD_CHARACTERS, Kind, Schedule
from agent.workspace.delivery_targets import Delivery, is_mail_address
from intent.acts.act import Act, ActKind, Span
from intent.acts.answers import read_reply
from intent.acts.clauses import Clause
from intent.acts.lexicon import LEADS, POINTERS, SUBJECTS, classes_of
from intent.acts.on_request import is_on_request
from intent.acts.places import says_only_places
from intent.acts.references import is_content
from intent.acts.requests import asks_for_something
from intent.acts.slot_types import names_something
from intent.acts.slots import find_slots
from intent.acts.tokens import tokenise
from intent.acts.told_jobs import job_told_before
from intent.acts.told_options import OPTIONS
from intent.acts.told_problems import content_of, main_clause, problem_in
from intent.acts.told_systems import system_told_in, without_system_told
from intent.acts.wished_knowledge import wished_knowledge
from intent.analysis.unsure_talk import told_while_unsure
from intent.entities.extraction import extract_entities
from intent.regular_expressions import lower_pattern

_MOST_BRIEF = 8_000
_MOST_SOURCE_WORDS = 8
_MOST_TIME_CHARACTERS = 400


def begin(act: Act, turn: TurnRequest) -> NewAgent:
    """Return what a request says of a new agent."""
    act = without_preface(act, now=turn.situation.now, zone=turn.situation.time_zone)
    brief = " ".join((act.slot("brief") or act.clause.text).split())[:_MOST_BRIEF]
    found = extract_entities(brief, now=turn.situation.now, time_zone=turn.situation.time_zone)
    slots = find_slots(brief, tokenise(brief), now=turn.situation.now, zone=turn.situation.time_zone)
    name = act.slot("name")
    used = [*slots.used, *((span.start, span.end) for span in slots.quoted)]
    said = name if name and _says(act, "name") else ""
    if said in brief and said:
        used.append((brief.index(said), brief.index(said) + len(said)))
    told, job = (" ".join(act.slot(slot).split()) for slot in ("source", "job"))
    job = _behind_name(job, said)
    place = find_place(brief, used, told=told)
    source = sources.named_source(told)
    source = place.name if place is not None and source in place.name else source
    if is_mail_address(told) or told.startswith("#"):
        source = sources.named_source(brief) or ("slack" if told.startswith("#") else told.lower())
    is_offered = bool(job) and job == act.clause.text and job not in turn.message
    source = source or (sources.read_source(told) if is_offered else "")
    source = "" if sources.is_some_page(source) else source
    if not sources.named_source(source):
        source = sources.named_source(_system_told_beside(act, turn)) or source
    often = job_used(brief, slots.times, slots.addresses)
    what = find_job(brief, job, often, place, name="" if said in job else said)
    taken = [*used, *([(place.start, place.end)] if place else [])]
    told_otherwise = (passed_on(brief, often, place),
                      _text(found.get("what")), _text(found.get("output")), around_source(brief, used, place),
                      left_over(brief, taken), before_source(brief, used, place),
                      behind_source(brief, used, place))  # fmt: skip
    tellings = [one for one in (what, *told_otherwise) if one and not _is_vague(one, said)]
    if before := job_told_before(brief):
        says_when = any(brief[start:end] in before for start, end in often)
        tellings = [*(one for one in tellings if says_when and one in before), before]
    what = job if is_offered else next(iter(tellings), "")
    if not act.slot("job") and _is_named_by(what, source) and labels.kind_of("", brief) is not Kind.MONITOR:
        what = ""  # to read a system is no job yet; to watch one is
    new = NewAgent(
        brief=brief,
        what=labels.label_of(what, before=_word_before(act, "job")),
        job=" ".join(what.split())[:MAX_FIELD_CHARACTERS],
        name=name,
        sources=sources.with_further(source, brief, used),
        zone=turn.situation.time_zone,
    )
    where = deliveries.read_delivery(_without(_with_refusals(act), source)) if act.slot("where") else None
    if where is not None:
        new = new.model_copy(update={"delivery": where})
    is_whole = is_offered or (bool(what) and act.slots.keys() >= {"when", "source", "job"})
    return _scheduled(new if is_whole else _with_told_problem(new, turn), act, turn)


def _system_told_beside(act: Act, turn: TurnRequest) -> str:
    """Return the system in which the rest of a message says that something is kept; empty for none, and
    where the rest asks for something else.
    """
    rest = turn.message.replace(act.clause.text, "\n")
    return "" if asks_for_something(tokenise(rest)) else system_told_in(rest)


def _says(act: Act, slot: str) -> bool:
    """Return whether the words of a slot stand in the act's own; they don't where a phrase was left out."""
    span = act.slots.get(slot)
    at = 0 if span is None else span.start - act.clause.start
    return span is None or act.clause.text[max(at, 0) : at + len(span.text)] == span.text


def _with_told_problem(new: NewAgent, turn: TurnRequest) -> NewAgent:
    """Return the agent with the trouble as its job, and the source, that somebody told of who didn't know
    what to ask for.
    """
    told = told_while_unsure(turn.situation)
    if not any(told):
        return new
    system = "" if new.sources else next(filter(None, map(_system_in, (new.brief, *reversed(told)))), "")
    if system:
        new = new.model_copy(update={"sources": (system,)})
    rest = without_system_told(new.brief)
    said = problem_in([rest])
    wished = ""
    if not _says_job(new.what, rest):
        wished = wished_knowledge(told)
        problem = wished or problem_in(told) or said
    else:
        problem = said if not new.sources and content_of(said) > content_of(new.what) else ""
    if not problem:
        return new
    job = problem[:MAX_FIELD_CHARACTERS]
    what = labels.label_of(wished or main_clause(problem))
    if problem in new.brief:
        return new.model_copy(update={"what": what, "job": job})
    brief = " ".join(f"{problem.rstrip('.')}. {new.brief}".split())
    return new.model_copy(update={"what": what, "job": job, "brief": brief[:_MOST_BRIEF]})


def _system_in(told: str) -> str:
    """Return the system that words say something is kept in: a known service by its whole name."""
    system = system_told_in(told).lower()
    known = sources.named_source(told)
    return known if system and system in known.split() else sources.named_source(system) or system


def _says_job(what: str, rest: str) -> bool:
    """Return whether a label is a job of its own, and stands outside of what only says where the data are."""
    words = {token.word for token in tokenise(what) if is_content(token)}
    return not _points_at_trouble(what) and words <= {token.word for token in tokenise(rest)}


def _points_at_trouble(what: str) -> bool:
    """Return whether a label names no job of its own: none, ``they complain``, ``the bookings``."""
    words = [token.word for token in tokenise(what) if token.is_word]
    is_pointing = bool(words) and words[0] in POINTERS | SUBJECTS
    return is_pointing or sum(is_content(token) for token in tokenise(what)) < 2


def _scheduled(new: NewAgent, act: Act, turn: TurnRequest) -> NewAgent:
    """Return the agent with the schedule that its request wishes, or with one to propose."""
    text = act.clause.text
    if options := tuple(act.slot(OPTIONS).splitlines()):
        open_time = {"lacks": ("when",), "options": options, "doubt": creation_texts.which_time(options)}
        return new.model_copy(update=open_time)
    if act.slot("cron") or is_on_request(text, is_answer=False):
        return with_schedule(new, text, turn, act)
    when = wished_time(act, new.job, now=turn.situation.now, zone=turn.situation.time_zone)
    new = with_schedule(new, when.words, turn, act) if when.words else new
    if when.proposed is not None:
        return new.model_copy(update={"proposed": when.proposed})
    if asks_how_often(text) and new.schedule is None and not new.on_request:
        new = with_usual_schedule(new)
        return new.model_copy(update={"assumed": ("a usual time; tell me another if you like",)})
    return new


def _behind_name(job: str, name: str) -> str:
    """Return the words of a job without the end of a quoted name before it: ``numbers' - sales``."""
    for mark in "'\"\u2019\u201d":
        before, found, behind = job.partition(mark)
        if name and found and name.endswith(before) and behind.strip(" -:,"):
            return behind.strip(" -:,\u2013\u2014")
    return job


def _is_vague(what: str, name: str) -> bool:
    label = labels.label_of(what.replace(name or " ", " "))
    return labels.is_vague(label) or not (names_something(label) or labels.is_question(label))


def _is_named_by(what: str, source: str) -> bool:
    """Return whether words say nothing but the name of a source."""
    told = {token.word for token in tokenise(labels.label_of(what)) if is_content(token)}
    return bool(told) and told <= {token.word for token in tokenise(source)}


def _word_before(act: Act, slot: str) -> str:
    """Return the word before a slot in its clause; empty when there is none."""
    if slot not in act.slots:
        return ""
    words = act.clause.text[: max(0, act.slots[slot].start - act.clause.start)].split()
    return words[-1] if words else ""


def _with_refusals(act: Act) -> str:
    """Return the words that say where to, with what the clause turns down: ``not #bugs``."""
    words = act.clause.text.split()
    refused = [f"not {word.strip('.,;!')}" for before, word in pairwise(words) if before == "not"]
    return ", ".join((act.slot("where"), *refused))


def begin_check(check: Check, act: Act, turn: TurnRequest, *, is_only: bool = True) -> NewAgent:
    """Return the agent that checks a web address; unless words say other, at usual times, reporting here.

    ``is_only``: whether the message asks for no other agent.
    """
    said = turn.message if is_only else act.clause.text
    said_when = _timed_sentence(said, check.url, turn)
    words = (
        without_events(said_when).replace(check.url, "it").replace(check.url.removeprefix("https://"), "it")
    )
    new = NewAgent(
        brief=" ".join((turn.situation.message if is_only else said).split())[:_MOST_BRIEF],
        what=check.describe()[:MAX_FIELD_CHARACTERS],
        name=act.slot("name") or check.suggest_name(),
        has_no_source=True,
        check=check,
        delivery=deliveries.read_delivery(_without(act.slot("where"), check.url)) or Delivery(),
        zone=turn.situation.time_zone,
    )
    new = with_schedule(new, words, turn, act)
    if new.schedule is None and not new.lacks and act.slot("when") not in words:
        new = with_schedule(new, act.slot("when"), turn, act)  # the yes to an offer told it
    if new.schedule is None and new.lacks:
        return new  # what was asked for can't be kept: another schedule is the user's to choose
    usual = usual_check_schedule(check, turn.situation.time_zone)
    return new.model_copy(update={"schedule": new.schedule or usual, "lacks": (), "when": ""})


def as_watcher(new: NewAgent) -> NewAgent:
    """Return an agent that is to find what is new on one web page, or to look at it, as one that watches it
    for changes, which takes no connection; any other as it is.
    """
    url = new.sources[0] if len(new.sources) == 1 else ""
    if new.check is not None or not new.what or not url.startswith(WEB):
        return new
    is_page = sources.ends_on_some_page(new.what) or new.what.lower() == url.lower()
    wanted = "changes" if is_page else new.what
    check = check_from_words(f"watch {url} for {wanted}")
    if check is None or check.expect is not Expectation.UNCHANGED:
        return new
    watching = {"what": check.describe()[:MAX_FIELD_CHARACTERS], "check": check, "has_no_source": True}
    return new.model_copy(update={**watching, "sources": (), "name": new.to_spec().name})


def _timed_sentence(said: str, url: str, turn: TurnRequest) -> str:
    """Return the sentence with the address if it says by itself how often, else all that was said."""
    now, zone = turn.situation.now, turn.situation.time_zone
    for part in parts_of(said):
        words = said[part.start : part.end]
        if url in words or url.removeprefix("https://") in words:
            found = requested_schedule(without_events(words).replace(url, "it"), now=now, zone=zone)
            is_exact = found is not None and found.schedule is not None and not found.asks
            goes_on = requested_schedule(said[part.end :], now=now, zone=zone) is not None
            return words if is_exact and not goes_on else said
    return said


def _without(words: str, url: str) -> str:
    """Return words without the web address that the data come from, if it is one."""
    if not url.startswith(WEB):
        return words
    return words.replace(url, " ").replace(url.removeprefix("https://"), " ")


def with_schedule(new: NewAgent, words: str, turn: TurnRequest, act: Act) -> NewAgent:
    """Return the agent with the schedule that words name, or with what is open about it."""
    if is_on_request(words, is_answer=act.kind is not ActKind.CREATE_AGENT):
        return new.model_copy(update={"on_request": True, "schedule": None, "lacks": ()})
    now, zone = turn.situation.now, turn.situation.time_zone
    found = given_schedule(act, zone) or requested_schedule(words, now=now, zone=zone, was=new.schedule)
    if new.when and (found is None or found.schedule is None or found.asks):
        together = requested_schedule(f"{new.when} {words}", now=now, zone=zone)
        found = together if together is not None and together.schedule is not None else found
        found = _on_known_days(new, words, turn, act) or found
    whole = act.clause.text
    if new.schedule is not None and second_choice(whole) != whole:
        found = requested_schedule(whole, now=now, zone=zone, was=new.schedule) or found
    if new.schedule is None and new.proposed is not None and (found is None or found.asks):
        # ``yes, but not on Sundays`` is said of what was proposed.
        beside = requested_schedule(words, now=now, zone=zone, was=new.proposed)
        found = beside if beside is not None and beside.schedule is not None else found
    if found is None:
        return new
    if "time" in new.lacks and found.schedule is not None and not _agrees(turn.message):
        # Another day is no answer to at what time. A yes leaves that to us.
        alone = requested_schedule(words, now=now, zone=zone)
        found = replace(found, asks=("time",)) if alone is not None and "time" in alone.asks else found
        is_whole = alone is not None and alone.schedule is not None and not (alone.asks or alone.assumed)
        found = alone if is_whole and alone is not None else found  # ``fridays at 5`` is all of it
    if found.schedule is not None:
        return new.model_copy(
            update={
                "schedule": found.schedule,
                "lacks": found.asks,
                "when": words[:_MOST_TIME_CHARACTERS] if found.asks else "",
                "assumed": found.assumed,
                "doubt": "",
                "options": (),
            }
        )
    lacking = {"lacks": found.asks or ("when",), "when": words[:_MOST_TIME_CHARACTERS]}
    near = found.offers[0] if found.why and found.offers else None
    proposed = Schedule.of(near.timing, near.said) if near is not None else new.proposed
    return new.model_copy(update={**lacking, "doubt": creation_texts.doubt_of(found), "proposed": proposed})


def _on_known_days(new: NewAgent, words: str, turn: TurnRequest, act: Act) -> Requested | None:
    """Return the schedule of a time of day alone on the days named before; of a second one, on every day."""
    now, zone = turn.situation.now, turn.situation.time_zone
    alone = requested_schedule(words, now=now, zone=zone)
    if alone is None or alone.asks != ("day",) or alone.why:
        return None
    is_second = act.kind is ActKind.ANSWER and "when" in new.asked and asks_only_days(new.lacks, new.when)
    days = days_in(new.when) or (EVERY_DAY if is_second else "")
    found = requested_schedule(f"{days} {words}", now=now, zone=zone) if days else None
    if found is None or found.schedule is None or found.asks:
        return None
    return replace(found, assumed=("as you named no days",)) if days == EVERY_DAY else found


def _agrees(text: str) -> bool:
    return read_reply(Clause(text, tokenise(text))) == "yes"


def fill(new: NewAgent, act: Act, turn: TurnRequest) -> NewAgent:
    """Return the agent with the parts that an answer or an amendment gives."""
    is_place = says_only_places(Clause(act.clause.text, tokenise(act.clause.text)))
    if not new.what and act.kind is ActKind.ANSWER and len(new.asked) > 1 and not is_place:
        new = _described(new, act, turn)
    updates: dict[str, object] = {}
    words = act.clause.text
    known = {token.word for one in (*new.sources, new.name) for token in tokenise(one)}
    corrected = correction_in(words, known) if new.asked == ("job",) else ""
    if corrected:
        new = with_schedule(new, corrected, turn, act)
    elif act.slot("when") or is_on_request(words):
        zone = turn.situation.time_zone
        when = act.slot("when") and telling_words(act.slot("when"), words, now=turn.situation.now, zone=zone)
        new = with_schedule(new, when or words, turn, act)
    source = ""
    if is_without_source(new, words):
        updates["has_no_source"] = True
    elif new.check is None and (source := _source_of(new, act)):
        updates["sources"] = (source,)
    where = deliveries.read_delivery(_without(act.slot("where"), source))
    if where is not None:
        updates["delivery"] = where
    if act.slot("name"):
        updates["name"] = act.slot("name")
    is_asked = act.kind is ActKind.ANSWER and new.asked == ("job",) and not corrected
    updates |= _job_told(new, act, is_asked=is_asked, sources_told=updates.get("sources"))
    return new.model_copy(update=updates)


def _job_told(new: NewAgent, act: Act, *, is_asked: bool, sources_told: object) -> dict[str, object]:
    """Return what changes of the job by the words of an act."""
    words, job = act.clause.text, " ".join(act.slot("job").split())
    if other := _job_meant(new, words, sources_told):
        return {"what": labels.label_of(other), "job": other, "brief": other}
    brief = f"{new.brief} {' '.join(words.split())}".strip()[:_MOST_BRIEF]
    if is_asked or (job and (not new.what or act.kind is not ActKind.ANSWER)):
        told = (job or " ".join(words.split()))[:MAX_FIELD_CHARACTERS]
        return {"what": labels.label_of(told), "job": told, "brief": brief}
    return {"brief": brief} if _says_more(act) else {}


def _job_meant(new: NewAgent, words: str, sources_told: object) -> str:
    """Return the job that words give in the place of the one before, of another system; empty for others."""
    is_other = bool(new.sources) and sources_told not in {None, new.sources}
    return job_meant(words)[:MAX_FIELD_CHARACTERS] if is_other else ""


def _described(new: NewAgent, act: Act, turn: TurnRequest) -> NewAgent:
    """Return the agent with the job and the source of an answer that describes all of it."""
    told = begin(act, turn)
    sources_found = new.sources or told.sources
    return new.model_copy(update={"what": told.what, "job": told.job, "sources": sources_found})


def is_without_source(new: NewAgent, words: str) -> bool:
    """Return whether words answer the question for a source with none."""
    return "source" in new.asked and says_no_source(words)


def with_defaults(new: NewAgent) -> NewAgent:
    """Return the agent with what its owner leaves to us: a usual time, this conversation, no source."""
    updates: dict[str, object] = {}
    if new.schedule is not None:
        updates |= {"lacks": (), "assumed": ("as you left the time to me",) if new.lacks else new.assumed}
    elif {"when", "time"} & set(new.asked):
        new = with_usual_schedule(new)
        updates["assumed"] = ("as you left the time to me",)
    if "where" in new.asked and new.delivery is None:
        updates["delivery"] = Delivery()
    if "source" in new.asked and not new.sources and new.misses:
        updates["has_no_source"] = True
    return new.model_copy(update=updates)


def with_usual_schedule(new: NewAgent) -> NewAgent:
    """Return the agent with the schedule that was proposed, else with a usual one."""
    is_daily = detect_kind(new.brief) is Kind.MONITOR
    cron, text = ("0 9 * * *", "Daily at 9:00 AM") if is_daily else ("0 9 * * 1", "Every Monday at 9:00 AM")
    usual = new.proposed or Schedule(cron=cron, time_zone=new.zone, text=text)
    return new.model_copy(update={"schedule": usual, "lacks": (), "when": "", "doubt": ""})


def is_whole_request(words: str, *, lacks_source: bool) -> bool:
    """Return whether words ask for an agent by themselves: by their own verb, with a source of their own.

    ``lacks_source``: a source was asked for, so that one behind a verb such as ``pull`` answers that.
    """
    if check_from_words(words) is not None:
        return True
    tokens = [token for token in tokenise(words) if token.is_word and token.word not in LEADS]
    verbs = classes_of(tokens[0].word) if tokens else frozenset()
    if not verbs & {"create", "watch"} and (lacks_source or "produce" not in verbs):
        return False
    if not verbs or len(tokens) < _FEWEST_REQUESTED or tokens[1].word in POINTERS:
        return False
    found = find_slots(words, tokenise(words), now=_ANY_TIME, zone="UTC")
    return bool(find_source(words, found.used))


_FEWEST_REQUESTED = 4
_ANY_TIME = datetime(2026, 1, 1, tzinfo=UTC)


def _says_more(act: Act) -> bool:
    """Return whether an answer tells of the job as well, in words that no slot holds."""
    rest = act.clause.text
    for name in ("when", "where", "source", "name"):
        rest = rest.replace(act.slot(name), " ") if name in act.slots and name != "when" else rest
    if act.kind is not ActKind.ANSWER:
        return False
    is_rule = says_rule(rest) and not {"when", "where", "source", "name"} & act.slots.keys()
    return is_rule or sum(map(is_content, tokenise(rest))) >= _FEWEST_TOLD


_FEWEST_TOLD = 4
_CORRECTS = lower_pattern(
    r"\b(?:instead|rather|not|actually|mean|meant|it'?s (?:all )?in|from|reads?|look(?:s|ing)? (?:at|in))\b"
)


def _source_of(new: NewAgent, act: Act) -> str:
    if act.slot("source"):
        is_open = not new.sources or "source" in new.asked or _CORRECTS.search(act.clause.text)
        named = sources.named_source(act.slot("source")) or sources.named_source(_beside_places(act))
        is_led = not new.sources or "source" in new.asked or _is_behind_preposition(act.slots["source"], act)
        other = sources.read_source(act.slot("source")) if is_led else ""
        return (named or other) if is_open else ""
    is_asked = "source" in new.asked and act.kind is ActKind.ANSWER
    if not is_asked:
        return ""
    words = act.clause.text
    used = find_slots(words, tokenise(words), now=_ANY_TIME, zone="UTC").used
    if found := find_source(words, used):
        return found
    # Of an answer in several parts, the part that says neither when nor where to is the source.
    begin = 0
    for part in words.split(","):
        end = begin + len(part)
        is_free = not any(first < end and begin < last for first, last in used)
        begin = end + 1
        if is_free and len(part.split()) <= _MOST_SOURCE_WORDS and any(map(is_content, tokenise(part))):
            return sources.read_source(part)
    return ""


def _beside_places(act: Act) -> str:
    """Return the words of an act without the places that results go to, which name no source."""
    words = act.clause.text
    for place in filter(None, act.slot("where").split(", ")):
        words = words.replace(place, " ")
    return words


def _is_behind_preposition(source: Span, act: Act) -> bool:
    """Return whether words lead to a source: ``it's in Bexio``, and not only say that something is better."""
    before = tokenise(act.clause.text[: max(0, source.start - act.clause.start)])
    led = {token.word for token in (*before[-2:], *tokenise(source.text)[:1])}
    return bool(led & _TO_SOURCE)


_TO_SOURCE = frozenset("in from on at of use using read reads reading via through not but".split())


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
