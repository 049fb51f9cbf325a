"""A new agent like another one: ``the same for hall B, but 30 min later``. The rest is as in the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from agent.dialogue.agent_acts import labels, new_agents, sources
from agent.dialogue.agent_acts.schedules import requested_schedule
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.handler_interface import TurnRequest
from agent.workspace.agents import MAX_BRIEF_CHARACTERS, Agent, Schedule
from agent.workspace.naming import subject_words
from intent.acts.act import Act
from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.naming.telling_names import without_name
from intent.acts.tokens import Token, known_words, tokenise
from intent.acts.wished_deeds import says_shift
from intent.regular_expressions import pattern
from intent.times.wording import describe

_ENDS = frozenset(
    "but and n only just that that's thats which where with at to on from in please pls by instead via"
    " except though not an a half one two quarter same".split()
)
_DETERMINERS = frozenset("the our my their his her".split())
_STATING = frozenset("is are was that's thats it's its they're use uses using has have".split())
_IN = frozenset({"in", "on", "from", "with"})
_MOST_WORDS = 6
_ONE_MORE = pattern(r"^(?:and|plus)\b", r"\b(?:another(?: one)?|also|too|as well|additionally)\b")
_CERTAIN_SERVICES = SERVICES - frozenset(
    "box drive square notion teams deel calendar docs sheets excel zoom canvas slack discord telegram"
    " whatsapp gmail outlook".split()
)
"""The services whose names mean nothing else, and no place for results."""


def copied(model: Agent, act: Act, turn: TurnRequest) -> NewAgent:
    """Return the new agent that words ask for beside its model."""
    act = without_name(act, model.name)
    words = " ".join(act.clause.text.split())
    source = _source(act, words)
    target = _target(words, source)
    replaced = _replaced(words, target)
    what = _labelled(model.what, target, replaced) if target else _own_label(act, source) or model.what
    new = NewAgent(
        brief=f"{model.brief.replace(model.what, what)} {words}".strip()[:MAX_BRIEF_CHARACTERS],
        what=what,
        sources=(source,) if source else model.sources,
        has_no_source=not model.sources,
        schedule=model.schedule,
        on_request=model.schedule is None,
        delivery=model.delivery,
        zone=model.schedule.time_zone if model.schedule else turn.situation.time_zone,
    )
    told = {name: span for name, span in act.slots.items() if name not in {"job", "source"}}
    if "when" in told:
        told["when"] = told["when"]._replace(text=_without_adding(told["when"].text))
    filled = new_agents.fill(new, replace(act, slots=told), turn)
    if not filled.name and target and filled.what != target:
        filled = filled.model_copy(update={"name": _name(filled, model, target)})
    if model.schedule is None:
        return filled
    if (own := _own_schedule(told["when"].text if "when" in told else "", turn, filled.zone)) is not None:
        return filled.model_copy(update={"schedule": own, "lacks": (), "when": ""})
    if filled.schedule != model.schedule and not filled.lacks:
        return filled
    return _at_other_time(filled, model.schedule, _without_adding(words), turn)


def _own_schedule(words: str, turn: TurnRequest, zone: str) -> Schedule | None:
    """Return the schedule that words name in full, days and time: it takes nothing from the model's."""
    found = requested_schedule(words, now=turn.situation.now, zone=zone) if words else None
    return None if found is None or found.asks else found.schedule


def _without_adding(words: str) -> str:
    """Return words without those that ask for one more agent: they add no time to the model's."""
    return _ONE_MORE.replace_matches(words, replacement=" ").strip()


def _at_other_time(new: NewAgent, was: Schedule, words: str, turn: TurnRequest) -> NewAgent:
    """Return the agent at the time that words tell beside its model's: ``an hour later``."""
    addresses = [token.text for token in tokenise(words) if "@" in token.text or token.text[0] == "#"]
    for address in addresses:
        words = words.replace(address, " ")
    found = requested_schedule(words, now=turn.situation.now, zone=was.time_zone, was=was)
    if found is None or found.schedule is None or found.asks:
        return new
    return new.model_copy(update={"schedule": found.schedule, "lacks": (), "when": ""})


def _source(act: Act, words: str) -> str:
    """Return the source of the new agent: a known service, or what the words say that it's in."""
    place = act.slot("where")
    named = sources.named_source(words.replace(place, " ") if place else words)
    if named:
        return named
    tokens = [token for token in tokenise(words) if token.is_word]
    if known := next((token.word for token in tokens if token.word in _CERTAIN_SERVICES), ""):
        return known
    for before, middle, token in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_stated = before.word in _STATING and middle.word in _IN
        if is_stated and token.text.isalpha() and token.word not in known_words() | _DETERMINERS:
            return token.text.lower()
    return ""


def _own_label(act: Act, source: str) -> str:
    """Return the label that the words give by themselves; empty where they only name the source."""
    label = labels.label_of(act.slot("job"))
    return "" if not label or sources.named_source(label) or source in label.lower() else label


def _target(words: str, source: str) -> str:
    """Return what the copy is for: ``hall B`` of ``the same for hall B but later``; empty for a source."""
    tokens = tokenise(words)
    begin = next((place + 1 for place in range(len(tokens)) if _leads(tokens, place)), len(tokens))
    kept: list[Token] = []
    for token in tokens[begin : begin + _MOST_WORDS]:
        if kept and (token.word in _ENDS or not token.text[0].isalnum()):
            break
        kept.append(token)
    text = words[kept[0].start : kept[-1].end] if kept else ""
    return "" if not text or (source and source in text.lower()) or text.lower() in {"me", "us"} else text


