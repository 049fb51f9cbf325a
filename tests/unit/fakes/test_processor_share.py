"""A process that is held back gets no more of a processor than its share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.fakes.deployment.processor_share import ProcessorShare, share_of

SPIN = """
import time
input()
started, used = time.monotonic(), time.process_time()
while time.monotonic() - started < 1:
    pass
print((time.process_time() - used) / (time.monotonic() - started))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a process tells its processor time by its number")
def test_a_process_that_computes_all_the_time_gets_its_share_of_a_processor() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with ProcessorShare(process.pid, 0.25):
            process.stdin.write("\n")
            process.stdin.flush()
            used = float(process.stdout.readline())
    assert 0 < used < 0.5


def test_a_processor_comes_with_1769_mb() -> None:
    assert share_of(1_769) == 1
    assert 0.43 < share_of(768) < 0.44
