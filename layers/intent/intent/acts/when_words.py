"""The words of a clause that say when: without its other slots, and of several sentences the telling one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from conversation.timing import Timing
from intent.acts.act import ActKind, Span
from intent.acts.clauses import Clause
from intent.acts.days_off import refused_for_agent, stopped_days
from intent.acts.kind_sets import ON_TASKS
from intent.acts.lexicon import (
    ASKING_YOU,
    AUXILIARIES,
    CORRECTIONS,
    EXCEPTIONS,
    LEADS,
    NEGATIONS,
    SUBJECTS,
    verb_forms,
)
from intent.acts.preferences import bare_hour, preferred_part
from intent.acts.present_times import wished_time
from intent.acts.reasons import AROUND_HOUR, STAYING, TIME_WORDS, reason_place, without_reason
from intent.acts.references import exception_place, find_name_place
from intent.acts.scene import Scene
from intent.acts.slots import without_quotations
from intent.acts.statements import times_are_of_others, without_told
from intent.acts.tokens import tokenise
from intent.acts.wished_deeds import says_shift
from intent.regular_expressions import LazyPattern, pattern
from intent.times.reader import read_times
from intent.times.reading import Kind, TimeReading
from intent.times.words.lexicon import WEEKDAYS
from intent.times.words.signs import says_rest_stays
from intent.times.words.tokens import LEFT_OUT

_NO_TIME = frozenset(
    {"job", "source", "where", "title", "name", "agent", "task", "topic", "except", "service"}
)
"""Slots in whose words no time is looked for."""


_TIMED = frozenset({ActKind.ADD_TASK, ActKind.CHANGE_TASK, ActKind.CREATE_AGENT, ActKind.CHANGE_AGENT})
"""The acts whose time a bare hour corrects."""
_CHANGES = frozenset({ActKind.CHANGE_TASK, ActKind.CHANGE_AGENT})
_GREETING = LazyPattern(
    r"^\W*(?:(?:hi|hello|hey)(?: there| all)?\W+)?(?:good )?(?:morning|afternoon|evening|night|day)\b"
    r"(?=\s*[!,.;\U0001F300-\U0001FAFF]|\s*$)"
)
_SENTENCES = pattern(r"[^.!?;\n]++(?:[.!?;](?=\S)[^.!?;\n]++)*+")
_PARTS = pattern(
    r"(?:[^.!?;\n,]|[.!?;](?=\S)|,(?! (?:i|we|it|they|he|she|nobody|there|because|cos|since)\b))++"
)
"""Sentences, and within them what is told behind a comma about somebody."""


def when_words(
    clause: Clause, kind: ActKind, tagged: Mapping[str, tuple[Span, ...]], scene: Scene
) -> Span | None:
    """Return the words of a clause that may say when, if they say it at all: other slots are blanked out."""
    if (wished := _wished_words(clause, kind, scene)) is not None:
        return wished
    whole, clause = clause, _from_command(without_reason(clause)) if kind in _CHANGES else clause
    words = _blanked(clause, tagged)
    is_cut = clause.tokens[-1] != whole.tokens[-1]
    said = words if is_cut and says_shift(clause.words) else _plain_words(whole, clause, words, kind, scene)
    if said:
        return Span(said, clause.start, clause.end)
    # A day may be tagged as a name, too: in a change, all its words count.
    for said in (clause.text, words) if kind in _CHANGES else ():
        if (wanted := preferred_part(clause, said, now=scene.now, zone=scene.zone)) is not None:
            first, last = wanted
            return Span(said[first:last], clause.start + first, clause.start + last)
    if kind in ON_TASKS and (cut := exception_place(clause.tokens)) is not None:
        kept = clause.tokens[cut].start - clause.start
        left = _when_in(clause, words[:kept], scene)
        return _when_in(clause, clause.text[:kept], scene) if left is None and kind in _CHANGES else left
    if kind in _CHANGES and (only := _left_out(clause, scene) or _only_part(clause, scene)):
        return only
    readings = _readings(words, scene)
    if any(one.problem for one in readings) and (own := _telling_sentence(clause, words, scene)) is not None:
        return own
    text = without_quotations(clause.text)
    told = _readings(text, scene)
    if len(told) == 1 and told[0].problem is None:
        return Span(text, clause.start, clause.end)
    if not readings and not _tagged_times(tagged):
        is_shift = kind is ActKind.CHANGE_TASK and says_shift(clause.words)
        is_time = is_shift or _changes_usual(clause, kind, scene)
        return Span(clause.text, clause.start, clause.end) if is_time else None
    return Span(words, clause.start, clause.end)


def _wished_words(clause: Clause, kind: ActKind, scene: Scene) -> Span | None:
    """Return the time that a change wishes for in place of the present one, or an answer beside what it tells
    of others; None for any other clause.
    """
    if kind in _CHANGES:
        return wished_time(clause) or _shifting_sentence(clause)
    told = without_told(clause.text) if kind is ActKind.ANSWER and scene.has_draft else clause.text
    return Span(told, clause.start, clause.end) if told != clause.text and _readings(told, scene) else None


def _shifting_sentence(clause: Clause) -> Span | None:
    """Return the one of several sentences that wants a shift: ``can it come half an hour earlier?`` beside
    what the present time clashes with.
    """
    sentences = list(clause.sentences())
    if len(sentences) == 1 and (command := _shifting_command(clause)) is not None:
        return command.span
    shifting = [one for one in sentences if says_shift(one.words)]
    if len(sentences) < 2 or len(shifting) != 1:
        return None
    return (_shifting_command(shifting[0]) or shifting[0]).span


def _shifting_command(clause: Clause) -> Clause | None:
    """Return the command behind the last comma that wants a shift: ``she never works Fridays, make it the day
    after``.
    """
    commas = [at for at, word in enumerate(clause.words) if word == ","]
    part = replace(clause, tokens=clause.tokens[commas[-1] + 1 :]) if commas else None
    if part is None or not part.tokens or not says_shift(part.words):
        return None
    first = next((word for word in part.words if word not in LEADS), "")
    form = verb_forms().get(first)
    return part if form is not None and form.is_base else None


def _from_command(clause: Clause) -> Clause:
    """Return a clause from the command that it begins with: ``move it`` of ``now and then move it``."""
    at = next((at for at, word in enumerate(clause.words) if word not in _JOINING), 0)
    form = verb_forms().get(clause.words[at])
    is_command = (form is not None and form.is_base) or clause.words[at] == "from"
    return replace(clause, tokens=clause.tokens[at:]) if at > 0 and is_command else clause


_JOINING = frozenset({"now", "and", "then", "please", "so", ",", "but"})


def _plain_words(whole: Clause, clause: Clause, words: str, kind: ActKind, scene: Scene) -> str:
    """Return what a clause says of when in plain words: a bare hour, the days that it refuses, or some days
    beside which the others stay; empty for any other. ``clause`` is the ``whole`` without its reason.
    """
    is_change = kind is ActKind.CHANGE_AGENT
    is_known = scene.focus is not None or (is_change and len(scene.agents) == 1)
    is_told = scene.did in _TIMED or kind in _CHANGES
    if is_told and is_known and (hour := bare_hour(clause)):
        return f"at {hour}"
    if not is_change:
        return ""
    return stopped_days(whole) or refused_for_agent(whole, scene) or _beside_rest(clause, words)


def _beside_rest(clause: Clause, words: str) -> str:
    """Return the words of a change of some days beside which the others stay; empty for any other."""
    return words if says_rest_stays(clause.words) and WEEKDAYS.keys() & set(clause.words) else ""


def _left_out(clause: Clause, scene: Scene) -> Span | None:
    """Return the whole of a clause that only names days to leave out: ``no need for it on Sundays``."""
    is_left_out = not _readings(clause.text, scene) and changes_usual(without_told(clause.text), scene)
    return Span(clause.text, clause.start, clause.end) if is_left_out else None


def _only_part(clause: Clause, scene: Scene) -> Span | None:
    return _bare_part(clause, scene) or _only_timed_sentence(clause, scene) or _asking_sentence(clause, scene)


def _changes_usual(clause: Clause, kind: ActKind, scene: Scene) -> bool:
    return kind in _CHANGES and changes_usual(without_told(clause.text), scene)


def changes_usual(words: str, scene: Scene) -> bool:
    """Return whether words that name no time by themselves change the days of a usual schedule: ``leave out
    weekends``.
    """
    was = Timing((f"{_USUAL_TIME}* * *",), scene.zone)
    found = read_times(words, now=scene.now, zone=scene.zone, was=was, wanted=Kind.SCHEDULE)
    others = (one.timing for one in found if one.timing is not None and one.timing != was)
    return any(all(cron.startswith(_USUAL_TIME) for cron in timing.crons) for timing in others)


_USUAL_TIME = "0 9 "


def when_beside(
    name: Span | None, clause: Clause, kind: ActKind, tagged: Mapping[str, tuple[Span, ...]], scene: Scene
) -> Span | None:
    """Return the words that say when, beside a new name: those of ``Monday rota`` never do, and neither do
    those of an agent's own.
    """
    if kind is ActKind.RUN_AGENT and times_are_of_others(clause, scene):
        return None  # ``run permit-check, the inspector is here at 2``
    clause = _beside_known(clause, kind, scene)
    if name is None or kind not in _CHANGES:
        return when_words(clause, kind, tagged, scene)
    tokens = tuple(one for one in clause.tokens if one.end <= name.start or one.start >= name.end)
    if not tokens:
        return None
    message = list(clause.message)
    _leave_out(message, name.start, name.end)
    others = {
        slot: kept
        for slot, spans in tagged.items()
        if (kept := tuple(one for one in spans if one.end <= name.start or one.start >= name.end))
    }
    return when_words(replace(clause, message="".join(message), tokens=tokens), kind, others, scene)


def _beside_known(clause: Clause, kind: ActKind, scene: Scene) -> Clause:
    """Return a clause on agents with their names blanked out: the ``daily thing`` is ``daily-thing``."""
    message, words = list(clause.message), clause.words
    for thing in scene.agents if kind is ActKind.CHANGE_AGENT else ():
        start = 0
        while (at := find_name_place(words[start:], thing.name)) is not None:
            first, last = clause.tokens[start + at[0]], clause.tokens[start + at[1] - 1]
            if words[: start + at[0]] == ("and",):
                _leave_out(message, clause.start, first.start)  # it joins the agents, and adds no time
            if last is not first or not _readings(first.text, scene):  # unless it is called ``monday``
                _leave_out(message, first.start, last.end)
            start += at[1]
    return replace(clause, message="".join(message))


def _blanked(clause: Clause, tagged: Mapping[str, tuple[Span, ...]]) -> str:
    """Return the text of a clause with its other slots and its greeting blanked out."""
    text = list(clause.text)
    tagged_times = _tagged_times(tagged)
    for name in _NO_TIME & tagged.keys():
        for span in tagged[name]:
            if any(one.start < span.end and span.start < one.end for one in tagged_times):
                continue
            if name == "job" and (_restricts(span.text) or _is_time(span.text)):
                continue
            end = span.start + len(_without_exception(span.text))
            _leave_out(text, span.start - clause.start, end - clause.start)
    return _without_greeting("".join(text))


def _restricts(words: str) -> bool:
    """Return whether words only narrow what is done already, as ``only while we're open`` does."""
    first = next((token.word for token in tokenise(words) if token.is_word), "")
    return first in _RESTRICTING


