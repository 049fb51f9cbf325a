"""Two threads of the twin that need the MCP SDK for the first time, at once."""

from __future__ import annotations

import subprocess
import sys

# The first thread stops half-way through `import mcp`, until the second is inside a part of it (or waits).
SCRIPT = """
import importlib, sys, threading

half_way, inside = threading.Event(), threading.Event()

def load(module, part, reached, wait_s):
    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_name == "<module>" and frame.f_code.co_filename.endswith(part):
            reached.set()
            inside.wait(wait_s)
    sys.setprofile(watch)
    importlib.import_module(module)

first = threading.Thread(target=load, args=("tools.remote.mcp_server", "/mcp/types/__init__.py", half_way, 2))
first.start()
half_way.wait()
load("agent.sign_ins", "/mcp/client/__init__.py", inside, 0)
first.join()
"""


def test_a_sign_in_and_a_message_may_both_be_the_first_to_need_the_library() -> None:
    command = [sys.executable, "-c", SCRIPT]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert run.stderr == ""
