"""The change of one agent that an act asks for: its schedule, delivery, source, name or job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from agent.checks.check import Expectation
from agent.checks.check_phrases import check_from_words
from agent.dialogue import texts
from agent.dialogue.agent_acts import creation_texts, deliveries, instructions, sources
from agent.dialogue.agent_acts.reworded import names_amount, reworded
from agent.dialogue.agent_acts.schedules import (
    Requested,
    given_schedule,
    requested_schedule,
    schedule_beside,
    schedule_in_sentence,
)
from agent.dialogue.agent_acts.source_words import find_source
from agent.dialogue.held_acts import OFFERED, AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.workbench import Told, Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import (
    MAX_FIELD_CHARACTERS,
    MAX_INSTRUCTIONS_CHARACTERS,
    Agent,
    AgentChange,
    to_slug,
)
from agent.workspace.delivery_targets import Delivery
from agent.workspace.errors import AddressBlocked, TargetNotAllowed
from conversation.messages.models import Reference, Role
from intent.acts.act import Act, ActKind, Thing
from intent.acts.clauses import Clause
from intent.acts.commanded_changes import begins_standing, says_instruction
from intent.acts.naming.telling_names import without_name
from intent.acts.on_request import is_on_request
from intent.acts.present_times import wished_words
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise
from intent.acts.told_instructions import tells_instruction
from intent.acts.unsendable_ways import find_unsendable, without_unsendable
from intent.acts.wishes_for_agents import asks_to_watch
from intent.regular_expressions import lower_pattern

READS = lower_pattern(
    r"\b(?:reads?|reading|look(?:s|ing)? (?:at|in)|source|pull(?:s|ing)?|take[sn]?|use[sd]?|get|gets)\b"
)
_BEGINS_COMMAND = lower_pattern(r"[.;!?,]\s*(?:please |kindly |so |then |just )*$")
_SUMMARISED = frozenset({"sources", "schedule", "instructions", "what"})
_WHAT = ("when", "where", "source", "job", "name", "zone")
_Change: TypeAlias = Callable[[Agent, Act, Workbench, dict[str, Any], dict[str, str]], Result | None]


def edit_agent(agent: Agent, act: Act, bench: Workbench) -> Result:
    """Make the change, or ask for what is open about it."""
    act = instructions.named_as_one(without_name(act, agent.name))
    way = None if instructions.INSTEAD in act.slots else find_unsendable(act.clause.text)
    if way is None:
        return _edited(agent, act, bench)
    rest = without_unsendable(act)
    cannot = creation_texts.cannot_send(way.name)
    if not (rest.slots.keys() & set(_WHAT)):
        question = AskedQuestion(asked=Asked.SLOTS, slots=("where",), waiting=(_held(rest, agent),))
        still = creation_texts.still_delivers(agent.name, texts.delivers(agent.delivery))
        return Result(f"{cannot} {still}", about=agent_reference(agent), question=question)
    result = _edited(agent, rest, bench)
    return replace(result, text=f"{cannot} {result.text}")


def _edited(agent: Agent, act: Act, bench: Workbench) -> Result:
    about = agent_reference(agent)
    values: dict[str, Any] = {}
    said: dict[str, str] = {}
    for change in _changes_in(act):
        found = change(agent, act, bench, values, said)
        if found is not None:
            return found
        if "what" in values:
            break  # the other words are those of the job
    if not values:
        return Result(
            texts.what_to_change(agent.name), about=about,
            question=AskedQuestion(asked=Asked.SLOTS, slots=_WHAT, waiting=(_held(act, agent),)),
        )  # fmt: skip
    if all(getattr(agent, field) == value for field, value in values.items()):
        return Result(texts.already_so(agent), about=about, is_idle=True)
    if refusal := _refused(values.get("delivery"), bench):
        return Result(refusal, about=about)
    if agent.summary and values.keys() & _SUMMARISED:
        values["summary"] = None  # it tells what the agent was
    new = bench.change_agent(agent, AgentChange.model_validate(values))
    new, missing = bench.with_new_readiness(agent, new)
    told = bench.told.get(agent.id)
    is_again = told is not None and "name" not in {**told.said, **said}
    if told is not None and is_again:
        said, missing = {**told.said, **said}, (*told.missing, *missing)
    bench.told[agent.id] = Told(said, missing)
    phrases = list(said.values())
    return Result(
        texts.changed(agent, phrases, missing), f"changed {agent.name}: {'; '.join(phrases)}",
        Reference(kind="agent", id=new.id, name=new.name), tool="update_agent", kind=ActKind.CHANGE_AGENT,
        is_whole=is_again,
        remarks=(*texts.links_wanted(missing), *deliveries.link_remarks(new.delivery, agent.delivery)),
    )  # fmt: skip


def _changes_in(act: Act) -> Sequence[_Change]:
    """Return what may change, in the order in which it is told."""
    if instructions.INSTEAD in act.slots:
        return (_job,)
    if names_amount(act.clause.text):
        return (_words,)  # an amount is no time, whatever its number
    return (_words, _name, _schedule, _delivery, _source, _expectation, _job)


def _held(act: Act, agent: Agent) -> HeldAct:
    return HeldAct.of(act, [Thing(agent.id, agent.name)])


def _words(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    del bench
    if own := reworded(agent, act.clause.text):
        values.update(own)
        said["job"] = f"now does this: “{own['what']}”"
    return None


def _expectation(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    """Change what is expected of the address that an agent checks: ``it should also say “open”``."""
    del bench
    if agent.check is None or values:
        return None
    if _names_page(agent, act):
        pages = (token.text for token in tokenise(act.clause.text) if token.text.startswith("http"))
        named = check_from_words(f"watch {next(pages)}")
        check = None if named is None else agent.check.model_copy(update={"url": named.url})
    else:
        check = check_from_words(f"watch {agent.check.url}: {act.clause.text}")
    is_said = check is not None and (check.expect is not Expectation.REACHABLE or _names_page(agent, act))
    if check is not None and is_said and check != agent.check:
        values["check"], values["what"] = check, check.describe()[:MAX_FIELD_CHARACTERS]
        said["check"] = f"now checks {check.describe()}"
    return None


def _name(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    wish = act.slot("name")
    if not wish:
        return None
    name, about = to_slug(wish), agent_reference(agent)
    if not name:
        return Result(texts.name_unusable(), about=about)
    if name != agent.name and name in bench.agent_names():
        nameless = replace(act, slots={slot: span for slot, span in act.slots.items() if slot != "name"})
        question = AskedQuestion(asked=Asked.SLOTS, slots=("name",), waiting=(_held(nameless, agent),))
        return Result(texts.name_taken(name), about=about, question=question)
    values["name"] = name
    said["name"] = f"is now called {name}"
    return None


def _schedule(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    if is_on_request(wished_words(act.clause.text)):
        values["schedule"] = None
        said["schedule"] = "now runs only when you ask"
        return None
    zone = agent.schedule.time_zone if agent.schedule else bench.turn.situation.time_zone
    now, words = bench.turn.situation.now, act.slot("when")
    found = given_schedule(act, zone)
    if found is None and words:
        found = requested_schedule(words, now=now, zone=zone, was=agent.schedule)
    if found is None or found.schedule is None:
        found = schedule_beside(act, agent, now=now, zone=zone) or found
    if found is not None and found.schedule is None:
        found = schedule_in_sentence(act, agent, now=now, zone=zone) or found
    if found is None:
        return None
    if found.schedule is None:
        return _open_schedule(agent, act, found)
    values["schedule"] = found.schedule
    said["schedule"] = f"now runs {texts.schedule(found.schedule, bench.turn.situation.time_zone)}"
    return None


def _open_schedule(agent: Agent, act: Act, found: Requested) -> Result:
    held = _held(act, agent)
    if len(found.offers) == 1:
        held = held.model_copy(update={"slots": {**held.slots, OFFERED: found.offers[0].said}})
    question = AskedQuestion(asked=Asked.SLOTS, slots=("when",), waiting=(held,))
    return Result(
        creation_texts.ask_schedule(found, agent.name), about=agent_reference(agent), question=question
    )


def _names_page(agent: Agent, act: Act) -> bool:
    """Return whether words give a watch another page: ``watch https://… instead``."""
    return agent.check is not None and asks_to_watch(Clause(act.clause.text, tokenise(act.clause.text)))


