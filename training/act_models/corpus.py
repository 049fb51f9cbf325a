"""The labelled messages that the reading of acts is learned from: their tokens, acts and slots. Read-only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from intent.acts.act import Thing
from intent.acts.learned.marked_tokens import MarkedMessage, mark_message
from intent.acts.scene import Asked, Question, Scene
from training.act_models.joined import join_messages

ACTS = Path(__file__).parent.with_name("acts")
SLOTS = (
    "agent", "task", "except", "job", "source", "when", "where", "name", "title", "due", "old", "option",
    "topic", "service", "zone", "period", "number",
)  # fmt: skip
_NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
_DEEDS = {
    "policy": "policy.set", "connect": "skill.connect", "delete": "agent.delete", "share": "agent.share",
    "create": "agent.create", "run": "agent.run", "change": "agent.change",
}  # fmt: skip
_DONE = {
    "paused": "pause", "deleted": "delete", "removed": "delete", "started": "run", "resumed": "resume",
    "ran": "run", "completed": "complete", "changed": "change", "shared": "share", "moved": "change",
    "renamed": "change",
    "set": "change", "created": "create", "postponed": "change", "added": "add", "restored": "restore",
    "reopened": "reopen", "unshared": "unshare", "connected": "connect", "copied": "copy",
    "unpaused": "resume",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelledAct:
    """One act: its kind, the tokens it spans, and for each slot the spans of tokens that fill it."""

    kind: str
    start: int
    end: int
    slots: Mapping[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """A message with its scene, its marked tokens and its acts."""

    id: str
    author: str
    scene: Scene
    marked: MarkedMessage
    acts: tuple[LabelledAct, ...]
    has_slots: bool = True
    """Whether the spans of slots are labelled, besides the kinds."""

    @property
    def is_joined(self) -> bool:
        """Return whether it was made by joining messages."""
        return self.id.startswith("joined")


def load_messages(folder: Path = ACTS) -> tuple[LabelledMessage, ...]:
    """Return the messages of all files in a folder, in a fixed order."""
    return tuple(one for path in sorted(folder.glob("*.jsonl")) for one in _read(path))


def fingerprint(folder: Path = ACTS) -> str:
    """Return a hash of all files in the folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.jsonl")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def load_joined(folder: Path = ACTS) -> tuple[LabelledMessage, ...]:
    """Return messages of several acts, joined from messages by the same author; always the same ones."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        data = _data(path)
        joined = join_messages(data, len(data) // 3, seed=len(data))
        found += [to_message(one, path.stem) for one in joined]
    return tuple(found)


def _read(path: Path) -> Iterator[LabelledMessage]:
    yield from (to_message(one, path.stem) for one in _data(path))


def _data(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def to_message(data: Mapping[str, Any], author: str) -> LabelledMessage:
    """Return a message as labelled by hand."""
    scene = to_scene(data)
    marked = mark_message(data["say"], scene.agents, scene.tasks)
    acts = tuple(_acts(data, marked))
    return LabelledMessage(str(data["id"]), author, scene, marked, acts, bool(data.get("slots", True)))


def _acts(data: Mapping[str, Any], marked: MarkedMessage) -> Iterator[LabelledAct]:
    said, at = data["say"], 0
    for act in data["acts"]:
        start = said.find(act["text"], at)
        if start < 0:
            start = said.find(act["text"])
        end = start + len(act["text"])
        at = max(at, start + 1)
        slots = {
            name: [
                even_span(marked, name, *_token_span(marked, *found))
                for text in ([act[name]] if isinstance(act[name], str) else act[name])
                if (found := _find(said, str(text), start, end)) is not None
            ]
            for name in SLOTS
            if act.get(name)
        }
        yield LabelledAct(act["k"], *_token_span(marked, start, end), slots)


def even_span(marked: MarkedMessage, slot: str, start: int, end: int) -> tuple[int, int]:
    """Return a slot's tokens in one style: times with their prepositions, all else without."""
    words = [one.token.word for one in marked.tokens]
    while end - start > 1 and (not marked.tokens[end - 1].token.is_word or words[end - 1] in _TRAILING):
        if words[end - 1] in _CLOSING:
            break
        end -= 1
    if slot in _TIMES:
        while start and words[start - 1] in _BEFORE_TIMES:
            start -= 1
        return start, end
    while end - start > 1 and words[start] in _LEADING.get(slot, frozenset()):
        start += 1
    return start, end


_CLOSING = frozenset("\"')\u2019\u201d")
_TIMES = frozenset({"when", "due"})
_BEFORE_TIMES = frozenset("on at by every each until till before after".split())
_TRAILING = frozenset("please pls plz thanks thx".split())
_PLACES = frozenset("to in into on onto by via at from out of".split())
_LEADING = {
    "where": _PLACES,
    "source": _PLACES,
    "job": frozenset("to that and".split()),
    "title": frozenset("to that about".split()),
    "name": frozenset("to as".split()),
    "agent": _PLACES,
    "task": _PLACES,
    "service": _PLACES,
    "option": frozenset("to".split()),
    "topic": frozenset("about on of".split()),
    "except": frozenset("for".split()),
}


