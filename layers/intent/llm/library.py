"""A module that costs seconds of CPU, imported once, by a thread of its own. Which one is not known here."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import ModuleType

from llm.errors import ModelLoading


class Library:
    """What ``load`` imports, from the first time somebody asks for it."""

    def __init__(self, load: Callable[[], ModuleType]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._imported: Future[ModuleType] | None = None

    def wait(self, timeout_s: float) -> bool:
        """Whether it is there, waiting for it at most so long."""
        try:
            self._begin().result(timeout=timeout_s)
        except TimeoutError:
            return False
        return True

    def get(self) -> ModuleType:
        """The module.

        Raises:
            ModelLoading: it is still being imported.
        """
        imported = self._begin()
        if not imported.done():
            raise ModelLoading
        return imported.result()

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
