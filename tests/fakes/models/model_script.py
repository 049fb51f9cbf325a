"""The script of a scripted model server, and its log of requests.

The server is `tests.fakes.models.model_server`; its docstring explains each field of a reply.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

Mode = Literal[
    "ok",
    "hang",
    "garbage",
    "truncated",
    "drip",
    "reset",
    "stall",
    "trickle",
    "unended",
    "malformed",
    "broken",
]
_MARKER = re.compile(r"#conv-(\w+)")
_UNSURE: Mapping[str, Any] = {
    "action_type": "unknown",
    "confidence": 0.3,
    "entities": {},
    "reasoning": "scripted default",
}


class Gate:
    """Holds back the deltas of a streamed answer until the test releases a number of them."""

    def __init__(self, let: int = 0) -> None:
        self._permits = threading.Semaphore(let)

    def release(self, deltas: int = 1) -> None:
        """Release so many more deltas."""
        self._permits.release(deltas)

    def wait(self, stopping: threading.Event) -> None:
        """Wait until a delta may be sent or the server stops."""
        while not self._permits.acquire(timeout=0.05):
            if stopping.is_set():
                return


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted answer."""

    decision: Mapping[str, Any] | None = None
    content: str | None = None
    finish_reason: str = "stop"
    body: str | None = None
    status: int = 200
    retry_after: str | None = None
    delay_ms: int = 0
    mode: Mode = "ok"
    tool_calls: Sequence[Mapping[str, Any]] = ()
    pieces: Sequence[str] = ()
    pause_ms: int = 0
    breaks_after: int | None = None
    usage: bool = True
    gate: Gate | None = None

    @property
    def finished(self) -> str:
        """The finish reason."""
        return "tool_calls" if self.tool_calls else self.finish_reason

    def text(self) -> str | None:
        """The assistant's text."""
        if self.pieces:
            return "".join(self.pieces)
        return self.content if self.decision is None else json.dumps(self.decision)

    def deltas(self) -> list[str]:
        """The text as it is streamed: in the given pieces, or word by word."""
        return list(self.pieces) or re.findall(r"\s*\S+|\s+", self.text() or "")


@dataclass(frozen=True, slots=True)
class Rule:
    """A reply for matching requests. ``times`` None means always; other fields that are None match all."""

    contains: str | Sequence[str]
    reply: Reply
    times: int | None = None
    model: str | None = None
    prompt: str | None = None
    offers: Sequence[str] | None = None
    after: str | None = None

    def matches(self, request: Request) -> bool:
        """Whether the rule applies to the request."""
        wanted = [self.contains] if isinstance(self.contains, str) else self.contains
        return (
            _has_all(request.last_user_message, wanted)
            and self.model in (None, request.body.get("model"))
            and (self.prompt is None or _has_all(request.system, [self.prompt]))
            and (self.offers is None or set(self.offers) == set(request.offered_tools))
            and (request.tool_results == [] if self.after is None else self._comes_after(request))
        )

    def _comes_after(self, request: Request) -> bool:
        return _has_all(" ".join(request.tool_results[-1:]), [self.after or ""]) and bool(
            request.tool_results
        )


def _has_all(text: str, wanted: Sequence[str]) -> bool:
    return all(one.casefold() in text.casefold() for one in wanted)


@dataclass(frozen=True, slots=True)
class Script:
    """Rules in order, and the reply when none matches."""

    rules: Sequence[Rule] = ()
    default: Reply = field(default_factory=lambda: Reply(decision=_UNSURE))

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Script:
        """Parse the content of a JSON script file."""
        rules = tuple(_rule(dict(entry)) for entry in data.get("rules", ()))
        return cls(rules, Reply(**data["default"])) if "default" in data else cls(rules)


def _rule(entry: dict[str, Any]) -> Rule:
    told = {name: entry.pop(name, None) for name in ("times", "model", "prompt", "offers", "after")}
    return Rule(entry.pop("contains"), Reply(**entry), **told)


