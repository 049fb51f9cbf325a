"""Messages that lay out several new agents by their times: ``two jobs off Salesforce. mon 7am: open deals.
fri 4pm: deals won``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind, Span
from intent.acts.learned.act_model import Segment
from intent.acts.learned.marked_tokens import MarkedMessage, MarkedToken
from intent.acts.lexicon import AGENT_NOUNS
from intent.acts.listed_agents import ListedAgent
from intent.acts.parts import Part
from intent.acts.references import is_content
from intent.acts.scene import Scene
from intent.times.reader import read_times

_MARKS = frozenset(".;,\n-*\u2022")
_SEPARATORS = frozenset({":", "-", "\u2013", "\u2014", "="})
_COUNTS = frozenset("2 3 4 5 two three four five both couple several".split())
_REPORTS = AGENT_NOUNS | frozenset("reports report alerts checks digests lists summaries updates".split())
_MOST_OF_TIME, _MOST_OF_ITEM, _MOST_TOKENS = 8, 30, 160


def timed_items(marked: MarkedMessage, segments: Sequence[Segment], scene: Scene) -> tuple[ListedAgent, ...]:
    """Return the requests for new agents, each of which begins with its time; empty for fewer than two."""
    is_creation = any(one.kind is ActKind.CREATE_AGENT for one in segments)
    if not is_creation or scene.question is not None or len(marked.tokens) > _MOST_TOKENS:
        return ()
    tokens = marked.tokens
    starts = [start for start, end in _stretches(marked) if _begins_with_time(marked, start, end, scene)]
    if len(starts) < _FEWEST:
        return ()
    ends = [*starts[1:], _end(tokens, starts[-1])]
    items = [ListedAgent(start, end) for start, end in zip(starts, ends, strict=True)]
    if any(one.end - one.start > _MOST_OF_ITEM for one in items):
        return ()
    is_led = _is_led(tokens[: starts[0]])
    are_whole = all(_has_source(tokens[one.start : one.end]) for one in items)
    return tuple(items) if is_led or are_whole else ()


_FEWEST = 2


def _is_led(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether words before the items ask for several agents, or name what all of them read."""
    words = {one.token.word for one in tokens}
    return bool(_COUNTS & words and _REPORTS & words)


def _has_source(tokens: Sequence[MarkedToken]) -> bool:
    return any("service" in one.classes and "channel" not in one.classes for one in tokens)


def _stretches(marked: MarkedMessage) -> Iterator[tuple[int, int]]:
    """Yield the places of what stands between marks and the ends of lines."""
    begin, tokens = 0, marked.tokens
    for at, one in enumerate(tokens):
        is_line = at > begin and "\n" in marked.text[tokens[at - 1].token.end : one.token.start]
        if is_line:
            yield begin, at
            begin = at
        if one.token.text[0] in _MARKS or (one.token.text == ":" and not _is_clock_end(tokens[begin:at])):
            if at > begin:
                yield begin, at
            begin = at + 1
    if begin < len(tokens):
        yield begin, len(tokens)


def _is_clock_end(tokens: Sequence[MarkedToken]) -> bool:
    """Return whether what stands before a colon is a time, which it separates from its job."""
    return any(one.token.text[0].isdigit() or "weekday" in one.classes for one in tokens)


def _begins_with_time(marked: MarkedMessage, start: int, end: int, scene: Scene) -> bool:
    """Return whether a stretch begins with a time and names a job behind it."""
    return bool(_job_of(marked, start, end, scene))


def _job_of(marked: MarkedMessage, start: int, end: int, scene: Scene) -> Sequence[MarkedToken]:
    """Return the tokens behind the time that a stretch begins with; empty where it begins with none."""
    tokens = marked.tokens[start:end]
    separators = (at for at, one in enumerate(tokens[:_MOST_OF_TIME]) if one.token.text in _SEPARATORS)
    if (mark := next(separators, None)) is not None:
        said = marked.text[tokens[0].token.start : tokens[mark].token.start].strip()
        times = read_times(said, now=scene.now, zone=scene.zone)
        is_time = len(times) == 1 and times[0].span == (0, len(said))
        behind = tokens[mark + 1 :] if is_time else ()
    else:
        text = marked.text[tokens[0].token.start : tokens[-1].token.end]
        times = read_times(text, now=scene.now, zone=scene.zone)
        is_first = len(times) == 1 and not times[0].span[0] and bool(times[0].said)
        after = tokens[0].token.start + times[0].span[1] if is_first else len(marked.text)
        behind = tuple(one for one in tokens if one.token.start >= after)
    return behind if any(is_content(one.token) for one in behind) else ()


def with_told_jobs(
    parts: Sequence[Part], marked: MarkedMessage, items: Sequence[ListedAgent], scene: Scene
) -> list[Part]:
    """Return the parts of a message; those of its items with the job that stands behind their time."""
    jobs = {marked.tokens[one.start].token.start: _told_job(marked, one, scene) for one in items}
    return [
        part if (job := jobs.get(part.clause.start)) is None
        else replace(part, tagged={**part.tagged, "job": (job,)})
        for part in parts
    ]  # fmt: skip


def _told_job(marked: MarkedMessage, item: ListedAgent, scene: Scene) -> Span | None:
    """Return what an item says behind its time, up to where it goes or comes from; None where it has none."""
    job: list[MarkedToken] = []
    for one in _job_of(marked, item.start, item.end, scene):
        if one.mask in {"ADDR", "LINK"} or "service" in one.classes or one.token.text in {".", ",", ";"}:
            break
        job.append(one)
    while job and (job[-1].token.word in _JOINING or not job[-1].token.is_word):
        job.pop()
    if not any(is_content(one.token) for one in job):
        return None
    start, end = job[0].token.start, job[-1].token.end
    return Span(marked.text[start:end], start, end)


_JOINING = frozenset("to from in on of by via off out the and into at".split())


def _end(tokens: Sequence[MarkedToken], start: int) -> int:
    """Return the end of the last item: that of its sentence."""
    ends = (at for at in range(start, len(tokens)) if tokens[at].token.text in {".", "!", "?"})
    return next(ends, len(tokens))
