"""The MCP function: the chat and what the caller has, over MCP; sign-ins at servers of others, and secrets.

It does all of it because that needs the MCP SDK and `cryptography`, which few packages contain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from aws_lambda_powertools.event_handler import Request, Response
from aws_lambda_powertools.event_handler.depends import Depends
from pydantic import BaseModel, Field

from agent.chat_tool import ChatAnswer, ChatTurns
from agent.connection_list import ConnectionView, connection_views
from agent.connections.access import ConnectionAccess
from agent.connections.errors import SignInExpired, SignInFailed
from agent.connections.posting_links import KEY_NAME as LINKS_KEY
from agent.connections.posting_links import PostingLinks
from agent.connections.sealing import Sealer
from agent.connections.secret_store import SecretStore, SecretValue, StoredSecret
from agent.connections.sign_in_request import CALLBACK_PATH, FinishedSignIn, SignInRequest
from agent.connections.store import SIGN_IN_VALID_FOR, ConnectionStore, digest
from agent.mcp_resources import PROMPTS, TEMPLATES, McpResources
from agent.workspace.agent_store import AgentStore
from agent.workspace.roster import RosterCache, RosterLimits, read_roster
from agent.workspace.skill_store import SkillStore
from conversation.clock import Deadline
from conversation.identity import OWN_WIRE, Caller, conversation_id_for_client, new_ulid
from conversation.limits.limiter import TurnLimiter
from conversation.limits.quotas import Quotas
from conversation.tenants.audit import AuditLog
from conversation.threads.questions import OpenQuestions
from conversation.threads.repository import ConversationRepository
from conversation.turns.admission import IncomingMessage
from edge.adapters.attachments import file_reader, open_attachments
from edge.adapters.event_bus import open_event_publisher
from edge.adapters.provider_keys import ProviderKeys
from edge.adapters.queues import open_turn_queue
from edge.adapters.tenant_secrets import open_tenant_secrets
from edge.function_runtime import FunctionRuntime
from edge.http.caller import AdminParam, CallerParam, ClaimedTimeZoneParam, KeepsHistoryParam
from edge.http.cursors import CursorCodec
from edge.http.json_body import checked_body
from edge.http.parameters import IDEMPOTENCY_KEY_FORM, WholeQueryParam, is_idempotency_key
from edge.http.problems import STATUSES, Problem
from edge.http.request_models import MAX_ATTACHMENTS, MAX_CLIENT_ID, ClientId, MessageText, ModelName
from edge.http.resolver import HttpApi, MayStreamParam, RequestId, SecondsLeftParam, creation_response
from edge.http.sign_in_cookie import SignInCookie, expired_cookie
from edge.initialization import prepare_environment
from edge.routes.mcp_access import (
    MCP_PATH,
    HostParam,
    OriginParam,
    register_metadata,
    require_known_origin,
)
from edge.routes.sign_in_page import sign_in_page
from edge.streaming.call_progress import call_stream
from edge.views.base import Moment, Page
from tools.errors import ToolError
from tools.remote.mcp_messages import IDEMPOTENCY_KEY, McpRequest, McpResponse, told_to
from tools.remote.mcp_offers import OfferedPrompt, OfferedResource, ResourcePage
from tools.sign_in.services import known_services
from tools.tool import CallKey, Tool, ToolAccess, Toolbox, ToolContext, ToolEffect, no_progress

if TYPE_CHECKING:
    from agent.inference.toolbox import Toolboxes
    from agent.sign_ins import SignIns
    from agent.turns.service import TurnService
    from conversation.attachments.store import AttachmentStore

CHAT_TIMEOUT_S = 120.0
MAX_REPLY_BYTES = 262_144

settings, clock, tables, request_log = FunctionRuntime.for_requests("mcp")
provider_keys = ProviderKeys(settings, clock=clock)
open_event_publisher(settings.event_bus, clock)

rosters = RosterCache(tables=tables, clock=clock)
turn_limiter = TurnLimiter(
    tables=tables, clock=clock, defaults=settings.rate_limits, limits=RosterLimits(rosters)
)
tools = provider_keys.tool_settings()
resources = McpResources(
    agents=AgentStore(tables=tables, clock=clock),
    conversations=ConversationRepository(tables=tables, clock=clock),
)
cursors = CursorCodec(clock)
kept_secrets = open_tenant_secrets(settings.tenant_secrets, clock=clock)
sealer = Sealer(kept_secrets)
links = PostingLinks(tables=tables, sealer=Sealer(kept_secrets, key_name=LINKS_KEY))
secrets = SecretStore(tables=tables, sealer=sealer, others=kept_secrets, clock=clock)
api = HttpApi(origins=settings.allowed_origins, clock=clock, request_log=request_log)


@dataclass(frozen=True, slots=True)
class CallersOffers:
    """The resources and prompts of a caller."""

    caller: Caller
    is_masked: bool
    """Whether secrets in the texts are masked."""
    templates: tuple[OfferedResource, ...] = TEMPLATES
    prompts: tuple[OfferedPrompt, ...] = PROMPTS

    def resources(self, cursor: str | None) -> ResourcePage:
        query = ("mcp-resources", self.caller.tenant, self.caller.user)
        try:
            after = cursors.position(cursor, *query)
        except Problem as refused:
            raise ToolError("invalid_arguments", refused.detail or refused.code) from None
        shelf = resources.list(self.caller, after)
        return ResourcePage(shelf.resources, cursors.cursor(shelf.after, *query))

    def values_of(self, argument: str) -> Sequence[str]:
        return resources.values_of(self.caller, argument)

    def read(self, uri: str) -> str | None:
        return resources.read(self.caller, uri, is_masked=self.is_masked)


# The MCP SDK takes as long to import as all the rest. What answers without it (lists of services, refusals)
# does not wait for it; Lambda's init phase imports it.


def prepare() -> None:
    """Imports what the first message of a client needs."""
    from tools.remote import mcp_server  # noqa: F401 - imported is all it has to be

    toolboxes()


@cache
def toolboxes() -> Toolboxes:
    """The tools of every caller."""
    from agent.inference.factory import compose_toolboxes

    return compose_toolboxes(tools, tables=tables, clock=clock)


@cache
def sign_ins() -> SignIns:
    """The sign-ins at the servers of others."""
    from agent.sign_ins import SignIns

    quotas = Quotas(tables=tables, clock=clock)
    store = ConnectionStore(tables=tables, clock=clock)
    return SignIns(
        skills=SkillStore(tables=tables, clock=clock, outbound=tools.outbound, quotas=quotas),
        access=ConnectionAccess(store=store, sealer=sealer, outbound=tools.outbound, clock=clock),
        sealer=sealer,
        secrets=secrets,
        outbound=tools.outbound,
        audit=AuditLog(tables=tables, clock=clock),
        clock=clock,
        public_url=tools.public_url,
        services=known_services(),
    )


@cache
def turns() -> TurnService:
    """The turn service, made for the first message: the other tools do without it.

    This function does without litellm. Where a turn may need it, the finish function answers.
    """
    from agent.inference.model_access import ModelAccess
    from agent.turns.factory import compose_turns

    return compose_turns(
        settings,
        models=ModelAccess(provider_keys.model_settings(), clock=clock),
        tools=tools,
        tables=tables,
        clock=clock,
        queue=open_turn_queue(settings.finish_queue),
        rosters=rosters,
        hands_over=True,
        links=links,
        read_file=file_reader(settings),
    )


@cache
def files() -> AttachmentStore:
    """The users' files, which few messages have."""
    return open_attachments(settings, tables=tables, clock=clock)


