"""The page as the twin serves it: the files of a build, with what CloudFront would say of them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from edge.environment import SettingsInvalid
from local.settings import PageSettings
from local.template import sam_translation
from local.template.intrinsics import Resolver
from tests.fakes.deployment.twin import ROOT, Twin

pytestmark = pytest.mark.slow

SITE = "https://www.example.com"
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
INDEX = "<!doctype html><title>Chat</title>"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build, with files in and beside it that are nobody's business."""
    folder = tmp_path_factory.mktemp("web") / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "embed.js").write_text("void 0")
    (folder / "assets" / "app-a1b2.js").write_text("let x = 1")
    (folder / ".env").write_text("secret")
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder.parent / "dist-old").mkdir()
    (folder.parent / "dist-old" / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[Twin]:
    environ = {"OMNIFORGE_EMBED_ORIGINS": f"{SITE}, http://localhost:3000"}
    with Twin(tmp_path_factory.mktemp("twin"), page=built, environ=environ) as running:
        yield running


def raw(twin: Twin, target: str) -> str:
    """The answer to a request line that no client would send, as text."""
    with socket.create_connection(("127.0.0.1", twin.port), timeout=10) as connection:
        head = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{twin.port}\r\nAccept: text/html\r\n"
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode("latin-1"))
        received = b""
        while part := connection.recv(65_536):
            received += part
    return received.decode("latin-1")


@pytest.mark.parametrize("path", ["/", "/index.html", "/c/abc", "/agents", "/agents/", "/a/very/long/way"])
def test_every_address_of_the_page_is_its_one_document(twin: Twin, path: str) -> None:
    response = twin.http.get(path, headers=BROWSER)
    assert (response.status_code, response.text) == (200, INDEX)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"


