"""What a model call costs: by the catalogue, else by the price map that litellm brings as a file.

Litellm is not imported for that. A model that neither knows has no known price.
"""

from __future__ import annotations

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

from llm.catalogue import Model
from llm.request_types import ModelRequest, TokenUsage
from llm.spend_guard import estimate_prompt_tokens, estimate_tokens

_FILE = "model_prices_and_context_window_backup.json"


def find_cost(model: str, usage: TokenUsage, listed: Model | None = None) -> float | None:
    """Return the cost of the tokens in US dollars; None when the price is unknown.

    ``listed`` is the catalogue's entry for the model; None: it has none.
    """
    if listed is not None:
        return listed.cost_usd(
            usage.prompt,
            usage.completion,
            cached_tokens=usage.cached,
            cache_written_tokens=usage.cache_written,
        )
    price = _mapped(model)
    if price is None:
        return None
    prompt_usd, completion_usd, cached_usd = price
    return (
        (usage.prompt - usage.cached) * prompt_usd
        + usage.cached * cached_usd
        + usage.completion * completion_usd
    )


def estimated_usage(request: ModelRequest, size: int) -> TokenUsage:
    """Return an upper estimate for an answer of ``size`` bytes whose server reports no usage."""
    return TokenUsage(estimate_prompt_tokens(request), estimate_tokens(size))


@cache
def _mapped(model: str) -> tuple[float, float, float] | None:
    """The US dollars per prompt, answer and cached token in litellm's map."""
    text = _map_text()
    for name in dict.fromkeys((model, model.partition("/")[2])):
        found = text.find(f"\n    {json.dumps(name)}: {{") if name else -1
        if found < 0:
            continue
        # Only this entry is parsed: the whole map takes a fifth of a second on a small function.
        entry: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{", found))[0]
        prompt, completion = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
        if isinstance(prompt, int | float) and isinstance(completion, int | float):
            return prompt, completion, entry.get("cache_read_input_token_cost", prompt)
    return None


def _map_text() -> str:
    library = importlib.util.find_spec("litellm")
    if library is None or library.origin is None:
        return ""
    file = Path(library.origin).with_name(_FILE)
    return file.read_text("utf-8") if file.exists() else ""
