"""Figures and transcripts of dialogues as they went: as values, as text, and as a Markdown page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.judgement import Played, Turn
from tests.evals.dialogues.reply import asked
from tests.evals.dialogues.state import short

WORST = 10
"""How many transcripts a report shows."""

_MARKS = {
    "false_claims": "false claim",
    "silent_changes": "silent change",
    "wrong_deeds": "wrong deed",
    "menus": "menu",
    "long_replies": "long",
    "repeats": "repeat",
    "jargon": "jargon",
}
_NOBODY = "unknown"


def summary(results: Sequence[Played]) -> Json:
    """What is counted over all dialogues; zero for none. `by_kind` and `by_author` hold shares of them."""
    turns = [turn for played in results for turn in played.turns]
    marks = Counter(mark for turn in turns for mark in turn.marks)
    share, total = _share(results), len(results)
    return {
        **share,
        "pass_rate": round(share["passed"] / total, 3) if total else 0.0,
        "clean_rate": round(share["clean"] / total, 3) if total else 0.0,
        "by_kind": _shares(results, lambda played: played.case["kind"]),
        "by_author": _shares(results, lambda played: [played.case.get("author", _NOBODY)]),
        **{name: marks[mark] for name, mark in _MARKS.items()},
        "errors": marks["error"] + sum(bool(played.broken) for played in results),
        "turns": len(turns),
        "extra_turns": sum(turn.number is None for turn in turns),
        "turns_per_dialogue": round(len(turns) / total, 2) if total else 0.0,
    }


def record(played: Played) -> Json:
    """A dialogue as it went, as plain values."""
    return {
        "id": played.case["id"],
        "kind": played.case["kind"],
        "passed": played.passed,
        "clean": played.clean,
        "unmet": played.unmet,
        "broken": played.broken,
        "turns": [_recorded(turn) for turn in played.turns],
    }


def transcript(played: Played) -> str:
    """A dialogue as it went, for people: said (`>`), answered (`<`), changed (`=`) and wrong (`!`, `✗`)."""
    case = played.case
    verdict = "clean" if played.clean else "passed" if played.passed else "FAILED"
    lines = [f"{verdict} {case['id']} [{' '.join(case['kind'])}] {case.get('persona', '')}".rstrip()]
    for turn in played.turns:
        lines += _lines_of(turn, case["turns"][turn.number - 1] if turn.number else {})
    if played.broken:
        lines.append(f"  could not be played: {played.broken}")
    return "\n".join([*lines, *(f"  ✗ {line}" for line in played.unmet)])


def table(counted: Mapping[str, object]) -> str:
    """A summary as lines of text."""
    lines = [_row("all", counted)]
    for part in ("by_author", "by_kind"):
        shares = counted[part]
        assert isinstance(shares, dict)
        lines += ["", *(_row(name, share) for name, share in shares.items())]
    return "\n".join([*lines, "", *(f"{name:<20}{counted[name]}" for name in _counts(counted))])


def worst(results: Iterable[Played]) -> list[Played]:
    """The dialogues that failed most expectations, the worst first, at most `WORST`."""
    failed = [played for played in results if not played.passed]
    return sorted(failed, key=lambda played: -_failures(played))[:WORST]


def markdown(results: Sequence[Played]) -> str:
    """A page with the rates by kind and author, what else is counted, and the worst transcripts."""
    counted = summary(results)
    sections = [
        f"# Dialogues\n\n{_sentence(counted)}",
        "## By kind\n\n" + _markdown_shares("kind", counted["by_kind"]),
        "## By author\n\n" + _markdown_shares("author", counted["by_author"]),
        "## What else is counted\n\n| | |\n|---|---|\n"
        + "\n".join(f"| {name.replace('_', ' ')} | {counted[name]} |" for name in _counts(counted)),
        f"## The {WORST} that failed most expectations",
        *(f"~~~~text\n{transcript(played)}\n~~~~" for played in worst(results)),
    ]
    return "\n\n".join(sections) + "\n"


def _share(results: Sequence[Played]) -> dict[str, int]:
    return {
        "passed": sum(played.passed for played in results),
        "clean": sum(played.clean for played in results),
        "total": len(results),
    }


def _shares(
    results: Sequence[Played], names_of: Callable[[Played], Sequence[str]]
) -> dict[str, dict[str, int]]:
    names = sorted({name for played in results for name in names_of(played)})
    return {name: _share([played for played in results if name in names_of(played)]) for name in names}


def _counts(counted: Mapping[str, object]) -> list[str]:
    """The figures of a summary that are no shares."""
    shares = {"passed", "clean", "total", "pass_rate", "clean_rate", "by_kind", "by_author"}
    return [name for name in counted if name not in shares]


def _failures(played: Played) -> int:
    errors = sum(bool(turn.reply.error) for turn in played.turns)
    return len(played.unmet) + errors + bool(played.broken)


def _recorded(turn: Turn) -> Json:
    return {
        "turn": turn.number,
        "say": turn.text,
        "reply": turn.reply.text,
        "error": turn.reply.error,
        "asked": asked(turn.reply, turn.after.names()),
        "changed": [f"{kind} {what}" for kind, what in turn.changed],
        "claimed": turn.claimed,
        "untold": [f"{kind} {what}" for kind, what in turn.untold],
        "marks": turn.marks,
    }


def _lines_of(turn: Turn, said: Mapping[str, str]) -> list[str]:
    passing = f"({said['after']} later) " if said.get("after") else ""
    fresh = "(new conversation) " if said.get("new_conversation") else ""
    reply = turn.reply.text if not turn.reply.error else f"[error: {turn.reply.error}]"
    lines = [
        f"  {turn.number or '+':>2} > {passing}{fresh}{turn.text}",
        "     < " + reply.replace("\n", "\n       "),
        *(f"     = {kind} {short(what)}" for kind, what in turn.changed),
    ]
    if turn.marks:
        why = "; ".join([*turn.claimed, *(f"{kind} {what}" for kind, what in turn.untold)])
        lines.append(f"     ! {', '.join(turn.marks)}{': ' + short(why) if why else ''}")
    return lines


def _row(name: str, share: Mapping[str, object]) -> str:
    passed, total = share["passed"], share["total"]
    assert isinstance(passed, int)
    assert isinstance(total, int)
    return f"{name:<20}{passed / max(1, total):7.1%}  {passed}/{total}  ({share['clean']} clean)"


def _sentence(counted: Json) -> str:
    return (
        f"{counted['passed']} of {counted['total']} dialogues passed ({counted['pass_rate']:.1%}), "
        f"{counted['clean']} of them without a further turn and without a menu."
    )


def _markdown_shares(heading: str, shares: Mapping[str, Mapping[str, int]]) -> str:
    rows = [
        (name, _rate(share), share["passed"], share["clean"], share["total"])
        for name, share in shares.items()
    ]
    lines = [(heading, "rate", "passed", "clean", "dialogues"), ("---",) * 5, *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _rate(share: Mapping[str, int]) -> str:
    return f"{share['passed'] / share['total']:.0%}"
