"""What a message puts in place of a part of an agent that is being set up: ``not payouts, refunds``."""

from __future__ import annotations

from agent.dialogue.agent_acts import labels, new_agents, sources
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.handler_interface import TurnRequest
from intent.acts.act import Act, ActKind, Span
from intent.acts.contrasts import read_contrast
from intent.acts.lexicon import POINTERS, SHORTHAND, SUBJECTS
from intent.acts.references import is_content
from intent.acts.slots import find_slots
from intent.acts.tokens import tokenise
from intent.letter_slips import is_one_slip
from intent.regular_expressions import lower_pattern
from intent.times.reader import read_times

_TELLING_MORE = lower_pattern(r"[.!?;\n]|\b(?:but|only|except|unless|if|that|which|who|older|more|less)\b")
_DETERMINERS = frozenset({"the", "our", "my", "all", "any"})
_FEWEST_LETTERS = 4


def corrected(new: NewAgent, turn: TurnRequest) -> NewAgent | None:
    """Return the agent with the job, the time or the source that a message puts in place of the known one;
    None where it does no such thing.
    """
    contrast = read_contrast(turn.message)
    if contrast is None or new.check is not None:
        return None
    unwanted = contrast.unwanted
    wanted = " ".join(SHORTHAND.get(word, word) for word in contrast.wanted.split())
    now, zone = turn.situation.now, turn.situation.time_zone
    times = [read_times(part, now=now, zone=zone) for part in contrast]
    if times[0]:
        act = Act(ActKind.ANSWER, Span(wanted, 0, len(wanted)))
        changed = new_agents.with_schedule(new, wanted, turn, act) if times[1] else None
        return changed if changed is not None and changed.schedule is not None else None
    if find_slots(wanted, tokenise(wanted), now=now, zone=zone).addresses:
        return None
    known = sources.named_source(unwanted) or unwanted.lower()
    if known and known in new.sources:
        source = sources.named_source(wanted) or sources.read_source(wanted)
        kept = (one for one in new.sources if one != known)
        return new.model_copy(update={"sources": (*kept, source)}) if source else None
    return _with_other_job(new, wanted, unwanted)


def _with_other_job(new: NewAgent, wanted: str, unwanted: str) -> NewAgent | None:
    tokens = tokenise(wanted)
    if (
        not new.what
        or not any(map(is_content, tokens))
        or {one.word for one in tokens} & (SUBJECTS | POINTERS)
    ):
        return None
    if sources.named_source(wanted) or (unwanted and _place_in(new.what, unwanted) is None):
        return None
    what = _exchanged(new.what, wanted, unwanted)
    is_all = what == wanted and not _TELLING_MORE.search(new.brief.strip().rstrip(".!"))
    known = new.brief.replace(new.what, what) if new.what in new.brief else f"{new.brief} {what}"
    brief = what if is_all else known  # of a single sentence all but the job stands in other fields
    return new.model_copy(update={"what": labels.label_of(what), "job": what, "brief": brief})


def _exchanged(what: str, wanted: str, unwanted: str) -> str:
    """Return a job with the wanted words in place of the others. Words that end a job and are replaced by
    several take those before them away: ``lost deals`` for the leads of ``new leads``.
    """
    place = _place_in(what, unwanted) if unwanted else None
    if place is None:
        return wanted
    words = what.split()
    first, last = place
    is_single = len(wanted.split()) <= len(unwanted.split())
    if last == len(words) and not is_single:
        return wanted
    return " ".join((*words[:first], wanted, *words[last:]))


def _place_in(what: str, unwanted: str) -> tuple[int, int] | None:
    """Return where words stand in a job, with a slip in a long one; None where they don't."""
    words = [word.strip(",.;:").lower() for word in what.split()]
    said = [word.lower() for word in unwanted.split() if word.lower() not in _DETERMINERS]
    for first in range(len(words) - len(said) + 1) if said else ():
        pairs = zip(words[first : first + len(said)], said, strict=True)
        if all(_is_alike(one, other) for one, other in pairs):
            return first, first + len(said)
    return None


def _is_alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _FEWEST_LETTERS and is_one_slip(one, other))
