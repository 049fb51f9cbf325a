"""Questions answered by a strong model with chosen tools, over the twin and a scripted model server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.fakes.deployment.twin import Twin
from tests.fakes.deployment.wait_until import eventually
from tests.fakes.http.servers import Site, fixed_answer
from tests.fakes.models.model_script import Reply, Request, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

FAST, STRONG, OTHER = "gpt-4o-mini", "gpt-6.1-sol", "gpt-4.1"
ROUTING = "Pick who answers"
HARD = "How heavy is a blue whale in stones?"


def question(action: str = "query_info") -> Rule:
    decision = {"action_type": action, "confidence": 0.95, "entities": {}}
    return Rule("", Reply(decision=decision), prompt="Classify the last message")


def routed(model: str, tools: Sequence[str], *, can_answer: bool = True) -> Rule:
    choice = {
        "model": model,
        "tools": list(tools),
        "can_answer": can_answer,
        "think": False,
        "reason": "scripted",
    }
    return Rule("", Reply(decision=choice), prompt=ROUTING)


def wants(*calls: tuple[str, object]) -> Reply:
    return Reply(tool_calls=[{"name": name, "arguments": arguments} for name, arguments in calls])


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def web() -> Iterator[Site]:
    page = {"title": "Towns", "url": "https://page.example/", "content": "717,710 people in Oslo."}
    with Site(fixed_answer(json.dumps({"results": [page]}).encode())) as running:
        yield running


@pytest.fixture(scope="module")
def twin(server: ModelServer, web: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    environ = {
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "test",
        "OMNIFORGE_INTENT_MODEL": FAST,
        "OMNIFORGE_STRONG_MODELS": f"{STRONG},{OTHER}",
        "OMNIFORGE_INTENT_DEADLINE_MS": "5000",
        "OMNIFORGE_SEARCH_URL": web.url("/search"),
        "TAVILY_API_KEY": "test",
    }
    with Twin(tmp_path_factory.mktemp("routed"), environ=environ) as running:
        server.use(Script([question()]))
        eventually(running.is_model_ready, within_s=300, every_s=0.5)
        yield running


@pytest.fixture(autouse=True)
def forgetful(server: ModelServer) -> None:
    server.forget()


def ask(twin: Twin, message: str, user: str = "maya", **fields: Any) -> dict[str, Any]:
    response = twin.chat(message, token=twin.token(user=user), **fields)
    assert response.status_code == 200, response.text
    reply: dict[str, Any] = response.json()
    return reply


def to_the_strong(server: ModelServer) -> list[Request]:
    return [request for request in server.log().requests if request.body["model"] in (STRONG, OTHER)]


def test_a_question_is_routed_to_a_strong_model_that_calls_the_calculator_and_nothing_else(
    twin: Twin, server: ModelServer
) -> None:
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["calculator"]),
                Rule("", wants(("calculator", {"expression": "factorial(5) * 8"})), offers=["calculator"]),
                Rule("", Reply(content="5! times 8 is 960."), after="960"),
            ]
        )
    )

    reply = ask(twin, HARD)

    assert "960" in reply["message"]["content"]
    metadata = reply["metadata"]
    routing = metadata["routing"]
    assert (routing["model"], routing["tools"], routing["by"]) == (STRONG, ["calculator"], "model")
    assert routing["router"] == FAST
    (call,) = metadata["tool_calls"]
    assert (call["name"], call["ok"], call["arguments"]) == (
        "calculator",
        True,
        '{"expression": "factorial(5) * 8"}',
    )
    usage = metadata["usage"]
    assert (usage["model_calls"], usage["prompt_tokens"], usage["completion_tokens"]) == (4, 2400, 320)
    # Understood and routed at 0.15 and 0.60 USD a million tokens, answered in two calls at 2 and 10.
    assert usage["cost_usd"] == pytest.approx(2 * 0.000138 + 2 * 0.002)
    assert routing["cost_usd"] == pytest.approx(0.000138)
    assert (metadata["decision"]["source"], metadata["decision"]["model"]) == ("model", FAST)
    strong = to_the_strong(server)
    assert [request.offered_tools for request in strong] == [["calculator"], ["calculator"]]
    # Models that think have a bound of another name: it counts their thoughts, too.
    bounds = {"max_tokens", "max_completion_tokens"}
    assert all(bounds & request.body.keys() for request in server.log().requests)


def test_a_question_is_answered_by_tools_upon_tools_in_four_rounds_and_no_fifth(
    twin: Twin, server: ModelServer
) -> None:
    searched = [("web_search", {"query": f"{town} people"}) for town in ("Oslo", "Bergen")]
    computed = [("calculator", {"expression": sum_}) for sum_ in ("717710 + 291940", "7**350 + 1")]
    rounds = [searched[0], computed[0], searched[1], computed[1]]
    tools = ["calculator", "web_search"]
    wanted = [Rule("", wants(call), offers=tools, after=after) for call, after in zip(
        [*rounds, searched[0]], [None, "717,710", "1009650", "717,710", str(7**350 + 1)], strict=True
    )]  # fmt: skip
    # The same page is found twice: each rule applies once.
    wanted = [replace(rule, times=1) for rule in wanted]
    last = Rule("", Reply(content="One million together."), after=str(7**350 + 1))
    server.use(Script([question(), routed(STRONG, tools), *wanted[:4], last, *wanted[4:]]))

    reply = ask(twin, "How many people live in Oslo and Bergen together?", user="rounds")

    assert reply["message"]["content"] == "One million together."
    assert [(call["name"], call["ok"]) for call in reply["metadata"]["tool_calls"]] == [
        (name, True) for name, _ in rounds
    ]
    strong = to_the_strong(server)
    assert [len(request.tool_results) for request in strong] == [0, 1, 2, 3, 4]
    assert [request.body.get("tool_choice") for request in strong] == [None] * 4 + ["none"]
    assert '"is_rounded": false' in strong[-1].tool_results[-1]


@pytest.mark.parametrize("fault", [Reply(mode="hang"), Reply(status=500)], ids=["hung", "failing"])
@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("What is 3**600?", f"3**600 = {3**600}"),
        ("10^300", f"10^300 = {10**300}"),
        ("15% of 80", "15 / 100 * 80 = 12"),
        ("what is the square root of 2?", "sqrt(2) ≈ 1.4142135623731 (rounded)"),
    ],
)
def test_a_plain_sum_asks_no_model_and_waits_for_none(
    twin: Twin, server: ModelServer, message: str, said: str, fault: Reply
) -> None:
    server.use(Script(default=fault))

    reply = ask(twin, message, user="sums")

    assert reply["message"]["content"] == said
    assert server.log().requests == ()
    assert [call["name"] for call in reply["metadata"]["tool_calls"]] == ["calculator"]


def test_what_a_search_found_is_shown_where_no_model_can_word_it_any_more(
    twin: Twin, server: ModelServer
) -> None:
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["web_search"]),
                Rule("", wants(("web_search", {"query": "Oslo people"})), offers=["web_search"]),
            ],
            default=Reply(status=500),
        )
    )

    reply = ask(twin, "How many people live in Oslo today?", user="searcher")["message"]["content"]

    assert reply.startswith("I can't reach the model")
    assert "The search found:\n- [Towns](https://page.example/)" in reply


TOLD_SUMS = (
    "In how many orders can five friends queue at each of the eight doors of a hall?",
    "How tall is a stack of 5 factorial times 8 coins of 2 mm?",
    "We are 23 kids and the bus is 412 euro. What does each one pay?",
)


@pytest.mark.parametrize("message", TOLD_SUMS)
def test_a_sum_that_is_told_in_words_is_for_the_model(twin: Twin, server: ModelServer, message: str) -> None:
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["calculator"]),
                Rule("", wants(("calculator", {"expression": "5! * 8"})), offers=["calculator"]),
                Rule("", Reply(content="It comes to that."), after="960"),
            ]
        )
    )

    reply = ask(twin, message, user="told")

    assert reply["message"]["content"] == "It comes to that."
    assert reply["metadata"]["routing"]["model"] == STRONG


def test_a_told_sum_is_worked_out_by_rules_where_no_strong_model_can(twin: Twin, server: ModelServer) -> None:
    server.use(Script([question(), routed(STRONG, [], can_answer=False)]))

    reply = ask(twin, "We are 20 kids and the bus is 412 euro. What does each one pay?", user="told-anyway")

    assert "20.60" in reply["message"]["content"]


def test_a_figure_that_can_be_read_in_two_ways_is_said_to_be_one(twin: Twin, server: ModelServer) -> None:
    server.use(Script([question(), routed(STRONG, [], can_answer=False)]))

    reply = ask(twin, "how much is 19% of 48.250?", user="controller")["message"]["content"]

    assert "9.1675" in reply
    assert "if you mean thousands, write 48,250" in reply


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("list my agents. And what is 2^0.5?", "2^0.5 ≈ 1.4142135623731 (rounded)"),
        ("list my agents. And what is 7**350?", f"7**350 = {7**350}"),
    ],
)
def test_a_sum_beside_another_request_is_exact_or_said_to_be_rounded(
    twin: Twin, server: ModelServer, message: str, said: str
) -> None:
    server.use(Script([question()]))

    assert said in ask(twin, message, user="beside")["message"]["content"]


def test_what_the_model_asked_of_tools_is_stored_with_the_turn(twin: Twin, server: ModelServer) -> None:
    server.use(
        Script(
            [
                question(),
                routed(OTHER, ["calculator"]),
                Rule("", wants(("calculator", {"expression": "6*7"})), offers=["calculator"]),
                Rule("", Reply(content="42."), after="42"),
            ]
        )
    )

    reply = ask(twin, HARD)

    path = f"/v1/conversations/{reply['conversation_id']}/messages"
    _, answer = twin.get(path, token=twin.token())["items"]
    asked, answered = answer["tool_messages"]
    assert asked["tool_calls"][0]["function"]["arguments"] == '{"expression": "6*7"}'
    assert (answered["role"], '"value": 42' in answered["content"]) == ("tool", True)


def test_of_fifty_calls_eight_are_made_and_the_model_is_told_so(twin: Twin, server: ModelServer) -> None:
    calls = [("calculator", {"expression": f"{place} + 1"}) for place in range(50)]
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["calculator"]),
                Rule("", wants(*calls), offers=["calculator"]),
                Rule("", Reply(content="That is all I could work out."), after="not_allowed"),
            ]
        )
    )

    reply = ask(twin, "Can you work out a lot of things?")

    assert reply["message"]["content"] == "That is all I could work out."
    assert [call["ok"] for call in reply["metadata"]["tool_calls"]] == [True] * 8
    results = to_the_strong(server)[-1].tool_results
    assert (len(results), sum("not_allowed" in result for result in results)) == (50, 42)


def test_tools_that_fail_are_told_to_the_model_and_never_to_the_caller(
    twin: Twin, server: ModelServer
) -> None:
    calls = [("calculator", {"expression": "9**9**9"}), ("calculator", '{"nonsense": 1}'), ("shell", "{}")]
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["calculator"]),
                Rule("", wants(*calls), offers=["calculator"]),
                Rule("", Reply(content="That is beyond me."), after="unknown_tool"),
            ]
        )
    )

    reply = ask(twin, "How large is a tower of nines, roughly?")

    assert reply["message"]["content"] == "That is beyond me."
    codes = [call["error_code"] for call in reply["metadata"]["tool_calls"]]
    assert codes == ["too_large", "invalid_arguments", "unknown_tool"]


def test_a_model_that_names_another_user_still_works_for_the_caller(twin: Twin, server: ModelServer) -> None:
    arguments = {"title": "steal the plans", "user_id": "ben", "tenant_id": "globex"}
    server.use(
        Script(
            [
                question(),
                routed(STRONG, ["create_task"]),
                Rule("", wants(("create_task", arguments)), offers=["create_task"]),
                Rule("", Reply(content="I have put it on Ben's list."), after="steal"),
            ]
        )
    )

    reply = ask(
        twin,
        "Who is Ben? Please put down steal the plans for him as a task",
        user="mallory",
    )

    assert "Added to your list" in reply["message"]["content"]
    titles = {
        user: [task["title"] for task in twin.get("/v1/tasks", token=twin.token(user=user))["items"]]
        for user in ("mallory", "ben")
    }
    assert "steal the plans" in titles["mallory"][0]
    assert titles["ben"] == []


def test_a_router_that_names_what_there_is_not_falls_back_to_what_is_safe(
    twin: Twin, server: ModelServer
) -> None:
    server.use(
        Script(
            [
                question(),
                routed("gpt-99-imaginary", ["shell", "calculator"]),
                Rule("", Reply(content="Paris."), offers=["calculator"]),
            ]
        )
    )

    reply = ask(twin, "What is the capital of France?")

    assert reply["message"]["content"] == "Paris."
    routing = reply["metadata"]["routing"]
    assert (routing["model"], routing["tools"]) == (STRONG, ["calculator"])
    assert (routing["by"], routing["fallback_reason"]) == ("fallback", "unknown_model")


def test_a_strong_model_that_fails_leaves_friendly_words(twin: Twin, server: ModelServer) -> None:
    server.use(Script([question(), routed(STRONG, [])], default=Reply(status=400)))

    reply = ask(twin, "Who wrote Moby-Dick?")

    content = reply["message"]["content"]
    assert content.startswith("I can't reach the model that answers such questions right now")
    assert "refusal" not in content
    assert reply["metadata"]["routing"]["model"] == STRONG


@pytest.mark.parametrize("mode", ["reset", "unended", "malformed", "broken"])
def test_a_strong_model_that_breaks_off_amid_its_answer_leaves_no_half_of_it(
    twin: Twin, server: ModelServer, mode: Any
) -> None:
    answer = Reply(content="Herman Melville wrote it.", mode=mode)
    server.use(Script([question(), routed(STRONG, [])], default=answer))

    reply = ask(twin, "Who wrote Moby-Dick?", user=mode)

    content = reply["message"]["content"]
    assert content.startswith("I can't reach the model that answers such questions right now")
    assert "Melville" not in content
    path = f"/v1/conversations/{reply['conversation_id']}/messages"
    _, stored = twin.get(path, token=twin.token(user=mode))["items"]
    assert stored["content"] == content
    assert all(request.body["stream"] is True for request in to_the_strong(server))


def test_a_question_no_model_can_answer_here_keeps_the_templates_honest_answer(
    twin: Twin, server: ModelServer
) -> None:
    server.use(Script([question(), routed(STRONG, [], can_answer=False)]))

    reply = ask(twin, "How many people live in Oslo?")

    assert "I can't look that up" in reply["message"]["content"]
    assert to_the_strong(server) == []


def test_the_model_of_a_request_answers_it(twin: Twin, server: ModelServer) -> None:
    server.use(
        Script(
            [
                question(),
                routed(OTHER, []),
                Rule("", Reply(content="Herman Melville."), model=OTHER),
            ]
        )
    )

    reply = ask(twin, "Who wrote Moby-Dick?", model=OTHER)

    assert reply["message"]["content"] == "Herman Melville."
    assert reply["metadata"]["routing"]["model"] == OTHER
