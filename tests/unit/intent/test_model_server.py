"""The scripted model server itself: the tests of other rooms rely on it."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import httpx

from tests.fakes.model_server import ModelServer, Reply, Rule, Script


def ask(server: ModelServer, text: str, **fields: object) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **fields}
    return httpx.post(f"{server.base_url}/chat/completions", json=body, timeout=5)


def said(response: httpx.Response) -> object:
    return json.loads(response.json()["choices"][0]["message"]["content"])


def test_the_first_rule_found_in_the_last_user_message_answers() -> None:
    rules = [
        Rule("overdue", Reply(decision={"a": 1})),
        Rule(["jira", "board"], Reply(decision={"a": 2}), times=1),
    ]
    with ModelServer(Script(rules, Reply(decision={"a": 3}))) as server:
        answers = [
            said(ask(server, text)) for text in ("OVERDUE jira board", "Jira Board", "jira board", "hello")
        ]
    assert answers == [{"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}]


def test_concurrency_is_counted_overall_and_per_conversation() -> None:
    with ModelServer(Script(default=Reply(delay_ms=300, content="x"))) as server:
        texts = ["#conv-a hi", "#conv-a ho", "#conv-b hi"]
        threads = [threading.Thread(target=ask, args=(server, text)) for text in texts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = server.log()
    assert log.max_concurrency == 3
    assert log.max_concurrency_by_conversation == {"a": 2, "b": 1}


def test_the_log_is_read_and_emptied_over_http() -> None:
    with ModelServer() as server:
        ask(server, "hello", user="maya")
        address = server.base_url.removesuffix("/v1") + "/log"
        (entry,) = httpx.get(address).json()["requests"]
        assert (entry["last_user_message"], entry["conversation"]) == ("hello", "maya")
        httpx.delete(address)
        assert httpx.get(address).json()["requests"] == []


def test_a_script_can_be_changed_over_http() -> None:
    with ModelServer() as server:
        script = {
            "rules": [{"contains": "hi", "status": 429, "retry_after": "7"}],
            "default": {"mode": "garbage"},
        }
        httpx.put(server.base_url.removesuffix("/v1") + "/script", json=script)
        refused = ask(server, "hi")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "7")
        assert ask(server, "other").text.startswith("<html>")


def test_a_script_file_reads_like_the_docstring_says(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(
        '{"rules": [{"contains": ["a", "b"], "decision": {"x": 1}, "times": 2}], "default": {"mode": "hang"}}'
    )
    script = Script.parse(json.loads(path.read_text()))
    assert script == Script((Rule(["a", "b"], Reply(decision={"x": 1}), 2),), Reply(mode="hang"))
