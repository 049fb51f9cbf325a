"""Imports litellm in the background, on first use. The only module that imports it.

`llm.adapters.litellm_adapter` calls it.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import ModuleType
from typing import Any

from llm.errors import ModelLoading, ModelMisconfigured


class LazyModule:
    """A module that ``load`` imports in a background thread on first use."""

    def __init__(self, load: Callable[[], ModuleType]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._imported: Future[ModuleType] | None = None

    def wait(self, timeout_s: float) -> bool:
        """Return whether the module is imported, waiting at most ``timeout_s`` seconds."""
        try:
            self._begin().result(timeout=timeout_s)
        except (TimeoutError, ImportError):
            return False
        return True

    def get(self) -> ModuleType:
        """Return the module.

        Raises:
            ModelLoading: the module is still being imported.
            ModelMisconfigured: this function does without the module.
        """
        imported = self._begin()
        if not imported.done():
            raise ModelLoading
        try:
            return imported.result()
        except ImportError:
            raise ModelMisconfigured("not_configured") from None

    def _begin(self) -> Future[ModuleType]:
        with self._lock:
            if self._imported is None:
                self._imported = Future()
                threading.Thread(
                    target=self._import, args=(self._imported,), name="model-library", daemon=True
                ).start()
            return self._imported

    def _import(self, imported: Future[ModuleType]) -> None:
        try:
            imported.set_result(self._load())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever asks for the library
            imported.set_exception(error)


def import_litellm() -> ModuleType:
    """Return litellm, with everything imported that its first call and stream need."""
    import litellm
    import openai

    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its warnings quote requests and answers
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.turn_off_message_logging = True
    litellm.disable_streaming_logging = True  # would copy every delta for callbacks, which we don't use
    litellm.disable_hf_tokenizer_download = True  # used to count streams without usage
    vars(litellm)["REPEATED_STREAMING_CHUNK_LIMIT"] = sys.maxsize  # a table's rules are no endless loop
    # The first call, client and stream import about a hundred more modules. Do that now, not in a turn.
    import litellm.litellm_core_utils.default_encoding

    _ = openai.OpenAI(api_key="none").chat.completions
    rehearsed: dict[str, Any] = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": ""}]}
    litellm.completion(**rehearsed, mock_response="ready")
    next(litellm.completion(**rehearsed, mock_response="ready", stream=True))
    return litellm
