"""The twin's server: it loads the template and its functions, and serves them on this machine only."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import uvicorn

from conversation.clock import SystemClock, open_clock
from edge.adapters.provider_keys import ProviderKeys
from edge.environment import SettingsInvalid
from edge.settings import Settings
from llm.available_models import default_model
from local import settings
from local.events.periodic_jobs import build_jobs, run_jobs
from local.events.queues import count_waiting, poll_queues
from local.events.scheduler import run_scheduler
from local.events.table_stream import follow_streams
from local.gateway.application import Gateway
from local.gateway.bucket import local_bucket
from local.gateway.chat_page import Page
from local.operator_page.figures import Figures
from local.operator_page.page import OperatorPage
from local.proxy import logs
from local.proxy.events import API_ID
from local.proxy.functions import FunctionInvoker, FunctionMissing, Functions
from local.sign_in.issuer import Issuer, IssuerUnusable
from local.sign_in.provider import Provider
from local.template import interpreter, sam_translation
from local.template.intrinsics import ACCOUNT
from local.template.resources import Stack
from local.workers.pool import ForkServer, FunctionsUnusable, WorkerFunctions

HOST = "127.0.0.1"
CONCURRENCY = 256
BACKLOG = 1024
STOP_WITHIN_S = 5
KEEP_ALIVE_S = 75
"""How long an idle connection stays open: longer than clients keep theirs, or a request meets its end."""


class CannotStart(Exception):
    """The twin can't start; the message is one line."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `serve`. ``page`` is the folder of the built page.

    ``workers`` is the number of processes that run the functions. 1: they run in the server's own.
    """

    data: Path
    clock: Path | None
    template: Path
    page: Path
    workers: int


def serve(options: Options, listener: socket.socket, *, ready: Callable[[], None]) -> NoReturn:
    """Serve on the socket until SIGTERM or SIGINT, then end the process. Calls ``ready`` once requests are
    answered, and only then begins with what waits in queues and streams.

    Raises:
        CannotStart: the template, a setting or the data folder is unusable.
    """
    port: int = listener.getsockname()[1]
    variables = settings.environment(options.data, port=port, clock=options.clock)
    stack, functions, issuer, page_settings = _prepare(options, variables)
    clock = open_clock(options.clock)
    executor = ThreadPoolExecutor(CONCURRENCY, thread_name_prefix="invocation")
    chosen = Settings.load(os.environ)
    provider = Provider(
        issuer,
        origins=[f"http://{name}:{port}" for name in (HOST, "localhost")],
        allowed=[origin for origin in chosen.allowed_origins if origin != "*"],
        now=clock.now,
    )
    page = Page(
        options.page, stack.page, lambda request: page_settings.to_config(provider.origin_of(request))
    )
    figures = Figures(clock.monotonic, partial(count_waiting, stack.consumers))
    gateway = Gateway(
        stack,
        functions,
        provider=provider,
        page=page,
        now=clock.now,
        monotonic=clock.monotonic,
        executor=executor,
        operator_page=OperatorPage(figures, partial(_ask_authorizer, stack, functions)),
        bucket=local_bucket(chosen.attachments),
    )
    if isinstance(functions, WorkerFunctions):
        functions.on_measured = figures.add
    logs.configure_logging(chosen.log_level, figures)
    _announce(options, port, chosen, page)
    sources = (
        poll_queues(stack.consumers, functions.invoke),
        follow_streams(stack.streams, functions.invoke),
        run_scheduler(variables["OMNIFORGE_SCHEDULES"], variables["OMNIFORGE_RUN_QUEUE"], clock),
        run_jobs(build_jobs(stack.rules, functions.invoke, variables["OMNIFORGE_TABLE"]), clock),
    )
    with ExitStack() as started:

        def begin() -> None:
            ready()
            for source in sources:
                started.enter_context(source)

        _run(gateway, listener, begin)
    sys.stdout.flush()
    # Don't wait for invocations, which may be waiting for a model or another turn. After a restart, unsaved
    # work is recovered as it is when Lambda stops an environment.
    os._exit(0)


def listen(port: int) -> socket.socket:
    """Return a socket on the port of this machine, 0 for a free one.

    Raises:
        CannotStart: the port is taken.
    """
    # asyncio turns Nagle's algorithm off only for sockets that name TCP; it costs 40 ms per response.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        raise CannotStart(f"port {port}: {error.strerror}") from None
    return listener


def _prepare(
    options: Options, variables: dict[str, str]
) -> tuple[Stack, FunctionInvoker, Issuer, settings.PageSettings]:
    try:
        fork_server = ForkServer(options.workers) if options.workers > 1 else None
        page = settings.PageSettings.load(variables)
        issuer = Issuer(options.data)
        stack = interpreter.interpret(sam_translation.read_template(options.template), variables)
        functions = (
            WorkerFunctions(stack.functions, variables, fork_server)
            if fork_server
            else Functions(stack.functions, variables)
        )
    except (
        IssuerUnusable,
        sam_translation.TemplateInvalid,
        FunctionMissing,
        FunctionsUnusable,
        SettingsInvalid,
    ) as error:
        raise CannotStart(str(error)) from None
    else:
        return stack, functions, issuer, page


def _ask_authorizer(stack: Stack, functions: FunctionInvoker, authorization: str) -> dict[str, Any]:
    """The authorizer's answer for a token; it decides for routes, so the answer says who is asking."""
    (authorizer,) = stack.authorizers.values()
    arn = f"arn:aws:execute-api:local:{ACCOUNT}:{API_ID}/{stack.stage}/GET/operator"
    event = {"type": "TOKEN", "authorizationToken": authorization, "methodArn": arn}
    answer: dict[str, Any] = functions.invoke(authorizer.function, event)
    return answer


def _announce(options: Options, port: int, chosen: Settings, page: Page) -> None:
    url = f"http://{HOST}:{port}"
    clock = f" --clock {options.clock}" if options.clock else ""
    keys = ProviderKeys(chosen, clock=SystemClock())
    model = default_model(chosen.intent_model, keys.credentials(), keys.catalogue)
    page_note = "the page" if page.is_built else "no page is built"
    print(f"OmniForge listens on {url}  ({page_note}; the API: {url}/docs, data: {options.data})")
    print(f"Understanding: {model or 'offline, no model is configured'}")
    python = os.path.relpath(sys.executable) if sys.prefix.startswith(str(Path.cwd())) else "python"
    print(f"A token:  {python} -m local token --tenant acme --user maya --data {options.data}{clock}")
    print(
        f'A turn:   curl {url}/v1/chat -H "Authorization: Bearer $TOKEN" '
        f"""-H 'Content-Type: application/json' -d '{{"message": "List my agents"}}'""",
        flush=True,
    )


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()


def _run(gateway: Gateway, listener: socket.socket, on_started: Callable[[], None]) -> None:
    # uvicorn raises the signal that stopped it again when it is done. Ignore it: `serve` still cleans up.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        gateway,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=STOP_WITHIN_S,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    _Server(config, on_started).run(sockets=[listener])
