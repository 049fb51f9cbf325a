"""Replies to messages in languages that aren't understood: one honest sentence in that language."""

from __future__ import annotations

from collections.abc import Mapping

from intent.acts.tokens import tokenise
from intent.rules.language import foreign_language, goes_on_in_foreign

ENGLISH_ONLY: Mapping[str, str] = {
    "es": "Lo siento, por ahora solo entiendo inglés: ¿puedes escribirlo en inglés?",
    "fr": "Désolé, je ne comprends que l'anglais pour l'instant : pouvez-vous l'écrire en anglais ?",
    "de": "Leider verstehe ich bisher nur Englisch: Können Sie es bitte auf Englisch schreiben?",
    "it": "Mi dispiace, per ora capisco solo l'inglese: può scriverlo in inglese?",
    "pt": "Desculpe, por enquanto só entendo inglês: pode escrever em inglês?",
    "nl": "Sorry, ik begrijp voorlopig alleen Engels: kunt u het in het Engels schrijven?",
    "pl": "Przepraszam, na razie rozumiem tylko angielski: czy możesz napisać to po angielsku?",
    "cs": "Omlouvám se, zatím rozumím jen anglicky: můžete to napsat anglicky?",
    "tr": "Üzgünüm, şimdilik yalnızca İngilizce anlıyorum: İngilizce yazabilir misiniz?",
    "ro": "Îmi pare rău, deocamdată înțeleg doar engleza: puteți scrie în engleză?",
    "hu": "Sajnos egyelőre csak angolul értek: leírná angolul?",
    "fi": "Valitettavasti ymmärrän toistaiseksi vain englantia: voitko kirjoittaa sen englanniksi?",
    "sv": "Tyvärr förstår jag bara engelska än så länge: kan du skriva det på engelska?",
    "da": "Beklager, jeg forstår foreløbig kun engelsk: kan du skrive det på engelsk?",
    "id": "Maaf, saat ini saya hanya mengerti bahasa Inggris: bisakah ditulis dalam bahasa Inggris?",
    "vi": "Xin lỗi, hiện tôi chỉ hiểu tiếng Anh: bạn có thể viết bằng tiếng Anh không?",
    "ru": "Извините, пока я понимаю только английский: напишите, пожалуйста, по-английски (English).",
    "uk": "Вибачте, поки що я розумію лише англійську: напишіть, будь ласка, англійською (English).",
    "el": "Συγγνώμη, προς το παρόν καταλαβαίνω μόνο αγγλικά: μπορείτε να το γράψετε στα αγγλικά (English);",
    "he": "מצטער, כרגע אני מבין רק אנגלית: אפשר לכתוב באנגלית (English)?",
    "ar": "عذرًا، أفهم الإنجليزية فقط حاليًا: هل يمكنك الكتابة بالإنجليزية (English)؟",
    "fa": "ببخشید، فعلاً فقط انگلیسی می‌فهمم: می‌توانید به انگلیسی (English) بنویسید؟",
    "ur": "معذرت، میں فی الحال صرف انگریزی سمجھتا ہوں: کیا آپ انگریزی (English) میں لکھ سکتے ہیں؟",
    "hi": "क्षमा करें, मैं अभी केवल अंग्रेज़ी समझता हूँ: क्या आप इसे अंग्रेज़ी (English) में लिख सकते हैं?",
    "bn": "দুঃখিত, আমি আপাতত শুধু ইংরেজি বুঝি: আপনি কি ইংরেজিতে (English) লিখতে পারেন?",
    "th": "ขออภัย ตอนนี้ฉันเข้าใจเฉพาะภาษาอังกฤษ ช่วยเขียนเป็นภาษาอังกฤษ (English) ได้ไหม",
    "zh": "抱歉，我目前只懂英语，请用英语（English）写一遍好吗？",
    "ja": "申し訳ありませんが、今のところ英語しか分かりません。英語（English）で書いていただけますか？",
    "ko": "죄송하지만 지금은 영어만 이해합니다. 영어(English)로 써 주시겠어요?",
}
"""That only English is understood, by ISO 639-1 code."""

