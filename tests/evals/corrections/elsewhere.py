"""What a tenant's lessons change about messages without its wording: the labelled sets of acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from intent.acts.act import Act
from intent.acts.learned.act_model import load_model
from intent.acts.reader import ActReader
from intent.analysis.taught_readings import taught_reading
from intent.situation import Lesson, Situation
from tests.evals.measurement import Share
from training.act_models.corpus import LabelledMessage, load_messages
from training.act_models.validation import telling

ACTS = Path(__file__).parent.with_name("acts")


class ReadMessage(NamedTuple):
    """A labelled message and how it is read without lessons."""

    labelled: LabelledMessage
    own: Sequence[Act]

    def is_right(self, acts: Iterable[Act]) -> bool:
        """Return whether the acts are those that the message was labelled with, in order."""
        meant = telling([act.kind for act in sorted(self.labelled.acts, key=lambda one: one.start)])
        return telling([act.kind.value for act in acts]) == meant


class Elsewhere:
    """The labelled messages, read once for all tenants."""

    def __init__(self) -> None:
        model = load_model()
        assert model is not None
        self._reader = ActReader(model)
        self._messages = [
            ReadMessage(one, self._reader.read(one.marked.text, one.scene)) for one in load_messages(ACTS)
        ]

    def with_lessons(self, lessons: Sequence[Lesson]) -> Share:
        """Return how many of the messages are read right with a tenant's lessons."""
        share = Share()
        for read in self._messages:
            text, scene = read.labelled.marked.text, read.labelled.scene
            situation = Situation(message=text, now=scene.now, lessons=tuple(lessons))
            taught = taught_reading(text, read.own, situation, scene, self._reader)
            share.count(is_right=read.is_right(read.own if taught is None else taught.own))
        return share
