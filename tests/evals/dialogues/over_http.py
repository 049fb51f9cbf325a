"""Plays dialogues over HTTP against a twin, each with a user and tenant of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from tests.evals.dialogues.format import Json, start_of
from tests.evals.dialogues.judgement import Played
from tests.evals.dialogues.play import play
from tests.evals.dialogues.reply import Reply
from tests.evals.dialogues.state import State, short
from tests.fakes.deployment.twin import Twin

TOKEN_LASTS = timedelta(hours=6)
"""Less than the issuer's twelve hours: behind a greater jump of the clock a new token is made."""

_AS_DEPLOYED = {
    "OMNIFORGE_TITLES": "model",
    "OMNIFORGE_SUMMARIES": "model",
    "OMNIFORGE_TURNS_PER_MINUTE": "900",
    "OMNIFORGE_TURNS_BURST": "100",
}
"""The defaults of what a twin for tests has set otherwise."""

_ADMIN = "admin-1"
_QUIET_WITHIN_S = 8.0
_SCHEDULES_FIRE_WITHIN_S = 1.3
_INDEXED_WITHIN_S = 0.7
_LOOK_EVERY_S = 0.15
_ANSWER_LOOKS = 100
_ANSWER_LOOK_EVERY_S = 0.2
_PAGE = 50


class Refused(Exception):
    """The service answered a request with an error; the message is one line."""


class HttpUser:
    """One user over HTTP, whose token follows the twin's clock. Implements `play.Service`."""

    def __init__(self, twin: Twin, *, tenant: str, user: str, role: str | None, now: datetime) -> None:
        self._twin = twin
        self._tenant, self._user, self._roles = tenant, user, [role] if role else []
        self._started = now - timedelta(seconds=time.monotonic())
        self._token, self._signed_at = "", now
        self._conversation: str | None = None

    @property
    def now(self) -> datetime:
        """The moment the service lives at."""
        return self._started + timedelta(seconds=time.monotonic())

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON.

        Raises:
            Refused: for any status from 400, and where there is no answer.
        """
        response = self._exchange(method, path, body)
        try:
            answer = response.json() if response.content else None
        except ValueError:
            answer = response.text
        if response.status_code >= 400:
            raise Refused(f"{method} {path.partition('?')[0]}: {response.status_code} {short(answer)}")
        return answer

    def _exchange(self, method: str, path: str, body: Any) -> httpx.Response:
        if not self._token:
            self._token = self._twin.token(self._tenant, self._user, self._roles)
            self._signed_at = self.now
        for is_last in (False, True):
            try:
                return self._twin.request(method, path, token=self._token, json=body)
            except httpx.TransportError as error:
                # Reading may be repeated; a message that may have arrived may not.
                unheard = isinstance(error, httpx.ConnectError | httpx.RemoteProtocolError)
                if is_last or (method != "GET" and not unheard):
                    raise Refused(f"{method} {path}: {type(error).__name__}") from None
        raise AssertionError("the second attempt returns or raises")

    def say(self, text: str, *, new_conversation: bool, time_zone: str | None) -> Reply:
        """Send a message; the answer to one that is answered later is waited for."""
        body: Json = {"message": text}
        if self._conversation and not new_conversation:
            body["conversation_id"] = self._conversation
        if time_zone:
            body["time_zone"] = time_zone
        try:
            answer = self.request("POST", "/v1/chat", body)
            self._conversation = answer["conversation_id"]
            if "message" not in answer:
                return self._awaited(answer["turn_id"])
        except (Refused, KeyError, TypeError) as error:
            return Reply("", error=str(error))
        return _reply(answer["message"]["content"], answer.get("metadata") or {})

    def _awaited(self, turn: str) -> Reply:
        for _ in range(_ANSWER_LOOKS):
            view = self.request("GET", f"/v1/turns/{turn}")
            if view.get("state") == "done":
                return _reply(view["message"]["content"], view["message"].get("metadata") or {})
            time.sleep(_ANSWER_LOOK_EVERY_S)
        return Reply("", error="no answer within 20 seconds")

    def state(self) -> State:
        """What the user has now.

        Raises:
            Refused: something can't be read.
        """
        cards = self._all("/v1/agents")
        return State(
            agents=tuple({**card, **self.request("GET", f"/v1/agents/{card['id']}")} for card in cards),
            tasks=tuple(self._all("/v1/tasks")),
            runs=tuple(self._all("/v1/runs")),
            skills=tuple(self._all("/v1/skills")),
            policy=self.request("GET", "/v1/tenant/policy") or {},
            conversations=tuple(self._all("/v1/conversations")),
        )

    def _all(self, path: str) -> list[Json]:
        items: list[Json] = []
        cursor = ""
        while True:
            page = self.request("GET", f"{path}?limit={_PAGE}{cursor}")
            items += page["items"]
            if not page.get("next_cursor"):
                return items
            cursor = f"&cursor={page['next_cursor']}"

    def move(self, by: timedelta) -> None:
        """Set the clock; schedules that are due then get the time they need to fire.

        Who comes back later finds in the search index what was said: it gets the time to be written before.
        """
        time.sleep(_INDEXED_WITHIN_S)
        moment = self.now + by
        self._started = moment - timedelta(seconds=time.monotonic())
        self._twin.set_clock(moment)
        if by >= TOKEN_LASTS or self.now - self._signed_at >= TOKEN_LASTS:
            self._token = ""
        if any(agent.get("schedule") and agent.get("status") == "active" for agent in self.state().agents):
            time.sleep(_SCHEDULES_FIRE_WITHIN_S)

    def settled(self) -> State:
        """The state once no run is under way, or after some seconds."""
        until = time.monotonic() + _QUIET_WITHIN_S
        state = self.state()
        while state.busy() and time.monotonic() < until:
            time.sleep(_LOOK_EVERY_S)
            state = self.state()
        return state

    def clear(self) -> None:
        """Delete the user's agents, so that their schedules don't fire in the dialogues behind."""
        for card in self._all("/v1/agents"):
            with suppress(Refused):
                self.request("DELETE", f"/v1/agents/{card['id']}")


def _reply(text: str, metadata: Json) -> Reply:
    return Reply(text, tuple(metadata.get("options") or ()), bool(metadata.get("asks_yes_or_no")))


Users = Callable[[str, str | None], HttpUser]
"""The user of a name and a role in a dialogue's tenant."""


