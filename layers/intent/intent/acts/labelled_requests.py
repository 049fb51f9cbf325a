"""Requests for an agent as labelled fields, in one line or one to a line: ``name: cert-expiry, source:
Lansweeper, schedule: mondays 06:00``.
"""

from __future__ import annotations

from collections.abc import Mapping

from intent.acts.act import Act, ActKind, Span
from intent.acts.scene import Scene
from intent.regular_expressions import longest_first, pattern

_SLOTS: Mapping[str, str] = {
    **dict.fromkeys(("name", "agent", "title"), "name"),
    **dict.fromkeys(("source", "data", "system", "data source", "reads", "input"), "source"),
    **dict.fromkeys(("job", "what", "task", "does", "query", "report", "content"), "job"),
    **dict.fromkeys(("schedule", "when", "time", "runs", "frequency", "cron"), "when"),
    **dict.fromkeys(
        ("output", "where", "to", "send to", "send", "deliver", "delivery", "deliver to", "channel",
         "recipient", "recipients", "destination", "results"),
        "where",
    ),
}  # fmt: skip
_LABEL = pattern(rf"(?:^|[,;.\n|\-])[\x20\t]{{0,4}}({longest_first(_SLOTS)}) ?[:=]")
_FEWEST = 3
_ENDS = " \t\n,;.|-"


def read_labelled(message: str, scene: Scene) -> Act | None:
    """Return the request for a new agent that a message makes by labelled fields; None where it has fewer
    than three of them, or neither a job nor a source.
    """
    if scene.has_draft or scene.question is not None:
        return None
    labels = list(_LABEL.finditer(message))
    if len(labels) < _FEWEST:
        return None
    ends = [*(found.start() for found in labels[1:]), len(message)]
    slots: dict[str, Span] = {}
    for found, end in zip(labels, ends, strict=True):
        text = message[found.end() : end].strip(_ENDS)
        if text:
            start = message.index(text, found.end())
            slots.setdefault(_SLOTS[found[1].lower()], Span(text, start, start + len(text)))
    if len(slots) < _FEWEST or not slots.keys() & {"job", "source"}:
        return None
    return Act(ActKind.CREATE_AGENT, Span(message, 0, len(message)), slots=slots)
