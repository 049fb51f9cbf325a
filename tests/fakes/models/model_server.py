"""A scripted OpenAI-compatible model server on loopback, reached over real HTTP.

It understands nothing and answers as its script says. In a test::

    rule = Rule("compiling project updates", Reply(decision={"action_type": "create_agent", ...}))
    with ModelServer(Script([rule])) as server:
        ...  # OPENAI_BASE_URL = server.base_url, any OPENAI_API_KEY
        server.use(Script(default=Reply(mode="hang")))  # from the next request on
        assert server.log().max_concurrency == 1

As a process (prints ``listening on http://127.0.0.1:PORT/v1``; ``--port 0`` picks a free port)::

    python -m tests.fakes.models.model_server --port 4010 --script script.json

A script file is ``{"rules": [RULE, ...], "default": REPLY}``. The first rule whose ``contains`` (a text,
or a list of texts that must all occur; letter case is ignored) is found in the **last user message**
answers. Otherwise ``default`` answers, which is by default the decision
``{"action_type": "unknown", "confidence": 0.3}``. A rule is a reply plus ``contains`` and, to restrict it to
some requests: ``times`` (how often it applies), ``model`` (the requested model), ``prompt`` (a text in a
system message), ``offers`` (the names of exactly the tools offered; ``[]`` for none), ``after`` (a text in
the newest tool result; a rule without it applies only before there is one). A reply has any of these fields:

- ``decision``: an object, sent as the assistant's JSON text (``action_type``, ``confidence``, ``entities``,
  ``reasoning``, ``is_ambiguous``, ``alternative_action``, ``clarifying_question``)
- ``content``: the assistant's text as it is (``null`` allowed), in place of ``decision``
- ``tool_calls``: calls the model wants made, ``[{"name": ..., "arguments": {...} or a text}]``
- ``finish_reason``: "stop" by default
- ``body``: the whole HTTP body as it is, in place of a completion
- ``status``: an HTTP error status (401, 403, 404, 429, 500, 503, ...); ``retry_after``: its Retry-After
  header
- ``delay_ms``: the delay before the answer
- ``mode``: ``ok`` | ``hang`` (accept, never answer) | ``garbage`` (200, not JSON) | ``truncated`` (half of
  the text, finish_reason "length") | ``drip`` (one byte a second) | ``reset`` (close after half the body)

The wire depends on the path: besides OpenAI's there are Anthropic's (``/v1/messages``) and Bedrock's
(``/model/NAME/converse`` and ``converse-stream``), as `tests.fakes.models.vendor_wires` writes them.

A request with ``stream: true`` gets the same reply as server-sent events, with its usage when
``stream_options`` asks for it. These fields apply to streams only:

- ``pieces``: the text as a list of deltas; otherwise it is sent word by word
- ``pause_ms``: the pause between two deltas
- ``usage``: false for a server that reports no usage
- ``gate``: a `AuthorizerRunner` that each delta has to pass (only in this process)
- ``breaks_after``: the number of deltas after which the mode takes effect, by default half of them. Besides
  ``reset``, streams have the modes ``stall`` (silence from there on) | ``trickle`` (comments from there on) |
  ``unended`` (the stream ends there, in due form) | ``malformed`` (a frame that is not JSON, then the rest) |
  ``broken`` (an error frame, then the end)

A function from `Request` to `Reply` can replace the `Script`. Refused connections need no mode: stop the
server, or never start it.

Besides ``POST /v1/chat/completions`` there are ``GET /log`` (the `Log` as JSON), ``DELETE /log`` (empty it)
and ``PUT /script`` (a script as in the file). A request's conversation is named by a marker ``#conv-NAME`` in
its last user message, or by its ``user`` field.
"""

from __future__ import annotations

import argparse
import inspect
import json
import select
import socket
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from tests.fakes.models import model_stream
from tests.fakes.models.model_script import Answerer, Log, Recorder, Reply, Script, ScriptAnswerer
from tests.fakes.models.vendor_wires import Wire, wire_of


class ModelServer:
    """The server, in threads of this process, from ``__enter__`` (or `start`) to ``__exit__`` (or `stop`)."""

    def __init__(self, script: Script | Answerer | None = None, *, port: int = 0) -> None:
        self.recorder = Recorder()
        self.stopping = threading.Event()
        self.connections = 0
        """The number of connections opened so far."""
        self.answer: Answerer = ScriptAnswerer(Script())
        self.use(script or Script())
        self._http = _LoopbackServer(("127.0.0.1", port), _Handler)
        self._http.model_server = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def base_url(self) -> str:
        """The value for OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def use(self, script: Script | Answerer) -> None:
        """Use this script from the next request on."""
        self.answer = ScriptAnswerer(script) if isinstance(script, Script) else script

    def log(self) -> Log:
        """Return the log of requests so far."""
        return self.recorder.log()

    def running(self) -> int:
        """Return the number of requests in progress. A stalled stream counts until its client disconnects."""
        return self.recorder.running()

    def forget(self) -> None:
        """Empty the log."""
        self.recorder.forget()

    def start(self) -> Self:
        """Start listening."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Release hanging requests and close the port: later connections are refused."""
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        _close_kept_clients()


def _close_kept_clients() -> None:
    """Close the clients that litellm, where a test has imported it, keeps for servers that are gone.

    Else a later test collects them as garbage, and fails for the sockets that nobody closed.
    """
    if (litellm := sys.modules.get("litellm")) is None:
        return
    kept = litellm.in_memory_llm_clients_cache
    for key, client in list(kept.cache_dict.items()):
        if not inspect.iscoroutinefunction(client.close):
            client.close()
            kept.delete_cache(key)


