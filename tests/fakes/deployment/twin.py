"""`python -m local serve` in its own process, for tests that send it HTTP requests.

    with Twin(tmp_path, environ={"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "test"}) as twin:
        reply = twin.chat("List my agents", token=twin.token("acme", "maya"))
        twin.kill9()
        twin.restart()

The shell's settings and keys are not passed on, so that a test has the same twin on every machine.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from conversation.clock import open_clock
from local.sign_in.issuer import Issuer
from tests.fakes.deployment.wait_until import LOOK_EVERY_S
from tests.fakes.http.described_answers import api_client, undescribed_client
from tests.fakes.http.servers import free_port

ROOT = Path(__file__).resolve().parents[3]
READY_WITHIN_S = 240.0
"""A start takes a few seconds of processor time, which is more than a minute on a busy machine."""

ANSWER_WITHIN_S = 240.0
STOP_WITHIN_S = 120.0
_FAR_AWAY = datetime(2100, 1, 1, tzinfo=UTC).timestamp()

_QUIET = {"OMNIFORGE_TITLES": "rule", "OMNIFORGE_SUMMARIES": "rule"}
"""Titles and summaries come from rules, so that a scripted model only receives requests for replies."""

_UNLIMITED = {"OMNIFORGE_TURNS_PER_MINUTE": "60000", "OMNIFORGE_TURNS_BURST": "10000"}
"""Tests send as fast as they can; tests of the rate limits set their own."""

_SHELL = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "SYSTEMROOT", "PYTHONPYCACHEPREFIX")


class TwinDied(Exception):
    """The process ended before it was ready; the message is its output."""


class Twin:
    """One twin, started by ``__enter__`` (or `start`) and stopped by ``__exit__`` (or `stop`).

    Several twins may share ``data``. Without ``clock``, the machine's clock is used. Otherwise the clock's
    file is in the folder and `set_clock` sets it. It runs on from there, or stays at the set time when
    ``clock_runs`` is False: no lease ends then because the machine is slow. ``workers`` is the number of
    processes that run the functions: a single one starts sooner, None is the product's default. The answers
    have to be as ``openapi.json`` describes them, unless a twin with a ``template`` of its own is not
    ``described``.
    """

    def __init__(
        self,
        data: Path,
        *,
        environ: Mapping[str, str] | None = None,
        clock: datetime | None = None,
        clock_runs: bool = True,
        template: Path | None = None,
        page: Path | None = None,
        port: int | None = None,
        workers: int | None = 1,
        described: bool = True,
    ) -> None:
        self.data = data
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_path = data / f"twin-{self.port}.log"
        client = api_client if described else undescribed_client
        self.http = client(self.url, timeout_s=ANSWER_WITHIN_S)
        shell = {name: os.environ[name] for name in _SHELL if name in os.environ}
        self._environ = {**shell, **_QUIET, **_UNLIMITED, **(environ or {})}
        self._clock_file = data / "clock" if clock else None
        self._clock_runs = clock_runs
        self._options = {"--template": template, "--page": page, "--workers": workers}
        self._process: subprocess.Popen[bytes] | None = None
        self._asked_in: str | None = None
        data.mkdir(parents=True, exist_ok=True)
        if clock:
            self.set_clock(clock)

    def start(self) -> Self:
        """Start the process and wait until it is healthy.

        Raises:
            TwinDied: the process ended, or was not ready in time.
        """
        options = [part for name, value in self._options.items() if value for part in (name, str(value))]
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._command("serve"), "--port", str(self.port), *options],
                cwd=ROOT,
                env=self._environ,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready(self._process)
        return self

    def stop(self) -> int:
        """Stop the process with SIGTERM and return its exit code."""
        return self._end(signal.SIGTERM)

    def kill9(self) -> None:
        """Kill the process, as a power cut would."""
        self._end(signal.SIGKILL)

    def restart(self) -> Self:
        """Start the same twin again after `kill9` or `stop`."""
        return self.start()

    def set_clock(self, moment: datetime) -> None:
        """Set the clock of a twin that was started with one."""
        if self._clock_file is None:
            raise ValueError("the twin was started without a clock")
        draft = self._clock_file.with_suffix(".new")
        draft.write_text(moment.isoformat())
        if not self._clock_runs:
            # A `FileClock` adds the time since the file was written, and nothing before that.
            os.utime(draft, (_FAR_AWAY, _FAR_AWAY))
        draft.replace(self._clock_file)

    def pass_time(self, time_passed: timedelta) -> None:
        """Set the clock of a twin that was started with one forward."""
        self.set_clock(open_clock(self._clock_file).now() + time_passed)

    def token(self, tenant: str = "acme", user: str = "maya", roles: Sequence[str] = ()) -> str:
        """Return a token as `python -m local token` prints it, by the twin's clock."""
        now = open_clock(self._clock_file).now()
        return self._issuer.access_token(tenant=tenant, user=user, roles=roles, now=now)

    @cached_property
    def _issuer(self) -> Issuer:
        # Cached: reading the key takes a hundred times as long as a signature.
        return Issuer(self.data)

    def request(
        self,
        method: str,
        path: str,
        *,
        token: str | None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        """Send any request, with the token if given."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        return self.http.request(method, path, headers={**sent, **(headers or {})}, **more)

    def get(self, path: str, *, token: str | None, **more: Any) -> Any:
        """Send a GET request that must succeed and return its JSON."""
        response = self.request("GET", path, token=token, **more)
        assert response.status_code == 200, response.text
        return response.json()

    def is_model_ready(self) -> bool:
        """Whether a model classifies messages. The first turns work without it while it is being loaded.

        It sends a message as a user of the tenant ``other``, so that no other history or usage is affected.
        """
        reply = self.chat(
            "What is the time?", token=self.token("other", "user"), conversation_id=self._asked_in
        ).json()
        # Reuse one conversation: each new one would get a title from a model and delay later titles.
        self._asked_in = reply["conversation_id"]
        return bool(reply["metadata"]["decision"]["source"] == "model")

    def chat(
        self,
        message: str,
        *,
        token: str,
        conversation_id: str | None = None,
        key: str | None = None,
        **fields: Any,
    ) -> httpx.Response:
        """Send one turn; ``fields`` are further fields of the body."""
        body = {"message": message, **fields}
        if conversation_id:
            body["conversation_id"] = conversation_id
        headers = {"Idempotency-Key": key} if key else {}
        return self.request("POST", "/v1/chat", token=token, headers=headers, json=body)

    @property
    def logs(self) -> str:
        """Return the process's output so far, of both streams."""
        return self.log_path.read_text(errors="replace")

    @property
    def pid(self) -> int:
        """The id of the running process."""
        if self._process is None:
            raise ValueError("the twin is not running")
        return self._process.pid

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.stop()
        self.http.close()

    def _command(self, command: str) -> list[str]:
        clock = ["--clock", str(self._clock_file)] if self._clock_file else []
        return [sys.executable, "-m", "local", command, "--data", str(self.data), *clock]

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline:
            if process.poll() is not None:
                break
            try:
                if self.http.get("/health").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(LOOK_EVERY_S)
        process.kill()
        process.wait()
        self._process = None
        self.http.close()
        raise TwinDied(self.logs)

    def _end(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            raise ValueError("the twin is not running")
        process.send_signal(number)
        return process.wait(timeout=STOP_WITHIN_S)