def _is_time(words: str) -> bool:
    """Return whether words say nothing but a time, corrected or not: ``8, no, half past 8``."""
    tokens = tokenise(words)
    said = [token.word for token in tokens[: reason_place([token.word for token in tokens])] if token.is_word]
    return bool(said) and all(word in TIME_WORDS | AROUND_HOUR or word[0].isdigit() for word in said)


_RESTRICTING = NEGATIONS | EXCEPTIONS | {"only", "just", "while", "during", "until", "till"}


def _without_exception(words: str) -> str:
    """Return the words of a slot without ``but not`` at their end: it says of what follows that it is left
    out.
    """
    tokens = tokenise(words)
    while len(tokens) > 1 and (tokens[-1].word in _LEAVING_OUT or not tokens[-1].is_word):
        tokens = tokens[:-1]
    is_cut = bool(tokens) and _LEAVING_OUT & {one.word for one in tokenise(words[tokens[-1].end :])}
    return words[: tokens[-1].end] if is_cut else words


_LEAVING_OUT = NEGATIONS | EXCEPTIONS


def _tagged_times(tagged: Mapping[str, tuple[Span, ...]]) -> tuple[Span, ...]:
    return (*tagged.get("when", ()), *tagged.get("due", ()))


def _leave_out(text: list[str], start: int, end: int) -> None:
    """Put a mark in place of the words from ``start`` to ``end``, so that those around don't join."""
    kept = range(max(start, 0), min(end, len(text)))
    for place in kept:
        text[place] = " "
    if kept:
        text[kept.start] = LEFT_OUT


