"""Finds keys by their format: those of common providers, private keys, passwords in URLs.

A format is tested only where its prefix or mark occurs, within a limited window. A turn looks through dozens
of texts, hardly any of which has a key, so what rules out most formats at once comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import Pattern

from conversation.redaction.kinds import SearchText, SecretKind, SecretSpan
from conversation.redaction.vocabulary import is_placeholder

WINDOW = 400
"""The characters in which a format is recognised; the rest of a longer key is included, too."""

_SHORTEST = 13
_LEAST_VARIETY = 6
"""The minimum number of different characters in a key; a value with fewer is a placeholder."""

_N = r"[A-Za-z0-9]"
_W = r"[\w-]"
_B = r"[A-Za-z0-9+/]"
_HEX = r"[0-9a-fA-F]"
_FORMS: tuple[tuple[str, str], ...] = (
    ("sk-", rf"{_W}{{0,60}}?(?=[A-Za-z]{{0,30}}\d)(?=\d{{0,30}}[A-Za-z]){_N}{{10,}}"),
    ("pk-", rf"(?:[a-z]{{1,6}}-){{0,2}}(?={_W}{{0,40}}?\d){_W}{{20,}}"),
    ("sk_", rf"(?:live|test|prod|org|[a-z]{{1,8}})?_?(?={_W}{{0,40}}?\d){_W}{{16,}}"),
    ("rk_", rf"(?:live|test)_{_N}{{16,}}"), ("pk_", rf"(?:live|test)_{_N}{{16,}}"),
    ("whsec_", r"[A-Za-z0-9+/=]{16,}"), ("AKIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"), ("ABIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("ghp_", rf"{_N}{{20,}}"), ("gho_", rf"{_N}{{20,}}"), ("ghu_", rf"{_N}{{20,}}"),
    ("ghs_", rf"{_N}{{20,}}"), ("ghr_", rf"{_N}{{20,}}"), ("github_pat_", r"\w{22,}"),
    ("glpat-", r"[\w.-]{16,}"), ("gldt-", rf"{_W}{{16,}}"), ("glrt-", r"[\w.-]{16,}"),
    ("glptt-", rf"{_W}{{16,}}"), ("glcbt-", rf"{_W}{{16,}}"), ("glft-", rf"{_W}{{16,}}"),
    ("glsoat-", rf"{_W}{{16,}}"), ("glimt-", rf"{_W}{{16,}}"), ("glagent-", rf"{_W}{{16,}}"),
    ("xox", r"[a-z](?:\.[a-z]{4})?-[\w-]{10,}"), ("xapp-", rf"{_W}{{16,}}"), ("xwfp-", rf"{_W}{{16,}}"),
    ("AIza", rf"{_W}{{30,}}"), ("ya29.", r"[\w.-]{16,}"), ("GOCSPX-", rf"{_W}{{16,}}"),
    ("1//0", rf"{_W}{{30,}}"), ("SG.", rf"{_W}{{10,}}\.{_W}{{10,}}"), ("SK", rf"{_HEX}{{32}}(?!{_N})"),
    ("key-", rf"{_HEX}{{32}}(?!{_N})"), ("npm_", rf"{_N}{{20,}}"), ("pypi-", rf"{_W}{{16,}}"),
    ("rubygems_", rf"{_HEX}{{32,}}"), ("hf_", rf"{_N}{{20,}}"), ("gsk_", rf"{_N}{{20,}}"),
    ("xai-", rf"{_N}{{20,}}"), ("pplx-", rf"{_N}{{20,}}"), ("r8_", rf"{_N}{{20,}}"),
    ("nvapi-", rf"{_W}{{20,}}"), ("tvly-", rf"{_W}{{16,}}"), ("jina_", rf"{_W}{{20,}}"),
    ("fw_", rf"{_N}{{20,}}"), ("lsv2_", r"\w{20,}"), ("csk-", rf"{_W}{{20,}}"),
    ("re_", rf"{_N}{{8}}_{_N}{{16,}}"), ("secret_", rf"{_N}{{30,}}"), ("ntn_", rf"{_N}{{20,}}"),
    ("lin_", rf"(?:api|oauth)_{_N}{{16,}}"), ("eyJ", r"[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?"),
    ("shp", r"(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}"), ("dop_v1_", rf"{_HEX}{{32,}}"),
    ("doo_v1_", rf"{_HEX}{{32,}}"), ("hvs.", rf"{_W}{{20,}}"), ("hvb.", rf"{_W}{{20,}}"),
    ("dapi", rf"{_HEX}{{32}}(?:-\d)?(?!{_N})"), ("dckr_", rf"(?:pat|oat)_{_W}{{16,}}"),
    ("glsa_", r"\w{20,}"), ("glc_", rf"{_B}{{20,}}"), ("PMAK-", rf"{_HEX}{{16,}}(?:-{_HEX}+)?"),
    ("figd_", rf"{_W}{{20,}}"),
    ("pat", rf"(?:{_N}{{14}}\.{_HEX}{{64}}|-(?:na|eu)\d-{_HEX}{{8}}-{_HEX}{{4}}-[0-9a-fA-F-]{{10,}})"),
    ("NRAK-", r"[A-Z0-9]{20,}"), ("NRII-", rf"{_W}{{20,}}"), ("sq0", rf"(?:atp|csp|idp)-{_W}{{16,}}"),
    ("EAAA", rf"{_W}{{30,}}"), ("ATATT3", rf"{_W}{{20,}}"), ("ATCTT3", rf"{_W}{{20,}}"),
    ("ATBB", rf"{_N}{{24,}}"), ("CFPAT-", rf"{_W}{{20,}}"), ("sbp_", rf"{_HEX}{{32,}}"),
    ("sb_secret_", rf"{_W}{{16,}}"), ("phx_", rf"{_N}{{20,}}"), ("phc_", rf"{_N}{{20,}}"),
    ("rnd_", rf"{_N}{{20,}}"), ("fo1_", rf"{_W}{{20,}}"), ("fm1r_", rf"{_B}{{20,}}"),
    ("fm2_", rf"{_B}{{20,}}"), ("pul-", rf"{_HEX}{{32,}}"), ("sntry", rf"[su]_{_W}{{20,}}"),
    ("dt0c01.", r"[A-Z0-9]{8,}\.[A-Z0-9]{20,}"), ("AGE-SECRET-KEY-1", r"[A-Z0-9]{20,}"),
    ("ops_", rf"eyJ{_W}{{20,}}"), ("HRKU-", rf"{_W}{{20,}}"), ("BBDC-", rf"{_N}{{20,}}"),
    ("APA91b", rf"{_W}{{60,}}"), ("sl.", rf"{_W}{{40,}}"), ("bot", rf"\d{{8,10}}:AA{_W}{{30,}}"),
    ("EZ", rf"[AT]K{_N}{{40,}}"), ("shippo_", rf"(?:live|test)_{_HEX}{{20,}}"),
)  # fmt: skip
"""The prefix of a key, and the pattern of the rest."""
_HEAD_LENGTH = 2
_BY_HEAD: dict[str, list[tuple[str, str]]] = {}
"""The formats, by the first characters of their prefixes."""
for _form in _FORMS:
    _BY_HEAD.setdefault(_form[0][:_HEAD_LENGTH], []).append(_form)
_HEAD = re.compile(r"(?<![\w-])\w\S")
"""The beginning of a word, or of a part of one after a sign."""

_KEY, _PASSWORD, _HOOK = SecretKind.API_KEY, SecretKind.PASSWORD, SecretKind.WEBHOOK
_INSIDE: tuple[tuple[str, tuple[int, ...], str, SecretKind], ...] = (
    ("8Q~", (3,), rf"(?<!{_N})({_N}{{3}}8Q~[\w.~-]{{31,40}})", _KEY),
    (":AA", (10, 9, 8), rf"(?<!{_N})(\d{{8,10}}:AA{_W}{{30,}})", _KEY),
    ("-us", (32,), rf"(?<!{_N})({_HEX}{{32}}-us\d{{1,2}})(?!{_N})", _KEY),
    (
        "hooks.slack.com/",
        (0,),
        rf"[\w.]+/(?:services|workflows|triggers)/({_N}+/{_N}+/[\w/]{{8,}})",
        _HOOK,
    ),
    ("/api/webhooks/", (0,), rf"/api/webhooks/(\d{{10,}}/{_W}{{30,}})", _HOOK),
    (
        "/webhookb2/",
        (0,),
        r"/webhookb2/([\w@-]{20,}/IncomingWebhook/\w{20,}(?:/[\w-]+)*)",
        _HOOK,
    ),
    ("AccountKey=", (0,), rf"AccountKey=({_B}{{40,}}={{0,2}})", _KEY),
    ("SharedAccessKey=", (0,), rf"SharedAccessKey=({_B}{{20,}}={{0,2}})", _KEY),
    ("sig=", (0,), r"sig=([\w%+/-]{30,}(?:%3[dD]|=){0,2})", _KEY),
    ("://", (0,), r"://(?!(\w{1,40}):\1@)[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@", _PASSWORD),
    (
        "-u",
        (0,),
        r"(?<![\w])-u(?:ser)?[ =][\"']?(?!\d+:)[^\s:\"']{1,80}:([^\s\"']{3,200})",
        _PASSWORD,
    ),
)
"""A mark within or before a secret, how far before it to start matching, and the pattern of the secret and
its surroundings.
"""

_NAMELESS = {
    40: r"(?<![\w+/=.-])[A-Za-z0-9+/]{40}(?![\w+/=.-])",
    58: r"(?<![\w.-])[A-Za-z][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}",
}
"""By their (minimum) length: secret access keys of AWS, tokens of Discord bots."""

_AWS_SECRET_LENGTH = 40
_ACCESS_KEY_ID = r"(?<![A-Za-z0-9])A[KSB]IA[A-Z0-9]{16}(?![A-Za-z0-9])"
_ACCESS_KEY = r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])"

_PEM = (
    r"-----BEGIN[^-\n]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?=[\s\S]{0,200}?(?=[a-z0-9+/]{0,40}[A-Z])[A-Za-z0-9+/=]{10})"
)
_TOKEN_END = re.compile(r"[\w+/=~%-]*")


def find_keys(text: SearchText) -> Iterator[SecretSpan]:
    """All keys of a known format in the text."""
    yield from _private_keys(text.original)
    words = text.original.split()
    longest = max(map(len, words), default=0)
    if longest >= _SHORTEST:
        yield from _prefixed(text.original, words)
    if longest >= _SHORTEST or "-u" in text.original:
        yield from _within(text.original)
    yield from _nameless(text.original, longest)
    if longest >= _AWS_SECRET_LENGTH:
        yield from _beside_access_key_ids(text.original)


def _prefixed(text: str, words: Sequence[str]) -> Iterator[SecretSpan]:
    heads = {head for word in words if len(word) >= _SHORTEST for head in _HEAD.findall(word)}
    for begins, form in [each for head in heads & _BY_HEAD.keys() for each in _BY_HEAD[head]]:
        at = text.find(begins)
        while at >= 0:
            behind = at + len(begins)
            # Within a longer word, such as a hash, it is no prefix.
            if at == 0 or not _is_word(text[at - 1]):
                match = _compiled(form).match(text, behind, behind + WINDOW)
                if match and _is_random(text[behind : match.end()]):
                    behind = _end(text, match.end())
                    yield SecretSpan(at, behind, SecretKind.API_KEY)
            at = text.find(begins, behind)


def _is_random(tail: str) -> bool:
    variety = len(set(tail.casefold()))
    has_digit = any(character.isdigit() for character in tail)
    # One in thirty AWS key ids has no digit.
    return variety >= _LEAST_VARIETY and (has_digit or (tail.isupper() and variety >= _LEAST_VARIETY + 3))


def _within(text: str) -> Iterator[SecretSpan]:
    for mark, backs, form, kind in [inside for inside in _INSIDE if inside[0] in text]:
        at = text.find(mark)
        while at >= 0:
            behind = at + len(mark)
            tried = (_compiled(form).match(text, at - back, at + WINDOW) for back in backs if back <= at)
            match = next(filter(None, tried), None)
            if match and not is_placeholder(match[match.re.groups].rpartition("/")[2]):
                behind = max(behind, match.end())
                yield SecretSpan(*match.span(match.re.groups), kind)
            at = text.find(mark, behind)


def _private_keys(text: str) -> Iterator[SecretSpan]:
    at = text.find("-----BEGIN")
    while at >= 0:
        header = _compiled(_PEM).match(text, at, at + WINDOW)
        if header is None:
            at = text.find("-----BEGIN", at + 10)
            continue
        # Without an end marker the key was cut off, and all that follows may be part of it.
        end = text.find("-----END", header.end())
        closed = text.find("-----", end + 8) if end >= 0 else -1
        behind = closed + 5 if 0 <= closed <= end + 80 else len(text)
        yield SecretSpan(at, behind, SecretKind.PRIVATE_KEY)
        at = text.find("-----BEGIN", behind)


def _nameless(text: str, longest: int) -> Iterator[SecretSpan]:
    """Keys recognised only by their length and their mix of characters."""
    for length, form in _NAMELESS.items():
        for match in _compiled(form).finditer(text) if longest >= length else ():
            value = match[0]
            is_mixed = any(c.isupper() for c in value) and any(c.islower() for c in value)
            if is_mixed and sum(c.isdigit() for c in value) >= 2 and len(set(value)) >= _LEAST_VARIETY * 3:
                yield SecretSpan(match.start(), match.end(), SecretKind.API_KEY)


def _beside_access_key_ids(text: str) -> Iterator[SecretSpan]:
    """The secret access keys of AWS: beside an id, a mixture of letters is enough."""
    for found in _compiled(_ACCESS_KEY_ID).finditer(text):
        start, end = max(0, found.start() - WINDOW), found.end() + WINDOW
        for match in _compiled(_ACCESS_KEY).finditer(text, start, end):
            value = match[0]
            is_mixed = any(c.isupper() for c in value) and any(c.islower() for c in value)
            if is_mixed and len(set(value)) >= _LEAST_VARIETY * 2:
                yield SecretSpan(match.start(), match.end(), SecretKind.API_KEY)


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "_-"


def _end(text: str, at: int) -> int:
    match = _TOKEN_END.match(text, at)
    return match.end() if match else at


@cache
def _compiled(form: str) -> Pattern[str]:
    # Compiled on first use: few texts contain any of them, and compiling all costs more than a turn.
    return re.compile(form)
