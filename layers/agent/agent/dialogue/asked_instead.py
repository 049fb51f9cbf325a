"""What is said instead of doing an act: a fact that its words ask for, or a question before the deed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agent.dialogue import doubts, undo_acts
from agent.dialogue.agent_acts import complaints, dropped_channels, frequency_complaints, left_out_dates
from agent.dialogue.result import Result
from agent.dialogue.talk import earlier_replies, introductions, recall
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.task_acts import asked_deeds, asked_tasks, requests_made
from agent.dialogue.workbench import Workbench
from agent.dialogue.workplace import Workplace
from agent.dialogue.workspace_questions import former_values, own_deeds
from intent.acts.act import Act


def answer(act: Act, bench: Workbench, place: Workplace, occasion: Occasion) -> Result | None:
    """Return the first answer or question that goes before an act; None: it may be done."""
    found = (find() for find in _finders(act, bench, place, occasion))
    return next((one for one in found if one is not None), None)


def _finders(
    act: Act, bench: Workbench, place: Workplace, occasion: Occasion
) -> Iterator[Callable[[], Result | None]]:
    yield lambda: former_values.answer(act, bench, place.changes)
    yield lambda: frequency_complaints.offer(act, bench)
    yield lambda: complaints.asked_first(act, bench)
    yield lambda: left_out_dates.answer(act, bench)
    yield lambda: dropped_channels.answer(act, bench)
    yield lambda: own_deeds.answer(act, bench, place.changes)
    yield lambda: asked_deeds.answer(act, bench, place.changes)
    yield lambda: earlier_replies.answered(occasion)
    yield lambda: recall.asked_in_deed(occasion)
    yield lambda: introductions.answer(occasion)
    yield lambda: requests_made.made_at(act, bench)
    yield lambda: asked_tasks.answer(act, bench)
    yield lambda: requests_made.answer(act, bench)
    yield lambda: doubts.asked_first(act)
    yield lambda: undo_acts.asked_whether_gone(act, bench)
