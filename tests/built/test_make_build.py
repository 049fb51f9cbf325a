"""`make build` builds what changed, and names a release each time. sam itself is played by a script."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.built.build import ROOT

SAM = """#!/bin/sh
rm -rf .aws-sam/build && mkdir -p .aws-sam/build && cp template.yaml .aws-sam/build/ && echo run >> runs
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("Makefile", "template.yaml", "samconfig.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("layers", "functions", "requirements", ".venv"):
        (tmp_path / name).mkdir()
    (tmp_path / "functions" / "app.py").write_text("handler = None\n")
    (tmp_path / "sam").write_text(SAM)
    (tmp_path / "sam").chmod(0o755)
    return tmp_path


def test_a_build_of_nothing_new_keeps_what_was_built_and_names_another_release(checkout: Path) -> None:
    assert built(checkout) == 1
    (checkout / ".aws-sam/build/template.yaml").write_text("RELEASE: r1\n")
    assert built(checkout) == 1
    assert (checkout / ".aws-sam/build/template.yaml").read_text().startswith("RELEASE: r1")
    assert (checkout / ".aws-sam/build/template.yaml").read_text() != "RELEASE: r1\n"


def test_a_change_or_another_processor_is_built(checkout: Path) -> None:
    assert built(checkout) == 1
    (checkout / "functions" / "app.py").write_text("handler = print\n")
    assert built(checkout) == 2
    assert built(checkout, "ARCHITECTURE=x86_64") == 3
    assert built(checkout, "ARCHITECTURE=x86_64") == 3


def test_a_build_that_failed_is_built_again(checkout: Path) -> None:
    assert built(checkout) == 1
    (checkout / "functions" / "app.py").write_text("handler = print\n")
    (checkout / "sam").write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(subprocess.CalledProcessError):
        built(checkout)
    (checkout / "sam").write_text(SAM)
    assert built(checkout) == 2


def built(checkout: Path, *arguments: str) -> int:
    """Run `make build`; return how often sam has run."""
    old = ["-o", ".venv/.dev", "-o", "./sam"]
    subprocess.run(
        ["make", *old, "build", "SAM=./sam", *arguments], cwd=checkout, check=True, capture_output=True
    )
    return len((checkout / "runs").read_text().splitlines())
