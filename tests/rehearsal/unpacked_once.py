"""ministack, with each archive of a function or a layer unpacked once.

By itself it unpacks all layers anew for each start of a function, 200 MB for one that asks models, and
deletes them with it. Here a function starts in links to what was unpacked first, in the working folder.

Run by the interpreter that has ministack: imports nothing of the project.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

from ministack.app import main
from ministack.core import lambda_runtime

_ALONE = threading.Lock()


class UnpackedOnce(zipfile.ZipFile):
    """An archive that is unpacked to a place named after its content; a folder becomes a link to it."""

    def extractall(
        self,
        path: str | os.PathLike[str] | None = None,
        members: Sequence[str | zipfile.ZipInfo] | None = None,  # type: ignore[override]
        pwd: bytes | None = None,
    ) -> None:
        """Make the empty folder ``path`` a link to the unpacked members."""
        assert path is not None
        assert self.filename is not None
        kept = Path("unpacked", hashlib.sha256(Path(self.filename).read_bytes()).hexdigest()).absolute()
        with _ALONE:
            if not kept.exists():
                kept.parent.mkdir(exist_ok=True)
                draft = tempfile.mkdtemp(dir=kept.parent)
                super().extractall(draft, members, pwd)
                Path(draft).rename(kept)
        Path(path).rmdir()
        Path(path).symlink_to(kept, target_is_directory=True)


if __name__ == "__main__":
    lambda_runtime.zipfile = SimpleNamespace(
        ZipFile=UnpackedOnce,
        BadZipFile=zipfile.BadZipFile,
        LargeFileError=zipfile.LargeZipFile,  # ministack's name of it
    )
    main()