def _leads(tokens: Sequence[Token], place: int) -> bool:
    """Return whether what a copy is for stands behind a token: ``for``, ``the same with``."""
    is_same = place > 0 and tokens[place - 1].word in {"same", "thing"}
    return tokens[place].word == "for" or (is_same and tokens[place].word in {"with", "on", "about"})


def _name(new: NewAgent, model: Agent, target: str) -> str:
    """Return a name that tells a copy from its model by what it is for; empty where its own does."""
    name = new.to_spec().name or ""
    apart = [word for word in subject_words(target) if word not in subject_words(model.what)]
    if not apart or (name != model.name and apart[0] in name.split("-")):
        return ""
    front, _, kind = name.rpartition("-")
    return f"{front}-{apart[0]}-{kind}" if front else ""


def _replaced(words: str, target: str) -> str:
    """Return the word that the target stands in place of: ``for France instead of DACH``; empty for none."""
    behind = words.partition(target)[2] if target else ""
    tokens = [token for token in tokenise(behind) if token.is_word][:_FEW]
    marks = [token.word for token in tokens[:2]]
    at = 2 if marks in (["instead", "of"], ["rather", "than"]) else 1 if marks[:1] == ["not"] else len(tokens)
    return behind[tokens[at].start :].split()[0].rstrip(".,;!?") if at < len(tokens) else ""


_FEW = 3


def _labelled(what: str, target: str, replaced: str) -> str:
    """Return the model's label with another target in place of its own: the one that the words say it
    replaces, else the one of which it shares a word.
    """
    if replaced and (found := next((one for one in tokenise(what) if one.word == replaced.lower()), None)):
        return f"{what[: found.start]}{target}{what[found.end :]}"
    tokens, wanted = tokenise(what), [token.word for token in tokenise(target)]
    content = [word for word in wanted if word not in _DETERMINERS]
    shared = next((word for word in content if word in {token.word for token in tokens}), "")
    if not shared:
        if _is_other_subject(target):
            return target
        own = _named_for(tokens)
        if own is not None and target.istitle():
            return f"{what[: own.start]}{target}{what[own.end :]}"
        return f"{what} ({target})"
    at = next(place for place, token in enumerate(tokens) if token.word == shared)
    begin, end = _phrase(tokens, at, ends=content[-1] == shared)
    return f"{what[: tokens[begin].start]}{target}{what[tokens[end].end :]}"


def _is_other_subject(target: str) -> bool:
    """Return whether a copy is for other things than its model, and not for a part of them: ``the incoming
    delivery notes``, and not ``hall B``.
    """
    words = tokenise(target)
    content = [token for token in words if token.word not in _DETERMINERS]
    is_plural = words[-1].word.endswith("s") and not words[-1].word.endswith("ss")
    return words[0].word == "the" and is_plural and len(content) > 1 and target == target.lower()


def _named_for(tokens: Sequence[Token]) -> Token | None:
    """Return the one proper name that a label ends with, behind "for" or "in": ``late orders for Leeds``."""
    ends = len(tokens) > 2 and tokens[-2].word in {"for", "in"} and tokens[-1].text.istitle()
    return tokens[-1] if ends else None


def _phrase(tokens: Sequence[Token], at: int, *, ends: bool) -> tuple[int, int]:
    """Return the first and last token of the phrase that a shared word ends or begins."""
    if not ends:
        return at, min(at + 1, len(tokens) - 1)
    begin = at
    while begin and tokens[begin - 1].is_word and tokens[begin - 1].word not in _IN | {"of", "for"}:
        begin -= 1
        if tokens[begin].word in _DETERMINERS:
            break
    return begin, at


def like_before(new: NewAgent, words: str, before: Agent | NewAgent | None, now: datetime) -> NewAgent:
    """Return the agent with what its owner wants as it was before: ``same address``, ``Airtable too``."""
    said = [token.word for token in tokenise(words)]
    same = {behind for word, behind in pairwise(said) if word == "same"}
    is_like = "like" in said or "as" in said
    if before is None or not (same or is_like):
        return new
    updates: dict[str, object] = {}
    is_all = bool(same) and not same & (_TIMES | _PLACES | _SOURCES)
    if (is_all or same & _PLACES) and (new.delivery is None or not new.delivery.recipients):
        updates["delivery"] = before.delivery
    if (is_all or same & _SOURCES) and not new.sources:
        updates["sources"] = before.sources
    if same & _TIMES and (new.schedule is None or new.lacks) and before.schedule is not None:
        updates |= {"schedule": _on_days_of(new, before.schedule), "lacks": (), "when": "", "doubt": ""}
    elif (is_like or same) and new.schedule is None and before.schedule is not None:
        shifted = requested_schedule(words, now=now, zone=before.schedule.time_zone, was=before.schedule)
        if shifted is not None and shifted.schedule is not None and says_shift(said):
            updates |= {"schedule": shifted.schedule, "lacks": (), "when": "", "doubt": ""}
    return new.model_copy(update=updates)


def _on_days_of(new: NewAgent, before: Schedule) -> Schedule:
    """Return the time of another schedule, on the days that were named where only the time lacks."""
    if new.schedule is None or new.lacks != ("time",):
        return before
    times = {" ".join(cron.split()[:2]) for cron in before.timing().crons}
    if len(times) != 1:
        return before
    timing = new.schedule.timing()
    crons = tuple(f"{min(times)} {' '.join(cron.split()[2:])}" for cron in timing.crons)
    other = replace(timing, crons=crons)
    return Schedule.of(other, describe(other))


_TIMES = frozenset("time times hour hours day days schedule when clock".split())
_PLACES = frozenset(
    "address mail e-mail email channel person people inbox place slack recipient recipients way room".split()
)
_SOURCES = frozenset("source sheet system data file".split())