def _delivery(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    if _names_page(agent, act):
        return None  # what is to be watched gets no results
    if deliveries.lacks_own_address(agent.delivery, act, agent.owner):
        question = AskedQuestion(asked=Asked.SLOTS, slots=("where",), waiting=(_held(act, agent),))
        return Result(texts.ask_own_address(), about=agent_reference(agent), question=question)
    told = bench.turn.situation.last_text(Role.USER), bench.turn.message
    new = deliveries.changed_delivery(agent.delivery, act, agent.owner, said=told)
    if new is None or (new == agent.delivery and not act.slot("where")):
        return None
    values["delivery"] = new
    if new != agent.delivery:
        said["delivery"] = f"now {texts.delivers(new)}"
    return None


def _source(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    del bench
    if agent.check is not None:
        return None  # ``check the page at 8`` names what is watched, no source
    found = sources.changed_sources(agent.sources, act)
    if not found and not act.slots.keys() & {"when", "where", "name"}:
        found = _other_source(agent, act)
    if found:
        values["sources"] = found
        said["sources"] = f"now reads {texts.services(found)}"
    return None


def _other_source(agent: Agent, act: Act) -> tuple[str, ...]:
    """Return the source that words name in place of the agent's own; empty when they name none."""
    words = act.clause.text
    if (reads := READS.search(words.lower().replace(agent.name, " " * len(agent.name)))) is None:
        return ()
    if _BEGINS_COMMAND.search(words[: reads.start()]):
        words = " " * reads.start() + words[reads.start() :]  # what a sentence before it tells is no source
    for old in agent.sources:
        at = words.lower().find(old)
        words = words[:at] + " " * len(old) + words[at + len(old) :] if at >= 0 else words
    found = find_source(words.replace(agent.name, " "))
    return (found,) if found else ()


def _job(
    agent: Agent, act: Act, bench: Workbench, values: dict[str, Any], said: dict[str, str]
) -> Result | None:
    del bench
    words = [token.word for token in tokenise(act.clause.text)]
    is_named = tells_instruction(words, agent.name) or (act.meant.is_focus and tells_instruction(words, ""))
    if values or agent.check is not None:
        if is_named and not values:
            _case_of_change(agent, act, values, said)
        return None  # a check follows no instructions
    is_told = bool(act.slot("job")) or begins_standing(words)
    is_sure = instructions.INSTEAD in act.slots
    says_so = is_named or (is_told and says_instruction(words))
    if not is_sure and not says_so:
        return None  # what isn't understood of an agent is asked
    told, instead = instructions.as_kept(act.clause.text), act.slot(instructions.INSTEAD)
    kept = [line for line in agent.instructions.splitlines() if not instead or line != instead]
    sentences = "\n".join([*kept, told])
    if len(sentences) >= MAX_INSTRUCTIONS_CHARACTERS:
        return Result(texts.instructions_full(agent.name), about=agent_reference(agent))
    values["instructions"] = sentences
    said["instructions"] = f"now follows: “{told}”"
    return None


def _case_of_change(agent: Agent, act: Act, values: dict[str, Any], said: dict[str, str]) -> None:
    """Put down what a page is watched for, where any change on it is told already: ``it must also say when a
    colour is sold out``.
    """
    told = instructions.as_kept(act.clause.text)
    what = f"{agent.what}: {told}"
    if agent.check is None or agent.check.expect is not Expectation.UNCHANGED:
        return
    if told not in agent.what and len(what) <= MAX_FIELD_CHARACTERS:
        values["what"] = what
        said["what"] = f"tells of any change on the page, so of this as well: “{told}”"


def _refused(delivery: object, bench: Workbench) -> str:
    if not isinstance(delivery, Delivery):
        return ""
    try:
        bench.agent_store.check_addresses(bench.turn.caller, delivery, bench.turn.roster.record)
    except AddressBlocked:
        return texts.ADDRESS_BLOCKED
    except TargetNotAllowed:
        return texts.TARGET_NOT_ALLOWED
    return ""