def _without_greeting(text: str) -> str:
    """Return a text of the same length without ``good morning``, which says no time."""
    match = _GREETING.match(text)
    return text if match is None else f"{LEFT_OUT}{' ' * (match.end() - 1)}{text[match.end() :]}"


def _when_in(clause: Clause, words: str, scene: Scene) -> Span | None:
    return Span(words, clause.start, clause.start + len(words)) if _readings(words, scene) else None


def _only_timed_sentence(clause: Clause, scene: Scene) -> Span | None:
    """Return the only one of several sentences that says when; None where there are none or more of them."""
    sentences = [found for found in _PARTS.finditer(clause.text) if found[0].strip(" ,")]
    told = [found for found in sentences if _readings(found[0], scene) or "day" in found[0].lower()]
    if len(sentences) < 2 or len(told) != 1 or _is_open(told[0][0], scene):
        return None
    start = clause.start + told[0].start()
    return Span(told[0][0], start, start + len(told[0][0]))


def _is_open(words: str, scene: Scene) -> bool:
    """Return whether words leave open when; the half of the day of a bare hour is that of the old time."""
    return any(one.problem and one.missing != ("am_pm",) for one in _readings(words, scene))


def _bare_part(clause: Clause, scene: Scene) -> Span | None:
    """Return the only part that is nothing but a time, where the others with a time tell a reason: ``no, for
    Friday, the shop closes on Saturday``.
    """
    timed = [found for found in _COMMAS.finditer(clause.text) if _readings(found[0], scene)]
    bare = [found for found in timed if _is_bare(found[0], scene)]
    if len(timed) < 2 or len(bare) != 1 or _is_open(bare[0][0], scene):
        return None
    if not all(found is bare[0] or _is_reason(found[0]) for found in timed):
        return None
    start = clause.start + bare[0].start()
    return Span(bare[0][0], start, start + len(bare[0][0]))


