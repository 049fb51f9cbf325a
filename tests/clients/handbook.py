"""A model that answers questions about a handbook, for the twin that official clients talk to."""

from __future__ import annotations

from tests.fakes.models.model_script import Reply, Rule, Script

FAST, STRONG = "gpt-4o-mini", "openai/deep-thinker"
ASKED = "What does the handbook say about holidays?"


def answered(answer: Reply) -> Script:
    """A strong model that answers questions about the handbook so; all else is understood by rule."""
    question = {"action_type": "query_info", "confidence": 0.95, "entities": {}}
    unsure = {"action_type": "unknown", "confidence": 0.2, "entities": {}}
    routing = {"model": STRONG, "tools": [], "can_answer": True, "think": False, "reason": "scripted"}
    return Script(
        [
            Rule("handbook", Reply(decision=question), prompt="Classify the last message"),
            Rule("", Reply(decision=unsure), prompt="Classify the last message"),
            Rule("", Reply(decision=routing), prompt="Pick who answers"),
            Rule("", answer),
        ]
    )
