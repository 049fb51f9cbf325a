"""Which messages the offline tier owns up to not understanding."""

from __future__ import annotations

import pytest

from agent.templates.language_texts import ENGLISH_ONLY, OTHERWISE
from intent.rules.language import is_foreign
from tests.fakes.data.chat_session import Talk

FOREIGN = [
    "Übersetze das bitte auf Deutsch",
    "Ich brauche jeden Montag einen Bericht aus Jira",
    "quiero un informe para cada lunes",
    "Supprime les agents des autres",
    "добавь задачу купить хлеб",
    "毎週月曜日にレポートを送って",
]
ENGLISH = [
    "translate 'Wir bestätigen den Eingang' for me",
    "add hanna.w@nordlys.io as admin",
    "résumé screening, Zoë only",
    "pull em, san dan",
    "drop eu-west-3",
    "ok",
    "4711 🙂",
    "",
]


@pytest.mark.parametrize("message", FOREIGN)
def test_a_message_in_another_language_gets_an_honest_answer(message: str) -> None:
    talk = Talk()
    talk.classify_and_answer("set up SSO")
    said = talk.classify_and_answer(message)
    assert said.text in {*ENGLISH_ONLY.values(), OTHERWISE}


@pytest.mark.parametrize("message", ENGLISH)
def test_english_with_foreign_words_names_and_addresses_is_english(message: str) -> None:
    assert not is_foreign(message)
