"""Answers to whether something was done: ``did I tick off the roofer?``, ``did I throw it away?``

The state of the thing is the answer. It changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.talk.statements import asked_part, covers, is_of_dates, terms_of
from agent.dialogue.talk.word_kinship import root
from agent.dialogue.task_acts.asked_tasks import dated, fitting
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import deed_texts, texts
from agent.dialogue.workspace_questions.overview import own_agents
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import agent_reference
from agent.undo import ChangeStore
from agent.workspace.agents import AgentStatus
from conversation.messages.models import Reference
from conversation.sentences import split_sentences
from intent.acts.act import Act
from intent.acts.lexicon import LEADS
from intent.acts.references import find_name_place
from intent.acts.tokens import tokenise

_TICKING = word_set(
    "tick ticked cross crossed finish finished complete completed done check checked mark marked"
)
_DELETING = word_set(
    "delete deleted remove removed bin binned scrap scrapped throw threw thrown ditch ditched drop dropped"
    " chuck chucked trash trashed cancel cancelled rid"
)
_PAUSING = word_set("pause paused stop stopped switch switched turn turned suspend suspended")
_DEEDS = _TICKING | _DELETING | _PAUSING
_ASKING = word_set("did have has was were didn't haven't hasn't wasn't is")
_WE = word_set("i we you")
_NEAR, _MOST_SHOWN, _MOST_READ = 3, 3, 12
_OF_FORM = frozenset(
    root(word)
    for word in (*_DEEDS, *"off away dream imagine agent task list reminder one still there already".split())
)
_EXISTING = ("by that name", "called that", "one of ours", "one of mine", "with that name", "named that")


def answer(act: Act, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Say how the things are that a question whether something was done means; None for anything else."""
    if (named := _former_name(act, bench, changes)) is not None:
        return named
    question = _question(act.clause.text)
    if question is None:
        return None
    terms = [term for term in terms_of(question) if term not in _OF_FORM and not is_of_dates(term)]
    found = list(_states(terms, bench))[:_MOST_SHOWN] if terms else []
    if not found:
        return None
    about = found[0][1] if len(found) == 1 else None
    return Result("\n".join(text for text, _ in found), about=about, tool="list_tasks")


def _question(text: str) -> str | None:
    """Return the sentence that asks whether the user did something; None without one."""
    for sentence in split_sentences(text):
        words = [token.word for token in tokenise(sentence) if token.is_word]
        begin = next((at for at, word in enumerate(words) if word not in LEADS), len(words))
        asks = words[begin : begin + 1] != [] and words[begin] in _ASKING
        if asks and _WE & set(words[begin + 1 : begin + 1 + _NEAR]) and _DEEDS & set(words):
            return sentence
    return None


def _states(terms: Sequence[str], bench: Workbench) -> Iterator[tuple[str, Reference | None]]:
    """Yield how each task and agent is that has the words, and what it is."""
    caller = bench.turn.caller
    for task in fitting(list(bench.tasks()), terms):
        title, due = dated(task, bench.turn.today)
        day = _day(task.completed_at, bench)
        text = deed_texts.ticked_off(title, day) if task.completed else deed_texts.still_open(title, due)
        yield text, Reference(kind="task", id=task.id, name=task.title)
    for agent in own_agents(bench):
        if covers(f"{agent.name.replace('-', ' ')} {agent.what}", terms):
            is_paused = agent.status is AgentStatus.PAUSED
            yield deed_texts.kept_agent(agent.name, is_paused=is_paused), agent_reference(agent)
    for gone in bench.agent_store.deleted(caller):
        if covers(f"{gone.name.replace('-', ' ')} {gone.what}", terms):
            yield deed_texts.deleted(gone.name, _day(gone.deleted_at, bench)), None
    for one in fitting(bench.task_store.deleted(caller), terms):
        yield deed_texts.deleted(f"“{one.title}”", _day(one.deleted_at, bench)), None


def _former_name(act: Act, bench: Workbench, changes: ChangeStore) -> Result | None:
    """Say what the agent is called now whose former name a question has; None for any other."""
    text = act.clause.text
    if "?" not in text and not asked_part(text):
        return None
    if not Wording.of_text(text).says(*_EXISTING):
        return None
    words = [token.word for token in tokenise(bench.turn.message)]
    for agent in own_agents(bench)[:_MOST_READ]:
        for version in changes.agent_versions(bench.turn.caller, agent.id):
            former = version.former.get("name")
            if isinstance(former, str) and find_name_place(words, former) is not None:
                said = deed_texts.renamed(former, agent.name, _day(version.at, bench))
                return Result(said, about=agent_reference(agent), tool="show_agent")
    return None


def _day(moment: datetime | None, bench: Workbench) -> str:
    if moment is None:
        return "before"
    return texts.past_day(
        moment.astimezone(ZoneInfo(bench.turn.situation.time_zone)).date(), bench.turn.today
    )
