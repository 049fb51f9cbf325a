"""Token counts: exact where the vocabulary is at hand, else an estimate never under where it matters."""

import importlib.util
import pydoc_data.topics
import re
from pathlib import Path

import pytest

from conversation.token_counts import TokenCounter, estimate_tokens
from tests.fakes.run.bad_inputs import row

LITELLM = importlib.util.find_spec("litellm")
assert LITELLM is not None
assert LITELLM.origin is not None
VOCABULARY = Path(LITELLM.origin).parent / "litellm_core_utils" / "tokenizers"


@pytest.fixture(scope="module")
def exact() -> TokenCounter:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(VOCABULARY))
        counter = TokenCounter(VOCABULARY)
        counter.count("loads the vocabulary")
        return counter


def test_special_tokens_in_a_message_are_counted_as_the_text_they_are(exact: TokenCounter) -> None:
    assert exact.count("<|endoftext|>") > 1


def test_without_a_vocabulary_the_count_is_the_estimate(tmp_path: Path) -> None:
    assert TokenCounter(None).count("plain words") == estimate_tokens("plain words")
    assert TokenCounter(tmp_path).count("plain words") == estimate_tokens("plain words")


def test_the_estimate_is_within_a_tenth_on_mixed_english(exact: TokenCounter) -> None:
    prose = re.sub(r"\s+", " ", " ".join(text for _, text in sorted(pydoc_data.topics.topics.items())))[
        :100_000
    ]
    mixed = (
        "Ship 12 units to Zürich by 2026-12-01, at 1,234.50 each! Ask Renée (sales) about order #A-77120. "
        * 20
    )
    for text in (prose, mixed):
        assert abs(estimate_tokens(text) / exact.count(text) - 1) <= 0.10


@row("B3", "B10")
@pytest.mark.parametrize(
    "text",
    [
        "今日は天気がいいですね。会議をします。",
        "鬱鬯龘靐",
        "안녕하세요 반갑습니다",
        "😀🎉👩‍👩‍👧🏳️‍🌈",
        "Z" + "\u0335" * 500,
    ],
)
def test_the_estimate_is_never_under_for_cjk_emoji_and_stacked_marks(exact: TokenCounter, text: str) -> None:
    assert estimate_tokens(text) >= exact.count(text)


def test_an_empty_text_has_no_tokens() -> None:
    assert estimate_tokens("") == 0
