"""The streaming runtime in a process of its own, started as Lambda starts it, against a Runtime API of the
tests' own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.fakes.aws.proxy_events import request
from tests.fakes.aws.runtime_api import PATIENCE_S, RuntimeApi

pytestmark = pytest.mark.slow

LAYERS = Path(__file__).resolve().parents[3] / "layers"
BOOTSTRAP = LAYERS / "edge" / "edge" / "bootstrap"
NEXT = "/invocation/next"

PREAMBLE = """
from __future__ import annotations
import json, os, time
from pathlib import Path
from edge.http.server_sent_events import EventStream, Frame, StreamedResponse

HERE = Path(__file__).parent

def wait_for(name):
    while not (HERE / name).exists():
        time.sleep(0.005)

def streamed(chunks, status=200, headers={}):
    return StreamedResponse(status, headers, iter(chunks))
"""
API = """
from conversation.clock import SystemClock
from edge.http.resolver import HttpApi
from edge.observability import RequestLog
from edge.http.problems import Problem

request_log = RequestLog("test")
request_log.configure("INFO")
api = HttpApi(origins=("https://app.example.com",), clock=SystemClock(), request_log=request_log)
handler = api.stream
"""


class Function(NamedTuple):
    """A function and the process that runs it."""

    folder: Path
    process: subprocess.Popen[str]

    def say(self, name: str) -> None:
        """Make the file its code waits for."""
        (self.folder / name).touch()


@contextmanager
def function(api: RuntimeApi, folder: Path, code: str, **variables: str) -> Iterator[Function]:
    """Start a function of ``code`` (its module ``app``) as Lambda would."""
    (folder / "app.py").write_text(PREAMBLE + textwrap.dedent(code))
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(LAYERS / "conversation"),
        "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
        "LAMBDA_TASK_ROOT": str(folder),
        "AWS_LAMBDA_RUNTIME_API": api.address,
        "AWS_LAMBDA_FUNCTION_NAME": "test",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512",
        "POWERTOOLS_METRICS_NAMESPACE": "test",
        "_HANDLER": "app.handler",
        **variables,
    }
    # What Lambda gives a wrapper: the command line of the stock runtime.
    command = [str(BOOTSTRAP), sys.executable, "/var/runtime/bootstrap.py"]
    with subprocess.Popen(
        command, cwd="/", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Function(folder, process)
        finally:
            process.kill()


@pytest.fixture
def api() -> Iterator[RuntimeApi]:
    with RuntimeApi() as api:
        yield api


def test_the_first_chunk_arrives_before_the_second_is_made(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def chunks():
        yield b"first"
        wait_for("seen")
        yield b"second"

    def handler(event, context):
        return streamed(chunks())
    """
    with function(api, tmp_path, code) as running:
        invoked = api.invoke()
        prelude, first = invoked.chunk(), invoked.chunk()
        assert prelude.data.endswith(bytes(8))
        assert first.data == b"first"
        running.say("seen")
        assert invoked.answer().body == b"firstsecond"


