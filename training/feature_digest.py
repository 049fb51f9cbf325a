"""Detection of features that changed while the weights did not, by hashing the features of fixed texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from intent.classifier.context_features import plain_context_features, read_answered
from intent.classifier.features import Features, message_features, read_written
from intent.rules.scoring import apply_rules, score
from tests.evals.measurement import Case

_REPLY = "I found three: 1. invoice-chaser 2. stock-watch 3. Lead Scorer. Should I run stock-watch now?"
_OFFER = "That is done. I can also send it to your team every Monday at 8:30. Shall I set that up?"
_PROBES: Sequence[tuple[str, Sequence[str]]] = (
    ("Please build me an agent that watches our Jira board and pings #ops whenever a ticket is overdue", ()),
    ("every last friday of the month I copy numbers from 3 sheets by hand... it's killing me", ()),
    ("How do I stop the churn-bot from e-mailing everybody at 7:30am?", ()),
    ("teach all agents to read scanned invoices, so that any of them can call it as a tool", ()),
    ("Invite Ana as an admin and keep chats for ninety days, pls!", ()),
    ("summarise yesterday's calls & send me a pdf by noon, quarter past two latest", ()),
    ("lol ok", ()),
    ("ERROR 503 at /api/v2?x=1\n\n@@ <b>", ()),
    ("the second one, but only for EMEA and twice a day", ("run an agent for me", _REPLY)),
    ("actually make it weekdays at half past nine instead", ("summarise the tickets", _OFFER)),
    ("never mind, thanks", ("What can you do?", "I can make, list and change agents.")),
    ("why?", ("pause the Lead Scorer until further notice", "It is paused.")),
)


def features_digest() -> str:
    """Return a hash of the features that the current rules extract from the probes."""
    seen = [_rounded(features) for probe in _PROBES for features in _features(*probe)]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def _features(text: str, before: Sequence[str]) -> list[Features]:
    history = tuple(zip(("user", "assistant"), before, strict=False))
    situation = Case("probe", text, "unknown", "plain", history).situation()
    answered = read_answered(situation, apply_rules(situation).own_score)
    found = [
        message_features(answered.written, answered.own),
        *(message_features(read_written(text), score(text)) for text in answered.texts.values()),
    ]
    return [*found, plain_context_features(answered)] if before else found


def _rounded(features: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted((name, round(value, 6)) for name, value in features.items())