questions = OpenQuestions(ConversationRepository(tables=tables, clock=clock))
chats = ChatTurns(turns, turn_limiter, questions=questions)


def chat(
    context: ToolContext,
    message: MessageText,
    conversation_id: Annotated[
        str | None, Field(description="the conversation to go on with; null: a new one")
    ] = None,
    client_id: Annotated[
        ClientId | None,
        Field(description="your own id of the conversation instead; it begins with the first message of it"),
    ] = None,
    model: Annotated[
        ModelName | None, Field(description="the model to ask; null: the conversation's")
    ] = None,
    answers: Annotated[
        str | None,
        Field(description="the question that the message answers, by its id", max_length=MAX_CLIENT_ID),
    ] = None,
    attachments: Annotated[
        list[str],
        Field(description="the ids of files that were uploaded for the message", max_length=MAX_ATTACHMENTS),
    ] = [],  # noqa: B006 - what clients see as the default
) -> ChatAnswer:
    """Say something to OmniForge in the user's name and get its answer: it sets up, changes and runs agents,
    keeps tasks and reminders, connects services, and answers questions. It asks back where something is
    missing, and before what is hard to undo; answer in the same conversation.
    """
    named = conversation_id
    if client_id is not None:
        if conversation_id is not None:
            raise ToolError("invalid_arguments", "Name the conversation by one of its two ids.")
        named = conversation_id_for_client(context.caller, OWN_WIRE, client_id)
    incoming = IncomingMessage(
        context.caller,
        message,
        conversation_id=named,
        idempotency_key=context.call_key.key if context.call_key else None,
        time_zone=context.time_zone or None,
        model=model,
        may_begin=client_id is not None,
    )
    if attachments:
        incoming = with_attachments(incoming, attachments, context)
    return chats.answer(incoming, context, answers=answers)


