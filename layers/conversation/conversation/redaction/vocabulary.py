"""Labels of secrets in several languages, ordinary words that follow them, and tests on candidate values.

Used by `conversation.redaction.labelled_secrets`; `is_placeholder` also by
`conversation.redaction.key_formats`.
"""

from __future__ import annotations

import re

from conversation.redaction.kinds import SecretKind

PASSWORD_LABELS = (
    r"(?:pass(?:words?|wd|wort|w[oö]rter|codes?|phrases?|e)?|mots? de passe|palavras?-passe|pwd?|mdp"  # noqa: S105
    r"|kennw[oö]rt(?:er)?|contrase[nñ]as?|clave|parola d'ordine|senhas?|wachtwoord(?:en)?|has[lł]o"
    r"|l[oö]senord(?:et)?|adgangskode|kodeord|passord|salasana|jelsz[oó]|geslo|heslo|zaporka|lozinka|şifre|sifre)"
)
AMBIGUOUS_PASSWORD_LABELS = frozenset({"clave", "pass"})
"""Labels that have other meanings, too: a plain word after them is no password."""
PASSWORD_MARKS = (
    "pass", "pw", "mdp", "kennw", "contrase", "clave", "parola d", "senha", "wachtwoord", "hasło", "haslo",
    "lösenord", "losenord", "adgangskode", "kodeord", "salasana", "heslo", "geslo", "lozinka", "zaporka",
    "şifre", "sifre", "jelsz",
)  # fmt: skip
"""Parts of these labels; a text without any of them contains no such label."""

PIN_LABELS = (
    r"(?:pins?(?:[ -]?(?:codes?|number|nummer))?|otp|(?:2fa|mfa|verification|security|access|one-time|login"
    r"|door|entry|alarm|unlock|sms)[ -]?codes?|code pin|t[uü]rcode|geheimzahl|cvv2?|cvc2?|passcodes?)"
)
PIN_MARKS = ("pin", "code", "otp", "cvv", "cvc", "geheimzahl")

SIGN_IN_LABELS = (
    r"(?:credentials?|creds|log-?ins?|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali"
    r"|credenciais)"
)
SIGN_IN_MARKS = ("cred", "login", "log-in", "zugangsd", "anmelded", "identif")

KEY_LABELS = (
    r"(?:(?:(?:api|access|secret|private|client|auth|bearer|bot|app|application|service|account|signing"
    r"|shared|encryption|subscription|license|refresh|session|personal|webhook|deploy|admin|master|root"
    r"|storage|consumer|user|read|write|aws|gh|github|gitlab|npm|dd|datadog|twilio|weather|id|oauth2?)"
    r"[ _.-]?){1,4}(?:keys?|tokens?|secrets?)|cl[eé]s? (?:d')?api|api-?schl[uü]ssel|clave (?:de )?api"
    r"|chiave api|chave (?:de |da )?api|tokens?|secrets?|schl[uü]ssel|keys?|jeton|geheimnis|_?authtoken)"
)
KEY_MARKS = (
    "key",
    "token",
    "secret",
    "schl",
    "clé",
    "cle api",
    "chiave",
    "chave",
    "jeton",
    "clave",
    "geheimnis",
)
AMBIGUOUS_KEY_LABELS = frozenset({
    "key", "keys", "token", "tokens", "secret", "secrets", "schlüssel", "schlussel", "jeton", "geheimnis",
})  # fmt: skip
"""Labels that have other meanings, too: a value after them has to be long."""

