"""Translation of `template.yaml` from SAM to plain CloudFormation, as AWS does it, but without calling AWS.

The translation takes longer than everything else at startup. Its result is cached in ``.aws-sam`` beside the
template until the template or the translator's version changes.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import SimpleNamespace
from typing import cast

from local.template.intrinsics import Tree

_KEPT = Path(".aws-sam", "translated")
_BUCKET = "s3://template/"


class TemplateInvalid(Exception):
    """The template can't be read or translated; the message is one line that names the problem."""


def read_template(path: Path) -> Mapping[str, Tree]:
    """Return the template at the path, translated to plain CloudFormation.

    Raises:
        TemplateInvalid: the file can't be read or is not a SAM template.
    """
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise TemplateInvalid(f"{path}: {error.strerror}") from None
    kept = path.parent / _KEPT / f"{_digest(source)}.json"
    with suppress(OSError, ValueError):
        return cast("Mapping[str, Tree]", json.loads(kept.read_bytes()))
    translated = _translated(source, path)
    _keep(translated, kept)
    return translated


def _digest(source: str) -> str:
    return hashlib.sha256(f"{version('aws-sam-translator')}\n{source}".encode()).hexdigest()


def _keep(translated: Mapping[str, Tree], path: Path) -> None:
    # Replace atomically: other processes may read or write the same file. An unwritable folder is ignored.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", delete=False) as draft:
            json.dump(translated, draft)
        Path(draft.name).replace(path)


def _translated(source: str, path: Path) -> Mapping[str, Tree]:
    # Imported here because only a changed template needs it.
    from samtranslator.model.exceptions import InvalidDocumentException
    from samtranslator.yaml_helper import yaml_parse
    from yaml import YAMLError

    try:
        return translate(yaml_parse(source))
    except YAMLError as error:
        raise TemplateInvalid(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    except InvalidDocumentException as error:
        causes = "; ".join(str(cause.message) for cause in error.causes)
        raise TemplateInvalid(f"{path}: {causes or error.message}") from None


def translate(parsed: Tree) -> Mapping[str, Tree]:
    """Return a SAM template as plain CloudFormation.

    Raises:
        TemplateInvalid: it has no resources.
        InvalidDocumentException: the translator refuses it.
    """
    from samtranslator.parser.parser import Parser
    from samtranslator.translator.translator import Translator
    from samtranslator.utils.py27hash_fix import (
        to_py27_compatible_template,
        undo_mark_unicode_str_in_template,
    )

    # The translator changes its input, so an anchor and its aliases must not share one object.
    source = json.loads(json.dumps(parsed, default=str))
    if not isinstance(source, dict) or not isinstance(source.get("Resources"), dict):
        raise TemplateInvalid("the template has no Resources")
    shared = source.get("Globals", {}).values()
    for properties in (*shared, *(each.get("Properties", {}) for each in source["Resources"].values())):
        # The translator expects the addresses that `sam package` would have uploaded to, not folders.
        for name in ("CodeUri", "ContentUri"):
            if isinstance(properties.get(name), str):
                properties[name] = _BUCKET + properties[name]
    logging.getLogger("samtranslator").setLevel(logging.CRITICAL)
    to_py27_compatible_template(source, {})
    # The translator uses only the session's region; a real session would read the user's AWS configuration.
    translator = Translator({}, Parser(), boto_session=SimpleNamespace(region_name="us-east-1"))
    translated = undo_mark_unicode_str_in_template(translator.translate(source, parameter_values={}))
    return cast("Mapping[str, Tree]", translated)
