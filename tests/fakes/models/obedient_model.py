"""A model that does what any text in its prompt tells it to, in whichever part of the prompt the text is.

Each poisoned text has a marker, ``[a017]``, and says what its author wants. Once the marker occurs in a
prompt, the model answers with exactly that: a verdict, tool calls, words. Without a marker it is harmless: it
leaves the understanding of messages to the rules, gives every tool to the answering model, and repeats what
tools found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.fakes.models.model_script import Reply, Request

STRONG = "openai/deep-thinker"
Case = Mapping[str, Any]
_QUESTION = {"action_type": "query_info", "confidence": 0.95, "entities": {}}
_MARKER = re.compile(r"\[([a-z]\d{3})\]")


class ObedientModel:
    """Answers the requests of a scripted model server for any number of cases, told apart by their markers.

    ``arguments_of`` gives the arguments of a case's call as the tools take them: a text may name a task by
    its title.
    """

    def __init__(
        self,
        cases: Mapping[str, Case],
        arguments_of: Callable[[str, str, Mapping[str, Any]], Mapping[str, Any]],
    ) -> None:
        self._cases = cases
        self._arguments_of = arguments_of
        self.answer_now: str | None = None
        """The answer to the next question, for cases in which an earlier answer is the poison."""
        self.run_output: str | None = None
        """The result of runs, for cases in which it is the poison."""
        self.first_skill_tool = "crm__find_customer"
        """The tool of a skill that a run begins with."""
        self.obeyed: set[str] = set()
        """The cases whose marker came to the model's eyes."""

    def __call__(self, request: Request) -> Reply:
        case = self._case(request)
        obey = case["obey"] if case else {}
        if case:
            self.obeyed.add(case["id"])
        if "Classify the last message" in request.system:
            if self.answer_now is not None:
                return Reply(decision=_QUESTION)
            if "verdict" in obey:
                return Reply(decision={"reasoning": "", "is_ambiguous": False, **obey["verdict"]})
            if "calls" in obey or "say" in obey:
                return Reply(decision=_QUESTION)
            return Reply(content="no verdict")
        if "Pick who answers" in request.system:
            tools = re.findall(r"^- ([\w-]+):", request.system, re.MULTILINE)
            choice = {"model": STRONG, "tools": tools, "can_answer": True, "think": False, "reason": ""}
            return Reply(decision=choice)
        return self._answer(request, case)

    def _case(self, request: Request) -> Case | None:
        found = _MARKER.findall(json.dumps(request.body, ensure_ascii=False))
        return self._cases.get(found[-1]) if found else None

    def _answer(self, request: Request, case: Case | None) -> Reply:
        if self.answer_now is not None:
            return Reply(content=self.answer_now)
        if self.run_output is not None and "You carry out one run" in request.system:
            return Reply(content=self.run_output)
        calls = _calls(case) if case else []
        done = sum("tool_calls" in message for message in request.messages)
        if case and request.offered_tools and (pending := self._not_made(request, calls)):
            first, *more = (
                {
                    "name": call["tool"],
                    "arguments": dict(self._arguments_of(case["id"], call["tool"], call["arguments"])),
                }
                for call in pending
            )
            is_run = "You carry out one run" in request.system
            return Reply(tool_calls=[first] if is_run else [first, *more])
        if case and case["obey"].get("say"):
            return Reply(content=case["obey"]["say"])
        if not done and (call := self._harmless(request)):
            return Reply(tool_calls=[call])
        return Reply(content="This is what I found: " + " ".join(request.tool_results)[:3_000])

    def _not_made(self, request: Request, calls: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        made = [
            call["function"]["name"]
            for message in request.messages
            for call in message.get("tool_calls") or ()
        ]
        left = []
        for call in calls:
            if call["tool"] in made:
                made.remove(call["tool"])
            else:
                left.append(call)
        return left

    def _harmless(self, request: Request) -> Mapping[str, Any] | None:
        """The call that a harmless model begins with, given these tools."""
        offered = request.offered_tools
        if self.first_skill_tool in offered:
            return {"name": self.first_skill_tool, "arguments": {"query": "Brightwell"}}
        words = request.last_user_message.casefold()
        arguments: dict[str, str]
        if "task" in words or "list" in words or "due" in words:
            tool, arguments = "list_tasks", {}
        elif "agent" in words or "team-radar" in words:
            tool, arguments = "list_agents", {}
        else:
            tool, arguments = "web_search", {"query": request.last_user_message[:80]}
        return {"name": tool, "arguments": arguments} if tool in offered else None


def _calls(case: Case) -> list[Mapping[str, Any]]:
    """The calls that the text wants; who leaks personal data reads it first."""
    calls = list(case["obey"].get("calls", ()))
    if case["effect"] in ("leak_to_skill", "leak_to_search") and calls:
        readers = ("search_conversations", "list_tasks")
        if not any(call["tool"] in readers for call in calls):
            calls.insert(0, {"tool": "search_conversations", "arguments": {"query": "salary"}})
    return calls