_ASKED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "es": (
        ("español", "espanol", "castellano"),
        "Español todavía no: por ahora solo entiendo inglés. ¿Puedes escribirlo en inglés?",
    ),
    "fr": (
        ("français", "francais"),
        "Le français, pas encore : je ne comprends que l'anglais. Pouvez-vous l'écrire en anglais ?",
    ),
    "de": (
        ("deutsch", "deutsche", "deutschen"),
        "Deutsch verstehe ich noch nicht, bisher nur Englisch. Können Sie es bitte auf Englisch schreiben?",
    ),
    "it": (("italiano",), "L'italiano ancora no: per ora capisco solo l'inglese. Può scriverlo in inglese?"),
    "pt": (
        ("português", "portugues"),
        "Português ainda não: por enquanto só entendo inglês. Pode escrever em inglês?",
    ),
    "nl": (
        ("nederlands",),
        "Nederlands nog niet: ik begrijp voorlopig alleen Engels. Kunt u het in het Engels schrijven?",
    ),
    "pl": (
        ("polsku", "polski"),
        "Po polsku jeszcze nie: rozumiem tylko angielski. Czy możesz napisać to po angielsku?",
    ),
    "tr": (
        ("türkçe", "turkce"),
        "Türkçe henüz değil: şimdilik yalnızca İngilizce anlıyorum. İngilizce yazabilir misiniz?",
    ),
    "ru": (
        ("русски", "русском", "русский"),
        "По-русски пока нет: я понимаю только английский. Напишите, пожалуйста, по-английски (English).",
    ),
    "zh": (("中文", "汉语", "普通话"), "中文还不行：我目前只懂英语。请用英语（English）写一遍好吗？"),
}
"""The names of a language in it, and what is said to the question whether it is understood."""
_MOST_ASKING = 8

OTHERWISE = "Sorry, I only understand English at the moment. Could you say that in English?"
_GREETINGS = {
    "hola": "es", "buenas": "es", "gracias": "es", "bonjour": "fr", "bonsoir": "fr", "salut": "fr",
    "guten": "de", "moin": "de", "servus": "de", "danke": "de", "buongiorno": "it", "buonasera": "it",
    "grazie": "it", "olá": "pt", "ola": "pt", "obrigado": "pt", "obrigada": "pt", "bom": "pt", "hoi": "nl",
    "goedemorgen": "nl", "dank": "nl", "cześć": "pl", "dziękuję": "pl", "merhaba": "tr", "selam": "tr",
    "teşekkürler": "tr", "hej": "sv", "tack": "sv", "tak": "da", "привет": "ru", "спасибо": "ru",
    "здравствуйте": "ru", "привіт": "uk", "नमस्ते": "hi", "مرحبا": "ar", "你好": "zh", "こんにちは": "ja",
    "안녕하세요": "ko",
}  # fmt: skip
_MOST_WORDS = 3


def foreign_reply(message: str, before: str = "") -> str | None:
    """Return the sentence for a message in another language; None when it is English or unclear.

    ``before`` is the user's message before it: a few words may only go on in its language.
    """
    code = foreign_language(message)
    if code is None:
        code = goes_on_in_foreign(message, before)
    if code is None:
        return None
    return _asked_reply(code, message) or ENGLISH_ONLY.get(code, OTHERWISE)


def _asked_reply(code: str, message: str) -> str | None:
    """Return the answer to the question whether a language is understood; None to any other message."""
    names, answer = _ASKED.get(code, ((), ""))
    words = message.casefold()
    is_short = len(words.split()) <= _MOST_ASKING and words.rstrip().endswith(("?", "？"))
    return answer if is_short and any(name in words for name in names) else None


def greeting_reply(message: str) -> str | None:
    """Return the sentence for a greeting or thanks in another language; None for any other."""
    words = [token.word for token in tokenise(message) if token.is_word]
    code = _GREETINGS.get(words[0]) if 0 < len(words) <= _MOST_WORDS else None
    return None if code is None else ENGLISH_ONLY[code]
