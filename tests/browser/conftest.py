"""A real browser on the page that a twin serves. Debian's Chromium, driven by Playwright.

Screenshots go to ``build/screenshots``: they are for looking at, nothing is compared with them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.fakes.deployment.browser_pages import PATIENCE_MS, Visitor
from tests.fakes.deployment.twin import ROOT, Twin
from tests.fakes.models.model_script import Script
from tests.fakes.models.model_server import ModelServer

SCREENSHOTS = ROOT / "build" / "screenshots"
expect.set_options(timeout=PATIENCE_MS)
SCRIPTED = {"OMNIFORGE_INTENT_DEADLINE_MS": "15000", "OPENAI_API_KEY": "scripted"}


def with_model(model: ModelServer) -> dict[str, str]:
    """Return the settings of a twin that asks the scripted model."""
    return {**SCRIPTED, "OPENAI_BASE_URL": model.base_url, "OMNIFORGE_STRONG_MODELS": "gpt-4o"}


# One for each file: while Playwright is started, no other test of this process could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("There is no Chromium, and CI must not go without it.")
        pytest.skip("There is no Chromium on this machine.")
    with sync_playwright() as playwright:
        # Its sandbox needs more rights than a container gives.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("page")) as twin:
        yield twin


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    with ModelServer(Script()) as server:
        yield server


@pytest.fixture(scope="session")
def modelled(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[Twin]:
    with Twin(tmp_path_factory.mktemp("modelled"), environ=with_model(model)) as twin:
        yield twin


@pytest.fixture
def visitor(browser: Browser, twin: Twin, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """Somebody of their own at the page of the offline twin, signed in."""
    with Visitor.at(browser, twin, user=request.node.originalname) as visitor:
        visitor.sign_in()
        yield visitor


@pytest.fixture
def screenshots() -> Path:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS
