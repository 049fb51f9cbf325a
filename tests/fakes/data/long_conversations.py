"""Long conversations with planted facts, generated from a seed.

Names are built from syllables, places come from the time zone database. Numbers, dates, addresses and codes
are random, and each fact is phrased in one of many ways. The other messages are utterances that other authors
wrote to test the classifier, and the replies are prose from Python's help topics. Both contain names and
numbers of their own.
"""

from __future__ import annotations

import calendar
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import available_timezones

from conversation.identity import derived_id
from conversation.messages.models import Message, Role
from conversation.token_counts import estimate_tokens
from intent.offline.offline_classifier import OfflineClassifier
from intent.situation import Situation
from tests.benchmarks.workload import exchange

_ROOT = Path(__file__).parents[3]
SAID = (
    _ROOT / "training" / "exemplars" / "dev.jsonl",
    *(_ROOT / "tests" / "evals" / f"{name}.jsonl" for name in ("tools", "cases")),
)
BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)

_SUBJECTS = (
    "the venue", "the launch", "our supplier", "the warehouse", "the audit", "the translation", "the caterer",
    "the landlord", "the newsletter", "the trade fair", "the migration", "our intern", "the old printer",
    "the insurance", "the workshop", "the payroll run", "the prototype", "the school visit", "the van",
    "the charity gala", "the backup site", "the patent", "the canteen", "the second office", "the choir",
    "the press kit", "the photo shoot", "the allotment", "the parking permit", "the water meter",
)  # fmt: skip
_OPENINGS = (
    "", "", "", "By the way, ", "Just so you know: ", "One more thing - ", "Before I forget, ", "For later: ",
    "Oh, and ", "Quick update: ", "As discussed with the others, ", "Small correction from my side: ",
)  # fmt: skip
_CLOSINGS = (
    "",
    "",
    "",
    " Thanks!",
    " Please keep that in mind.",
    " That's all for now.",
    " Anyway, back to work.",
)
_FORMS = (
    "{subject} comes to {value}",
    "{subject} is {value}",
    "it's {value} for {subject}",
    "{value} is what we have for {subject}",
    "we settled on {value} for {subject}",
    "when it comes to {subject}, it has to be {value}",
    "{subject} went from nothing to {value}",
    "they told me {value} about {subject}",
    "{subject}? {value}",
    "I promised {value} for {subject}",
    "put {value} down for {subject}",
    "{subject} will need {value}",
    "after a long call we ended up with {value} for {subject}",
    "nobody wanted it, but {subject} stays at {value}",
    "my boss insists on {value} where {subject} is concerned",
    "{subject} got changed to {value} this morning",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A user's statement, and the part of it that must be remembered."""

    text: str
    value: str

    def is_in(self, told: str) -> bool:
        """Whether the text contains the part literally, ignoring case."""
        return self.value.casefold() in told.casefold()


def conversation(seed: int, *, messages: int = 500, facts: int = 20) -> tuple[list[Message], list[Fact]]:
    """Return a conversation, oldest message first, and the facts planted in its first nine tenths."""
    draw = random.Random(seed)
    planted = [_fact(draw) for _ in range(facts)]
    return conversation_with(draw, [fact.text for fact in planted], messages), planted


def conversation_with(draw: random.Random, planted: Sequence[str], messages: int) -> list[Message]:
    """Return a conversation in which the user says these things among others."""
    turns = messages // 2
    places = sorted(draw.sample(range(turns * 9 // 10), len(planted)))
    texts = dict(zip(places, planted, strict=True))
    chatter = draw.sample(_chatter(), turns)
    pairs = [(texts.get(turn) or chatter[turn], _prose(draw)) for turn in range(turns)]
    return [message for turn, pair in enumerate(pairs) for message in _turn(turn, *pair)]


def short_conversation(*texts: str, answer: str = "All right.") -> list[Message]:
    """Return a conversation with these user messages and the same reply to each."""
    pairs = ((text, answer) for text in texts)
    return [_message(place, text) for place, text in enumerate((part for pair in pairs for part in pair), 1)]


def _fact(draw: random.Random) -> Fact:
    value = draw.choice(_VALUES)(draw)
    body = draw.choice(_FORMS).format(subject=draw.choice(_SUBJECTS), value=value)
    opening = draw.choice(_OPENINGS)
    sentence = opening + (body if opening else body[0].upper() + body[1:])
    return Fact(f"{sentence}.{draw.choice(_CLOSINGS)}", value)


def _name(draw: random.Random) -> str:
    syllables = [
        "".join((draw.choice("bdfgklmnprstvz"), draw.choice("aeiou"))) for _ in range(draw.randint(2, 3))
    ]
    return "".join(syllables).capitalize() + draw.choice(("", "n", "s", "r"))


def _place(draw: random.Random) -> str:
    cities = sorted(
        zone.split("/")[-1].replace("_", " ") for zone in available_timezones() if zone.startswith("Europe/")
    )
    return draw.choice(cities)


def _date(draw: random.Random) -> str:
    day, month = draw.randint(1, 28), draw.choice(list(calendar.month_name)[1:])
    return draw.choice((f"{day} {month}", f"{month} {day}", f"2026-{draw.randint(1, 12):02}-{day:02}"))


_VALUES: tuple[Callable[[random.Random], str], ...] = (
    lambda draw: f"{_name(draw)} {_name(draw)}",
    lambda draw: f"{_name(draw)} from {_place(draw)}",
    _place,
    _date,
    lambda draw: (
        f"{draw.choice(list(calendar.day_name))} at {draw.randint(7, 19)}:{draw.choice(('00', '15', '30'))}"
    ),
    lambda draw: f"{draw.randint(100, 99_000):,} {draw.choice(('euros', 'dollars', 'francs'))}",
    lambda draw: f"{draw.randint(2, 97)} {draw.choice(('percent', 'boxes', 'seats', 'days', 'kilos'))}",
    lambda draw: f"{_name(draw).lower()}@{_name(draw).lower()}.example",
    lambda draw: f"{draw.choice('ABCDEFG')}{draw.choice('QRSTU')}-{draw.randint(100, 9_999)}",
    lambda draw: f"version {draw.randint(1, 9)}.{draw.randint(0, 30)}",
    lambda draw: f"extension {draw.randint(1_000, 9_999)}",
)


def _chatter() -> list[str]:
    """The utterances that other authors wrote to test the classifier."""
    rows = [json.loads(line) for file in SAID for line in file.read_text().splitlines()]
    return list(dict.fromkeys(str(row["text"]) for row in rows))


def _prose(draw: random.Random) -> str:
    text = exchange(draw.randrange(1_000)).answer
    begin = text.find(". ") + 2
    return text[begin : begin + draw.randint(60, 300)]


def _turn(number: int, said: str, answer: str) -> tuple[Message, Message]:
    """Return a turn as the service stores it: the reply's metadata has the offline tier's decision."""
    decision = OfflineClassifier().classify(Situation(said, BEGAN))
    user, reply = _message(2 * number + 1, said), _message(2 * number + 2, answer)
    return user, reply.model_copy(update={"metadata": {"decision": decision.model_dump(mode="json")}})


def _message(sequence: int, text: str) -> Message:
    role = Role.USER if sequence % 2 else Role.ASSISTANT
    return Message(
        id=f"{sequence}-{derived_id('told', str(sequence))}",
        conversation_id="c" * 32,
        sequence=sequence,
        role=role,
        content=text,
        created_at=BEGAN + timedelta(minutes=sequence),
        turn_id=f"{'c' * 32}.{(sequence + 1) // 2}",
        tokens=estimate_tokens(f"{role}: {text}"),
    )
