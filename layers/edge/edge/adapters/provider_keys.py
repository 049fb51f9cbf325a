"""The keys of model providers on AWS: one secret, read on first use and again every five minutes.

The secret is a JSON object from vendor to key, such as ``{"openai": "…"}``. Rotating it needs no deployment.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from conversation.clock import Clock
from edge.environment import SettingsInvalid, model_key, search_key
from edge.settings import LOCAL, Settings
from llm.available_models import Credentials, ModelServers, ModelSettings
from llm.catalogue import Catalogue, CatalogueInvalid

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.parameters import SecretsProvider

    from tools.outbound.client import ToolSettings

MAX_AGE_S = 300.0
RETRY_AFTER_S = 30.0
LOG = logging.getLogger("omniforge.edge")


NO_KEY = "none"
"""Sent to a server that needs no key, because client libraries refuse to send none."""


class ProviderKeys:
    """The keys in a deployment's secret; none without a secret. Thread-safe."""

    def __init__(self, settings: Settings, *, clock: Clock) -> None:
        """
        Raises:
            SettingsInvalid: the deployment's own models are not described as the catalogue's are.
        """
        self._settings = settings
        self.catalogue = _catalogue(settings.model_catalogue)
        """The models that there are; None: the shipped ones."""
        self._clock = clock
        self._keys: Mapping[str, str] = {}
        self._until = float("-inf")
        self._secrets: SecretsProvider | None = None

    def key(self, vendor: str) -> str | None:
        """The key of a vendor; None when the secret has none, so that the client library has to find one."""
        arn = self._settings.provider_secret_arn
        if arn is not None and self._clock.monotonic() >= self._until:
            self._read(arn)
        return self._keys.get(vendor) or (NO_KEY if vendor in self._settings.keyless_vendors else None)

    def model_key(self, vendor: str) -> str | None:
        """The key to ask a vendor's models with, from the secret or the environment; None: there is none.

        Litellm finds the keys of further vendors in the environment by itself.
        """
        key = self.key(vendor)
        return model_key(vendor) or key if key in (None, NO_KEY) else key

    def search_key(self) -> str | None:
        """The key for web search, from the secret or the environment; None when there is none."""
        return self.key("tavily") or search_key()

    def model_settings(self) -> ModelSettings:
        """The model settings of the deployment."""
        return ModelSettings(
            credentials=self.credentials(),
            intent_model=self._settings.intent_model,
            strong_models=self._settings.strong_models,
            api_key=self.model_key,
            servers=ModelServers(**self._settings.model_addresses._asdict()),
            catalogue=self.catalogue,
        )

    def tool_settings(self) -> ToolSettings:
        """The tool settings of the deployment."""
        # Imported here, because not every function that asks models has tools.
        from tools.outbound.client import OutboundClient, ToolSettings

        return ToolSettings(
            outbound=OutboundClient(allow_loopback=self._settings.stage == LOCAL),
            search_url=self._settings.search_url,
            search_key=self.search_key,
            delivery_hosts=self._settings.delivery_hosts,
            public_url=self._settings.public_url,
        )

    def credentials(self) -> Credentials:
        """The vendors this deployment has credentials for. Without any model the secret is not read."""
        settings = self._settings
        is_offline = settings.intent_model is not None and not settings.intent_model.strip()

        def has_key(vendor: str) -> bool:
            return not is_offline and self.key(vendor) is not None

        return Credentials(
            openai=settings.openai or has_key("openai"),
            anthropic=settings.anthropic or has_key("anthropic"),
            bedrock=settings.bedrock,
            bedrock_models=settings.bedrock_models,
            gemini=settings.gemini or has_key("gemini"),
            groq=settings.groq or has_key("groq"),
            ollama=settings.ollama,
            own_server=settings.own_server,
        )

    def renew(self) -> None:
        """Read the secret again on next use, over a new connection; until then the keys stay as they are."""
        self._until = float("-inf")
        if self._secrets is not None:
            self._secrets.client.close()

    def _read(self, arn: str) -> None:
        from aws_lambda_powertools.utilities.parameters import GetParameterError, SecretsProvider

        now = self._clock.monotonic()
        try:
            self._secrets = self._secrets or SecretsProvider()
            secret = str(self._secrets.get(arn, force_fetch=True))
            self._keys = TypeAdapter(dict[str, str]).validate_json(secret)
            self._until = now + MAX_AGE_S
        except (GetParameterError, ValidationError) as error:
            # The keys read before may still be good; without any the offline tier answers.
            LOG.warning("provider secret unreadable", extra={"error_type": type(error).__name__})
            self._until = now + RETRY_AFTER_S


def _catalogue(own: str | None) -> Catalogue | None:
    try:
        return None if own is None else Catalogue.extended(own)
    except CatalogueInvalid as error:
        raise SettingsInvalid("OMNIFORGE_MODEL_CATALOGUE", str(error)) from None