@dataclass(frozen=True, slots=True)
class Request:
    """One received request. ``running`` counts the requests in progress at its arrival, itself included."""

    body: Mapping[str, Any]
    authorization: str
    running: int
    running_in_conversation: int
    conversation: str | None
    traceparent: str = ""

    @property
    def messages(self) -> list[Mapping[str, Any]]:
        """The prompt's messages."""
        return list(self.body.get("messages", []))

    @property
    def last_user_message(self) -> str:
        """The text of the newest user message; empty when there is none."""
        return _last_user_message(self.body)

    @property
    def system(self) -> str:
        """The text of all system messages."""
        return "\n".join(_flat(said.get("content")) for said in self.messages if said.get("role") == "system")

    @property
    def offered_tools(self) -> list[str]:
        """The names of the tools the model may use."""
        return [tool["function"]["name"] for tool in self.body.get("tools") or ()]

    @property
    def tool_results(self) -> list[str]:
        """The tool results since the newest user message, oldest first."""
        said = self.messages
        last = max((place for place, one in enumerate(said) if one.get("role") == "user"), default=-1)
        return [_flat(one.get("content")) for one in said[last + 1 :] if one.get("role") == "tool"]


@dataclass(frozen=True, slots=True)
class Log:
    """The requests so far, oldest first, and their concurrency."""

    requests: tuple[Request, ...]

    @property
    def max_concurrency(self) -> int:
        """The largest number of requests in progress at the same time."""
        return max((request.running for request in self.requests), default=0)

    @property
    def max_concurrency_by_conversation(self) -> dict[str, int]:
        """The largest number of concurrent requests of each identified conversation."""
        most: dict[str, int] = {}
        for request in self.requests:
            if request.conversation is not None:
                known = most.get(request.conversation, 0)
                most[request.conversation] = max(known, request.running_in_conversation)
        return most

    def as_json(self) -> dict[str, Any]:
        """Return the body of ``GET /log``."""
        return {
            "requests": [
                {**asdict(request), "last_user_message": request.last_user_message}
                for request in self.requests
            ],
            "max_concurrency": self.max_concurrency,
            "max_concurrency_by_conversation": self.max_concurrency_by_conversation,
        }


Answerer: TypeAlias = Callable[[Request], Reply]


class Recorder:
    """Counts and stores requests; shared by all handler threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: list[Request] = []
        self._running: Counter[str | None] = Counter()

    def enter(self, body: Mapping[str, Any], authorization: str, traceparent: str = "") -> Request:
        conversation = conversation_of(body)
        with self._lock:
            self._running[conversation] += 1
            running, here = self._running.total(), self._running[conversation]
            request = Request(body, authorization, running, here, conversation, traceparent)
            self._requests.append(request)
        return request

    def leave(self, request: Request) -> None:
        with self._lock:
            self._running[request.conversation] -= 1

    def running(self) -> int:
        with self._lock:
            return self._running.total()

    def log(self) -> Log:
        with self._lock:
            return Log(tuple(self._requests))

    def forget(self) -> None:
        with self._lock:
            self._requests.clear()


class ScriptAnswerer:
    """Answers by the script's rules and counts the uses of each rule."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._lock = threading.Lock()
        self._served: Counter[int] = Counter()

    def __call__(self, request: Request) -> Reply:
        with self._lock:
            for place, rule in enumerate(self._script.rules):
                spent = rule.times is not None and self._served[place] >= rule.times
                if not spent and rule.matches(request):
                    self._served[place] += 1
                    return rule.reply
        return self._script.default


def _last_user_message(body: Mapping[str, Any]) -> str:
    for message in reversed(body.get("messages", [])):
        if message.get("role") == "user":
            return _flat(message.get("content"))
    return ""


def _flat(content: object) -> str:
    if isinstance(content, list):
        return " ".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def conversation_of(body: Mapping[str, Any]) -> str | None:
    """Return the name of the request's conversation, or None when it is unknown."""
    marked = _MARKER.search(_last_user_message(body))
    user = body.get("user")
    return marked[1] if marked else str(user) if user else None
