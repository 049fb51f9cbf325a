from __future__ import annotations

import subprocess
import sys
import threading

from resilience.cpu_limit import EXIT_OVER_LIMIT, CpuLimit

LOOPING = """
import threading
from resilience.cpu_limit import CpuLimit

limit = CpuLimit(0.2, look_every_s=0.01)

def work():
    with limit.enforced():
        while True:
            pass

threading.Thread(target=work, daemon=True).start()
threading.Event().wait()
"""


def test_work_that_computes_without_end_ends_its_process() -> None:
    ended = subprocess.run([sys.executable, "-c", LOOPING], check=False, capture_output=True, timeout=240)
    assert ended.returncode == EXIT_OVER_LIMIT


def test_what_other_threads_compute_while_the_work_waits_does_not_count() -> None:
    ends: list[int] = []
    limit = CpuLimit(0.2, look_every_s=0.001, end_process=ends.append)
    other = threading.Thread(target=lambda: sum(range(20_000_000)))
    with limit.enforced():
        other.start()
        other.join()
    assert not ends


def test_processor_time_before_and_after_the_work_does_not_count() -> None:
    ends: list[int] = []
    limit = CpuLimit(0.2, look_every_s=0.001, end_process=ends.append)
    for _ in range(3):
        sum(range(5_000_000))
        with limit.enforced():
            pass
    assert not ends