COPULAS = (
    r"is|was|are|will be|ist|war|lautet|lauten|hei[sß]t|sind|est|c['\u2019]est|sont|es|son|era"
    r"|[eè]['\u2019]?|é|to|zu|auf|als|to jest|jest|becomes|remains|used to be|equals|är|er|a|à"
)
ADVERBS = (
    r"(?:\s(?:now|still|just|set to|currently|actually|jetzt|nun|noch|ahora|adesso|agora|maintenant|:|the))?"
)
PREPOSITIONS = frozenset({"to", "zu", "auf", "als", "a", "à"})
"""Words that lead to a place more often than to a password."""
PLAIN_WORD_VERBS = (["is"], ["was"], ["will"])
"""Words that may precede a plain word as the value. The others in `COPULAS` mostly introduce a description
of the
password.
"""

ATTRIBUTE_WORDS = frozenset({
    "algorithm", "arn", "count", "curve", "date", "expiry", "field", "file", "fingerprint", "format", "hash",
    "hint", "id", "label", "length", "lifetime", "limit", "name", "owner", "path", "policy", "prefix",
    "rotation",
    "rule", "rules", "scope", "scopes", "size", "status", "strength", "ttl", "type", "uri", "url", "usage",
    "version",
})  # fmt: skip
"""Attributes of a password or key that are stated instead of the secret, as in "the key's fingerprint is"."""

STOP_WORDS = frozenset({
    "a", "abgelaufen", "about", "above", "accepted", "active", "again", "all", "already", "also", "always",
    "an", "and", "any", "appears", "array", "as", "asap", "ask", "at", "auf", "aus", "available", "away",
    "bad", "because", "been", "before", "beim", "being", "below", "best", "better", "bien", "bitte",
    "blank", "bloccata", "blocked", "bloqueada", "bloqueado", "bloqué", "bloquée", "bool", "boolean",
    "both", "broken", "but", "by", "bytes", "caducada", "called", "cambiada", "can", "cannot", "case",
    "changed", "changé", "changée", "char", "checked", "class", "clear", "coming", "compromised",
    "confidential", "const", "correct", "corta", "created", "critical", "currently", "curta", "dans", "das",
    "dead", "debil", "def", "default", "defined", "deleted", "demasiado", "denied", "der", "des", "dict",
    "die", "different", "difficult", "dimenticata", "disabled", "displayed", "do", "doch", "done", "due",
    "débil", "ein", "eine", "einfach", "either", "else", "em", "empty", "en", "enabled", "encrypted",
    "enough", "entered", "errada", "errado", "error", "essere", "est", "even", "everything", "exactly",
    "expired", "expiring", "exposed", "falsa", "falsch", "false", "far", "fausse", "faux", "field", "fine",
    "for", "forbidden", "forgotten", "found", "fout", "from", "full", "func", "gecos", "generated",
    "gesperrt", "geändert", "given", "gleich", "gone", "good", "great", "guardada", "guardado", "guess",
    "hard", "has", "hashed", "have", "hello", "here", "hidden", "hier", "hmm", "how", "huge", "i", "idk",
    "if", "im", "immer", "important", "in", "inactive", "incorrect", "incorrecta", "incorrecte",
    "incorrecto", "indeed", "insecure", "inside", "instead", "int", "integer", "into", "invalid",
    "invalida", "is", "ist", "it", "its", "just", "kaputt", "kept", "key", "known", "kwijt", "la", "larga",
    "last", "later", "le", "leaked", "least", "leer", "less", "let", "like", "likely", "limited", "link",
    "list", "literal", "locked", "long", "longa", "longer", "lost", "lunga", "made", "mais", "managed",
    "mandatory", "many", "masked", "maybe", "me", "mein", "min", "minimum", "missing", "more", "most",
    "much", "mudada", "muito", "must", "muy", "my", "na", "name", "nas", "near", "necessaria", "necessary",
    "needed", "nel", "nella", "neu", "never", "new", "nicht", "nie", "nil", "no", "noch", "non", "none",
    "nope", "nos", "not", "nothing", "now", "null", "number", "nvarchar", "nécessaire", "obbligatoria",
    "object", "obligatoire", "obligatoria", "obrigatória", "of", "off", "ok", "okay", "old", "olvidada",
    "on", "one", "onjuist", "online", "only", "open", "optional", "or", "other", "otherwise", "oublié",
    "oubliée", "our", "out", "over", "owned", "paciencia", "part", "pas", "patience", "per", "perdida",
    "perdido", "più", "please", "policy", "possible", "probably", "problem", "protected", "provided",
    "public", "quite", "random", "readable", "ready", "really", "rejected", "required", "reset", "return",
    "reused", "revoked", "richtig", "right", "rotated", "rotating", "safe", "salvata", "same", "saved",
    "sbagliata", "scaduta", "scaduto", "schwach", "secret", "secure", "see", "self", "sempre", "sent",
    "sequence", "set", "shared", "shell", "short", "should", "shown", "sicher", "siempre", "simple", "so",
    "some", "somewhere", "soon", "sorry", "sort", "stark", "still", "stockée", "stolen", "stored", "str",
    "strange", "string", "strong", "stuck", "such", "sul", "supposed", "sur", "sure", "synced", "taken",
    "tbd", "text", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "though", "tied", "to", "today", "together", "too", "toujours", "trivial", "trop", "troppo",
    "true", "tuple", "two", "type", "typed", "uma", "un", "una", "undefined", "under", "une", "unique",
    "unknown", "unless", "unsafe", "unsicher", "unter", "until", "unused", "up", "updated", "upper",
    "usable", "used", "useless", "using", "usual", "valid", "validated", "var", "varchar", "vencida",
    "vergessen", "vergeten", "verified", "verkeerd", "verlopen", "verloren", "very", "visible", "void",
    "vom", "von", "vraiment", "was", "way", "we", "weak", "weg", "weird", "well", "what", "when", "where",
    "which", "while", "who", "why", "wichtig", "will", "with", "within", "without", "wo", "working",
    "wrong", "yep", "yes", "yet", "you", "your", "zu", "zur", "zuruck", "zurückgesetzt", "zurücksetzen",
})  # fmt: skip
"""Words that follow "the password is" in sentences that contain no password."""

