"""Summaries that a model writes: taken where the messages bear them out, paid for, and never waited for."""

from __future__ import annotations

from collections.abc import Iterable

from agent.after_turn.background_model import BackgroundModel
from agent.after_turn.summaries import ModelSummarisers
from agent.inference.turn_budget import TurnBudgets
from conversation.context.summary_updater import SummaryUpdater, read_summary
from conversation.messages.summaries import Summary
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import TenantStore
from conversation.threads.pins import Pins
from conversation.threads.repository import ConversationRepository
from conversation.usage.budgets import Budgets
from llm.available_models import ModelRegistry
from llm.catalogue import Vendor
from llm.errors import ModelTimeout, ModelUnavailable
from llm.request_types import ModelResponse
from storage import keys
from storage.sqlite.table import SqliteTable
from storage.table import Query
from storage.tenant_table import Tables
from tests.fakes.data.scripted_turns import MAYA, scripted_service
from tests.fakes.models.scripted_models import FAST, ScriptedModels, response
from tests.fakes.run.clocks import ManualClock

BUDGET = "The budget for the fair in Lisbon is 4,250 euros."


class ReadyModels(ScriptedModels):
    """Needs no library."""

    def is_ready(self, timeout_s: float = 0.0, *, models: Iterable[str] | None = None) -> bool:
        return True


class Modelled:
    """One conversation of Maya's, and what a model answers when it is folded."""

    def __init__(
        self, *answers: ModelResponse | ModelUnavailable, policy: TenantPolicy | None = None
    ) -> None:
        self.table, self.clock = SqliteTable(":memory:"), ManualClock()
        tables, clock = Tables(self.table), self.clock
        tenants = TenantStore(tables=tables, clock=clock)
        tenants.save(MAYA.tenant, policy or TenantPolicy())
        self.models = ReadyModels(clock, answers)
        registry = ModelRegistry(vendors=frozenset({Vendor.OPENAI}), intent_model=FAST)
        model = BackgroundModel(
            completion=self.models,
            registry=registry,
            name=FAST,
            tables=tables,
            clock=clock,
            tenants=tenants,
            turn_budgets=TurnBudgets(Budgets(tables=tables, clock=clock)),
        )
        summariser = ModelSummarisers(model)
        self.folding = SummaryUpdater(tables=tables, clock=clock, summariser=summariser)
        self.conversations = ConversationRepository(tables=tables, clock=clock)
        self.memories = Pins(tables=tables, clock=clock, conversations=self.conversations)
        self.turns = scripted_service(self.table, clock)
        self.id = self.turns.say(BUDGET).conversation_id

    def fold(self) -> Summary:
        summary = self.folding.update_summary(MAYA.tenant, self.id)
        assert summary is not None
        return summary


def test_a_model_writes_the_summary_and_is_told_what_was_said() -> None:
    modelled = Modelled(response("1| The fair in Lisbon may cost 4,250 euros.\n"))
    summary = modelled.fold()
    assert summary.made_by == FAST
    assert [line.text for line in summary.lines] == ["The fair in Lisbon may cost 4,250 euros."]
    [(_, question)] = modelled.models.asked
    assert BUDGET in str(question.messages[-1]["content"])
    assert question.messages[-1]["role"] == "user"


def test_the_next_summary_is_made_of_the_last_one_and_what_came_since() -> None:
    modelled = Modelled(
        response("1| Lisbon: 4,250 euros."), response("1| Lisbon: 4,250 euros.\n3| Stand 12.")
    )
    modelled.fold()
    modelled.turns.say("We have stand 12.", modelled.id)
    assert {line.sequence for line in modelled.fold().lines} == {1, 3}
    material = str(modelled.models.asked[-1][1].messages[-1]["content"])
    assert "1| Lisbon: 4,250 euros." in material
    assert BUDGET not in material


def test_lines_with_figures_that_nobody_said_are_not_believed() -> None:
    modelled = Modelled(response("1| The budget is 9,999 euros.\n1| The fair is in Lisbon.\nno number"))
    assert [line.text for line in modelled.fold().lines] == ["The fair is in Lisbon."]


def test_without_an_answer_the_summary_is_made_offline() -> None:
    for answer in (ModelTimeout(), response("")):
        summary = Modelled(answer).fold()
        assert summary.made_by == "offline"
        assert "4,250 euros" in summary.render()


def test_a_tenant_that_does_not_allow_the_model_gets_its_summaries_offline() -> None:
    modelled = Modelled(policy=TenantPolicy(allowed_models=("openai/something-else",)))
    assert modelled.fold().made_by == "offline"
    assert modelled.models.asked == []


def test_a_models_summary_goes_as_a_whole_when_a_message_it_read_is_deleted() -> None:
    modelled = Modelled(response("2| The fair in Lisbon may cost 4,250 euros."))
    modelled.fold()
    modelled.memories.remove_from_summary(MAYA, modelled.id, 1)
    assert read_summary(modelled.table, MAYA.tenant, modelled.id) is None
    copies = Query(keys.conversation(MAYA.tenant, modelled.id), 10, prefix=keys.SUMMARY_PREFIX)
    assert modelled.table.query(copies).items == ()