def _find(said: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where a slot's text is: at word bounds within the act, else within the message."""
    best: tuple[int, int] | None = None
    for low, high in ((start, end), (0, len(said))):
        at = said.find(text, low, high)
        while at >= 0:
            stop = at + len(text)
            is_whole = not (at and said[at - 1].isalnum() and text[0].isalnum()) and not (
                stop < len(said) and said[stop].isalnum() and text[-1].isalnum()
            )
            if is_whole:
                return at, stop
            best = best or (at, stop)
            at = said.find(text, at + 1, high)
    return best


def _token_span(marked: MarkedMessage, start: int, end: int) -> tuple[int, int]:
    inside = [
        place for place, one in enumerate(marked.tokens) if one.token.start < end and one.token.end > start
    ]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def to_scene(data: Mapping[str, Any]) -> Scene:
    """Return the scene that the message was said in."""
    if "scene" in data:
        return _played_scene(data)
    agents = tuple(Thing(str(at), one[0], " ".join(one[1:])) for at, one in enumerate(data.get("agents", ())))
    tasks = tuple(Thing(str(at), title) for at, title in enumerate(data.get("tasks", ())))
    kind, _, name = str(data.get("focus", "")).partition(":")
    focus_kind, focus, listed_kind, did = "", None, "", ""
    if kind in {"agent", "task"}:
        focus_kind = kind
        focus = next((one for one in (*agents, *tasks) if one.name == name), Thing("?", name))
    elif kind == "list":
        listed_kind = name.strip().rstrip("s")
    elif kind == "did":
        verb = name.split()[0].lower() if name.split() else ""
        on_task = (
            any(one.name.lower() in name.lower() for one in tasks) or "task" in name or verb == "completed"
        )
        focus_kind = "task" if on_task else "agent"
        did = f"{focus_kind}.{_DONE.get(verb, 'change')}"
        focus = next((one for one in (*agents, *tasks) if one.name.lower() in name.lower()), None)
    question = to_question(data.get("asked"), agents, tasks)
    return Scene(
        now=_NOW, zone="Europe/London", agents=agents, read_tasks=lambda: tasks,
        focus_kind=focus_kind, focus=focus, listed_kind=listed_kind,
        listed=agents if listed_kind == "agent" else tasks if listed_kind else (),
        question=question, has_draft=question is not None and question.asked is Asked.SLOTS, did=did,
        last=tuple(data.get("last", ())),
    )  # fmt: skip


def _played_scene(data: Mapping[str, Any]) -> Scene:
    """Return the scene of a turn of a dialogue that was played against the service."""
    scene = data["scene"]
    agents = tuple(Thing(str(at), one[0], " ".join(one[1:])) for at, one in enumerate(data.get("agents", ())))
    tasks = tuple(Thing(str(at), title) for at, title in enumerate(data.get("tasks", ())))
    known = {one.name: one for one in (*agents, *tasks)}
    asked = scene.get("asked")
    question = None
    if asked:
        options = tuple(known.get(name) or Thing(name, name) for name in asked.get("options", ()))
        question = Question(Asked(asked["q"]), tuple(asked.get("slots", ())), options, asked.get("of", ""))
    focus, listed = scene.get("focus"), scene.get("listed", "")
    return Scene(
        now=_NOW, zone="Europe/London", agents=agents, read_tasks=lambda: tasks,
        focus_kind=scene.get("focus_kind", ""),
        focus=(known.get(focus) or Thing("?", focus)) if focus else None,
        listed_kind=listed, listed=agents if listed == "agent" else tasks if listed else (),
        question=question, has_draft=bool(scene.get("draft")), did=scene.get("did", ""),
        last=tuple(scene.get("last", ())),
    )  # fmt: skip


def to_question(
    data: Mapping[str, Any] | None, agents: Sequence[Thing], tasks: Sequence[Thing]
) -> Question | None:
    """Return the question that was asked right before, if any."""
    if not data:
        return None
    asked = str(data["q"])
    if asked == "confirm":
        deed = str(data.get("of", "")).split()
        return Question(Asked.CONFIRM, of=_DEEDS.get(deed[0], deed[0]) if deed else "")
    if asked == "which":
        deed = str(data.get("of", "")).split()
        noun = deed[1].rstrip("s") if len(deed) > 1 else "agent"
        options = tuple(
            next((one for one in (*agents, *tasks) if one.name == name), Thing(name, name))
            for name in data.get("options", ())
        )
        return Question(Asked.WHICH, options=options, of=f"{noun}.{deed[0]}" if deed else "")
    return Question(Asked.SLOTS, slots=tuple(asked.split("+")), of="agent.create")
