"""All functions of the template in one warm process, behind the twin's routes and their authorizer.

What AWS and the twin do in the background, streams and queues, is done when `Deployment.settle` is called.
Only turns that were handed over are answered at once: their callers wait for it.
"""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch
from uuid import uuid4

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from edge.http.server_sent_events import StreamedResponse
from edge.observability import LOGGER_ROOTS
from llm.completion import CompletionClient
from llm.request_types import ModelRequest, ModelResponse
from local import settings
from local.__main__ import TEMPLATE
from local.events.queues import QueueReader, process_batch
from local.events.table_stream import TableStream
from local.gateway.authorizers import AuthorizerRunner, RequestDenied
from local.proxy.events import Request, Router, proxy_event
from local.proxy.functions import Context
from local.template import interpreter, sam_translation
from tests.fakes.deployment import functions
from tests.fakes.identity.issuers import AUDIENCE, Issuer, serve_issuer

MODEL = "gpt-4o-mini"
FINISHES = "finish"
FINISHES_EVERY_S = 0.05
DECISION = {"action_type": "query_info", "confidence": 0.95, "entities": {}, "reasoning": "they ask"}


class Answered(NamedTuple):
    """What came back, as far as somebody outside can tell."""

    status: int
    headers: str
    body: str

    @property
    def json(self) -> Any:
        """The body, parsed; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Models:
    """Stands in for every model, and remembers what it was told."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def answer(self, question: ModelRequest) -> ModelResponse:
        """A decision where one is asked for, else that what was said last was heard."""
        self.prompts.append(
            json.dumps([question.messages, [each.name for each in question.tools]], default=str)
        )
        last = str(question.messages[-1].get("content"))[:60] if question.messages else ""
        text = json.dumps(DECISION) if question.schema else f"I heard: {last}"
        return ModelResponse(text=text, prompt_tokens=50, completion_tokens=10, cost_usd=0.000_01)