def with_attachments(incoming: IncomingMessage, ids: Sequence[str], context: ToolContext) -> IncomingMessage:
    """The message with its files, of which nothing is read for a caller who sends too much."""
    if not context.keeps_history:
        raise ToolError("not_allowed", "No files are taken where no history is kept.")
    turn_limiter.check_rate(incoming.caller)
    return files().attach(incoming, ids)


CHAT = Tool.of(
    chat,
    access=ToolAccess(reads_personal=True, reads_outside=True, writes=True, leaves=True),
    effect=ToolEffect(is_open=True),
    timeout_s=CHAT_TIMEOUT_S,
    max_result_bytes=MAX_REPLY_BYTES,
)


def checked_message(request: Request) -> McpRequest:
    """The message of a client, checked against our own limits."""
    event = request.resolved_event
    body = checked_body(event.body, is_base64=bool(event.is_base64_encoded))
    return McpRequest(dict(event.headers), body)


def sent_cookies(request: Request) -> Mapping[str, Any]:
    """The headers of a request that may have cookies."""
    return request.resolved_event.headers


def is_secure() -> bool:
    """Whether browsers reach us over https, as everywhere but in the twin."""
    return (tools.public_url or "").startswith("https:")


register_metadata(
    api,
    public_url=settings.public_url,
    servers=settings.authorization_servers,
    scopes=settings.sign_in_scopes,
)


@api.post(MCP_PATH, summary="One message of an MCP client", include_in_schema=False)
def mcp(
    caller: CallerParam,
    message: Annotated[McpRequest, Depends(checked_message)],
    claimed_zone: ClaimedTimeZoneParam,
    seconds_left: SecondsLeftParam,
    origin: OriginParam,
    host: HostParam,
    request_id: RequestId,
    streams: MayStreamParam,
    history: KeepsHistoryParam,
) -> Any:
    require_known_origin(origin, host, allowed=settings.allowed_origins, public_url=settings.public_url)
    call, deadline = message.call(), Deadline.after(clock, seconds_left)
    is_chat = call is not None and call.tool == CHAT.name
    # A turn reads the roster itself, beside the history. One read before would be too old for some turns.
    roster = None if is_chat else rosters.for_tenant(caller.tenant)

    def context(key: object, tell: Callable[[str], None]) -> ToolContext:
        if key is not None and not is_idempotency_key(key):
            raise ToolError("invalid_arguments", f"{IDEMPOTENCY_KEY}: {IDEMPOTENCY_KEY_FORM}")
        now = clock.now()
        # Without one, a turn takes the tenant's.
        time_zone = claimed_zone or (roster.record.policy.time_zone if roster else "")
        # Without a key, nothing identifies a repeated call: each call is a new one.
        call_key = None if key is None else CallKey(str(key))
        step = f"mcp-{new_ulid(now)}.0"
        made = ToolContext(caller, now, time_zone, step, deadline, call_key=call_key, request_id=request_id)
        return replace(made, tell=tell, keeps_history=settings.history and history)

    def answer(tell: Callable[[str], None] = no_progress) -> McpResponse:
        from tools.remote.mcp_server import handle_message

        offers = CallersOffers(caller, roster is None or roster.record.policy.masks_secrets)
        toolbox = toolboxes().for_caller(caller, roster) if roster else Toolbox()
        return handle_message(message, toolbox.with_tool(CHAT), offers, lambda key: context(key, tell))

    if call is not None and is_chat:
        token = call.progress_token
        if token is None or not streams or not message.accepts("text/event-stream"):
            return response_of(answer())
        return call_stream(call.id, lambda send: answer(told_to(send, token)).body)
    with nullcontext() if call is None else turn_limiter.permit(caller):
        return response_of(answer())