def test_a_hashed_file_is_kept_for_ever_and_others_are_asked_for_again(twin: Twin) -> None:
    script = twin.http.get("/assets/app-a1b2.js")
    assert (script.status_code, script.text) == (200, "let x = 1")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"].startswith(("text/javascript", "application/javascript"))
    embedding = twin.http.get("/embed.js")
    assert embedding.headers["cache-control"] == "no-cache"
    again = twin.http.get("/embed.js", headers={"If-None-Match": embedding.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_scripts_and_styles_are_compressed_for_browsers_that_take_it(twin: Twin) -> None:
    packed = twin.http.get("/assets/app-a1b2.js", headers={"Accept-Encoding": "gzip"})
    plain = twin.http.get("/assets/app-a1b2.js", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.text == plain.text


@pytest.mark.parametrize("path", ["/", "/c/abc", "/assets/app-a1b2.js", "/embed.js", "/config.json"])
def test_the_page_runs_nothing_that_is_not_its_own(twin: Twin, path: str) -> None:
    headers = twin.http.get(path, headers=BROWSER).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == "'self'"
    assert (policy["object-src"], policy["base-uri"]) == ("'none'", "'none'")
    assert policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == f"'self' {SITE} http://localhost:3000"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in headers


def test_the_page_is_told_where_to_sign_in_and_who_may_embed_it(twin: Twin) -> None:
    response = twin.http.get("/config.json")
    assert response.headers["cache-control"] == "no-cache"
    assert response.json() == {
        "authority": twin.url,
        "client_id": "omniforge-web",
        "scope": "openid",
        "api": "",
        "token": "access_token",
        "embed_origins": [SITE, "http://localhost:3000"],
    }


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/conversations/x/nothing", "/docs/x"])
def test_an_address_of_the_api_is_never_the_page(twin: Twin, path: str) -> None:
    response = twin.http.get(path, headers=BROWSER)
    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("path", ["/nothing", "/assets/gone.js", "/favicon.png"])
def test_who_wants_no_document_learns_that_there_is_nothing(twin: Twin, path: str) -> None:
    assert twin.http.get(path).json()["code"] == "route_not_found"


def test_a_file_that_is_gone_is_not_replaced_by_the_document(twin: Twin) -> None:
    # A browser would take it for a script of an older build, and fail strangely.
    assert twin.http.get("/assets/gone.js", headers=BROWSER).status_code == 404


def test_the_page_is_for_reading(twin: Twin) -> None:
    assert twin.http.head("/", headers=BROWSER).status_code == 200
    assert twin.http.post("/", headers=BROWSER).status_code == 404


@pytest.mark.parametrize(
    "target",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/../dist-old/secret.txt",
        "//secret.txt",
        "/link.txt",
        "/.env",
        "/assets/.%00.txt",
        "/index.html%00.txt",
        "/" + "a" * 5_000 + ".js",
        "/etc/passwd.txt",
        "http://127.0.0.1/../secret.txt",
    ],
)
def test_nothing_beside_the_build_is_read(twin: Twin, target: str) -> None:
    answer = raw(twin, target)
    assert "secret" not in answer.partition("\r\n\r\n")[2]
    assert answer.startswith(("HTTP/1.1 404", "HTTP/1.1 400"))


def test_a_page_that_is_built_while_the_twin_runs_is_there(tmp_path: Path) -> None:
    page = tmp_path / "web"
    with Twin(tmp_path / "data", page=page) as twin:
        assert "no page is built" in twin.logs
        assert twin.http.get("/").headers["location"] == "/docs"
        assert twin.http.get("/c/abc", headers=BROWSER).status_code == 404
        page.mkdir()
        (page / "index.html").write_text(INDEX)
        assert twin.http.get("/").text == INDEX


def test_the_headers_are_those_of_the_template(tmp_path: Path, built: Path) -> None:
    edited = tmp_path / "template.yaml"
    text = (ROOT / "template.yaml").read_text()
    for old, new in (
        ("object-src 'none'", "object-src 'self'"),
        ("PathPattern: /v1/*", "PathPattern: /v1/x*"),
    ):
        assert old in text
        text = text.replace(old, new)
    edited.write_text(text)
    with Twin(tmp_path / "data", template=edited, page=built) as twin:
        assert "object-src 'self'" in twin.http.get("/").headers["content-security-policy"]
        assert twin.http.get("/v1/nothing", headers=BROWSER).text == INDEX


def test_an_issuer_of_the_users_own_is_where_the_page_signs_in(tmp_path: Path, built: Path) -> None:
    environ = {
        "OMNIFORGE_JWT_ISSUERS": "https://id.example/realms/one",
        "OMNIFORGE_JWT_AUDIENCE": "omniforge",
        "OMNIFORGE_PAGE_CLIENT_ID": "chat",
        "OMNIFORGE_PAGE_SIGN_IN_ORIGINS": "https://tokens.example",
        "OMNIFORGE_PAGE_TOKEN": "id_token",
    }
    with Twin(tmp_path / "data", page=built, environ=environ) as twin:
        told = twin.http.get("/config.json").json()
        assert (told["authority"], told["client_id"]) == ("https://id.example/realms/one", "chat")
        assert told["token"] == "id_token"
        policy = twin.http.get("/").headers["content-security-policy"]
        assert "connect-src 'self' https://id.example https://tokens.example;" in policy


def test_the_pages_settings_are_the_same_on_aws() -> None:
    given = {"PageAuthority": "https://id.example", "EmbedOrigins": "https://a.example,https://b.example"}
    translated = sam_translation.read_template(ROOT / "template.yaml")
    config = json.loads(Resolver(translated, given).resolve(translated["Outputs"]["PageConfig"]["Value"]))
    settings = PageSettings.load({"OMNIFORGE_EMBED_ORIGINS": given["EmbedOrigins"]})
    assert config == settings.to_config("https://id.example")


@pytest.mark.parametrize(
    "origins", ["example.com", "https://a.example/path", "https://a.example; script-src *", "*", "null"]
)
def test_a_site_that_is_none_stops_the_start(origins: str) -> None:
    with pytest.raises(SettingsInvalid, match=r"^OMNIFORGE_EMBED_ORIGINS: "):
        PageSettings.load({"OMNIFORGE_EMBED_ORIGINS": origins})