class Deployment:
    """``log`` is what the functions wrote, ``queued`` what lay in the queues."""

    def __init__(self, folder: Path, issuer: Issuer, models: Models, log: io.StringIO) -> None:
        self.folder, self.issuer, self.models, self.log = folder, issuer, models, log
        self.queued: list[tuple[str, str]] = []
        environ = {
            **settings.environment(folder, port=1, clock=None, environ={}),
            "OMNIFORGE_JWT_ISSUERS": issuer.url,
            "OMNIFORGE_JWT_AUDIENCE": AUDIENCE,
            "OMNIFORGE_JWT_JWKS_URLS": f"{issuer.url}/jwks.json",
            "OMNIFORGE_INTENT_MODEL": MODEL,
            "OMNIFORGE_LOG_LEVEL": "DEBUG",
            "OPENAI_API_KEY": "none",
        }
        self._stack = interpreter.interpret(sam_translation.read_template(TEMPLATE), environ)
        self._router = Router(self._stack.routes)
        self._handlers = self._loaded(environ)
        [authorizer] = self._stack.authorizers.values()
        self._gate = AuthorizerRunner(
            authorizer, invoke=self._invoke, stage="local", now=lambda: datetime.now(UTC)
        )
        self._streams = [
            TableStream(each.target.removeprefix("sqlite:///"), each) for each in self._stack.streams
        ]
        self._inboxes = [
            (each, QueueReader(each.target.removeprefix("sqlite:///"), each))
            for each in self._stack.consumers
        ]
        self._settling = threading.Lock()

    def call(
        self,
        method: str,
        path: str,
        *,
        token: str,
        query: str = "",
        body: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answered:
        """What the API answers."""
        given = {"content-type": "application/json", "authorization": f"Bearer {token}", **(headers or {})}
        content = b"" if body is None else json.dumps(body).encode()
        request = Request(
            str(uuid4()), method, path, query, list(given.items()), content, "127.0.0.1", datetime.now(UTC)
        )
        match = self._router.find(method, path)
        assert match is not None, path
        try:
            caller = self._gate.authorize(request, match) if match.route.authorizer else None
        except RequestDenied as refused:
            return Answered(403, "", refused.kind)
        event = proxy_event(request, match, stage="local", authorizer=caller, binary_types=())
        return _answered(self._invoke(str(match.route.function), event))

    def settle(self) -> None:
        """Have everything followed and worked off that waits."""
        with self._settling:
            for _ in range(8):
                for stream in self._streams:
                    while self._waits(stream):
                        assert stream.process_batch(self._invoke, time.time())
                batches = [self._received(*each) for each in self._inboxes]
                if not any(batches):
                    return

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Have turns that were handed over answered meanwhile."""
        stop = threading.Event()
        finishers = [
            each
            for each in self._inboxes
            if self._stack.functions[each[0].function].folder.rpartition("/")[2] == FINISHES
        ]
        assert finishers

        def finish() -> None:
            while not stop.wait(FINISHES_EVERY_S):
                for consumer, inbox in finishers:
                    self._received(consumer, inbox)

        worker = threading.Thread(target=finish, name=FINISHES, daemon=True)
        worker.start()
        try:
            yield
        finally:
            stop.set()
            worker.join()

    def items(self) -> Iterator[tuple[str, str, str]]:
        """Everything in the table: partition, sort key, body."""
        with closing(sqlite3.connect(self.folder / "omniforge.db")) as connection:
            yield from connection.execute("select pk, sk, body from items")

    def close(self) -> None:
        """Let go of the files."""
        for stream in self._streams:
            stream.close()

    def _waits(self, stream: TableStream) -> bool:
        with closing(sqlite3.connect(self.folder / "omniforge.db")) as connection:
            waits = connection.execute("select 1 from writes where consumer = ?", (stream.function,))
            return waits.fetchone() is not None

    def _received(self, consumer: Any, inbox: QueueReader) -> bool:
        # Far enough ahead for what is delayed, not for what is being worked on.
        batch = inbox.receive(time.time() + consumer.delay_s + 1)
        self.queued += [(consumer.queue, each.body) for each in batch]
        process_batch(batch, inbox, consumer, self._invoke)
        return bool(batch)

    def _invoke(self, name: str, event: dict[str, Any]) -> Any:
        return self._handlers[name](event, Context(self._stack.functions[name]))

    def _loaded(self, environ: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
        modules: dict[str, Any] = {}
        loaded = {}
        for name, function in self._stack.functions.items():
            folder = function.folder.rpartition("/")[2]
            own = {key: text for key, text in function.environment.items() if "/opt/" not in text}
            modules[folder] = modules.get(folder) or functions.load(folder, {**own, **environ})
            loaded[name] = getattr(modules[folder], function.handler.rpartition(".")[2])
        return loaded


@contextmanager
def logged(log: io.StringIO) -> Iterator[None]:
    """Everything our modules log meanwhile, as a function on AWS at DEBUG would write it down."""
    handler = logging.StreamHandler(log)
    handler.setFormatter(LambdaPowertoolsFormatter())
    with ExitStack() as restored:
        for room in (*LOGGER_ROOTS, "functions", "app"):
            logger = logging.getLogger(room)
            restored.callback(logger.setLevel, logger.level)
            restored.callback(logger.removeHandler, handler)
            logger.setLevel(logging.DEBUG)
            logger.addHandler(handler)
        yield


@contextmanager
def deployed(folder: Path) -> Iterator[Deployment]:
    """A deployment until the end of the block."""
    models, log = Models(), io.StringIO()

    def complete(_: CompletionClient, question: ModelRequest, **__: Any) -> ModelResponse:
        return models.answer(question)

    def stream(_: CompletionClient, question: ModelRequest, **__: Any) -> Iterator[str | ModelResponse]:
        answer = models.answer(question)
        yield answer.text
        yield answer

    with ExitStack() as until_end:
        issuer = until_end.enter_context(serve_issuer())
        until_end.enter_context(redirect_stdout(log))
        until_end.enter_context(logged(log))
        # litellm takes seconds to import.
        until_end.enter_context(patch("llm.completion.import_litellm", lambda: ModuleType("litellm")))
        until_end.enter_context(patch.object(CompletionClient, "complete", complete))
        until_end.enter_context(patch.object(CompletionClient, "stream", stream))
        deployment = Deployment(folder, issuer, models, log)
        until_end.callback(deployment.close)
        until_end.enter_context(deployment.finishing())
        yield deployment


def _answered(returned: Any) -> Answered:
    if isinstance(returned, StreamedResponse):
        return Answered(returned.status, json.dumps(returned.headers), b"".join(returned.chunks).decode())
    headers = returned.get("multiValueHeaders") or returned.get("headers")
    return Answered(int(returned["statusCode"]), json.dumps(headers), str(returned.get("body") or ""))
