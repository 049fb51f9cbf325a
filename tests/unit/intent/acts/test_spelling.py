"""The words of commands and questions as they were probably meant."""

from __future__ import annotations

import pytest

from intent.acts.tokens import spell


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wich", "which"), ("whihc", "which"), ("agian", "again"), ("agin", "again"), ("togther", "together"),
        ("mnay", "many"), ("hwo", "how"), ("cna", "can"), ("teh", "the"), ("agnets", "agents"),
        ("faild", "failed"), ("nigth", "night"), ("evry", "every"), ("yesteday", "yesterday"),
        ("snd", "send"),
        ("tiem", "time"), ("alreday", "already"), ("thier", "their"), ("altogehter", "altogether"),
    ],
)  # fmt: skip
def test_words_of_questions_are_mended(typed: str, meant: str) -> None:
    assert spell(typed) == meant


@pytest.mark.parametrize(
    "word",
    "mandy manny many world ever filed light lsat were whore gain rae nay form from mist tome sent"
    " bend hoe howe evert gather whither weather nights alright ready".split(),
)
def test_other_words_stay(word: str) -> None:
    assert spell(word) == word


@pytest.mark.parametrize(
    "word",
    "charges remote taxes stocks women products shopping shirts massage drone wash tanks wine pills plugin"
    " slot fridge crates recovery luke".split(),
)
def test_a_common_word_is_no_misspelt_command(word: str) -> None:
    assert spell(word) == word
