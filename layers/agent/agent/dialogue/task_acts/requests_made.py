"""Answers to "what did I ask you for?": the tasks and agents that the user had made, then or altogether.

What was asked for was made, so the record of it is the workspace itself, and not only the sentences that
`agent.dialogue.talk.recall` quotes.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from agent.dialogue.result import Result
from agent.dialogue.talk.statements import covers, is_of_dates, terms_of
from agent.dialogue.talk.word_kinship import root
from agent.dialogue.task_acts.asked_tasks import by_due, dated, fitting
from agent.dialogue.workbench import Workbench
from agent.dialogue.workspace_questions import texts
from agent.dialogue.workspace_questions.overview import due_words, own_agents, schedule_words
from agent.dialogue.workspace_questions.windows import Window, read_window
from agent.dialogue.workspace_questions.wording import Wording, word_set
from agent.handler_interface import agent_references
from agent.workspace.agents import Agent, AgentStatus
from conversation.messages.models import Reference
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import LEADS, QUESTION_WORDS
from tasks.task import Task

K = ActKind
_MAY_ASK = frozenset(
    {
        K.RECALL, K.ASK_WORLD, K.ASK_PRODUCT, K.ASK_WORKSPACE, K.NONE, K.UNSURE, K.LIST_TASKS, K.LIST_AGENTS,
        K.SHOW_AGENT, K.SHOW_RESULT, K.WHY, K.SMALL_TALK,
    }
)  # fmt: skip
"""The kinds that a question about what was asked for may be taken for."""
_GIVING = word_set(
    "ask asked give gave given want wanted set put order ordered request requested add added remind"
)
"""What a user says of having asked for something."""
_HAVING = word_set("have had get got let")
"""What a user says of having had something done: ``what did I have you set up``."""
_SETTING = word_set("set make made create created put arrange arranged")
_LEFT = word_set("left open remaining remains still outstanding")
_REMINDED = word_set("remind reminder reminders")
_OF_FORM = frozenset(
    root(word)
    for word in "ask give given gave want set put order request add remind reminder thing stuff list task"
    " todo agent left open remain still outstanding far do up have what whatever all everything for of"
    " morning afternoon evening tonight made make save keep track get got have had create arrange let forget"
    " forgot forgotten honestly exactly something".split()
)
"""Words that name nothing in particular that was asked for."""


def answer(act: Act, bench: Workbench) -> Result | None:
    """Say what the user had made; None for anything else than a question for that."""
    text = act.clause.text
    wording = Wording.of_text(text)
    if act.kind not in _MAY_ASK or not _asks(wording):
        return None
    terms = [term for term in terms_of(text) if term not in _OF_FORM and not is_of_dates(term)]
    tasks, agents = list(bench.tasks()), own_agents(bench)
    if terms:
        return _of_subject(tasks, agents, terms, wording, bench)
    situation = bench.turn.situation
    window = read_window(wording, now=situation.now, zone=situation.time_zone, is_past=True)
    tasks = [task for task in tasks if _within(task.created_at, window)]
    is_left = wording.has(_LEFT) or any(not task.completed for task in tasks)
    tasks = sorted((one for one in tasks if not (is_left and one.completed)), key=by_due)
    agents = [] if wording.has(_REMINDED) else [one for one in agents if _within(one.created_at, window)]
    return _listed(tasks, agents, bench) if tasks or agents else None


def made_at(act: Act, bench: Workbench) -> Result | None:
    """Say when the agent or the task was made that a question names or points at: ``what day did I set that
    up?``; None for any other question.
    """
    if act.kind not in _MAY_ASK | {K.CLOCK} or not _asks_when_made(Wording.of_text(act.clause.text)):
        return None
    named = [one for one in act.meant.things if not act.meant.is_focus]
    subject = bench.turn.note.subject
    thing_id = named[0].id if len(named) == 1 else subject.id if subject is not None and not named else ""
    task = bench.task(thing_id)
    agent = bench.agent(thing_id) if thing_id and task is None else None
    made = agent or task
    if made is None:
        return None
    zone = ZoneInfo(bench.turn.situation.time_zone)
    day = texts.past_day(made.created_at.astimezone(zone).date(), bench.turn.today)
    if agent is not None:
        return Result(texts.set_up_on(agent.name, day), about=agent_references([agent.card()])[0])
    title, due_on = (task.title, due_words(task, bench.turn.today)) if task is not None else ("", "")
    return Result(texts.listed_on(title, day, due_on), about=Reference(kind="task", id=made.id, name=title))


def _asks_when_made(wording: Wording) -> bool:
    asks = wording.says("what day", "which day", "what date", "how long ago") or (
        wording.has({"when", "when's"}) and wording.has({"did", "was", "were", "have"})
    )
    return asks and wording.says(*_MADE) and not wording.has(_SAID)


_MADE = tuple(
    f"{who} {verb}"
    for who in ("i", "we", "you", "it", "that", "agent")
    for verb in (
        "do", "set", "make", "made", "create", "created", "add", "ask", "arrange", "put", "have you", "start",
    )
)  # fmt: skip
_SAID = word_set("say said tell told mention due run")


def _asks(wording: Wording) -> bool:
    """Return whether a question is what the user asked for, or whether they did."""
    words = [word for word in wording.words if word not in LEADS and word[0].isalnum()]
    has_asked = wording.says(
        *(f"{who} {verb}" for who in ("i", "i've", "we", "we've") for verb in _GIVING),
        *(f"i {how} {verb}" for how in ("already", "have", "had", "did", "just") for verb in _GIVING),
        *(f"{who} {verb} you" for who in ("i", "we") for verb in _HAVING),
    ) or (wording.says(*(f"you {verb}" for verb in _SETTING)) and wording.has({"me", "us"}))
    first = words[0] if words else ""
    is_open = first in QUESTION_WORDS | {"remind", "list", "show", "tell"} or wording.says(*_FORGOTTEN)
    is_whether = first in {"did", "have"} and wording.has({"already"})
    return has_asked and (is_open or is_whether) and not wording.has({"why", "how", "when"})


_FORGOTTEN = ("forgot what", "forgotten what", "forget what", "can't remember what", "don't remember what",
              "dont remember what", "not sure what", "no idea what")  # fmt: skip


def _within(moment: datetime, window: Window | None) -> bool:
    return window is None or window.holds(moment)


def _of_subject(
    tasks: list[Task], agents: list[Agent], terms: list[str], wording: Wording, bench: Workbench
) -> Result | None:
    """Return what was made for a subject; None where nothing fits, so that the words are looked for."""
    if not wording.has({"already"}):
        return None
    said = ((agent, f"{agent.name} {agent.what} {agent.brief}".replace("-", " ")) for agent in agents)
    found = [agent for agent, words in said if covers(words, terms)]
    left = fitting([task for task in tasks if not task.completed], terms)
    return _listed(left, found, bench, is_yes=True) if left or found else None


def _described(agent: Agent) -> str:
    """Return an agent's name with its job, for who has forgotten what it was."""
    return f"{agent.name} ({agent.what[:1].lower()}{agent.what[1:]})" if agent.what else agent.name


def _listed(tasks: list[Task], agents: list[Agent], bench: Workbench, *, is_yes: bool = False) -> Result:
    turn = bench.turn
    zone = turn.situation.time_zone
    text = texts.asked_for(
        [
            (_described(agent), schedule_words(agent, zone), agent.status is AgentStatus.PAUSED)
            for agent in agents
        ],
        [dated(task, turn.today) for task in tasks],
        is_yes=is_yes,
    )  # fmt: skip
    made = tuple(Reference(kind="task", id=task.id, name=task.title) for task in tasks)
    set_up = agent_references([agent.card() for agent in agents])
    said_last = set_up or made
    about = said_last[0] if len(said_last) == 1 else None
    listed = next((each for each in (made, set_up) if len(each) > 1), ())
    return Result(text, about=about, listed=listed, tool="list_tasks")
