"""What operators hear of models before the first turn."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agent.inference import model_access
from agent.inference.model_access import ModelAccess
from edge.event_metrics import measured
from llm.available_models import Credentials, ModelSettings
from llm.catalogue import Catalogue
from tests.fakes.run.clocks import ManualClock


@pytest.mark.parametrize(("days_before", "is_told"), [(61, False), (60, True), (-1, True)])
def test_a_model_that_retires_soon_is_reported_and_measured(
    days_before: int, is_told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    name = "gpt-5.4-nano"
    model = Catalogue.load().find(name)
    assert model is not None
    assert model.retires_on is not None
    clock = ManualClock()
    moment = clock.now()
    clock.advance((model.retires_on - timedelta(days=days_before) - moment.date()).total_seconds())
    settings = ModelSettings(
        credentials=Credentials(openai=True), intent_model=name, strong_models=(), api_key=lambda _: "x"
    )
    with caplog.at_level("WARNING", logger=model_access.LOG.name):
        ModelAccess(settings, clock=clock).prepare(0)
    told = [record for record in caplog.records if record.msg == "model retires soon"]
    assert [getattr(record, "model", None) for record in told] == [name] * is_told
    assert [value.metric for record in told for value in measured(record)] == ["models_retiring"] * is_told
