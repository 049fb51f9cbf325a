"""Answers that are told bit by bit, under routes of the test's own."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel

from conversation.errors import ConversationBusy, ConversationNotFound
from edge.http.caller import CallerParam
from edge.http.problems import Problem
from edge.http.request_models import Body
from edge.http.resolver import HttpApi
from edge.http.server_sent_events import EventStream, Frame, StreamedResponse
from edge.observability import RequestLog
from storage.errors import InvalidPosition, StorageUnavailable
from tests.fakes.aws.proxy_events import Context, answer, request
from tests.fakes.run.clocks import ManualClock

PATH = "/v1/things/stream"
PATIENCE_S = 30.0


class Told(NamedTuple):
    """A frame as a client reads it."""

    id: int
    name: str
    data: Any


class Thing(Body):
    name: str


class Seen(BaseModel):
    value: object


def api_of(
    clock: ManualClock, *, origins: tuple[str, ...] = (), journal: RequestLog | None = None
) -> HttpApi:
    return HttpApi(origins=origins, clock=clock, request_log=journal or RequestLog("test"))


def telling(api: HttpApi, frames: Iterator[Frame]) -> HttpApi:
    @api.post(PATH)
    def tell(caller: CallerParam, body: Thing) -> EventStream:
        return EventStream(frames)

    return api


def send(api: HttpApi, *, body: object = {"name": "x"}, **options: Any) -> StreamedResponse:
    return api.stream(request("POST", PATH, body=body, **options), Context())


def frames_of(response: StreamedResponse) -> list[Told]:
    text = b"".join(response.chunks).decode()
    assert text.endswith("\n\n")
    told = []
    for frame in text.removesuffix("\n\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.split("\n"))
        assert list(fields) == ["id", "event", "data"]
        told.append(Told(int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return told


def lines(out: str) -> dict[str, Any]:
    """What was logged, by its message."""
    said = [json.loads(line) for line in out.splitlines()]
    return {line["message"]: line for line in said if "message" in line}


def breaking(error: Exception) -> Iterator[Frame]:
    yield Frame(1, "turn", "{}")
    yield Frame(2, "chunk", '{"text":"so far"}')
    raise error


def test_frames_are_told_as_they_come(clock: ManualClock) -> None:
    heard = threading.Event()

    def frames() -> Iterator[Frame]:
        yield Frame(1, "turn", '{"turn_id":"t"}')
        assert heard.wait(PATIENCE_S)
        yield Frame(2, "chunk", '{"text":"hello"}')

    response = send(telling(api_of(clock), frames()))
    assert next(response.chunks) == b'id: 1\nevent: turn\ndata: {"turn_id":"t"}\n\n'
    heard.set()
    assert frames_of(response) == [Told(2, "chunk", {"text": "hello"})]


def test_nothing_on_the_way_may_hold_frames_back(clock: ManualClock) -> None:
    response = send(telling(api_of(clock), iter([Frame(1, "turn", "{}")])))
    assert response.status == 200
    assert response.headers["Content-Type"] == ["text/event-stream; charset=utf-8"]
    assert response.headers["Cache-Control"] == ["no-store"]
    assert response.headers["X-Accel-Buffering"] == ["no"]
    assert response.headers["X-Request-Id"] == ["3f8f4f8e-0000-4000-8000-000000000000"]


def test_a_page_elsewhere_may_read_a_stream(clock: ManualClock) -> None:
    api = api_of(clock, origins=("https://app.example.com",))
    response = send(
        telling(api, iter([Frame(1, "turn", "{}")])), headers={"Origin": "https://app.example.com"}
    )
    assert response.headers["Access-Control-Allow-Origin"] == ["https://app.example.com"]


@pytest.mark.parametrize("accept", ["text/event-stream", "text/event-stream, application/json;q=0.5", "*/*"])
def test_a_client_may_ask_for_events(clock: ManualClock, accept: str) -> None:
    response = send(telling(api_of(clock), iter([Frame(1, "turn", "{}")])), headers={"Accept": accept})
    assert response.status == 200


def test_events_are_nothing_a_client_of_another_route_can_ask_for(clock: ManualClock) -> None:
    api = api_of(clock)

    @api.get("/v1/things")
    def list_things(caller: CallerParam) -> Seen:
        return Seen(value=[])

    event = request("GET", "/v1/things", headers={"Accept": "text/event-stream"})
    assert answer(api.resolve(event, Context())).code == "not_acceptable"


def test_a_request_is_refused_as_anywhere_else_before_a_frame_is_made(clock: ManualClock) -> None:
    made: list[Frame] = []

    def frames() -> Iterator[Frame]:
        made.append(Frame(1, "turn", "{}"))
        yield made[-1]

    api = telling(api_of(clock), frames())
    for refused, status, code in (
        (send(api, body={"name": "x", "size": 3}), 400, "field_unknown"),
        (send(api, authorized=False), 401, "auth_invalid"),
        (send(api, headers={"Accept": "image/png"}), 406, "not_acceptable"),
        (api.stream(request("POST", "/v1/nowhere", body={}), Context()), 404, "route_not_found"),
        (api.stream(request("GET", PATH), Context()), 405, "method_not_allowed"),
    ):
        assert (refused.status, refused.headers["Content-Type"]) == (status, ["application/problem+json"])
        (body,) = refused.chunks
        assert json.loads(body)["code"] == code
    assert made == []


def test_what_a_route_refuses_has_a_status_of_its_own(clock: ManualClock) -> None:
    api = api_of(clock)

    @api.post(PATH)
    def refuse() -> EventStream:
        raise ConversationBusy

    response = send(api)
    assert response.status == 429
    assert json.loads(b"".join(response.chunks))["code"] == "conversation_busy"


def test_another_answer_is_one_chunk(clock: ManualClock) -> None:
    api = api_of(clock)

    @api.post(PATH, status_code=202)
    def accept() -> Seen:
        return Seen(value="later")

    response = send(api)
    assert (response.status, response.headers["Content-Type"]) == (202, ["application/json"])
    assert list(response.chunks) == [b'{"value":"later"}']


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Problem("storage_unavailable", "Later."), 503, "storage_unavailable"),
        (ConversationNotFound(), 404, "conversation_not_found"),
        (InvalidPosition(), 400, "cursor_invalid"),
        (StorageUnavailable(), 503, "storage_unavailable"),
        (LookupError("what maya wrote"), 500, "internal"),
    ],
)
def test_what_goes_wrong_in_the_middle_is_the_last_frame(
    clock: ManualClock, error: Exception, status: int, code: str
) -> None:
    *said, last = frames_of(send(telling(api_of(clock), breaking(error))))
    assert [(frame.id, frame.name) for frame in said] == [(1, "turn"), (2, "chunk")]
    assert (last.id, last.name) == (3, "error")
    assert (last.data["status"], last.data["code"]) == (status, code)
    assert last.data["request_id"] == "3f8f4f8e-0000-4000-8000-000000000000"
    assert "maya" not in json.dumps(last.data)


def test_a_frame_that_cannot_be_sent_is_a_fault_like_any_other(clock: ManualClock) -> None:
    told = frames_of(send(telling(api_of(clock), iter([Frame(1, "chunk", '"\ud800"')]))))
    assert [(frame.name, frame.data["code"]) for frame in told] == [("error", "internal")]


def test_a_turn_ends_even_when_nobody_listens(clock: ManualClock) -> None:
    ended = threading.Event()

    def frames() -> Iterator[Frame]:
        yield Frame(1, "turn", "{}")
        yield Frame(2, "done", "{}")
        ended.set()

    send(telling(api_of(clock), frames()))
    assert ended.wait(PATIENCE_S)


def test_the_journal_covers_a_request_up_to_its_last_frame(
    clock: ManualClock, journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")

    def frames() -> Iterator[Frame]:
        yield Frame(1, "turn", "{}")
        logging.getLogger("conversation").info("in the middle")
        clock.advance(seconds=3)

    frames_of(send(telling(api_of(clock, journal=journal), frames())))
    said = lines(capsys.readouterr().out)
    answered = said["request answered"]
    assert (answered["status"], answered["duration_ms"], answered["route"]) == (200, 3_000, PATH)
    for line in (answered, said["in the middle"]):
        assert line["request_id"] == "3f8f4f8e-0000-4000-8000-000000000000"
        assert line["tenant_id"] == "acme"


def test_the_journal_closes_a_request_answered_in_one_chunk(
    clock: ManualClock, journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    send(api_of(clock, journal=journal))
    logging.getLogger("conversation").info("behind it")
    said = lines(capsys.readouterr().out)
    assert said["request answered"]["status"] == 404
    assert "request_id" not in said["behind it"]


def test_a_stream_that_breaks_off_says_why_in_the_log(
    clock: ManualClock, journal: RequestLog, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.configure("INFO")
    frames_of(send(telling(api_of(clock, journal=journal), breaking(LookupError("what maya wrote")))))
    out = capsys.readouterr().out
    said = lines(out)
    assert said["stream broken off"]["code"] == "internal"
    assert said["internal error"]["error_type"] == "LookupError"
    assert "maya" not in out


def test_requests_do_not_see_each_others_frames(clock: ManualClock) -> None:
    api = api_of(clock)

    @api.post(PATH)
    def tell(caller: CallerParam, body: Thing) -> EventStream:
        return EventStream(iter([Frame(1, "chunk", json.dumps(body.name))]))

    responses = [send(api, body={"name": str(number)}) for number in range(20)]
    assert [frames_of(response)[0].data for response in responses] == [str(n) for n in range(20)]


def test_an_answer_in_one_piece_cannot_be_a_stream(clock: ManualClock) -> None:
    api = telling(api_of(clock), iter([Frame(1, "turn", "{}")]))
    response = api.resolve(request("POST", PATH, body={"name": "x"}), Context())
    assert answer(response).code == "internal"
