"""One built function under the Lambda Runtime Interface Emulator, with its own layers and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.fakes.http.described_answers import check_function_answer
from tests.fakes.http.servers import free_port

WRAPPER = "AWS_LAMBDA_EXEC_WRAPPER"
DELIMITER = bytes(8)
"""Between how a streamed answer begins and its body."""
_READY_WITHIN_S = 30.0


class FunctionFailed(Exception):
    """The function raised, or could not start; the message is what it or the emulator said."""


@dataclass(frozen=True, slots=True)
class EmulatedFunction:
    """A function that waits for events."""

    url: str
    log: Path
    pid: int
    """The emulator, which starts the function."""

    def peak_mib(self) -> float:
        """The most memory that the function's process had so far."""
        statuses = [_status(process) for process in _descendants(self.pid)]
        return max(int(one["VmHWM"].split()[0]) for one in statuses if one["Name"] == "python") / 1024

    def invoke(self, event: Mapping[str, Any]) -> Any:
        """What the function returns for an event.

        Raises:
            FunctionFailed: it raised.
        """
        response = httpx.post(self.url, json=event, timeout=60, trust_env=False)
        answer = response.json() if response.content else None
        if not response.is_success or (isinstance(answer, dict) and "errorMessage" in answer):
            raise FunctionFailed(f"{response.text[:500]}\n{self.log.read_text(errors='replace')[-3000:]}")
        if "httpMethod" in event and answer is not None:
            check_function_answer(event, answer)
        return answer

    def stream(self, event: Mapping[str, Any]) -> tuple[Any, bytes]:
        """How a streamed answer to an event begins, and its body, which the emulator holds back until its
        end.
        """
        response = httpx.post(self.url, json=event, timeout=60, trust_env=False)
        assert response.is_success, f"{response.text[:500]}\n{self.log.read_text(errors='replace')[-3000:]}"
        beginning, _, body = response.content.partition(DELIMITER)
        return json.loads(beginning), body


@contextmanager
def emulated(
    *,
    emulator: Path,
    python: str,
    runtime: Path,
    task: Path,
    opt: Path,
    variables: Mapping[str, str],
    log: Path,
    handler: str = "app.handler",
) -> Iterator[EmulatedFunction]:
    """Run the function in ``task`` with the merged layers in ``opt`` as /opt until the block ends; through
    its wrapper, where its variables name one.
    """
    port, runtime_api = free_port(), free_port()
    addresses = ["--runtime-interface-emulator-address", f"127.0.0.1:{port}"]
    addresses += ["--runtime-api-address", f"127.0.0.1:{runtime_api}"]
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{opt / 'python'}:{runtime}",
        "LAMBDA_TASK_ROOT": str(task),
        "AWS_LAMBDA_FUNCTION_NAME": task.name,
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "29",
        **{name: value.replace("/opt/", f"{opt}/") for name, value in variables.items()},
    }
    wrapper = [environment[WRAPPER]] if WRAPPER in environment else []
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(emulator), *addresses, *wrapper, python, "-B", "-m", "awslambdaric", handler],
            cwd=task,
            env=environment,
            stdout=output,
            stderr=output,
        )
        try:
            _wait_for(port, process, log)
            url = f"http://127.0.0.1:{port}/2015-03-31/functions/function/invocations"
            yield EmulatedFunction(url, log, process.pid)
        finally:
            process.terminate()
            process.wait(timeout=30)


def _status(process: Path) -> dict[str, str]:
    lines = (process / "status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _descendants(pid: int) -> list[Path]:
    """The processes that a process started, and theirs."""
    numbers = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    children = [Path("/proc", str(number)) for number in numbers if _parent(number) == pid]
    return [*children, *(each for child in children for each in _descendants(int(child.name)))]


def _parent(process: int) -> int | None:
    try:
        return int(_status(Path("/proc", str(process)))["PPid"])
    except (FileNotFoundError, ProcessLookupError):
        return None


def merge_layers(layers: Sequence[Path], opt: Path) -> Path:
    """An /opt that shows the layers' files as Lambda does: merged, a later layer before an earlier one."""
    (opt / "python").mkdir(parents=True)
    for layer in layers:
        for entry in (layer / "python").iterdir():
            shown = opt / "python" / entry.name
            shown.unlink(missing_ok=True)
            shown.symlink_to(entry)
    return opt


def sample(path: Path) -> Any:
    """An event of the `events` folder."""
    return json.loads(path.read_text(encoding="utf-8"))


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _READY_WITHIN_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            # The function itself starts with the first event, as on Lambda.
            httpx.get(f"http://127.0.0.1:{port}/", trust_env=False)
        except httpx.TransportError:
            time.sleep(0.02)
        else:
            return
    raise FunctionFailed(log.read_text(errors="replace"))
