"""Assembling the context of a turn: by the counts stored with the messages, and by counting again."""

from __future__ import annotations

import importlib.util
import os
import timeit
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from conversation.context.window import build_context
from conversation.messages.models import Message, Role
from conversation.token_counts import VOCABULARY_FILE, TokenCounter
from tests.benchmarks.figures import Figure, Report, at_least, median_of
from tests.benchmarks.workload import exchange

MESSAGES = 20
ALL_FIT_TOKENS = 10_000
"""A budget that leaves none of the twenty out, so that both ways have the same work to do."""

_NOON = datetime(2026, 1, 30, 12, tzinfo=UTC)
_STORED_REPEATS, _ENCODED_REPEATS = 2_000, 20


def measure() -> Report:
    """Both ways, and how many times faster the first is."""
    vocabulary = vocabulary_folder()
    if vocabulary is None:
        yield "left out: litellm, which brings tiktoken's vocabulary, is not installed"
        return
    # tiktoken itself looks in the folder the environment names, and downloads what is not there.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(vocabulary)
    counter = TokenCounter(vocabulary)
    history = _history(counter)
    stored = median_of(lambda: _seconds_each(_STORED_REPEATS, history))
    encoded = median_of(lambda: _seconds_each(_ENCODED_REPEATS, history, counter))
    yield Figure(f"context of {MESSAGES} messages with stored counts", stored * 1e6, "µs")
    yield Figure(f"context of {MESSAGES} messages, encoded with tiktoken", encoded * 1e6, "µs")
    yield Figure("stored counts are faster", encoded / stored, "times", at_least(100))


def _seconds_each(repeats: int, history: Sequence[Message], counter: TokenCounter | None = None) -> float:
    def once() -> None:
        if counter is not None:
            for message in history:
                counter.count(f"{message.role}: {message.content}")
        assert len(build_context(history, budget_tokens=ALL_FIT_TOKENS).messages) == MESSAGES

    return timeit.timeit(once, number=repeats) / repeats


def _history(counter: TokenCounter) -> list[Message]:
    texts = [text for number in range(MESSAGES // 2) for text in exchange(number)]
    return [_message(place, text, counter) for place, text in enumerate(texts, 1)]


def _message(sequence: int, text: str, counter: TokenCounter) -> Message:
    role = Role.USER if sequence % 2 else Role.ASSISTANT
    tokens = counter.count(f"{role}: {text}")
    turn = f"c.{(sequence + 1) // 2}"
    return Message(
        id=str(sequence),
        conversation_id="c",
        sequence=sequence,
        role=role,
        content=text,
        created_at=_NOON,
        turn_id=turn,
        tokens=tokens,
    )


def vocabulary_folder() -> Path | None:
    """The folder with cl100k_base that litellm bundles; finding it does not import litellm."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    return folder if (folder / VOCABULARY_FILE).is_file() else None
