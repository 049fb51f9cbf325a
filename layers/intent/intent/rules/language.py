"""Detection of languages other than English, the only one that the offline tier understands.

The script decides, function words of other languages that English lacks, or letters that are another
language's where most words are no English ones. Names of services and words that languages share are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from intent.acts.slot_types import CLOSED_CLASS
from intent.acts.tokens import known_words, tokenise
from intent.rules.language_model import shared_table

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
    "oder aber ist sind wird werden kann kannst bitte für mit von zum zur vom auf aus nach jeden jede "
    "jeder alle wie wann warum heute morgen danke guten gute hallo mein meine meinen dein unser "
    "unsere euch wenn dann noch schon auch sehr habe haben hast hat hatte soll sollen muss müssen "
    "würde gibt geht welche welcher welches diese dieser dieses bei über zwischen ohne gegen uhr "
    "jetzt gestern abend woche vielen dank hilfe wer bist dir es spät zeig zeige aufgaben aufgabe "
    "lösch lösche letzte erinnere alles deutsch sprichst ja nein du",
    "fr": "elle nous vous ils elles les des une est sont et ou mais avec pour dans sur par chaque tous "
    "toutes quel quelle merci bonjour s'il c'est j'ai n'est qu'il d'un d'une mes mon ma nos notre je "
    "tu moi toi ce cet cette ces du au aux qui où quand pourquoi combien oui non suis avons avez ont "
    "peux peut veux faut demain aujourd'hui hier semaine jour que faire ça beaucoup bonsoir salut "
    "heure es aide montre tâches tâche supprime dernière parles français rappelle rappelez coûte "
    "coute de la le",
    "es": "yo tú él nosotros ellos los las una unos del y pero con para por cada todos todas qué cuál cómo "
    "cuando hola gracias quiero puedes necesito mis nuestro está tengo tienes tiene tenemos cuánto "
    "cuánta cuántos cuántas dónde quién hoy mañana ayer semana tareas pendientes pendiente hacer dime "
    "ponme recuérdame puede quieres sin sobre entre muy porque también que tal muchas ayuda cuanto "
    "cuesta hora es recuerdame manana llamar borra ultima última tarea muestra mi hablas español "
    "espanol quien eres soy buenos dias buenas tardes favor de la el lo",
    "it": "io noi loro gli della delle dei degli con ogni tutti tutte che come quando grazie ciao voglio "
    "puoi sono mio mia nostro ho hai abbiamo quale quali quanti quante dove chi oggi domani ieri "
    "settimana cosa fare devo questo questa nel nella alle perché anche parli italiano ricordami "
    "chiamare mostrami cancella ultimo ore quanto costa sei mille bisogno di aiuto buongiorno stai il "
    "la lo",
    "pt": "nós você vocês uma uns os das dos para cada quero preciso obrigado obrigada olá meu minha não "
    "mim dias todos é ao tenho tem temos qual quais quantos quantas onde quem hoje amanhã ontem "
    "semana fazer isso esta este pelo pela também porque voce fala falar portugues português quanto "
    "custa quanta amanha minhas meus ajuda pode podes bom dia tudo bem tarefa tarefas lembra lembre "
    "mostra apaga ultima última está estou sim nao favor de da",
    "nl": "ik jij wij jullie het een niet geen maar met voor van naar elke iedere wat wanneer hoe waarom "
    "graag dank mijn onze en de komt eerste mij jouw wie waar welke hoeveel vandaag morgen gisteren "
    "ook nog wel dan kun kan wil moet zijn heb heeft hebben deze dit je doen spreek nederlands "
    "herinner laat zien kost ben verwijder laatste taak hartelijk bedankt hoi ja nee",
    "sv": "jag det den och inte med till från varje vad hur tack hej vår kan du göra pratar svenska påminn "
    "mig imorgon så mycket ja nej",
    "da": "jeg det den og ikke med til fra hver hvad hvordan tak hej kan du gøre taler dansk mig morgen ja "
    "nej",
    "nb": "jeg det den og ikke med til fra hver hva hvordan takk hei vår kan du gjøre snakker norsk meg",
    "pl": "nie się jest są dla każdy każdego wszystkie jak kiedy dlaczego proszę dziękuję cześć mój nasz mi "
    "mnie jutro dziś dzisiaj wczoraj tydzień przypomnij zadzwonić hej mam masz jestem czy który która "
    "które ile gdzie kto co tak ale oraz przez przed przy pana pani moja moje potrafisz mówisz mowisz "
    "polsku pokaż pokaz zadania to kosztuje jesteś jestes dziekuje",
    "cs": "já vy není každý všechny děkuji ahoj můj náš co umíš mluvíš česky připomeň zítra",
    "tr": "biz siz ve bir için ile tüm zaman lütfen teşekkürler merhaba benim bizim değil bana beni bugün "
    "dün hangi kaç nerede kim ne var yok iyi günler yapabilirsin türkçe turkce biliyor musun "
    "yarin hatirlat göster goster kadar sen kimsin nasilsin evet",
    "fi": "minä sinä ei ja kaikki mitä miten kiitos hei minun osaat tehdä puhutko suomea muistuta huomenna",
    "ro": "eu ea noi și sau cu pentru din fiecare toate cum când mulțumesc bună ce poti poți sa să faci "
    "vorbesti română multumesc",
    "hu": "én és nem egy minden hogyan köszönöm szia mit tudsz csinálni magyarul holnap",
    "id": "saya kamu kami tidak untuk dengan dari setiap semua apa bagaimana terima kasih tolong halo bisa "
    "lakukan bahasa indonesia ingatkan besok berapa harganya siapa yang",
    "vi": "tôi bạn và không cho với từ mỗi tất cả như thế nào cảm ơn xin chào có thể làm gì nhac toi ngay "
    "mai nhắc ngày",
}
_TAGALOG = (
    "ang ng mga po ko mo sa ako ikaw siya kami tayo kayo sila ano ba na pa naman salamat magandang umaga"
    " hapon gabi hindi opo paano kailan sino saan bakit kumusta ninyo ninyong nila gusto iyon lang maraming"
)
_OF_ROME = (
    "salve quaeso potesne mihi tibi auxilium gratias quid quomodo nunc dare possum velim vobis est sunt"
)
_SWAHILI = (
    "jambo habari asante sana tafadhali kwa unaweza kunisaidia mimi wewe yangu leo kesho ninahitaji karibu"
)
_YORUBA = "ẹ ẹ́ jọ̀wọ́ jọwọ ṣé ṣe mo ni kú àárọ̀ lè ràn mí lọ́wọ́ báwo dúpẹ́ bẹẹni rárá"
_UNNAMED = tuple(frozenset(words.split()) for words in (_TAGALOG, _OF_ROME, _SWAHILI, _YORUBA))
"""Common words of languages whose letters aren't known, so that they are answered in English."""
_ENGLISH_WORDS = frozenset(_ENGLISH.split())
_FEWEST_UNKNOWN, _MARGIN, _SURE_MARGIN = 0.5, 0.6, 1.0
"""The share of words that are no English ones, and by how much another language is likelier, for a text with
words of that language, and for one without.
"""


