"""Acts that a model proposes and the user's words don't bear out: asked in full first, done after a yes."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue import proposal_texts
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from conversation.messages.models import Reference
from conversation.timing import Timing
from intent.acts.act import Act, ActKind
from intent.acts.scene import Asked
from intent.times.wording import describe

_ON_TASKS = "task."
_WITH_VALUES = frozenset({ActKind.CHANGE_AGENT, ActKind.CHANGE_TASK, ActKind.RUN_AGENT})


def ask_first(acts: Sequence[Act], zone: str) -> Result:
    """Return the question whether to do all of the acts. It names everything they would do."""
    question = AskedQuestion(asked=Asked.CONFIRM, waiting=tuple(map(HeldAct.of, acts)))
    one = acts[0].meant.things[0] if len(acts) == 1 and len(acts[0].meant.things) == 1 else None
    about = Reference(kind=_kind_of(acts[0]), id=one.id, name=one.name) if one else None
    return Result(
        proposal_texts.ask_whether([_words(act, zone) for act in acts]), about=about, question=question
    )


def _kind_of(act: Act) -> str:
    return "task" if act.kind.startswith(_ON_TASKS) else "agent"


def _words(act: Act, zone: str) -> str:
    """Return what an act would do, in the infinitive."""
    names = [thing.name for thing in act.meant.things]
    if act.kind.startswith(_ON_TASKS):
        names = [f"“{name}”" for name in names]
    slots = {name: " ".join(span.text.split()) for name, span in act.slots.items()}
    if "cron" in slots:
        slots["when"] = describe(Timing((slots.pop("cron"),), slots.pop("zone", zone)))
    if act.kind is ActKind.ADD_TASK:
        return proposal_texts.add([span.text for span in act.several], slots.get("due", ""))
    if act.kind in {ActKind.CREATE_AGENT, ActKind.COPY_AGENT}:
        return proposal_texts.create(slots.pop("brief", "") or act.clause.text, names, slots)
    return proposal_texts.change(act.kind, names, slots if act.kind in _WITH_VALUES else {})
