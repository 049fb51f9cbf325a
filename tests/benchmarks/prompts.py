"""What it costs to have a message understood: input tokens, and US dollars by the prices litellm bundles."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from conversation.messages.models import Message, Note, Reference, Role
from conversation.token_counts import TokenCounter
from intent.analysis.prompt import build_request
from intent.situation import KnownAgent, Situation
from llm.request_types import ModelRequest
from tests.benchmarks.contexts import vocabulary_folder
from tests.benchmarks.figures import Figure, Report, at_most

INPUT_TOKENS = 1_100
USD_PER_REQUEST = 0.005
ANSWER_TOKENS = 250
"""A decision with five entities takes about 100, two acts with four slots each as much again."""

TOKENS_AROUND_A_MESSAGE = 4
"""Source: OpenAI's guide to counting tokens of chat models, three and the role's; others differ little."""

MODELS: Mapping[str, tuple[str, ...]] = {
    "OpenAI mini": ("gpt-4o-mini",),
    "Anthropic Haiku": ("claude-haiku-4-5",),
    "Google Flash": ("gemini/gemini-2.5-flash",),
    "Google Flash Lite": ("gemini/gemini-2.5-flash-lite",),
    "Groq": ("groq/llama-3.1-8b-instant", "groq/llama-3.3-70b-versatile", "groq/openai/gpt-oss-20b"),
}
"""Fast models by kind; of several names the first that has a price counts."""

_NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


def measure() -> Report:
    """The tokens of a typical request, and what it costs each model."""
    vocabulary = vocabulary_folder()
    if vocabulary is None:
        yield "left out: litellm, which brings the vocabulary and the prices, is not installed"
        return
    # tiktoken itself looks in the folder the environment names, and downloads what is not there.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary)
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    counter = TokenCounter(vocabulary)
    first, later = (input_tokens(build_request(one), counter) for one in (first_message(), follow_up()))
    yield Figure("input of a first message", first, "tokens", at_most(INPUT_TOKENS))
    yield Figure("input of a message after two exchanges", later, "tokens", at_most(INPUT_TOKENS))
    yield from _costs(later)


def usd(model: str, input_count: int) -> float | None:
    """What a request costs a model; None when its price is not known."""
    import litellm

    price: Mapping[str, Any] | None = litellm.model_cost.get(model)
    if price is None:
        return None
    return float(input_count * price["input_cost_per_token"] + ANSWER_TOKENS * price["output_cost_per_token"])


def input_tokens(asked: ModelRequest, counter: TokenCounter) -> int:
    """The tokens of all messages and of the schema, which providers count as input."""
    schema = counter.count(json.dumps(asked.schema, separators=(",", ":")))
    texts = (counter.count(str(message["content"])) for message in asked.messages)
    return schema + sum(texts) + TOKENS_AROUND_A_MESSAGE * len(asked.messages)


def first_message() -> Situation:
    """A wish at the beginning of a conversation."""
    return _asked(
        "Our team wastes hours every Monday compiling project updates from Notion. Can you help with that?"
    )


def follow_up() -> Situation:
    """A change after two exchanges, the second of which listed the user's agents."""
    names = tuple(Reference(kind="agent", id=agent.id, name=agent.name) for agent in _AGENTS)
    listed = "\n".join(f"{place}. {agent.name} - {agent.summary}" for place, agent in enumerate(_AGENTS, 1))
    history = (
        _said(1, Role.USER, "Hi, what can you do for me?"),
        _said(2, Role.ASSISTANT, "I set up agents that watch, collect and report. Shall I list yours?"),
        _said(3, Role.USER, "Yes please, list my agents"),
        _said(4, Role.ASSISTANT, f"You have {len(_AGENTS)} agents:\n{listed}", Note(listed=names)),
    )
    return _asked("Make the second one run at 8 instead of 9 and mail it to the whole finance team", history)


_AGENTS = (
    KnownAgent("a1", "notion-reporter", "Project updates from Notion, weekly"),
    KnownAgent("a2", "jira-overdue-monitor", "Watches for overdue tickets in Jira (PLATFORM), daily"),
    KnownAgent("a3", "financial-analyzer", "Revenue and costs from Google Sheets, monthly"),
)
_SKILLS = ("invoice-parser", "slack-poster")


def _asked(message: str, history: tuple[Message, ...] = ()) -> Situation:
    return Situation(
        message=message,
        now=_NOW,
        history=history,
        agents=_AGENTS,
        skills=_SKILLS,
        tenant_name="Acme Logistics",
        time_zone="Europe/Berlin",
    )


def _said(sequence: int, role: Role, content: str, note: Note | None = None) -> Message:
    return Message(
        id=str(sequence),
        conversation_id="c",
        sequence=sequence,
        role=role,
        content=content,
        created_at=_NOW,
        turn_id=f"c.{(sequence + 1) // 2}",
        tokens=1,
        note=note or Note(),
    )


def _costs(input_count: int) -> Iterator[Figure | str]:
    for kind, names in MODELS.items():
        priced = [(name, cost) for name in names if (cost := usd(name, input_count)) is not None]
        if not priced:
            yield f"left out: {kind}, the bundled prices know none of {', '.join(names)}"
            continue
        name, cost = priced[0]
        yield Figure(f"{name}, {ANSWER_TOKENS} tokens of answer", cost, "USD", at_most(USD_PER_REQUEST))