def _is_bare(part: str, scene: Scene) -> bool:
    """Return whether words say a time and nothing else."""
    spans = [span for one in _readings(part, scene) for span in one.spans]
    rest = [one for one in tokenise(part) if not any(first <= one.start < end for first, end in spans)]
    return all(not one.is_word or one.word in _AROUND_TIME for one in rest)


def _is_reason(part: str) -> bool:
    """Return whether words are a clause with a subject of its own, which changes nothing."""
    words = [token.word for token in tokenise(part) if token.is_word]
    if not words or (STAYING | _WISHING) & set(words):
        return False
    if words[0] in _REASON_STARTS:
        return any(map(_is_verb, words[1:]))
    return any(one in _TELLERS and _is_verb(two) for one, two in pairwise(words))


def _is_verb(word: str) -> bool:
    return word in verb_forms() or word in AUXILIARIES


_COMMAS = pattern(r"[^.!?;\n,]++(?:[.,](?=\S)[^.!?;\n,]++)*+")
_AROUND_TIME = LEADS | CORRECTIONS | frozenset("for on by at to the make it that due i mean meant".split())
_REASON_STARTS = SUBJECTS | frozenset(
    "the my our his her their there because since as cos nobody everybody everyone somebody someone".split()
)
_TELLERS = frozenset("i we he she they".split())
_WISHING = frozenset("want need like prefer wish should would must let please can could".split())


def _telling_sentence(clause: Clause, words: str, scene: Scene) -> Span | None:
    """Return the sentence that says when, where others of the clause only tell why; None where it is open.

    That is the one with a command, else the first.
    """
    sentences = [found for found in _SENTENCES.finditer(words) if found[0].strip()]
    if len(sentences) < 2:
        return None
    told = [found for found in sentences if _readings(found[0], scene)]
    commands = [found for found in told if _has_command(found[0])]
    if any(_is_correction(found[0]) for found in told[1:]):
        return None
    chosen = next(iter(commands or told), None)
    if chosen is None or any(one.problem for one in _readings(chosen[0], scene)) or len(commands) > 1:
        return None
    start = clause.start + chosen.start()
    return Span(chosen[0], start, start + len(chosen[0]))


def _is_correction(sentence: str) -> bool:
    """Return whether a sentence takes back what was said before it: ``6:15. sorry, 6:30``."""
    return next((token.word for token in tokenise(sentence) if token.is_word), "") in CORRECTIONS


def _asking_sentence(clause: Clause, scene: Scene) -> Span | None:
    """Return the only sentence that asks for a change and says an exact time, where the others tell why:
    ``she needs it a day earlier. Can you change that to Wednesday?``
    """
    sentences = [found for found in _SENTENCES.finditer(clause.text) if found[0].strip()]
    asking = [found for found in sentences if _has_command(found[0], is_asked=True)]
    if len(sentences) < 2 or len(asking) != 1 or not _is_exact(asking[0][0], scene):
        return None
    start = clause.start + asking[0].start()
    return Span(asking[0][0], start, start + len(asking[0][0]))


def _is_exact(words: str, scene: Scene) -> bool:
    readings = _readings(words, scene)
    return bool(readings) and not any(one.problem for one in readings)


def _has_command(text: str, *, is_asked: bool = False) -> bool:
    """Return whether words begin with a command; ``is_asked``: or ask somebody for it."""
    words = [token.word for token in tokenise(text) if token.is_word and token.word not in LEADS]
    if is_asked and tuple(words[:2]) in ASKING_YOU:
        words = words[2:]
    return bool(words) and (form := verb_forms().get(words[0])) is not None and form.is_base


def _readings(words: str, scene: Scene) -> list[TimeReading]:
    found = read_times(words, now=scene.now, zone=scene.zone)
    return [one for one in found if one.kind is not Kind.PERIOD]
