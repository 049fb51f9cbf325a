"""The catalogue of models: ``python -m training.model_catalogue``.

Which models there are, their names, tiers and notes are chosen by hand in ``models.json``. Sizes, prices and
retirement dates come from the price map in the installed litellm. Nothing is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from llm import catalogue

CHOSEN = Path(__file__).with_name("models.json")
SHIPPED = Path(catalogue.__file__).with_name("catalogue.json")
_MAP = "model_prices_and_context_window_backup.json"
_LONG = "input_cost_per_token_above_"
_WITH_CACHE = frozenset({"openai", "anthropic", "bedrock"})
"""The vendors that are asked without litellm, which counts their cached tokens itself."""
_PRICES = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "cache_written": "cache_creation_input_token_cost",
}


def main() -> None:
    """Write the catalogue."""
    text = build_catalogue(json.loads(CHOSEN.read_text("utf-8")), read_price_map())
    SHIPPED.write_text(text, "utf-8")
    print(f"{SHIPPED.name}: {len(catalogue.Catalogue.load(text).models)} models")


def read_price_map() -> Mapping[str, Any]:
    """Return the price map of the installed litellm, which is not imported."""
    package = find_spec("litellm")
    if package is None or package.origin is None:
        raise SystemExit("litellm is not installed: make setup")
    prices: Mapping[str, Any] = json.loads(Path(package.origin).with_name(_MAP).read_text("utf-8"))
    return prices


def build_catalogue(chosen: list[dict[str, Any]], prices: Mapping[str, Any]) -> str:
    """Return the catalogue's text.

    Raises:
        KeyError: a chosen model is not in the price map.
    """
    entries = [_entry(model, prices[_key(model)]) for model in chosen]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def _entry(model: dict[str, Any], priced: Mapping[str, Any]) -> dict[str, Any]:
    usd = _usd(model, priced, "")
    found: dict[str, Any] = {
        "context_tokens": priced["max_input_tokens"],
        "max_output_tokens": priced["max_output_tokens"],
        **{f"{name}_usd_per_million": price for name, price in usd.items()},
        "supports_tools": priced.get("supports_function_calling", False),
        "supports_images": bool(priced.get("supports_vision")),
        "supports_documents": bool(priced.get("supports_pdf_input")),
    }
    tiers = [name for name in priced if name.startswith(_LONG) and name.endswith("k_tokens")]
    if tiers and model["vendor"] in _WITH_CACHE:
        size = tiers[0].removeprefix(_LONG)
        found["long_prompt"] = {
            "above_tokens": int(size.removesuffix("k_tokens")) * 1_000,
            **_usd(model, priced, f"_above_{size}"),
        }
    if priced.get("deprecation_date"):
        found["retires_on"] = priced["deprecation_date"]
    return {**model, **found}


def _usd(model: Mapping[str, Any], priced: Mapping[str, Any], suffix: str) -> dict[str, float]:
    """US dollars per million tokens."""
    names = (
        _PRICES if model["vendor"] in _WITH_CACHE else {name: _PRICES[name] for name in ("input", "output")}
    )
    return {
        name: round(priced[key + suffix] * 1e6, 6)
        for name, key in names.items()
        if priced.get(key + suffix) is not None
    }


def _key(model: Mapping[str, Any]) -> str:
    """The price map names a vendor only where others serve models of the same name."""
    name: str = model["id"]
    match model["vendor"]:
        case "anthropic" | "bedrock":
            return name.partition("/")[2]
        case "ollama":
            return f"ollama/{name.partition('/')[2]}"
        case _:
            return name


if __name__ == "__main__":
    main()