class _LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False
    model_server: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect; that is not an error of the server."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version: ClassVar[str] = "HTTP/1.1"  # type: ignore[misc]
    disable_nagle_algorithm = True
    server: _LoopbackServer

    def setup(self) -> None:
        self.server.model_server.connections += 1
        super().setup()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Print nothing; see `GET /log`."""

    @property
    def _wire(self) -> Wire:
        return wire_of(self.path)

    def do_GET(self) -> None:
        """Serve the log and the list of the one model."""
        if self.path == "/log":
            self._send(200, self.server.model_server.log().as_json())
        else:
            self._send(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_DELETE(self) -> None:
        """Empty the log."""
        self.server.model_server.forget()
        self._send(200, {})

    def do_PUT(self) -> None:
        """Replace the script."""
        self.server.model_server.use(Script.parse(self._body()))
        self._send(200, {})

    def do_POST(self) -> None:
        """Answer a completion as the script says."""
        owner = self.server.model_server
        request = owner.recorder.enter(
            self._body(), self.headers.get("Authorization", ""), self.headers.get("traceparent", "")
        )
        try:
            self._perform(owner.answer(request), request.body)
        finally:
            owner.recorder.leave(request)

    def _perform(self, reply: Reply, asked: Mapping[str, Any]) -> None:
        model = str(asked.get("model", "scripted"))
        stopping = self.server.model_server.stopping
        stopping.wait(reply.delay_ms / 1000)
        if reply.mode == "hang":
            stopping.wait()
        elif reply.status != 200:
            headers = {"Retry-After": reply.retry_after} if reply.retry_after else {}
            self._send(
                reply.status, {"error": {"message": "scripted refusal", "code": str(reply.status)}}, headers
            )
        elif reply.body is not None:
            self._send_bytes(200, reply.body.encode())
        elif reply.mode == "garbage":
            self._send_bytes(200, b"<html>gateway says hello</html>")
        elif asked.get("stream") or self.path.endswith("-stream"):
            wants_usage = bool((asked.get("stream_options") or {}).get("include_usage"))
            self._stream_completion(reply, model, with_usage=wants_usage)
        else:
            self._send_completion(reply, model)

    def _stream_completion(self, reply: Reply, model: str, *, with_usage: bool) -> None:
        self._head(200, None, {}, self._wire.content_type)
        self._write(self._wire.opening(reply, model), reply)
        deltas = self._wire.deltas(reply)
        breaking = model_stream.breaks_at(reply, len(deltas))
        for place, delta in enumerate(deltas):
            if place == breaking and self._breaks_off(reply):
                return
            if reply.gate:
                reply.gate.wait(self.server.model_server.stopping)
            self._write(self._wire.middle(delta, model), reply)
            self.server.model_server.stopping.wait(reply.pause_ms / 1000)
        if len(deltas) <= breaking < len(deltas) + 1 and self._breaks_off(reply):
            return
        self._write(self._wire.closing(reply, model, with_usage=with_usage), reply)
        self._end()

    def _breaks_off(self, reply: Reply) -> bool:
        """Apply the mode in the middle of a stream. Returns False when the stream continues after that."""
        if reply.mode == "malformed":
            self._write(self._wire.malformed(), reply)
            return False
        if reply.mode in ("stall", "trickle"):
            self._wait_until_gone(reply)
        elif reply.mode == "broken":
            self._write(self._wire.broken(), reply)
        if reply.mode in ("unended", "broken"):
            self._end()
        else:
            self.close_connection = True
        return True

    def _wait_until_gone(self, reply: Reply) -> None:
        stopping = self.server.model_server.stopping
        # Not `select.select`: it refuses the high file descriptors of a process that has run many tests.
        poll = select.poll()
        poll.register(self.connection, select.POLLIN)
        while not stopping.is_set():
            if poll.poll(50) and not self.connection.recv(1, socket.MSG_PEEK):
                return
            if reply.mode == "trickle":
                self._write(self._wire.comment(), reply)

    def _write(self, data: bytes, reply: Reply) -> None:
        """Write a chunk of a body of unknown length, byte by byte with mode ``drip``."""
        for part in [data] if reply.mode != "drip" else [data[at : at + 1] for at in range(len(data))]:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
            self.wfile.flush()
            if reply.mode == "drip" and self.server.model_server.stopping.wait(1.0):
                return

    def _end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _send_completion(self, reply: Reply, model: str) -> None:
        body = json.dumps(self._wire.completion(reply, model)).encode()
        if reply.mode == "drip":
            self._drip(body)
        elif reply.mode == "reset":
            self._head(200, len(body), {})
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        else:
            self._send_bytes(200, body)

    def _drip(self, body: bytes) -> None:
        self._head(200, len(body), {})
        for byte in body:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            if self.server.model_server.stopping.wait(1.0):
                return

    def _body(self) -> dict[str, Any]:
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parsed = json.loads(raw or b"{}")
        return parsed if isinstance(parsed, dict) else {}

    def _send(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(body).encode(), headers)

    def _send_bytes(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._head(status, len(body), headers or {})
        self.wfile.write(body)

    def _head(
        self,
        status: int,
        length: int | None,
        headers: Mapping[str, str],
        content_type: str = "application/json",
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible model server on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path, help="JSON file; see this module's docstring")
    arguments = parser.parse_args()
    script = Script.parse(json.loads(arguments.script.read_text())) if arguments.script else Script()
    with ModelServer(script, port=arguments.port) as server:
        print(f"listening on {server.base_url}", flush=True)
        try:
            server.stopping.wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
