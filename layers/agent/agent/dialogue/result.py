"""What carrying out one act gives: what to say, what was done, what to talk about next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.dialogue.held_acts import AskedQuestion
from conversation.messages.models import Reference
from intent.acts.act import ActKind
from intent.acts.scene import Asked
from intent.sums.result import EarlierSum


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one act. ``did`` is empty when nothing was changed."""

    text: str
    did: str = ""
    about: Reference | None = None
    listed: tuple[Reference, ...] = ()
    question: AskedQuestion | None = None
    """What it waits for; None: nothing."""
    tool: str = ""
    kind: ActKind | None = None
    """The kind of act that was done; None: none was."""
    is_idle: bool = False
    """Whether it only says that a thing already is as asked."""
    sum: EarlierSum | None = None
    """What was worked out."""
    lacks_answer: bool = False
    """Whether it only says that there is no answer, so that a model's would be better."""
    quote: str = ""
    """What the user said before that answers; empty: nothing is quoted."""
    is_whole: bool = False
    """Whether it says all that the turn changed of an agent, in place of the results before it."""
    remarks: tuple[str, ...] = ()
    """What is said at the end of the reply, once, however many results say it."""


def one_question(questions: Sequence[AskedQuestion]) -> AskedQuestion | None:
    """Return the question that a reply is to be remembered by: the first; a yes is for all that want one."""
    first = next(iter(sorted(questions, key=lambda one: one.is_optional)), None)
    if first is None or first.asked is not Asked.CONFIRM:
        return first
    waiting = tuple(held for one in questions if one.asked is Asked.CONFIRM for held in one.waiting)
    return first.model_copy(update={"waiting": waiting})


def joined(results: Sequence[Result]) -> Result | None:
    """Return several results as one; None for none."""
    if len(results) < 2:
        return next(iter(results), None)
    return Result(
        "\n".join(result.text for result in results),
        "; ".join(filter(None, (result.did for result in results))),
        next((result.about for result in reversed(results) if result.about), None),
        question=one_question([result.question for result in results if result.question]),
        tool=results[0].tool,
        kind=next((result.kind for result in reversed(results) if result.kind), None),
        remarks=remarks_of(results),
    )


def remarks_of(results: Sequence[Result]) -> tuple[str, ...]:
    """Return the remarks of all results, each once."""
    return tuple(dict.fromkeys(remark for result in results for remark in result.remarks))