_DESCRIPTIVE_ENDINGS = re.compile(
    r"[a-zà-ÿ]*(?:ed|ing|able|ible|ful|less|ent|ant|ive|ical|ous|ary|ally|tion|ment|ly|iert|lich|isch|bar|ada|ado|ida"
    r"|ido|ata|ato|uta|uto|ée|ées)"
)
"""Endings of words that describe a password or what was done with it."""
_PLACEHOLDERS = frozenset({
    "password", "passwd", "pass", "pwd", "secret", "token", "key", "user", "username", "changeme", "example",
    "your_password", "yourpassword", "your-password", "mypassword", "my_password", "pw", "passwort", "senha",
    "placeholder", "redacted", "hidden", "xxx", "null", "none", "undefined", "true", "false", "string",
})  # fmt: skip
"""Placeholders for a secret in instructions."""


CLOSING_CHARACTERS = ".,;:?)]}>|\"'`”»*\u2019"
"""Characters that end a sentence, a quotation or a list, but no secret."""

MIN_KEY_LENGTH, MIN_AMBIGUOUS_KEY_LENGTH = 8, 16
_SHORTEST_WORD = 4

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_MEASURE = re.compile(
    r"[\d.,:/%+-]+|v?\d+(?:\.\d+)+\S{0,80}|\d+(?:st|nd|rd|th|ms|s|kb|mb|gb|h|min|x|%)", re.IGNORECASE
)
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_ATTRIBUTE = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+")
_CALLED = re.compile(r"\w[(\[{]")
_OPAQUE = re.compile(r"[A-Za-z0-9_\-.+/=~%!@#$^&*:|]{8,200}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_RUN = re.compile(r"[A-Za-z0-9]+")
_RULES = re.compile(r"(?=[^|]*\|)\w++(?:[|:,]\w++)++")
_NEUTRAL, _TAGS = "'\u2019-_/", "!#@&"
"""Characters within words, and before the names of other things."""
_ELSEWHERE = ("-", "/", "./", "~/", "process.", "os.", "self.", "req.", "env.", "config.", "settings.")


def is_placeholder(value: str) -> bool:
    """Whether the text only stands for a secret, as in instructions."""
    return (
        value[:1] in "<{[($*%•…"
        or value.casefold().strip("\"'`.,;") in _PLACEHOLDERS
        or "..." in value
        or ("passw" in value.casefold() and not any(map(str.isdigit, value)))
        or "…" in value
        or "**" in value
        or len(set(value.casefold())) < 2
        or (len(value) >= 8 and len(set(value[3:].casefold())) <= 2)
    )


def looks_like_password(value: str, *, allow_plain_word: bool) -> bool:
    """Whether the value may be a password; a plain word may only be one if ``allow_plain_word``."""
    if len(value) < 3 or is_placeholder(value) or not is_literal(value, SecretKind.PASSWORD):
        return False
    if is_mixed(value):
        return True
    words = value.casefold().replace("-", " ").split()
    is_word = _WORD.fullmatch(value) is not None and len(value) >= _SHORTEST_WORD
    return (
        allow_plain_word
        and is_word
        and not any(word in STOP_WORDS or _DESCRIPTIVE_ENDINGS.fullmatch(word) for word in words)
    )


def looks_like_key(value: str, *, shortest: int) -> bool:
    """Whether the value may be a key: letters and digits mixed as in no ordinary word."""
    letters = sum(character.isalpha() for character in value)
    digits = sum(character.isdigit() for character in value)
    if len(value) < shortest or is_placeholder(value) or not is_literal(value, SecretKind.API_KEY):
        return False
    if _OPAQUE.fullmatch(value) is None or letters < 2 or digits < 2 or len(set(value)) < 6:
        return False
    if shortest == MIN_AMBIGUOUS_KEY_LENGTH and _UUID.fullmatch(value):
        return False
    if shortest == MIN_AMBIGUOUS_KEY_LENGTH and longest_run(value) < shortest and not _is_dense(value):
        return False
    # Words and dates joined by hyphens are names.
    return any(not run.isalpha() and not run.isdecimal() and len(run) >= 6 for run in _RUN.findall(value))


def longest_run(value: str) -> int:
    """The length of the longest run of letters and digits."""
    return max(map(len, _RUN.findall(value)), default=0)


def _is_dense(value: str) -> bool:
    is_of_both = any(map(str.isupper, value)) and any(map(str.islower, value))
    return len(value) >= 2 * MIN_AMBIGUOUS_KEY_LENGTH and is_of_both


def is_literal(value: str, kind: SecretKind) -> bool:
    """Whether the value is not an address, call, path or variable."""
    if "://" in value or value.startswith(_ELSEWHERE) or "=" in value.rstrip("="):
        return False
    if _ATTRIBUTE.fullmatch(value) or _RULES.fullmatch(value):
        return False
    if any(mark in value for mark in "({["):
        return kind is SecretKind.PASSWORD and _CALLED.search(value) is None
    return _CONSTANT.fullmatch(value) is None


def is_mixed(value: str) -> bool:
    """Whether the value looks like no word, number or measure: digits or signs among letters, or capitals
    within.
    """
    if _MEASURE.fullmatch(value):
        return False
    letters = sum(character.isalpha() for character in value)
    others = sum(not c.isalpha() and c not in _NEUTRAL for c in value.strip(CLOSING_CHARACTERS).lstrip(_TAGS))
    if letters and others:
        return True
    if value.count("-") >= 3 and _WORD.fullmatch(value):
        return True
    bare = value.replace("_", "").replace("-", "")
    capitals = sum(character.isupper() for character in bare[1:])
    return bare.isalpha() and 0 < capitals < len(bare) - 1 and len(bare) >= 6
