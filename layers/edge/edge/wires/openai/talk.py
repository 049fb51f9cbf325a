"""What a client says was said: its messages, or the items of a response's input, as exchanges and a message.

Messages of the roles ``system`` and ``developer`` instruct nobody. Where no history is kept, they are among
what was said before; where it is kept, they are not read.

Source: `ChatCompletionMessageParam` and `ResponseInputItemParam` of the package `openai`, 2.54.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from pydantic import JsonValue

from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID, MAX_HISTORY, MAX_HISTORY_CHARACTERS
from edge.wires.openai.errors import invalid
from edge.wires.sent_files import SentFile, names_of, sent_file

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_CONTEXT = frozenset({"system", "developer"})
_TEXTS = frozenset({"text", "input_text", "output_text"})
_FILES = frozenset({"image_url", "input_image", "file", "input_file", "input_audio"})
_SKIPPED_ITEMS = frozenset({"reasoning", "item_reference", "mcp_list_tools", "mcp_call"})
"""Items of our own or a model's that clients send back, and that say nothing."""


class Exchange(NamedTuple):
    """A message of the user, and the answer that the client has to it."""

    message: str
    answer: str


class Approval(NamedTuple):
    """A yes or a no to what an answer proposed."""

    request_id: str
    approved: bool


class Talk(NamedTuple):
    """What was said, as the client has it."""

    before: Sequence[Exchange]
    message: str
    """What is to be answered; empty when ``approval`` answers instead."""
    conversation: str | None = None
    """The conversation's id in the newest answer, where the client sends answers back as they came."""
    history: Sequence[Mapping[str, JsonValue]] = ()
    """The newest messages before, as those of `conversation_history`."""
    approval: Approval | None = None
    files: tuple[SentFile, ...] = ()
    """Of the message."""

    @property
    def told(self) -> tuple[str, ...]:
        """What tells the message from others."""
        return (self.message, *(file.digest for file in self.files))

    @property
    def opening(self) -> str:
        """The first message of the user."""
        return self.before[0].message if self.before else self.message


def parse_talk(messages: Sequence[JsonValue], param: str) -> Talk:
    """The talk of a request.

    Raises:
        Problem: a message has another form, or the last one is nothing to answer.
    """
    reader = _Reader(param)
    for place, message in enumerate(messages):
        reader.read(place, message, is_newest=place == len(messages) - 1)
    return reader.talk()


class _Said(NamedTuple):
    role: str
    text: str


