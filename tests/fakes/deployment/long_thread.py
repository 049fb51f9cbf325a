"""A conversation of thousands of messages, and an answer in hundreds of pieces, as a page gets them.

Both are made up in the browser, so that a measurement of the page measures nothing else. ``window.wire``
has what was seen: how late each piece was on screen, how long frames and keys took.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route

CONVERSATION = "c" * 32
PIECES = 600
_MESSAGES = re.compile(rf"/v1/conversations/{CONVERSATION}/messages\?")
_CONVERSATION = re.compile(rf"/v1/conversations/{CONVERSATION}$")
_TIME = "2026-03-02T09:00:00Z"

_ANSWER = """([id, pieces, everyMs]) => {
  const wire = (window.wire = { sent: [], late: [], frames: [], keys: [], isDone: false });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === "keydown") wire.keys.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16 });
  const frame = (event, data, number) =>
    `id: ${number}\\nevent: ${event}\\ndata: ${JSON.stringify(data)}\\n\\n`;
  const ids = { turn_id: `${id}.t`, conversation_id: id };
  const text = (index) => `w${index} ${index % 40 === 39 ? "\\n\\n" : "and **more** words of an answer "}`;
  const stream = () => new ReadableStream({
    start(controller) {
      const write = (...parts) => controller.enqueue(new TextEncoder().encode(frame(...parts)));
      write("turn", { ...ids, created: false }, 1);
      write("thinking", { stage: "answering" }, 2);
      let index = 0;
      const timer = setInterval(() => {
        if (index < pieces) {
          wire.sent.push(performance.now());
          return write("chunk", { text: text(index) }, 3 + index++);
        }
        clearInterval(timer);
        wire.isDone = true;
        controller.close();
      }, everyMs);
    },
  });
  const shown = () => {
    const answer = document.querySelector("article[data-status=running]")?.textContent ?? "";
    const last = Number(/w(\\d+) (?!.*w\\d)/s.exec(answer.slice(-400))?.[1] ?? -1);
    while (wire.late.length <= last) wire.late.push(performance.now() - wire.sent[wire.late.length]);
  };
  let before = performance.now();
  const onFrame = (now) => {
    wire.frames.push(now - before);
    before = now;
    shown();
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  const real = window.fetch;
  window.fetch = async (...call) =>
    String(call[0]?.url ?? call[0]).endsWith("/v1/chat/stream")
      ? new Response(stream(), { headers: { "Content-Type": "text/event-stream" } })
      : real(...call);
}"""


def answer_in_pieces(page: Page, *, every_ms: int) -> None:
    """Have every message answered in `PIECES`. Takes effect when the page is opened next."""
    page.add_init_script(f"({_ANSWER})({json.dumps([CONVERSATION, PIECES, every_ms])})")


def serve_long_thread(
    page: Page, count: int, *, at_once: bool = False, answer: str | None = None
) -> list[str]:
    """Serve the conversation's messages, page by page or all `at_once`. The list gets every request.

    All answers are ``answer``; None: they differ.
    """
    asked: list[str] = []

    def messages(route: Route) -> None:
        asked.append(route.request.url)
        page_of = _page(count, count if at_once else None, urlsplit(route.request.url).query)
        for message in page_of["items"]:
            if answer is not None and message["role"] == "assistant":
                message["content"] = answer
        route.fulfill(json=page_of)

    def conversation(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json=_conversation(count))

    page.route(_MESSAGES, messages)
    page.route(_CONVERSATION, conversation)
    return asked


def message_id(sequence: int) -> str:
    """Return the id of the message at a place, counted from 1."""
    return f"{sequence:012d}-m"


def _page(count: int, limit: int | None, query: str) -> dict[str, Any]:
    given = {name: int(values[0]) for name, values in parse_qs(query).items() if values[0].isdigit()}
    size = limit or given.get("limit", 50)
    if "after" in given:
        first = given["after"] + 1
        last = min(count, first + size - 1)
        has_more = last < count
    else:
        last = min(count, given.get("before", count + 1) - 1)
        first = max(1, last - size + 1)
        has_more = first > 1
    return {
        "items": [_message(number) for number in range(first, last + 1)],
        "next_cursor": "more" if has_more else None,
    }


def _message(sequence: int) -> dict[str, Any]:
    is_user = sequence % 2 == 1
    words = "I read your notes, and found **three** of them.\n\n- one\n- two `code`\n- three\n\nThat is all."
    return {
        "id": message_id(sequence),
        "sequence": sequence,
        "role": "user" if is_user else "assistant",
        "content": f"Question {sequence}" if is_user else f"Answer {sequence}. {words}",
        "created_at": _TIME,
        "turn_id": f"{CONVERSATION}.{(sequence + 1) // 2}",
        "metadata": {},
        "tool_messages": [],
        "deleted": False,
        "edited": False,
        "late": False,
        "contains": [],
    }


def _conversation(count: int) -> dict[str, Any]:
    return {
        "id": CONVERSATION,
        "title": "A long one",
        "status": "active",
        "pinned": False,
        "message_count": count,
        "created_at": _TIME,
        "updated_at": _TIME,
        "expires_at": None,
    }