@lru_cache(maxsize=128)
def is_foreign(text: str) -> bool:
    """Return whether the text has no English words and is in another language; False when it is unclear."""
    words = [word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS]]
    letters = "".join(words)
    if not letters or not _ENGLISH_WORDS.isdisjoint(words):
        return False
    if 2 * len(_LATIN.findall(letters)) < len(letters):
        return True
    accented = {word for word in words if not word.isascii()}
    strange = max(len(accented | (_words_of(code) & set(words))) for code in _ELSEWHERE)
    if (strange > 1 and 4 * strange >= len(words)) or _is_unnamed(words):
        return True
    return _reads_foreign(text, words)


def _is_unnamed(words: Sequence[str]) -> bool:
    """Return whether a text is in a language of the `_UNNAMED` ones; single words of it are none."""
    found = max(len(own & set(words)) for own in _UNNAMED)
    return found > 1 and found > sum(map(_is_english, set(words)))


def _reads_foreign(text: str, words: Sequence[str]) -> bool:
    """Return whether most words are no English ones and the letters are another language's."""
    unknown = [word for word in words if not _is_english(word)]
    is_short = len(words) < _FEWEST_WORDS or sum(map(len, words)) < _FEWEST_LETTERS
    if is_short or len(unknown) < _FEWEST_UNKNOWN * len(words):
        return False
    scores = _scores(text, words)
    best = max(scores, key=lambda code: scores[code], default="en")
    has_word = not _words_of(best).isdisjoint(unknown)
    is_sure = has_word or len(unknown) == len(words) >= _FEWEST_WITHOUT
    return best != "en" and is_sure and scores[best] - scores["en"] > (_MARGIN if has_word else _SURE_MARGIN)


