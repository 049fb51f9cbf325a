"""Stored messages as the client keeps them: UIMessages, each as its stream left it.

The answer to a proposal is not a message of its own: it and the reply to it are parts of the message that
made the proposal. A message of the user has the id that its client gave it, an answer that of its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from conversation.clock import to_text
from conversation.messages.models import CLIENT_MESSAGE_ID, Message, Role
from conversation.threads.questions import ANSWERS
from edge.wires.ai_sdk.chunks import CONFIRM, Chunk, message_metadata, proposal_id, tool_input, tool_output
from edge.wires.ai_sdk.requests import YES
from edge.wires.shown_files import ShownFile, shown_files
from edge.wires.wire import History

UiMessage = dict[str, Any]


def ui_messages(history: History) -> Sequence[UiMessage]:
    """The messages of a conversation, oldest first, with those that are not answered yet."""
    made = _made(history)
    return [_without_closed(each, is_last=each is made[-1]) for each in made]


def continued_message(history: History, turn_id: str) -> UiMessage | None:
    """The message that the answer of a turn goes on in, as it was when the turn began.

    None when the answer is a message of its own.
    """
    before = History([each for each in history.messages if each.turn_id != turn_id], ())
    said = [(each.content, each.metadata) for each in history.waiting if each.turn_id == turn_id]
    said += [
        (each.content, each.metadata)
        for each in history.messages
        if each.turn_id == turn_id and each.role is Role.USER
    ]
    made = _made(before)
    if not said or not _answers(made, *said[0]):
        return None
    made[-1].pop("answered")
    return made[-1]


def message_chunks(message: UiMessage) -> Iterator[Chunk]:
    """The chunks that make up a message which is there already, but for its metadata."""
    for number, part in enumerate(message["parts"]):
        match part["type"]:
            case "step-start":
                yield {"type": "start-step"}
            case "text":
                text_id = f"before-{number}"
                yield {"type": "text-start", "id": text_id}
                yield {"type": "text-delta", "id": text_id, "delta": part["text"]}
                yield {"type": "text-end", "id": text_id}
            case _:
                yield from _call_chunks(part)


def _call_chunks(part: Mapping[str, Any]) -> Iterator[Chunk]:
    call = {"toolCallId": part["toolCallId"]}
    ran = {**call, "providerExecuted": True, "dynamic": True}
    yield {**ran, "type": "tool-input-available", "toolName": part["toolName"], "input": part["input"]}
    if approval := part.get("approval"):
        yield {**call, "type": "tool-approval-request", "approvalId": approval["id"]}
        if "approved" in approval:
            answer = {"approvalId": approval["id"], "approved": approval["approved"]}
            yield {"type": "tool-approval-response", **answer}
    if part["state"] == "output-available":
        yield {**ran, "type": "tool-output-available", "output": part["output"]}
    elif part["state"] == "output-error":
        yield {**ran, "type": "tool-output-error", "errorText": part["errorText"]}
    elif part["state"] == "output-denied":
        yield {**call, "type": "tool-output-denied"}


def _made(history: History) -> list[UiMessage]:
    made: list[UiMessage] = []
    for message in history.messages:
        if message.deleted:
            continue
        if message.role is Role.ASSISTANT:
            _add_answer(made, message)
        elif not _answers(made, message.content, message.metadata):
            files = shown_files(message.attachments, history.files)
            made.append(_message(message.id, str(message.role), message.content, message.metadata, files))
    for waiting in history.waiting:
        if not _answers(made, waiting.content, waiting.metadata):
            files = shown_files(waiting.attachments, history.files)
            made.append(_message(waiting.turn_id, "user", waiting.content, waiting.metadata, files))
    return made


def _message(
    own_id: str, role: str, content: str, metadata: Mapping[str, Any], files: Iterable[ShownFile]
) -> UiMessage:
    sent = [
        {"type": "file", "mediaType": file.media_type, "filename": file.name, "url": url}
        for file, url in files
    ]
    parts = [*sent, {"type": "text", "text": content}]
    return {"id": metadata.get(CLIENT_MESSAGE_ID, own_id), "role": role, "parts": parts}


def _add_answer(made: list[UiMessage], message: Message) -> None:
    """Add an answer, to the message before it where that one's proposal was just answered."""
    parts = list(_answer_parts(message))
    metadata = message_metadata(
        {
            **message.metadata,
            "conversation_id": message.conversation_id,
            "turn_id": message.turn_id,
            "persisted": True,
        },
        message_id=message.id,
        created_at=to_text(message.created_at),
    )
    if made and made[-1]["role"] == "assistant" and made[-1].pop("answered", False):
        made[-1]["parts"] += parts
        made[-1]["metadata"] = {**made[-1]["metadata"], **metadata}
        return
    made.append({"id": message.turn_id, "role": "assistant", "parts": parts, "metadata": metadata})


def _answer_parts(message: Message) -> Iterator[Mapping[str, Any]]:
    yield {"type": "step-start"}
    for number, tool in enumerate(_tools(message), 1):
        yield _tool_part(f"{message.turn_id}-{number}", tool)
        yield {"type": "step-start"}
    if message.content:
        yield {"type": "text", "text": message.content, "state": "done"}
    if message.metadata.get("asks_yes_or_no"):
        yield {
            **_dynamic(proposal_id(message.turn_id), CONFIRM),
            "state": "approval-requested",
            "input": {"question": message.content},
            "approval": {"id": message.turn_id},
        }


def _tools(message: Message) -> Iterator[Mapping[str, Any]]:
    calls = message.metadata.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        # Replies stored by earlier versions hold only the names of tools.
        yield call if isinstance(call, dict) else {"name": str(call)}


def _dynamic(call_id: str, name: str) -> dict[str, Any]:
    return {"type": "dynamic-tool", "toolCallId": call_id, "toolName": name, "providerExecuted": True}


def _tool_part(call_id: str, tool: Mapping[str, Any]) -> Mapping[str, Any]:
    common = {**_dynamic(call_id, tool["name"]), "input": tool_input(tool.get("arguments") or "")}
    if tool.get("ok", True):
        return {**common, "state": "output-available", "output": tool_output(tool)}
    return {**common, "state": "output-error", "errorText": tool.get("error_code") or "failed"}


def _answers(made: Sequence[UiMessage], content: str, metadata: Mapping[str, Any]) -> bool:
    """Answer the last message's open proposal, if what the user said is an answer to it."""
    asked = metadata.get(ANSWERS)
    for part in made[-1]["parts"] if made and asked is not None else ():
        if part.get("state") == "approval-requested" and part["approval"]["id"] == asked:
            approved = content == YES
            part["state"] = "output-available" if approved else "output-denied"
            part["approval"] = {"id": asked, "approved": approved}
            if approved:
                part["output"] = {"approved": True}
            made[-1]["answered"] = True
            return True
    return False


def _without_closed(message: UiMessage, *, is_last: bool) -> UiMessage:
    """The message without a proposal that can't be answered any more: something else was said since."""
    parts = [part for part in message["parts"] if is_last or part.get("state") != "approval-requested"]
    return {name: value for name, value in {**message, "parts": parts}.items() if name != "answered"}
