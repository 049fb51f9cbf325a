"""Every command of the documents, typed into a shell as it is written, and what the page says of it.

Two twins serve all pages: one without a model, begun as docs/embedding.md begins it, and one that asks a
scripted model, begun as CONTRIBUTING.md begins it. What cannot run here is in `tests.documented.not_run`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from local.__main__ import parser
from tests.documented.answers import differences
from tests.documented.not_run import NOT_RUN, Held
from tests.documented.pages import OUTPUT, SESSION, SHELL, Command, blocks, commands, section
from tests.documented.shell import Ran, Shell
from tests.fakes.deployment.twin import ROOT
from tests.fakes.deployment.wait_until import LOOK_EVERY_S, eventually
from tests.fakes.http.servers import Site, fixed_answer, free_port
from tests.fakes.models.model_script import Reply, Rule, Script
from tests.fakes.models.model_server import ModelServer

pytestmark = pytest.mark.e2e

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_COMMANDS = [page for page in PAGES if commands(page.read_text("utf-8"))]
ASK_A_MODEL = {"CONTRIBUTING.md", "docs/acting.md", "docs/models.md", "docs/streaming.md"}
OTHER_LANGUAGES = {
    "html": "web/tests/embed/documented.test.ts",
    "js": "web/tests/embed/documented.test.ts",
    "json": "tests/unit/llm/test_own_models.py",
    "mermaid": "tests/unit/project/test_architecture.py",
    "python": "tests/e2e/test_documented_commands.py",
    "text": "tests/unit/project/test_architecture.py",
    "ts": "tests/clients/ai_sdk.mjs",
}
"""The languages of blocks that hold no commands, and what holds them."""

MONDAY = "2026-03-02T07:50:00Z"
AGREES_WITHIN_S = 60
"""A command that only reads is typed again until it prints what its page says."""

WORDS = re.compile(r"shell of\s+\[api\.md\]\(api\.md#in-the-shell\)")
"""How a page says that its reader's shell knows the words of docs/api.md."""

MAKE = re.compile(r"`make ([a-z-]+)")
STRONG = "gpt-6.1-sol"
TIDE = "The sea rises and falls twice a day because the moon pulls at it, and the earth turns below."


def understood(words: str, action: str, **entities: str) -> Rule:
    decision = {"action_type": action, "confidence": 0.95, "entities": entities}
    return Rule(words, Reply(decision=decision), prompt="Classify the last message")


def routed(words: str, *tools: str) -> Rule:
    choice = {"model": STRONG, "tools": list(tools), "can_answer": True, "think": False}
    return Rule(words, Reply(decision=choice), prompt="Pick who answers")


def calculates(expression: str) -> Reply:
    return Reply(tool_calls=[{"name": "calculator", "arguments": json.dumps({"expression": expression})}])


WORK = "You carry out one run"
SCRIPT = Script(
    [
        understood("tide", "query_info"),
        understood("whale", "query_info"),
        understood("", "execute_task", operation="add_task"),
        routed("tide"),
        routed("", "calculator"),
        Rule("tide", Reply(content=TIDE, pause_ms=250), model=STRONG),
        Rule("whale", calculates("140000 / 6.35"), model=STRONG),
        Rule("whale", Reply(content="About 22,047 stones."), after="22047"),
        Rule("", calculates("factorial(5)*8"), prompt=WORK),
        Rule("", Reply(content="The number is 960."), after="960"),
    ]
)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def held(page: str, command: Command) -> Held | None:
    """Return the entry for a command that is not run as it is."""
    fitting = (one for one in NOT_RUN.get(page, ()) if command.text.startswith(one.start))
    return next(fitting, None)


def checkout(folder: Path) -> Path:
    """Return what a reader has: a clone with its environment and the page built."""
    (folder / "tmp").mkdir(parents=True)
    (folder / "web" / "node_modules").mkdir(parents=True)
    for path in [*ROOT.iterdir(), *(ROOT / "web").iterdir()]:
        if path.name not in ("web", "node_modules", ".data", ".git"):
            (folder / path.relative_to(ROOT)).symlink_to(path)
    (folder / "web" / "node_modules" / ".package-lock.json").touch()
    return folder


def twin(folder: Path, page: str, start: str, environ: dict[str, str]) -> Iterator[Shell]:
    """Start a twin as a page does, and yield the shell in which it runs once it is healthy."""
    port = free_port()
    environ |= {"OMNIFORGE_CLOCK_FILE": str(folder / "present"), "PORT": str(port)}
    (folder / "present").write_text(MONDAY)
    shown = commands((ROOT / page).read_text("utf-8"))
    [command] = [one for one in shown if one.text.startswith(start)]
    with Shell(folder, environ, {8787: port, 8320: port}) as shell:
        shell.types(f"{command.text.partition(' #')[0]} > twin.log 2>&1 &")
        eventually(lambda: is_healthy(port), within_s=240)
        for words in commands(section((ROOT / "docs/api.md").read_text("utf-8"), "In the shell")):
            assert agrees(shell, words, words.text) == []
        shell.types("declare -p API TOKEN ADMIN OPERATOR > words; declare -f >> words")
        yield shell