def test_no_chunk_is_held_back(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def chunks():
        for _ in range(50):
            time.sleep(0.005)
            yield str(time.monotonic()).encode()

    def handler(event, context):
        return streamed(chunks())
    """
    with function(api, tmp_path, code):
        invoked = api.invoke()
        invoked.chunk()
        arrivals = [invoked.chunk() for _ in range(50)]
    held_back_s = [chunk.arrived_at - float(chunk.data) for chunk in arrivals]
    # Buffering, or Nagle's algorithm, would hold nearly all of them back; a busy machine makes many late.
    assert statistics.quantiles(held_back_s)[0] < 0.02


def test_the_status_and_headers_go_ahead_of_the_answer(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"made"], 201, {"Content-Type": ["text/plain"], "Set-Cookie": ["a=1", "b=2"]})
    """
    with function(api, tmp_path, code):
        answer = api.invoke().answer()
    assert answer.prelude == {
        "statusCode": 201,
        "multiValueHeaders": {"Content-Type": ["text/plain"], "Set-Cookie": ["a=1", "b=2"]},
    }
    assert answer.body == b"made"
    assert answer.error is None
    assert answer.headers["content-type"] == "application/vnd.awslambda.http-integration-response"
    assert answer.headers["lambda-runtime-function-response-mode"] == "streaming"
    assert answer.headers["transfer-encoding"] == "chunked"


def test_five_megabytes_arrive_whole(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed(bytes([number % 251]) * 50_000 for number in range(100))
    """
    with function(api, tmp_path, code):
        body = api.invoke().answer().body
    assert body == b"".join(bytes([number % 251]) * 50_000 for number in range(100))


def test_an_empty_chunk_does_not_end_the_answer(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"", b"before", b"", b"behind"])
    """
    with function(api, tmp_path, code):
        assert api.invoke().answer().body == b"beforebehind"


def test_requests_are_answered_one_after_the_other(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([json.dumps([event, os.environ.get("_X_AMZN_TRACE_ID")]).encode()])
    """
    with function(api, tmp_path, code):
        traced = api.invoke(
            1, headers={"Lambda-Runtime-Trace-Id": "Root=1-5e1b4151-43a0913a12345678901234567"}
        )
        assert json.loads(traced.answer().body) == [1, "Root=1-5e1b4151-43a0913a12345678901234567"]
        assert json.loads(api.invoke(2).answer().body) == [2, None]


def test_a_handler_knows_its_invocation(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        known = [context.aws_request_id, context.invoked_function_arn, context.function_name]
        known += [context.memory_limit_in_mb, context.get_remaining_time_in_millis()]
        return streamed([json.dumps(known).encode()])
    """
    with function(api, tmp_path, code):
        invoked = api.invoke()
        *known, remaining_ms = json.loads(invoked.answer().body)
        in_the_past = api.invoke(headers={"Lambda-Runtime-Deadline-Ms": "1"})
        *_, nothing_left_ms = json.loads(in_the_past.answer().body)
    arn = invoked.headers["Lambda-Runtime-Invoked-Function-Arn"]
    assert known == [invoked.request_id, arn, "test", "512"]
    assert 0 < remaining_ms <= 60_000
    assert nothing_left_ms == 0


def test_an_answer_names_the_very_invocation_it_belongs_to(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"made"])
    """
    with function(api, tmp_path, code):
        named = api.invoke(headers={"Lambda-Runtime-Invocation-Id": "one-of-a-kind"}).answer()
        unnamed = api.invoke().answer()
    assert named.headers["lambda-runtime-invocation-id"] == "one-of-a-kind"
    assert "lambda-runtime-invocation-id" not in unnamed.headers


def test_an_error_ahead_of_the_answer_fails_that_request_alone(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        if event == "fail":
            raise LookupError("what maya wrote")
        return streamed([b"fine"])
    """
    with function(api, tmp_path, code) as running:
        failure = api.invoke('"fail"').failure()
        assert api.invoke().answer().body == b"fine"
        running.process.kill()
        logged, _ = running.process.communicate()
    assert failure.error_type == "LookupError"
    assert failure.body == {"errorType": "LookupError", "errorMessage": "", "stackTrace": []}
    assert "what maya wrote" not in logged


@pytest.mark.parametrize("returned", ["{'statusCode': 200, 'body': ''}", "None", "streamed([], object())"])
def test_what_is_no_streamed_answer_is_an_error(api: RuntimeApi, tmp_path: Path, returned: str) -> None:
    code = f"""
    def handler(event, context):
        return {returned}
    """
    with function(api, tmp_path, code):
        assert api.invoke().failure().error_type in {"AttributeError", "TypeError"}


def test_an_event_that_is_no_json_is_an_error(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"fine"])
    """
    with function(api, tmp_path, code):
        assert api.invoke("{").failure().error_type == "JSONDecodeError"
        assert api.invoke().answer().body == b"fine"


def test_an_error_in_the_middle_is_told_behind_what_was_said(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def chunks():
        yield b"so far"
        raise LookupError("what maya wrote")

    def handler(event, context):
        return streamed(chunks() if event == "break" else [b"fine"])
    """
    with function(api, tmp_path, code):
        answer = api.invoke('"break"').answer()
        assert api.invoke().answer().body == b"fine"
    assert answer.headers["trailer"].split(", ") == [
        "Lambda-Runtime-Function-Error-Type",
        "Lambda-Runtime-Function-Error-Body",
    ]
    assert answer.body == b"so far"
    assert answer.error is not None
    assert answer.error.error_type == "LookupError"
    assert answer.error.body == {"errorType": "LookupError", "errorMessage": "", "stackTrace": []}


def test_a_fault_of_a_route_in_the_middle_is_its_last_frame(api: RuntimeApi, tmp_path: Path) -> None:
    code = (
        API
        + """
@api.post("/v1/chat/stream")
def tell():
    return EventStream(frames())

def frames():
    yield Frame(1, "chunk", '{"text": "so far"}')
    raise LookupError("what maya wrote")
"""
    )
    with function(api, tmp_path, code):
        event = request("POST", "/v1/chat/stream", body={}, headers={"Origin": "https://app.example.com"})
        answer = api.invoke(event).answer()
    assert answer.error is None
    assert answer.prelude["statusCode"] == 200
    assert answer.prelude["multiValueHeaders"]["Access-Control-Allow-Origin"] == ["https://app.example.com"]
    chunk, error, end = answer.body.decode().split("\n\n")
    assert chunk == 'id: 1\nevent: chunk\ndata: {"text": "so far"}'
    assert error.startswith("id: 2\nevent: error\ndata: ")
    assert json.loads(error.partition("data: ")[2])["code"] == "internal"
    assert end == ""
    assert b"maya" not in answer.body


def test_what_is_new_in_events_and_headers_is_tolerated(api: RuntimeApi, tmp_path: Path) -> None:
    code = (
        API
        + """
@api.post("/v1/chat/stream")
def tell():
    return EventStream(iter([Frame(1, "chunk", '{"text": "hello"}')]))
"""
    )
    with function(api, tmp_path, code):
        event = request("POST", "/v1/chat/stream", body={})
        event |= {"version": "9.0", "novelty": {"deep": [1, None]}}
        event["requestContext"]["novelty"] = "x"
        told = api.invoke(event, headers={"Lambda-Runtime-Novelty": "x"}).answer()
        unknown = api.invoke({"novelty": "an event of another service"}).failure()
        again = api.invoke(event).answer()
    assert told.body == again.body == b'id: 1\nevent: chunk\ndata: {"text": "hello"}\n\n'
    assert unknown.error_type == "KeyError"


def test_an_answer_runs_to_its_end_when_nobody_takes_it_any_more(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def chunks():
        yield b"first"
        wait_for("gone")
        for _ in range(200):
            yield b"more" * 10_000
        (HERE / "ended").touch()

    def handler(event, context):
        return streamed(chunks() if event == "long" else [str((HERE / "ended").exists()).encode()])
    """
    with function(api, tmp_path, code) as running:
        invoked = api.invoke('"long"', cut_after=2)
        assert [invoked.chunk().data for _ in range(2)][1] == b"first"
        running.say("gone")
        assert api.invoke().answer().body == b"True"


def test_a_line_of_the_log_is_out_before_the_function_is_frozen(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        print("a line")
        return streamed([b"made"])
    """
    with function(api, tmp_path, code) as running:
        api.invoke().answer()
        assert running.process.stdout is not None
        assert running.process.stdout.readline() == "a line\n"


@pytest.mark.parametrize(
    ("code", "handler", "error_type"),
    [
        ("import no_such_module", "app.handler", "ModuleNotFoundError"),
        ("raise ValueError('OMNIFORGE_STAGE: is not set')", "app.handler", "ValueError"),
        ("def handler(:", "app.handler", "SyntaxError"),
        ("", "app.missing", "AttributeError"),
        ("", "handler", "ValueError"),
    ],
)
def test_a_function_that_cannot_be_imported_says_why_and_ends(
    api: RuntimeApi, tmp_path: Path, code: str, handler: str, error_type: str
) -> None:
    with function(api, tmp_path, code, _HANDLER=handler) as running:
        assert running.process.wait(PATIENCE_S) == 1
        report = api.reports["init"]
        assert running.process.stdout is not None
        assert error_type in running.process.stdout.read()
    assert report.error_type == report.body["errorType"] == error_type
    assert report.body["errorMessage"]


def test_the_loop_ends_when_there_is_no_more_work_to_be_had(tmp_path: Path) -> None:
    code = "handler = None"
    with RuntimeApi(broken=500) as api, function(api, tmp_path, code) as running:
        assert running.process.wait(PATIENCE_S) != 0
        assert api.next_call() == NEXT


def test_a_function_without_a_snapshot_does_not_wait_for_one(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"made"])
    """
    with function(api, tmp_path, code, AWS_LAMBDA_INITIALIZATION_TYPE="on-demand"):
        api.invoke().answer()
        assert api.next_call() == NEXT


HOOKS = '''
"""The package of this name, as far as a runtime and a function know it."""
before, after = [], []

def register_before_snapshot(hook, *args, **kwargs):
    before.append((hook, args, kwargs))

def register_after_restore(hook, *args, **kwargs):
    after.append((hook, args, kwargs))

def get_before_snapshot():
    return before

def get_after_restore():
    return after
'''
SNAPSHOT = {"AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start"}


def test_a_snapshot_is_taken_and_restored_with_the_hooks_around_it(api: RuntimeApi, tmp_path: Path) -> None:
    (tmp_path / "snapshot_restore_py.py").write_text(HOOKS)
    code = """
    from snapshot_restore_py import register_after_restore, register_before_snapshot

    done = []
    register_before_snapshot(done.append, "before, registered first")
    register_before_snapshot(done.append, "before, registered last")
    register_after_restore(done.append, "after, registered first")
    register_after_restore(done.append, "after, registered last")

    def handler(event, context):
        return streamed([json.dumps(done).encode()])
    """
    with function(api, tmp_path, code, **SNAPSHOT):
        assert [api.next_call(), api.next_call()] == ["/restore/next", NEXT]
        done = json.loads(api.invoke().answer().body)
    # Source: the runtime hooks of SnapStart: those before run last first, those after first first.
    assert done == [
        "before, registered last",
        "before, registered first",
        "after, registered first",
        "after, registered last",
    ]


def test_a_snapshot_needs_no_hooks(api: RuntimeApi, tmp_path: Path) -> None:
    code = """
    def handler(event, context):
        return streamed([b"made"])
    """
    with function(api, tmp_path, code, **SNAPSHOT):
        assert api.invoke().answer().body == b"made"
        assert [api.next_call(), api.next_call()] == ["/restore/next", NEXT]


@pytest.mark.parametrize(
    ("hook", "phase", "error_type", "status"),
    [
        ("register_before_snapshot", "init", "Runtime.BeforeSnapshotError", 64),
        ("register_after_restore", "restore", "Runtime.AfterRestoreError", 65),
    ],
)
def test_a_hook_that_fails_is_reported_and_ends_the_function(
    api: RuntimeApi, tmp_path: Path, hook: str, phase: str, error_type: str, status: int
) -> None:
    (tmp_path / "snapshot_restore_py.py").write_text(HOOKS)
    code = f"""
    from snapshot_restore_py import {hook}

    {hook}(int, "no number")
    handler = None
    """
    with function(api, tmp_path, code, **SNAPSHOT) as running:
        assert running.process.wait(PATIENCE_S) == status
    assert api.reports[phase].error_type == error_type
    assert api.reports[phase].body["errorType"] == "ValueError"


def test_a_snapshot_that_is_refused_ends_the_function(tmp_path: Path) -> None:
    with (
        RuntimeApi(broken=403) as api,
        function(api, tmp_path, "handler = None", **SNAPSHOT) as running,
    ):
        assert running.process.wait(PATIENCE_S) == 64
    assert api.reports["init"].error_type == "Runtime.BeforeSnapshotError"


def test_lambda_may_start_the_wrapper() -> None:
    assert os.access(BOOTSTRAP, os.X_OK)


def test_a_function_that_answers_in_one_piece_imports_nothing_of_all_this() -> None:
    watched = ["edge.streaming.lambda_runtime", "http.client"]
    code = f"import sys, edge.http.resolver; print([name for name in {watched} if name in sys.modules])"
    folders = os.pathsep.join(str(LAYERS / layer) for layer in ("conversation", "edge"))
    environment = {"PYTHONPATH": folders, "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"]}
    ended = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"
