"""A `RunAgentInput` as a turn, as the answer to a question, or as a look at what was said.

The client sends all messages each time. Where history is kept, only the last one is read: what was said
before is what is stored. A run whose last message is not the user's says nothing: it reads on. Where no
history is kept, the answer follows the messages before it, and the run's ``context``; those of the roles
``system`` and ``developer`` are among them as something that was said, and instruct nobody.

Source: `RunAgentInput` of the npm package `@ag-ui/core`, 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, StringConstraints, ValidationError

from conversation.messages.models import CLIENT_MESSAGE_ID
from edge.http.problems import Problem
from edge.http.request_models import MAX_CLIENT_ID, MAX_HISTORY, MAX_HISTORY_CHARACTERS, code_of
from edge.wires.sent_files import SentFile, names_of, sent_file
from edge.wires.wire import (
    ConversationName,
    TurnRequest,
    WireRequest,
    derived_key,
)

WIRE = "ag-ui"
STATE = "omniforge"
"""Our member of the client's state: what an answer leaves open where no history is kept."""
YES, NO = "Yes", "No"

SentMessage = Mapping[str, JsonValue]

CONTEXT_ROLES = frozenset({"system", "developer"})
"""The roles of messages that a page brings along: they instruct nobody."""
_SILENT = CONTEXT_ROLES | {"activity", "reasoning"}
"""The roles of messages that may follow the last one that somebody said."""
_ROLES = _SILENT | {"user", "assistant", "tool"}
_MEDIA = frozenset({"image", "audio", "video", "document"})

ModelT = TypeVar("ModelT", bound=BaseModel)
_Id = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CLIENT_ID)]


class _Model(BaseModel):
    """Members that we do not read may be anything."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Resume(_Model):
    """The answer to a question."""

    interruptId: _Id  # noqa: N815 - the client's name, as below
    status: Literal["resolved", "cancelled"]
    payload: JsonValue = None


class _Context(_Model):
    """Something that the page knows."""

    description: str
    value: str


class _Body(_Model):
    """The body of a request."""

    threadId: str  # noqa: N815
    runId: _Id  # noqa: N815
    messages: list[dict[str, JsonValue]]
    resume: list[_Resume] | None = None
    state: JsonValue = None
    context: list[_Context] | None = None
    forwardedProps: JsonValue = None  # noqa: N815


class _UserMessage(_Model):
    """A message to answer."""

    id: _Id
    content: str | list[JsonValue]


class Run(NamedTuple):
    """What a request asks for."""

    thread_id: str
    run_id: str
    conversation: ConversationName
    messages: Sequence[SentMessage]
    """What the client has."""
    state: JsonValue
    """The client's own state."""
    turn: TurnRequest | None
    """None: nothing is said, the client reads what was said and what is being answered."""
    only_declines: bool = False
    """Whether the turn does no more than to leave a question, which may be closed by now."""


def parse_run(request: WireRequest) -> Run:
    """The run that a request asks for.

    Raises:
        Problem: it has another form, or its last message can't be answered.
    """
    body = _validated(_Body, request.body)
    conversation = ConversationName.of(request.caller, WIRE, body.threadId)
    run = Run(body.threadId, body.runId, conversation, body.messages, body.state, None)
    answer = _answer(body.resume)
    place = _last_said(body.messages)
    is_users = place is not None and body.messages[place].get("role") == "user"
    if answer is not None and (answer.status == "resolved" or not is_users):
        turn = _answer_to_question(request, run, body, answer)
        return run._replace(turn=turn, only_declines=answer.status == "cancelled")
    if place is None or not is_users:
        _require_no_result(body.messages, place)
        return run
    said = _validated(_UserMessage, body.messages[place])
    files = _files(said.content)
    turn = _common(request, run, body, body.messages[:place])._replace(
        message=_text(said.content) or names_of(files),
        files=files,
        key=request.key or derived_key(WIRE, "run", body.runId),
        metadata={CLIENT_MESSAGE_ID: said.id},
    )
    return run._replace(turn=turn)


def _answer(resume: Sequence[_Resume] | None) -> _Resume | None:
    """The one answer of a run: no answer of ours asks more than one question."""
    if not resume:
        return None
    if len(resume) > 1:
        raise Problem("too_many_items", "resume: One question is open at most.")
    return resume[0]


def _last_said(messages: Sequence[SentMessage]) -> int | None:
    """The place of the last message that somebody said, or a tool returned; None: there is none."""
    for place in range(len(messages) - 1, -1, -1):
        role = messages[place].get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise Problem("field_invalid", "messages: The role of the last one is unknown.")
        if role not in _SILENT:
            return place
    return None