def prepare(given: Mapping[str, Any], users: Users, speaker: str) -> HttpUser:
    """Make what a dialogue finds there over REST; returns who speaks.

    Raises:
        Refused: the service does not accept it.
    """
    user = users(speaker, given.get("role"))
    ids = {}
    for agent in given.get("agents") or []:
        fields = {key: value for key, value in agent.items() if key not in ("status", "by")}
        owner = users(agent["by"], None) if agent.get("by") else user
        made = owner.request("POST", "/v1/agents", fields)
        ids[made["name"]] = made["id"]
        if agent.get("status") == "paused":
            owner.request("PATCH", f"/v1/agents/{made['id']}", {"status": "paused"})
    for task in given.get("tasks") or []:
        fields = {key: value for key, value in task.items() if key != "completed"}
        made = user.request("POST", "/v1/tasks", fields)
        if task.get("completed"):
            user.request("PATCH", f"/v1/tasks/{made['id']}", {"completed": True})
    if given.get("policy"):
        users(_ADMIN, "admin").request("PUT", "/v1/tenant/policy?confirm=true", given["policy"])
    for name in given.get("runs") or []:
        user.request("POST", f"/v1/agents/{ids[name]}/runs", {})
    if given.get("runs"):
        user.settled()
    return user


@contextmanager
def started_twin() -> Iterator[Twin]:
    """A twin with default settings and a clock to set, on a folder that is deleted behind it.

    Raises:
        TwinDied: it does not start.
    """
    with (
        TemporaryDirectory(prefix="dialogues-", ignore_cleanup_errors=True) as folder,
        Twin(Path(folder), environ=_AS_DEPLOYED, clock=datetime.now(UTC)) as twin,
    ):
        yield twin


def play_all(
    cases: Sequence[Json], twin: Twin, tell: Callable[[Played], None] = lambda _: None
) -> list[Played]:
    """How each dialogue went, in the order given; ``tell`` gets each as soon as it is over.

    They are played one after the other, as they share a clock: those that start early come first.
    """
    results: dict[str, Played] = {}
    for number, case in sorted(enumerate(cases), key=lambda pair: (start_of(pair[1]), pair[0])):
        twin.set_clock(start_of(case))
        _revive(twin)
        results[case["id"]] = _played(case, number, twin)
        tell(results[case["id"]])
    return [results[case["id"]] for case in cases]


def _played(case: Json, number: int, twin: Twin) -> Played:
    tenant, now = f"t-{re.sub(r'[^A-Za-z0-9_-]', '-', case['id'])[:60]}-{number}", start_of(case)

    def users(name: str, role: str | None) -> HttpUser:
        return HttpUser(twin, tenant=tenant, user=name, role=role, now=now)

    played, user = Played(case), None
    try:
        user = prepare(case.get("given") or {}, users, case.get("user", "sam"))
        play(case, user, played)
    except Refused as error:
        played.broken = str(error)
    if user is not None:
        with suppress(Refused):
            user.clear()
    return played


def _revive(twin: Twin) -> None:
    """A dialogue that ends the process costs itself alone."""
    try:
        twin.http.get("/health")
    except httpx.TransportError:
        twin.kill9()
        twin.restart()
