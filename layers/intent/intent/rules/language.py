"""Detection of languages other than English, the only one that the offline tier understands.

The script decides, or function words of other languages that English lacks. Names of services and words
that languages share are ignored.
"""

from __future__ import annotations

import re
from functools import cache

_WORD = re.compile(r"(?<![@.\w-])[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?![@\w-]|\.\w)")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_MOST_WORDS = 200

_ENGLISH = (
    "the this that these those and but if because with without from into for of at by my your our their "
    "its his i i'm i'd i'll i've we you he she they it us them is isn't are aren't be been being were "
    "does doesn't did didn't don't have had can can't could would should will won't please what which "
    "who when where why how not yes every each all some any than then there here just only also make "
    "want need get give show send tell let new"
)
"""Common English function words, except those that exist in other languages too."""

_ELSEWHERE = {
    "de": "ich wir ihr sie mir mich uns nicht kein keine einen einem einer eine ein der dem den das und "
    "oder aber ist sind wird werden kann kannst bitte für mit von zum zur vom auf aus nach jeden "
    "jede jeder alle wie wann warum heute morgen danke guten gute hallo mein meine meinen dein "
    "unser unsere euch wenn dann noch schon auch sehr habe haben hast hat hatte soll sollen muss "
    "müssen würde gibt geht welche welcher welches diese dieser dieses bei über zwischen ohne gegen "
    "uhr jetzt gestern abend woche",
    "fr": "elle nous vous ils elles les des une est sont et ou mais avec pour dans sur par chaque tous "
    "toutes quel quelle merci bonjour s'il c'est j'ai n'est qu'il d'un d'une mes mon ma nos notre "
    "je tu moi toi ce cet cette ces du au aux qui où quand pourquoi combien oui non suis avons avez "
    "ont peux peut veux faut demain aujourd'hui hier semaine jour",
    "es": "yo tú él nosotros ellos los las una unos del y pero con para por cada todos todas qué cuál "
    "cómo cuando hola gracias quiero puedes necesito mis nuestro está tengo tienes tiene tenemos "
    "cuánto cuánta cuántos cuántas dónde quién hoy mañana ayer semana tareas pendientes pendiente "
    "hacer dime ponme recuérdame puede quieres sin sobre entre muy porque también",
    "it": "io noi loro gli della delle dei degli con ogni tutti tutte che come quando grazie ciao voglio "
    "puoi sono mio mia nostro ho hai abbiamo quale quali quanti quante dove chi oggi domani ieri "
    "settimana cosa fare devo questo questa nel nella alle perché anche",
    "pt": "nós você vocês uma uns os das dos para cada quero preciso obrigado obrigada olá meu minha não "
    "mim dias todos é ao tenho tem temos qual quais quantos quantas onde quem hoje amanhã ontem "
    "semana fazer isso esta este pelo pela também porque",
    "nl": "ik jij wij jullie het een niet geen maar met voor van naar elke iedere wat wanneer hoe waarom "
    "graag dank mijn onze en de komt eerste mij jouw wie waar welke hoeveel vandaag morgen gisteren "
    "ook nog wel dan kun kan wil moet zijn heb heeft hebben deze dit",
    "sv": "jag det den och inte med till från varje vad hur tack hej vår",
    "da": "jeg det den og ikke med til fra hver hvad hvordan tak hej",
    "nb": "jeg det den og ikke med til fra hver hva hvordan takk hei vår",
    "pl": "nie się jest są dla każdy każdego wszystkie jak kiedy dlaczego proszę dziękuję cześć mój nasz "
    "mi mnie jutro dziś dzisiaj wczoraj tydzień przypomnij zadzwonić hej mam masz jestem czy który "
    "która które ile gdzie kto co tak ale oraz przez przed przy pana pani moja moje",
    "cs": "já vy není každý všechny děkuji ahoj můj náš",
    "tr": "biz siz ve bir için ile tüm zaman lütfen teşekkürler merhaba benim bizim değil bana beni bugün "
    "dün hangi kaç nerede kim ne var yok iyi günler",
    "fi": "minä sinä ei ja kaikki mitä miten kiitos hei minun",
    "ro": "eu ea noi și sau cu pentru din fiecare toate cum când mulțumesc bună",
    "hu": "én és nem egy minden hogyan köszönöm szia",
    "id": "saya kamu kami tidak untuk dengan dari setiap semua apa bagaimana terima kasih tolong halo",
    "vi": "tôi bạn và không cho với từ mỗi tất cả như thế nào cảm ơn xin chào",
}
_ENGLISH_WORDS = frozenset(_ENGLISH.split())
_ELSEWHERE_WORDS = frozenset(" ".join(_ELSEWHERE.values()).split())


def is_foreign(text: str) -> bool:
    """Return whether the text has no English words and several foreign ones; False when it is unclear."""
    words = [word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS]]
    letters = "".join(words)
    if not letters or not _ENGLISH_WORDS.isdisjoint(words):
        return False
    if 2 * len(_LATIN.findall(letters)) < len(letters):
        return True
    strange = {word for word in words if word in _ELSEWHERE_WORDS or not word.isascii()}
    return len(strange) > 1 and 4 * len(strange) >= len(words)


def foreign_language(text: str) -> str | None:
    """Return the language of a foreign text (`is_foreign`) as an ISO 639-1 code; empty when it isn't known.

    None: the text is English, or it is unclear.
    """
    if not is_foreign(text):
        return None
    letters = [letter for letter in text if letter.isalpha()]
    for code, first, last in _SCRIPTS:
        if sum(first <= letter <= last for letter in letters) * 3 > len(letters):
            return _by_letters(code, text)
    words = [word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS]]
    counts = {
        codes: sum(word in own for word in words) + sum(letter in _LETTERS.get(codes, "") for letter in text)
        for codes, own in _words_by_language().items()
    }
    best = max(counts, key=lambda codes: counts[codes])
    return best if counts[best] else ""


@cache
def _words_by_language() -> dict[str, frozenset[str]]:
    return {codes: frozenset(own.split()) for codes, own in _ELSEWHERE.items()}


def _by_letters(code: str, text: str) -> str:
    """Return the language of a script that several languages share."""
    return next((other for marks, other in _SHARED.get(code, ()) if set(marks) & set(text)), code)


_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"), ("ko", "\uac00", "\ud7af"), ("zh", "\u4e00", "\u9fff"),
    ("ru", "\u0400", "\u04ff"), ("ar", "\u0600", "\u06ff"), ("hi", "\u0900", "\u097f"),
    ("bn", "\u0980", "\u09ff"), ("th", "\u0e00", "\u0e7f"),
    ("el", "\u0370", "\u03ff"), ("he", "\u0590", "\u05ff"),
)  # fmt: skip
"""The first and last letter of each script, and its most spoken language."""
_SHARED = {
    "ru": (("\u0456\u0457\u0454\u0491", "uk"),),
    "ar": (("\u0679\u0688\u0691\u06d2\u06ba", "ur"), ("\u067e\u0686\u06af\u06cc", "fa")),
    "zh": (("\u306e\u3092\u306f\u304c\u3067", "ja"),),
}
"""Letters by which other languages of a script are told."""
_LETTERS = {
    "de": "äöüß", "fr": "çèêœùàâ", "es": "ñ¿¡", "pt": "ãõ", "pl": "łąęśżźćń", "cs": "ěřůčďť", "tr": "ğşı",
    "ro": "șțăî",
    "hu": "őű", "sv": "åäö", "da": "æø", "vi": "ơưđ", "fi": "ä",
}  # fmt: skip
"""Letters that are typical of a language."""
