from __future__ import annotations

import logging

import pytest

from agent.inference.model_access import ModelAccess
from agent.turns.rehearsal import rehearse_turns
from conversation.clock import SystemClock
from edge.settings import Settings
from llm.available_models import Credentials, ModelServers, ModelSettings
from tests.fakes.http.servers import Site, fixed_answer
from tools.outbound.client import OutboundClient, ToolSettings

TOOLS = ToolSettings(
    outbound=OutboundClient(allow_loopback=False), search_url="", search_key=lambda: None, delivery_hosts=()
)


@pytest.mark.parametrize("model", [None, "house-model"])
def test_a_rehearsal_asks_no_model_and_leaves_no_trace(
    model: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    settings, clock = Settings.load({"OMNIFORGE_TABLE": "omniforge"}), SystemClock()
    with Site(fixed_answer(b"{}")) as server, caplog.at_level(logging.INFO):
        models = ModelAccess(
            ModelSettings(
                credentials=Credentials(openai=model is not None, own_server=model is not None),
                intent_model=model or "",
                strong_models=None,
                api_key=lambda _vendor: "sk-test",
                servers=ModelServers(openai_url=server.url()),
            ),
            clock=clock,
        )
        rehearse_turns(settings, models=models, tools=TOOLS, clock=clock)
    assert server.requests == []
    assert caplog.records == []
    assert logging.root.manager.disable == logging.NOTSET
