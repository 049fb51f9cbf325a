"""The chat page has words of its own for whatever the service names by a code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from intent.acts.act import ActKind
from intent.analysis.analyzer import MODEL_LOADING
from llm.errors import Reason

LABELS = (Path(__file__).resolve().parents[3] / "web" / "src" / "chat" / "labels.ts").read_text()


def keys(table: str) -> set[str]:
    """The keys of a table of labels."""
    body = LABELS.partition(f"const {table}: Record<")[2].partition("= {")[2].partition("\n};")[0]
    return {quoted or bare for quoted, bare in re.findall(r'^  (?:"([^"]+)"|(\w+)):', body, re.MULTILINE)}


@pytest.mark.parametrize("reason", [*get_args(Reason), MODEL_LOADING, "unknown_model"])
def test_every_reason_for_doing_without_a_model_has_words(reason: str) -> None:
    assert reason in keys("FALLBACKS")


@pytest.mark.parametrize("kind", ActKind)
def test_every_act_has_words(kind: ActKind) -> None:
    assert kind.value in keys("ACTS")