def _is_english(word: str) -> bool:
    """Return whether a word, as it was probably meant, is one that people use in English here."""
    return any(one.word in known_words() or one.word in CLOSED_CLASS for one in tokenise(word))


_FEWEST_WORDS, _FEWEST_WITHOUT, _FEWEST_LETTERS = 2, 4, 8


def foreign_language(text: str) -> str | None:
    """Return the language of a foreign text (`is_foreign`) as an ISO 639-1 code; empty when it isn't surely
    known.

    None: the text is English, or it is unclear.
    """
    if not is_foreign(text):
        return None
    letters = [letter for letter in text if letter.isalpha()]
    for code, first, last in _SCRIPTS:
        if sum(first <= letter <= last for letter in letters) * 3 > len(letters):
            return _by_letters(code, text)
    words = [word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS]]
    if _is_unnamed(words) or len(_scores(text, words)) < _FEWEST_COMPARED:
        return ""
    scores = {code: score for code, score in _scores(text, words).items() if code != "en"}
    best, *others = sorted(scores, key=lambda code: -scores[code])
    has_word = not _words_of(best).isdisjoint(words)
    return best if has_word or scores[best] - scores[others[0]] > _SURE_OF_OTHERS else ""


_FEWEST_COMPARED = 3
"""English and two others; letters of no known script have none."""
_SURE_OF_OTHERS = 0.25
"""By how much a language without a common word in a text has to be likelier than the next one."""


def goes_on_in_foreign(text: str, before: str) -> str | None:
    """Return the language that a message goes on in, which the message ``before`` was in; None: in none."""
    code = foreign_language(before)
    words = [word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS]]
    if not code or len(words) < _FEWEST_WORDS or not _ENGLISH_WORDS.isdisjoint(words):
        return None
    scores = _scores(text, words)
    if code not in scores:
        return None
    is_likelier = scores[code] - scores["en"] > _MARGIN_BEHIND
    return code if is_likelier and 2 * sum(map(_is_english, words)) <= len(words) else None


_MARGIN_BEHIND = 0.3


def _scores(text: str, words: Sequence[str]) -> dict[str, float]:
    """Return how well each language explains a text: its letters, the common words it has, and how many
    people write it here.
    """
    likelihoods = shared_table().likelihoods(text)
    found = {word: [code for code in _ELSEWHERE if word in _words_of(code)] for word in words}
    shares = {code: sum(1 / len(own) for own in found.values() if code in own) for code in likelihoods}
    return {
        code: likelihood + _OF_WORDS * shares[code] / (len(words) or 1) + _OF_LANGUAGE.get(code, 0.0)
        for code, likelihood in likelihoods.items()
    }


_OF_WORDS = 2.5
"""How much common words count beside letters."""
_OF_LANGUAGE = {"es": 0.15, "fr": 0.15, "de": 0.15, "pt": 0.15, "it": 0.1}


@cache
def _words_of(code: str) -> frozenset[str]:
    return frozenset(_ELSEWHERE.get(code, "").split())


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
