"""Changes to agents: their fields and name, pausing, resuming, deleting, sharing."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import texts
from agent.dialogue.agent_acts import later_pauses
from agent.dialogue.agent_acts.edits import edit_agent
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result, remarks_of
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.workspace.agents import Agent, AgentChange, AgentStatus
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind, Thing
from intent.acts.scene import Asked


def change_agents(act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    """Carry out an act on agents that exist; asks which ones when that is open."""
    agents, problem = meant_agents(act, bench)
    if problem is not None:
        return problem
    foreign = [agent for agent in agents if agent.owner != bench.turn.caller.user]
    if foreign:
        return Result(texts.not_yours(foreign[0].name, foreign[0].owner), about=agent_reference(foreign[0]))
    if not is_confirmed and (later := later_pauses.asked_first(agents, act, bench)) is not None:
        return later
    match act.kind:
        case ActKind.PAUSE_AGENT:
            return _set_status(agents, AgentStatus.PAUSED, act, bench)
        case ActKind.RESUME_AGENT:
            return _set_status(agents, AgentStatus.ACTIVE, act, bench)
        case ActKind.DELETE_AGENT:
            return _delete(agents, act, bench) if is_confirmed else _ask_to_delete(agents, act)
        case ActKind.SHARE_AGENT | ActKind.UNSHARE_AGENT:
            return _set_shared(agents, act, bench, is_confirmed=is_confirmed)
        case _:
            return _edit(agents, act, bench)


def meant_agents(act: Act, bench: Workbench) -> tuple[tuple[Agent, ...], Result | None]:
    """Return the agents that an act means, or the reply that asks which ones."""
    found = tuple(agent for thing in act.meant.things if (agent := bench.agent(thing.id)) is not None)
    if act.meant.is_all:
        found = tuple(agent for agent in found if agent.owner == bench.turn.caller.user)
    if found:
        return found, None
    if act.meant.candidates:
        return _among(act, act.meant.candidates, bench)
    cards = bench.turn.own_agents()
    if not cards:
        return (), Result(texts.no_agents())
    things = tuple(Thing(card.id, card.name) for card in cards)
    if act.meant.words and act.meant.is_all:
        return (), Result(texts.no_such_exception(act.meant.words, [card.name for card in cards]))
    if act.meant.words and not act.meant.things:
        return (), Result(
            texts.no_such_agent(act.meant.words, [card.name for card in cards]),
            question=AskedQuestion(
                asked=Asked.WHICH, waiting=(HeldAct.of(act),), options=_references(things)
            ),
        )
    return _among(act, things, bench)


def _among(act: Act, things: Sequence[Thing], bench: Workbench) -> tuple[tuple[Agent, ...], Result | None]:
    """Return the only agent that an act may delete, which is asked about anyway; else ask which one.

    An act on an agent that is gone by now means no other one.
    """
    may_be_only = len(things) == 1 and act.kind is ActKind.DELETE_AGENT and not act.meant.things
    only = bench.agent(things[0].id) if may_be_only else None
    return ((only,), None) if only is not None else ((), ask_which(act, things))


def ask_which(act: Act, things: Sequence[Thing]) -> Result:
    """Ask which of several agents an act means."""
    question = AskedQuestion(asked=Asked.WHICH, waiting=(HeldAct.of(act, ()),), options=_references(things))
    return Result(
        texts.which_agent(texts.verb_of(act.kind), [thing.name for thing in things]), question=question
    )


def _references(things: Sequence[Thing]) -> tuple[Reference, ...]:
    return tuple(Reference(kind="agent", id=thing.id, name=thing.name) for thing in things)


def _set_status(agents: Sequence[Agent], status: AgentStatus, act: Act, bench: Workbench) -> Result:
    changing = [agent for agent in agents if agent.status is not status]
    for agent in changing:
        bench.change_agent(agent, AgentChange(status=status))
    is_pause = status is AgentStatus.PAUSED
    names = texts.join([agent.name for agent in changing or agents])
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    if not changing:
        return Result(texts.already(names, "paused" if is_pause else "active", len(agents)), about=about)
    kept = [thing.name for thing in act.meant.excepted]
    remarks: tuple[str, ...] = ()
    if is_pause:
        text = texts.paused(names, len(changing), until=act.slot("when"), kept=kept)
    else:
        told = [bench.with_readiness(bench.agent(agent.id) or agent) for agent in changing]
        text = texts.resumed([agent for agent, _ in told], told[0][1])
        remarks = texts.links_wanted([each for _, missing in told for each in missing])
    did = f"{'paused' if is_pause else 'resumed'} {names}"
    return Result(
        text, did, about, tool="update_agent", kind=act.kind, listed=_listed(changing), remarks=remarks
    )


def _listed(agents: Sequence[Agent]) -> tuple[Reference, ...]:
    return tuple(map(agent_reference, agents)) if len(agents) > 1 else ()


def _ask_to_delete(agents: Sequence[Agent], act: Act) -> Result:
    things = [Thing(agent.id, agent.name) for agent in agents]
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, things),))
    names = [agent.name for agent in agents]
    kept = [thing.name for thing in act.meant.excepted]
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    return Result(texts.ask_to_delete(names, kept), about=about, question=question)


def _delete(agents: Sequence[Agent], act: Act, bench: Workbench) -> Result:
    for agent in agents:
        bench.delete_agent(agent)
    names = texts.join([agent.name for agent in agents])
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    return Result(
        texts.deleted(names, len(agents)), f"deleted {names}", about, tool="delete_agent", kind=act.kind
    )


def _set_shared(agents: Sequence[Agent], act: Act, bench: Workbench, *, is_confirmed: bool) -> Result:
    shared = act.kind is ActKind.SHARE_AGENT
    names = texts.join([agent.name for agent in agents])
    about = agent_reference(agents[0]) if len(agents) == 1 else None
    if (
        shared
        and not is_confirmed
        and texts.names_one_person(act.clause.text, [agent.name for agent in agents])
    ):
        things = [Thing(agent.id, agent.name) for agent in agents]
        question = AskedQuestion(asked=Asked.CONFIRM, waiting=(HeldAct.of(act, things),))
        return Result(texts.only_with_all(names), about=about, question=question)
    changing = [agent for agent in agents if agent.shared is not shared]
    if not changing:
        return Result(texts.already(names, "shared" if shared else "private", len(agents)), about=about)
    for agent in changing:
        bench.change_agent(agent, AgentChange.model_validate({"shared": shared}))
    did = f"{'shared' if shared else 'unshared'} {names}"
    return Result(texts.shared(names, is_shared=shared), did, about, tool="update_agent", kind=act.kind)


def _edit(agents: Sequence[Agent], act: Act, bench: Workbench) -> Result:
    results = [edit_agent(agent, act, bench) for agent in agents]
    if len(results) == 1:
        return results[0]
    did = "; ".join(filter(None, (result.did for result in results)))
    question = next((result.question for result in results if result.question), None)
    return Result(
        "\n".join(result.text for result in results), did, listed=_listed(agents), question=question,
        tool="update_agent", kind=act.kind if did else None, remarks=remarks_of(results),
    )  # fmt: skip