def response_of(answered: McpResponse) -> Response[str]:
    """The answer in one piece."""
    media_type = answered.headers.get("content-type")
    return Response(status_code=answered.status, content_type=media_type, body=answered.body)


class SignInView(BaseModel):
    """A sign-in that has begun."""

    authorization_url: str = Field(description="Where the user's browser goes now.")
    skill_id: str
    expires_at: Moment = Field(description="Until when the browser that got the cookie can finish.")


@api.get("/v1/connections", summary="List services to sign in to, and where you are", tags=["connections"])
def list_connections(caller: CallerParam) -> Page[ConnectionView]:
    roster = read_roster(tables, caller.tenant, clock.now())
    return Page(items=connection_views(roster, caller), next_cursor=None)


@api.post(
    "/v1/connections/sign-ins",
    summary="Begin a sign-in; finish it in the same browser within ten minutes",
    tags=["connections"],
    status_code=201,
)
def begin_sign_in(caller: CallerParam, body: SignInRequest, origin: OriginParam) -> Response[SignInView]:
    if origin is not None and tools.public_url is not None and origin != tools.public_url:
        raise Problem("sign_in_elsewhere", f"Sign in to services at {tools.public_url}.")
    begun = sign_ins().begin(caller, body, read_roster(tables, caller.tenant, clock.now()))
    cookie = SignInCookie(caller.tenant, caller.user, begun.browser)
    view = SignInView(
        authorization_url=begun.authorization_url,
        skill_id=begun.skill.id,
        expires_at=clock.now() + SIGN_IN_VALID_FOR,
    )
    set_cookie = cookie.header(digest(begun.state), CALLBACK_PATH, is_secure=is_secure())
    begun_at = creation_response(view, f"/v1/skills/{begun.skill.id}")
    begun_at.headers |= {"Set-Cookie": set_cookie, "Cache-Control": "no-store"}
    return begun_at


@api.get(CALLBACK_PATH, summary="Where services send browsers back", include_in_schema=False)
def finish_sign_in(
    query: WholeQueryParam, headers: Annotated[Mapping[str, Any], Depends(sent_cookies)]
) -> Response[str]:
    state = query.get("state", "")
    cookie = SignInCookie.read(headers, digest(state))
    if cookie is None:
        over = SignInExpired()
        return sign_in_page(STATUSES[over.code], "Not connected", str(over), cookie=None)
    code = None if "error" in query else query.get("code")
    caller = Caller(cookie.tenant, cookie.user)
    removed = expired_cookie(digest(state), CALLBACK_PATH, is_secure=is_secure())
    try:
        skill = sign_ins().finish(FinishedSignIn(caller, state, cookie.browser, code, query.get("iss")))
    except (SignInExpired, SignInFailed) as refused:
        return sign_in_page(STATUSES[refused.code], "Not connected", str(refused), cookie=removed)
    text = f"OmniForge may use {skill.name} for you now. Close this window and go back to it."
    return sign_in_page(200, "Connected", text, cookie=removed)


@api.delete(
    "/v1/connections/<skill_id>",
    summary="Disconnect: revoke a sign-in and remove it",
    tags=["connections"],
    status_code=204,
)
def end_connection(caller: CallerParam, skill_id: str) -> None:
    sign_ins().end(caller, skill_id)


@api.get(
    "/v1/tenant/secrets",
    summary="List your tenant's stored secrets, without their values (role admin)",
    tags=["connections"],
)
def list_secrets(caller: AdminParam) -> Page[StoredSecret]:
    return Page(items=tuple(secrets.list(caller.tenant)), next_cursor=None)


@api.put(
    "/v1/tenant/secrets/<secret_name>",
    summary="Store a secret of your tenant, or replace it (role admin)",
    tags=["connections"],
)
def store_secret(caller: AdminParam, secret_name: str, body: SecretValue) -> StoredSecret:
    return secrets.put(caller, secret_name, body)


@api.delete(
    "/v1/tenant/secrets/<secret_name>",
    summary="Remove a secret of your tenant (role admin)",
    tags=["connections"],
    status_code=204,
)
def remove_secret(caller: AdminParam, secret_name: str) -> None:
    secrets.remove(caller, secret_name)


prepare_environment(prepare, renew=(provider_keys.renew,))


handler = api.resolve
stream_handler = api.stream
