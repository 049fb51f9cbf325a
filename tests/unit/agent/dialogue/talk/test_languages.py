"""Messages in languages that aren't understood."""

from __future__ import annotations

import pytest

from agent.templates.language_texts import ENGLISH_ONLY, foreign_reply, greeting_reply
from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("de", "Was kannst du?"),
        ("de", "Zeig mir meine Aufgaben"),
        ("fr", "tu parles français ?"),
        ("fr", "montre mes tâches"),
        ("es", "recuerdame mañana llamar al banco"),
        ("es", "borra la ultima tarea"),
        ("pt", "Oi! você fala português?"),
        ("pt", "voce fala portugues?"),
        ("pt", "gostaria de um relatorio"),
        ("it", "parli italiano?"),
        ("it", "mi puoi aiutare"),
        ("nl", "wat kost het"),
        ("pl", "gdzie sa moje zadania"),
        ("tr", "ne yapabilirsin"),
        ("id", "berapa harganya"),
        ("de", "Guten Tag, jeden Montag um 8 Uhr brauche ich die offenen Bestellungen aus Shopify"),
        ("es", "¿Qué puedes hacer por mí?"),
        ("es", "¿Cuántas tareas tengo pendientes?"),
        ("pl", "Hej, przypomnij mi jutro o 8 zadzwonić do pana Kowalskiego"),
        ("nl", "top! en wanneer komt de eerste?"),
        ("fr", "Ajoute « acheter du lait » à ma liste, s'il te plaît"),
        ("pt", "Quero um relatório todos os dias, por favor, para mim"),
        ("it", "Vorrei un rapporto ogni lunedì, grazie, con tutti gli ordini"),
        ("nl", "Ik wil elke maandag een overzicht van de bestellingen"),
        ("pl", "Chcę raport w każdy poniedziałek, dziękuję, nie jest to pilne"),
        ("tr", "Her pazartesi bana bir rapor gönder lütfen ve teşekkürler"),
        ("id", "Tolong kirim laporan setiap hari untuk saya"),
        ("vi", "Gửi cho tôi báo cáo mỗi ngày và cảm ơn"),
        ("ru", "Пришлите мне отчет каждый понедельник"),
        ("uk", "Надішліть мені звіт щопонеділка, будь ласка, і її"),
        ("zh", "请每天早上给我发邮件"),
        ("ja", "毎朝メールを送ってください"),
        ("ko", "매일 아침 보고서를 보내 주세요"),
        ("hi", "मुझे हर सोमवार को रिपोर्ट चाहिए"),
        ("bn", "আমাকে প্রতিদিন রিপোর্ট পাঠান"),
        ("ar", "أرسل لي تقريرا كل يوم"),
        ("ur", "مجھے ہر روز رپورٹ چاہیے"),
    ],
)
def test_says_in_that_language_that_english_works(code: str, message: str) -> None:
    assert foreign_reply(message) == ENGLISH_ONLY[code]


@pytest.mark.parametrize(
    "message",
    [
        "Every Monday at 8, list the open orders from Shopify, email lager@blumen-kern.de",
        "I am wish to have every day the list from new orders, mulțumesc",
        "pause bestellungen-liste",
        "rename jira-overdue-monitor to platform-overdue",
        "switch to 4",
        "del sla",
        "add Kim Hyun-woo to tonight's guest list",
        "Piste Report may go to sleep till December.",
        "sdfkjhsdf sdfjk",
        "edti agnet",
        "ok",
        "1240 * 3",
        "",
    ],
)
def test_english_is_not_refused(message: str) -> None:
    assert foreign_reply(message) is None


def test_a_foreign_greeting_is_answered_in_its_language() -> None:
    assert greeting_reply("Bonjour !") == ENGLISH_ONLY["fr"]
    assert greeting_reply("hola amigos I need a report every day") is None


def test_a_foreign_request_does_nothing_and_keeps_what_is_open() -> None:
    talk = Talk()

    said = talk.classify_and_answer("Lösche bitte alle meine Agenten, ich brauche sie nicht mehr")

    assert said.text == ENGLISH_ONLY["de"]
    assert said.effects == ()