def is_healthy(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


QUIET = {
    "PYTHONPYCACHEPREFIX": os.environ["PYTHONPYCACHEPREFIX"],
    "OMNIFORGE_TITLES": "rule",
    "OMNIFORGE_SUMMARIES": "rule",
}
"""The only settings besides the pages' own: a scripted model is asked for replies only."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = checkout(tmp_path_factory.mktemp("plain") / "omniforge")
    yield from twin(folder, "docs/embedding.md", "OMNIFORGE_EMBED_ORIGINS=", dict(QUIET))


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = checkout(tmp_path_factory.mktemp("asking") / "omniforge")
    (folder / ".data").symlink_to(folder / "tmp" / "mine")
    with ModelServer(SCRIPT) as model:
        environ = {
            **QUIET,
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "test",
            "OMNIFORGE_STRONG_MODELS": STRONG,
            "OMNIFORGE_INTENT_MODEL": "gpt-4o-mini",
            "OMNIFORGE_INTENT_DEADLINE_MS": "5000",
        }
        yield from twin(folder, "CONTRIBUTING.md", ".venv/bin/python -m local serve", environ)


@pytest.fixture(scope="module")
def receiver() -> Iterator[Site]:
    with Site(fixed_answer(b"{}")) as running:
        yield running


def agrees(shell: Shell, command: Command, typed: str) -> list[str]:
    """Run a command and return where it differs from its page."""
    until = time.monotonic() + AGREES_WITHIN_S
    while True:
        ran = shell.types(typed)
        found = differences(command, ran.printed, ran.statuses)
        if not found or not only_reads(typed) or time.monotonic() > until:
            return [f"{typed}: {one}" for one in found or failed(ran)]
        time.sleep(LOOK_EVERY_S)


def only_reads(typed: str) -> bool:
    return typed.startswith(("api ", "admin ", "operator ")) and " -d " not in typed and " -X " not in typed


def failed(ran: Ran) -> list[str]:
    return [f"ended with {ran.code}: {ran.errors[-400:]}"] if ran.code else []


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_every_command_of_a_page_does_what_the_page_says(
    page: Path, plain: Shell, asking: Shell, receiver: Site
) -> None:
    base = asking if name_of(page) in ASK_A_MODEL else plain
    port = int(receiver.url("").rpartition(":")[2].strip("/"))
    differs: list[str] = []
    with base.another({9000: port} if name_of(page) == "docs/acting.md" else {}) as shell:
        if WORDS.search(page.read_text("utf-8")):
            shell.types(". ./words")
        for command in commands(page.read_text("utf-8")):
            entry = held(name_of(page), command)
            typed = entry.instead if entry else command.text
            if typed:
                differs += agrees(shell, command, typed)
    assert not differs, "\n".join(differs)


def test_what_is_not_run_is_in_its_page_and_held_by_something() -> None:
    gone = [
        (page, one.start)
        for page, entries in NOT_RUN.items()
        for one in entries
        if not any(held(page, command) is one for command in commands((ROOT / page).read_text("utf-8")))
    ]
    assert gone == []
    targets = (ROOT / "Makefile").read_text("utf-8")
    for entry in (one for entries in NOT_RUN.values() for one in entries):
        target = entry.by.removeprefix("make ")
        assert (ROOT / entry.by).exists() or f"\n{target}:" in targets, entry.by


def test_every_block_is_of_commands_or_held_by_another_test() -> None:
    shown = [block.language for page in PAGES for block in blocks(page.read_text("utf-8"))]
    languages = {language.partition(" ")[0] for language in shown}
    assert languages - {SHELL, SESSION, OUTPUT, "parameters", *OTHER_LANGUAGES} == set()
    assert [path for path in OTHER_LANGUAGES.values() if not (ROOT / path).exists()] == []


def test_every_command_of_ours_takes_the_arguments_that_are_shown() -> None:
    shown = [command.text for page in PAGES for command in commands(page.read_text("utf-8"))]
    lines = [text.partition("-m local ")[2].rstrip(" &)") for text in shown if "-m local " in text]
    assert len(lines) > 15
    for line in lines:
        parser().parse_args(shlex.split(line.partition(";")[0].rstrip(")"), comments=True))


def test_every_make_target_that_is_named_is_there() -> None:
    named = {name for page in PAGES for name in MAKE.findall(page.read_text("utf-8"))}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert len(named) > 10
    assert named - targets == set()


def test_the_tool_that_is_shown_converts() -> None:
    [snippet] = [
        "\n".join(block.lines)
        for block in blocks((ROOT / "docs/acting.md").read_text("utf-8"))
        if block.language == "python"
    ]
    names: dict[str, object] = {}
    exec(compile(snippet, "docs/acting.md", "exec"), names)
    assert names["toolbox"]
