from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest

from local.__main__ import main
from local.sign_in.issuer import AUDIENCE, ISSUER, Issuer

NOW = datetime.now(UTC)


def claims(token: str, issuer: Issuer) -> dict[str, object]:
    key = jwt.PyJWKSet.from_dict(issuer.jwks())[jwt.get_unverified_header(token)["kid"]]
    verified: dict[str, object] = jwt.decode(
        token, key, algorithms=["RS256"], audience=AUDIENCE, issuer=ISSUER
    )
    return verified


def test_a_token_is_proved_by_the_published_key(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    found = claims(issuer.access_token(tenant="acme", user="maya", roles=["admin"], now=NOW), issuer)
    assert (found["tenant"], found["sub"], found["roles"]) == ("acme", "maya", ["admin"])


def test_a_token_lives_by_the_given_moment(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path)
    yesterday = issuer.access_token(tenant="acme", user="maya", now=NOW - timedelta(days=1))
    with pytest.raises(jwt.ExpiredSignatureError):
        claims(yesterday, issuer)


def test_all_who_start_at_once_get_the_same_whole_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        keys = list(threads.map(lambda _: Issuer(tmp_path / "new").jwks()["keys"][0]["n"], range(4)))
    assert len(set(keys)) == 1
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["issuer-key.pem"]


def test_nobody_else_may_read_the_key(tmp_path: Path) -> None:
    Issuer(tmp_path)
    assert stat.S_IMODE((tmp_path / "issuer-key.pem").stat().st_mode) == 0o600


def test_another_folder_has_another_key(tmp_path: Path) -> None:
    token = Issuer(tmp_path / "one").access_token(tenant="acme", user="maya", now=NOW)
    with pytest.raises(KeyError):
        claims(token, Issuer(tmp_path / "two"))


def test_the_command_prints_a_token_with_all_roles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--data", str(tmp_path), "--role", "admin", "--role", "operator"]
    assert main(["token", "--tenant", "acme", "--user", "maya", *options]) == 0
    assert claims(capsys.readouterr().out.strip(), Issuer(tmp_path))["roles"] == ["admin", "operator"]


@pytest.mark.parametrize("content", ["", "not a key", "-----BEGIN PRIVATE KEY-----"])
def test_a_file_that_holds_no_key_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (tmp_path / "issuer-key.pem").write_text(content)
    assert main(["token", "--tenant", "acme", "--user", "maya", "--data", str(tmp_path)]) == 2
    assert "issuer-key.pem: no RSA key" in capsys.readouterr().err


def test_the_environment_names_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMNIFORGE_DATA", str(tmp_path))
    main(["token", "--tenant", "acme", "--user", "maya"])
    assert claims(capsys.readouterr().out.strip(), Issuer(tmp_path))["tenant"] == "acme"


def test_a_token_lives_by_the_twins_clock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock = tmp_path / "clock"
    clock.write_text("2030-01-01T00:00:00Z")
    main(["token", "--tenant", "acme", "--user", "maya", "--data", str(tmp_path), "--clock", str(clock)])
    issued = jwt.decode(capsys.readouterr().out.strip(), options={"verify_signature": False})["iat"]
    assert datetime.fromtimestamp(issued, UTC).year == 2030
