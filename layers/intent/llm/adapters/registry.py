"""Decides which models are asked by an adapter of their own. All others are asked through litellm."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from llm.adapters.adapter import ModelAdapter
from llm.adapters.openai_body import is_thinking
from llm.available_models import ModelServers, vendor_of
from llm.catalogue import Catalogue, Model
from llm.request_types import ModelRequest

if TYPE_CHECKING:
    from llm.adapters.http_client import HttpClient


class DirectAdapters:
    """The adapters of a process, each imported on first use. All share one pool of connections."""

    def __init__(
        self, servers: ModelServers, *, max_connections: int, catalogue: Catalogue | None = None
    ) -> None:
        """``catalogue`` None: the shipped one."""
        self._servers = servers
        self._catalogue = catalogue
        self._max_connections = max_connections

    def prepare(self, model: str) -> None:
        """Import what the model needs, and load the certificates, so that no turn has to."""
        if self.find(model) is not None:
            self._client.prepare_tls()

    def close_connections(self) -> None:
        """Close the connections that no call uses, and forget credentials that were found for them."""
        if "_client" in self.__dict__:
            self._client.close_connections()
        if "_bedrock" in self.__dict__:
            del self._bedrock

    def find(self, model: str, request: ModelRequest | None = None) -> ModelAdapter | None:
        """Return the adapter of a model; None when only litellm can ask it.

        Without a ``request`` the answer is about most requests, see `always_finds`.
        """
        if self._servers.is_behind_proxy:
            return None
        is_listed = (self._catalogue or Catalogue.load()).find(model) is not None
        match vendor_of(model):
            case "openai" if self._servers.openai_url is not None:
                return self._openai
            case "openai" if is_listed and not (request and request.tools and is_thinking(request)):
                return self._openai
            case "anthropic" if is_listed:
                return self._anthropic
            case "bedrock" if is_listed:
                return self._bedrock
            case _:
                return None

    def always_finds(self, model: Model) -> bool:
        """Return whether every request of the model has an adapter, so that none needs litellm.

        OpenAI's own server takes tools together with thinking only by its other protocol, which litellm
        speaks.
        """
        if self.find(model.id) is None:
            return False
        is_openais = vendor_of(model.id) == "openai" and self._servers.openai_url is None
        return not (is_openais and model.supports_thinking)

    @cached_property
    def _client(self) -> HttpClient:
        from llm.adapters.http_client import HttpClient

        return HttpClient(max_connections=self._max_connections)

    @cached_property
    def _openai(self) -> ModelAdapter:
        from llm.adapters.openai_chat import OpenAIChat

        servers = self._servers
        return OpenAIChat(self._client, base_url=servers.openai_url, headers=servers.openai_headers)

    @cached_property
    def _anthropic(self) -> ModelAdapter:
        from llm.adapters.anthropic_messages import AnthropicMessages

        return AnthropicMessages(self._client, base_url=self._servers.anthropic_url)

    @cached_property
    def _bedrock(self) -> ModelAdapter:
        from llm.adapters.bedrock_converse import BedrockConverse

        servers = self._servers
        return BedrockConverse(self._client, region=servers.aws_region, base_url=servers.bedrock_url)