class _Reader:
    """Reads one message after another."""

    def __init__(self, param: str) -> None:
        self._param = param
        self._said: list[_Said] = []
        self._files: list[SentFile] = []
        self._announced: set[object] = set()
        self._conversation: str | None = None
        self._approval: Approval | None = None

    def read(self, place: int, message: JsonValue, *, is_newest: bool) -> None:
        if not isinstance(message, dict):
            raise self._refused(place, "an object is expected.", "field_type")
        kind = message.get("type", "message")
        if kind == "mcp_approval_response":
            self._approval = self._approval_of(place, message)
            return
        if kind in _SKIPPED_ITEMS or (kind == "mcp_approval_request" and not is_newest):
            return
        if kind in ("function_call", "custom_tool_call"):
            self._announced.add(message.get("call_id"))
            return
        if kind in ("function_call_output", "custom_tool_call_output"):
            self._require_announced(place, message.get("call_id"))
            return
        if kind != "message":
            raise self._refused(place, "items of this type are not taken.")
        self._read_message(place, message, is_newest=is_newest)

    def _read_message(self, place: int, message: Mapping[str, JsonValue], *, is_newest: bool) -> None:
        role = message.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise self._refused(place, "its role is unknown.")
        if role == "tool":
            self._require_announced(place, message.get("tool_call_id"))
        if role in ("tool", "function"):
            return
        if role == "assistant":
            self._note_answer(message)
        self._said.append(_Said(role, self._text(place, role, message.get("content"), is_newest=is_newest)))

    def _note_answer(self, message: Mapping[str, JsonValue]) -> None:
        named = message.get("conversation_id")
        self._conversation = named if isinstance(named, str) and len(named) <= MAX_CLIENT_ID else None
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                self._announced.add(call.get("id"))

    def _require_announced(self, place: int, call_id: JsonValue) -> None:
        if not isinstance(call_id, str) or call_id not in self._announced:
            raise self._refused(place, "the result of a tool that nobody called.")

    def _approval_of(self, place: int, item: Mapping[str, JsonValue]) -> Approval:
        request_id, approved = item.get("approval_request_id"), item.get("approve")
        if (
            not isinstance(request_id, str)
            or not isinstance(approved, bool)
            or len(request_id) > MAX_CLIENT_ID
        ):
            raise self._refused(place, "approval_request_id and approve are expected.", "field_type")
        return Approval(request_id, approved)

    def _text(self, place: int, role: str, content: JsonValue, *, is_newest: bool) -> str:
        if content is None and role == "assistant":
            return ""
        if isinstance(content, str):
            return content
        if not isinstance(content, list):
            raise self._refused(place, "content: a text or a list of parts is expected.", "field_type")
        texts = (self._part(place, role, part, is_newest=is_newest) for part in content)
        return "\n".join(text for text in texts if text is not None)

    def _part(self, place: int, role: str, part: JsonValue, *, is_newest: bool) -> str | None:
        """The text of a part; None: it has none, and stands in a message that was answered before."""
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str):
            raise self._refused(place, "content: a part is an object with a type.", "field_type")
        if kind in _TEXTS:
            if not isinstance(text := part.get("text"), str):
                raise self._refused(place, "content: a part has no text.", "field_type")
            return text
        if kind == "refusal" and role == "assistant":
            return None
        if kind in _FILES and is_newest:
            self._files.append(self._file(place, kind, part))
            return None
        if kind not in _FILES:
            raise self._refused(place, "content: parts of this type are not taken.")
        return None

    def _file(self, place: int, kind: str, part: Mapping[str, JsonValue]) -> SentFile:
        """An image or a file, in the form of either API."""
        inner = part.get(kind)
        told = inner if isinstance(inner, dict) else part
        address = told.get("url") if kind == "image_url" else told.get("image_url") or told.get("file_data")
        address = address or told.get("file_url") or told.get("file_id")
        if kind == "input_audio" or not isinstance(address, str):
            raise self._refused(place, "content: images and files come as data URLs; sound is not taken.")
        try:
            return sent_file("content", address, told.get("filename"))
        except Problem as refused:
            raise self._refused(place, refused.detail or "") from None

    def talk(self) -> Talk:
        """What was read.

        Raises:
            Problem: nothing of it waits for an answer.
        """
        spoken = _merged([said for said in self._said if said.role not in _CONTEXT])
        if self._approval is not None:
            before = _exchanges(spoken)
            return Talk(before, "", self._conversation, self._history(self._said), self._approval)
        if not spoken or spoken[-1].role != "user":
            raise invalid(self._param, "the last message is not the user's.")
        # What the user said since the last answer is what is to be answered.
        answers = (
            place for place in range(len(self._said) - 1, -1, -1) if self._said[place].role == "assistant"
        )
        answered = next(answers, -1) + 1
        context = (said for said in self._said[answered:] if said.role in _CONTEXT)
        history = self._history([*self._said[:answered], *context])
        files = tuple(self._files)
        message = spoken[-1].text or names_of(files)
        return Talk(_exchanges(spoken[:-1]), message, self._conversation, history, files=files)

    @staticmethod
    def _history(said: Sequence[_Said]) -> Sequence[Mapping[str, JsonValue]]:
        named = ((each, each.text[:MAX_HISTORY_CHARACTERS]) for each in said[-MAX_HISTORY:])
        return tuple(
            {"role": "assistant" if each.role == "assistant" else "user", "content": text}
            for each, text in named
            if text
        )

    def _refused(self, place: int, detail: str, code: str = "field_invalid") -> Problem:
        return Problem(
            code, f"{self._param}[{place}]: {detail}", members={"param": f"{self._param}[{place}]"}
        )


def _merged(said: Sequence[_Said]) -> Sequence[_Said]:
    """The messages with neighbours of one role as one, and without a greeting at the beginning."""
    grouped = [(role, [each.text for each in group]) for role, group in groupby(said, lambda each: each.role)]
    merged = [_Said(role, "\n\n".join(filter(None, texts))) for role, texts in grouped]
    return merged[1:] if merged and merged[0].role == "assistant" else merged


def _exchanges(spoken: Sequence[_Said]) -> tuple[Exchange, ...]:
    pairs = zip(spoken[::2], spoken[1::2], strict=False)
    return tuple(Exchange(asked.text, answer.text) for asked, answer in pairs)
