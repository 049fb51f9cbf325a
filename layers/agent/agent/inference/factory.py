"""Composes what answers open questions: the tools, and the models that use them.

Imported on the first such question, or by functions that always need it: most turns of a chat don't, and
every cold start would pay for it.
"""

from __future__ import annotations

from agent.inference.message_files import FileReader
from agent.inference.question_answering import AnsweringModels, QuestionAnswerer
from agent.inference.router import Router
from agent.inference.tool_loop import ToolLoop
from agent.inference.toolbox import AgentTools, Toolboxes
from agent.workspace.agent_store import AgentStore
from conversation.clock import Clock
from conversation.limits.quotas import Quotas
from conversation.search.service import ConversationSearch
from conversation.threads.repository import ConversationRepository
from llm.available_models import ModelRegistry
from llm.client_pool import ModelClientPool
from llm.completion import CompletionClient
from storage.tenant_table import Tables
from tasks.store import TaskStore
from tools.builtin.calculator import calculator
from tools.builtin.conversations import ConversationTools
from tools.builtin.tasks import TaskTools
from tools.builtin.web_search import SearchSettings, WebSearch
from tools.outbound.client import ToolSettings
from tools.tool import Tool


def compose_toolboxes(settings: ToolSettings, *, tables: Tables, clock: Clock) -> Toolboxes:
    """The tools for models, runs and MCP clients."""
    quotas = Quotas(tables=tables, clock=clock)
    agents = AgentStore(tables=tables, clock=clock, quotas=quotas)
    return Toolboxes(
        (calculator(), *_search(settings)),
        TaskTools(TaskStore(tables=tables, clock=clock, quotas=quotas)).tools(),
        AgentTools(agents=agents, runs=agents.runs).tools(),
        ConversationTools(compose_search(tables=tables, clock=clock)).tools(),
    )


def compose_search(*, tables: Tables, clock: Clock) -> ConversationSearch:
    """The search over a caller's own messages."""
    conversations = ConversationRepository(tables=tables, clock=clock)
    return ConversationSearch(tables=tables, conversations=conversations)


def compose_question_answerer(
    settings: ToolSettings,
    *,
    completion: CompletionClient,
    registry: ModelRegistry,
    intent_model: str | None,
    tables: Tables,
    clock: Clock,
    read_file: FileReader,
) -> QuestionAnswerer:
    """The answerer of open questions; it has the calculator alone when no strong model is set up."""
    toolboxes = compose_toolboxes(settings, tables=tables, clock=clock)
    if not registry.find_strong_models():
        return QuestionAnswerer(toolboxes=toolboxes, clock=clock, models=None)
    pool = ModelClientPool(completion, registry)

    def is_ready(timeout_s: float) -> bool:
        return completion.is_ready(timeout_s, models=[each.id for each in registry.find_models()])

    models = AnsweringModels(Router(pool, fast_model=intent_model), ToolLoop(pool), is_ready)
    return QuestionAnswerer(toolboxes=toolboxes, clock=clock, models=models, read_file=read_file)


def _search(settings: ToolSettings) -> tuple[Tool, ...]:
    if settings.search_key() is None:
        return ()
    search = SearchSettings(settings.search_url, settings.search_key)
    return (WebSearch(search, settings.outbound).tool(),)