def _require_no_result(messages: Sequence[SentMessage], place: int | None) -> None:
    """Refuse the result of a tool that nobody called: the tools of clients are not called here."""
    if place is None or messages[place]["role"] != "tool":
        return
    result = messages[place].get("toolCallId")
    for message in messages[:place]:
        calls = message.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and call.get("id") == result:
                return
    raise Problem("field_invalid", "messages: The last one is the result of a tool that nobody called.")


def _common(request: WireRequest, run: Run, body: _Body, before: Sequence[SentMessage]) -> TurnRequest:
    """What every turn has; ``before`` are the messages that it follows."""
    passed = body.forwardedProps if isinstance(body.forwardedProps, dict) else {}
    return TurnRequest(
        "",
        run.conversation,
        model=passed.get("model"),
        time_zone=passed.get("time_zone"),
        history=() if request.keeps_history else tuple(_history(before, body.context or ())),
        state=None if request.keeps_history else _carried_state(body.state),
    )


def _answer_to_question(request: WireRequest, run: Run, body: _Body, answer: _Resume) -> TurnRequest:
    asked, said = answer.interruptId, NO if answer.status == "cancelled" else _words(answer.payload)
    return _common(request, run, body, body.messages).answering(asked, said, request)


def _words(payload: JsonValue) -> str:
    """What the user says by an answer: a yes or a no, an option or its number, or words of their own."""
    value = payload
    if isinstance(value, dict):
        value = value.get("approved", value.get("choice"))
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise Problem("field_type", "resume: Neither a yes or a no, nor a choice.")
    return value


def _text(content: str | Sequence[JsonValue]) -> str:
    """What the user wrote.

    Raises:
        Problem: a part that we can't take.
    """
    if isinstance(content, str):
        return content
    texts = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or not isinstance(kind, str):
            raise Problem("field_type", "messages: A part is an object with a type.")
        if kind in _MEDIA:
            continue
        if kind != "text":
            raise Problem("field_invalid", "messages: A message of the user has parts of an unknown type.")
        if not isinstance(text := part.get("text"), str):
            raise Problem("field_type", "messages: A part has no text.")
        texts.append(text)
    return "\n".join(texts)


def _files(content: str | Sequence[JsonValue]) -> tuple[SentFile, ...]:
    """The files of the user's message: their content, or attachments of ours (a source of type ``file``)."""
    parts = () if isinstance(content, str) else content
    return tuple(_file(part) for part in parts if isinstance(part, dict) and part.get("type") in _MEDIA)


def _file(part: Mapping[str, JsonValue]) -> SentFile:
    source, metadata = part.get("source"), part.get("metadata")
    told = source if isinstance(source, dict) else {}
    value = told.get("value")
    address = f"data:{told.get('mimeType')};base64,{value}" if told.get("type") == "data" else value
    name = metadata.get("filename") if isinstance(metadata, dict) else None
    return sent_file("messages", address if isinstance(address, str) else "", name)


def _history(messages: Sequence[SentMessage], context: Sequence[_Context]) -> Iterator[SentMessage]:
    """The newest messages that have a text, as those of `conversation_history`."""
    known = [{"role": "user", "content": f"{each.description}: {each.value}"} for each in context]
    for message in [*known, *messages][-MAX_HISTORY:]:
        content, role = message.get("content"), message.get("role")
        if isinstance(content, list):
            parts = (part.get("text") for part in content if isinstance(part, dict))
            content = "\n".join(text for text in parts if isinstance(text, str))
        if isinstance(content, str) and content and role in CONTEXT_ROLES | {"user", "assistant"}:
            told = "assistant" if role == "assistant" else "user"
            yield {"role": told, "content": content[:MAX_HISTORY_CHARACTERS]}


def _carried_state(state: JsonValue) -> JsonValue:
    own: Any = state.get(STATE) if isinstance(state, dict) else None
    return own.get("state") if isinstance(own, dict) else None


def _validated(model: type[ModelT], value: JsonValue | Mapping[str, JsonValue]) -> ModelT:
    try:
        return model.model_validate(value)
    except ValidationError as refused:
        error = refused.errors(include_url=False, include_input=False)[0]
        where = "messages" if model is not _Body else str(error["loc"][0]) if error["loc"] else "body"
        raise Problem(code_of(error), f"{where}: {error['msg'].removeprefix('Value error, ')}") from None
