"""How the twin sends an answer that is still being made, shown with a function of the tests' own behind the
template's streaming routes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from tests.fakes.deployment.twin import ROOT, Twin

pytestmark = pytest.mark.slow

REAL = (
    "CodeUri: functions/chat\n      SnapStart: {ApplyOn: !If [HasSnapStart, PublishedVersions, None]}\n"
    "      Handler: app.stream_handler"
)
OWN = "CodeUri: telling\n      Handler: app.handler"
FUNCTION = '''
import base64, json, os, time
from pathlib import Path

from edge.http.server_sent_events import StreamedResponse

FOLDER = Path(os.environ["TELLING"])


def chunks(name):
    """Every chunk but the first waits for a file."""
    yield b"one "
    for number in ("2", "3"):
        while not (FOLDER / f"{name}-{number}").exists():
            time.sleep(0.01)
        yield number.encode() + b" "
        if name == "breaks":
            raise ValueError("what somebody wrote")
    (FOLDER / f"{name}-told").write_text("")


def handler(event, context):
    name = json.loads(base64.b64decode(event["body"]))["message"]
    if name == "raises":
        raise ValueError("what somebody wrote")
    if name == "plain":
        return {"statusCode": 200, "body": "{}"}
    if name == "hangs":
        time.sleep(5)
    headers = {"Content-Type": ["text/event-stream"], "X-Tag": ["a", "b"], "Connection": ["close"]}
    return StreamedResponse(203, headers, chunks(name))
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("telling")


@contextmanager
def telling(folder: Path, data: Path, *edits: tuple[str, str]) -> Iterator[Twin]:
    """A twin whose streaming function is ours."""
    (folder / "code" / "telling").mkdir(parents=True, exist_ok=True)
    (folder / "code" / "telling" / "app.py").write_text(FUNCTION)
    text = (ROOT / "template.yaml").read_text()
    for old, new in ((REAL, OWN), *edits):
        assert old in text
        text = text.replace(old, new)
    data.mkdir(exist_ok=True)
    (data / "template.yaml").write_text(text)
    environ = {"PYTHONPATH": str(folder / "code"), "TELLING": str(folder)}
    with Twin(data, template=data / "template.yaml", environ=environ, described=False) as twin:
        yield twin


@pytest.fixture(scope="module")
def twin(folder: Path) -> Iterator[Twin]:
    with telling(folder, folder / "data") as running:
        yield running


@contextmanager
def asked(twin: Twin, name: str, *, authorized: bool = True) -> Iterator[httpx.Response]:
    """The answer to a message, which the function takes for the name of what it does."""
    headers = {"Authorization": f"Bearer {twin.token()}"} if authorized else {}
    body = {"message": name}
    with twin.http.stream("POST", "/v1/chat/stream", json=body, headers=headers, timeout=60) as response:
        yield response


def appears(path: Path) -> bool:
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return path.exists()


def test_a_chunk_is_there_before_the_next_one_is_made(twin: Twin, folder: Path) -> None:
    with asked(twin, "story") as response:
        told = response.iter_raw()
        assert next(told) == b"one "
        for number in ("2", "3"):
            (folder / f"story-{number}").write_text("")
            assert next(told) == f"{number} ".encode()
        assert list(told) == []


def test_an_answer_begins_as_its_function_says(twin: Twin) -> None:
    with asked(twin, "head") as response:
        assert response.status_code == 203
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers.get_list("x-tag") == ["a", "b"]
        assert response.headers["transfer-encoding"] == "chunked"
        assert response.headers["x-amzn-requestid"]
        # What belongs to one connection is the gateway's own business.
        assert "connection" not in response.headers


def test_a_client_that_leaves_stops_nothing(twin: Twin, folder: Path) -> None:
    with asked(twin, "left") as response:
        assert next(response.iter_raw()) == b"one "
    for number in ("2", "3"):
        (folder / f"left-{number}").write_text("")
    assert appears(folder / "left-told")


def test_an_answer_that_breaks_off_is_not_taken_for_whole(twin: Twin, folder: Path) -> None:
    (folder / "breaks-2").write_text("")
    with asked(twin, "breaks") as response, pytest.raises(httpx.RemoteProtocolError):
        response.read()
    assert "StreamFunction failed in the middle of its answer: ValueError" in twin.logs
    assert "what somebody wrote" not in twin.logs
    assert "Traceback" not in twin.logs


@pytest.mark.parametrize("name", ["raises", "plain"])
def test_what_fails_before_its_first_chunk_is_an_ordinary_error(twin: Twin, name: str) -> None:
    with asked(twin, name) as response:
        response.read()
        assert (response.status_code, response.json()["code"]) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) > 0


def test_the_authorizer_stands_before_a_stream(twin: Twin) -> None:
    with asked(twin, "story", authorized=False) as response:
        response.read()
        assert (response.status_code, response.json()["code"]) == (401, "auth_invalid")


def test_the_templates_time_is_for_the_whole_answer(folder: Path, tmp_path: Path) -> None:
    hurried = ("TimeoutInMillis: 125000", "TimeoutInMillis: 1000")
    with telling(folder, tmp_path / "data", hurried) as twin:
        with asked(twin, "hangs") as response:
            response.read()
            assert (response.status_code, response.json()["code"]) == (504, "timeout")
        with asked(twin, "slow") as response, pytest.raises(httpx.RemoteProtocolError):
            response.read()
        assert "StreamFunction was given up in the middle of its answer" in twin.logs


def test_very_many_streams_at_once_all_get_their_own(twin: Twin, folder: Path) -> None:
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(asked(twin, f"many{number}")).iter_raw() for number in range(60)]
        assert [next(stream) for stream in streams] == [b"one "] * len(streams)
        for number in range(len(streams)):
            (folder / f"many{number}-2").write_text("")
            (folder / f"many{number}-3").write_text("")
        assert [b"".join(stream) for stream in streams] == [b"2 3 "] * len(streams)
