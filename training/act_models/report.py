"""The report on the act models for authors they haven't seen: ``python -m training.act_models.report``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from intent.acts.learned.act_model import ActModel
from training.act_models import corpus, train
from training.act_models.corpus import SLOTS, LabelledMessage
from training.act_models.validation import Figures, f1

REPORT = Path(__file__).parent.with_name("report") / "acts.md"
OWN = frozenset({"z", "z2"})
"""The authors of the exemplars that were written beside the models; they count as no unseen author."""
_PARTS = {"25%": 4, "50%": 2}
_PROCESSES = 2
_AUTHORS_PER_FOLD = 2


def main() -> None:
    """Write the report: every author is judged by models that learned from other authors."""
    authors = sorted({one.author for one in _messages()} - OWN)
    folds = [tuple(authors[at : at + _AUTHORS_PER_FOLD]) for at in range(0, len(authors), _AUTHORS_PER_FOLD)]
    with ProcessPoolExecutor(_PROCESSES, mp_context=get_context("fork")) as pool:
        whole = {name: one for fold in pool.map(partial(judge, 1), folds) for name, one in fold.items()}
        parts = pool.map(judge, _PARTS.values(), [folds[0]] * len(_PARTS))
        curve = {name: _share(list(one.values())) for name, one in zip(_PARTS, parts, strict=True)}
    curve["100%"] = _share([whole[author] for author in folds[0]])
    REPORT.write_text("\n".join(_lines(whole, curve)) + "\n", encoding="utf-8")


@cache
def _messages() -> tuple[LabelledMessage, ...]:
    return (*corpus.load_messages(), *corpus.load_joined())


def judge(step: int, fold: Sequence[str]) -> dict[str, Figures]:
    """Return each author's figures by models that learned from every ``step``-th message of other folds."""
    others = [one for one in _messages() if one.author not in fold][::step]
    model = ActModel(train.train(others))
    found = {author: Figures() for author in fold}
    for one in _messages():
        if one.author in fold and not one.is_joined:
            found[one.author].add(model, one)
    return found


def _share(among: Sequence[Figures]) -> tuple[float, float]:
    """Return the shares of messages and of clauses that are right."""
    messages, clauses = Counter[str](), Counter[str]()
    for one in among:
        messages += one.messages
        clauses += one.clauses
    return messages["right"] / messages["all"], clauses["right"] / clauses["all"]


def _lines(whole: Mapping[str, Figures], curve: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    messages, clauses = _share(list(whole.values()))
    yield "# The reading of acts on authors it has not seen"
    yield ""
    yield "Each author is judged by models that saw neither them nor the next one. A message is right if its"
    yield f"acts are of the right kinds, all of them and in order: **{messages:.1%}**."
    yield f"Of single acts **{clauses:.1%}** are of the right kind."
    yield ""
    yield "| author | messages right | of | with one act | with several | acts right |"
    yield "|---|---|---|---|---|---|"
    for author, one in whole.items():
        count = one.messages
        yield (
            f"| {author} | {count['right'] / count['all']:.1%} | {count['all']}"
            f" | {count['one right'] / max(1, count['one']):.1%}"
            f" | {count['several right'] / max(1, count['several']):.1%}"
            f" | {one.clauses['right'] / one.clauses['all']:.1%} |"
        )
    yield ""
    yield "| learned from | messages right | acts right |"
    yield "|---|---|---|"
    yield from (f"| {name} | {share[0]:.1%} | {share[1]:.1%} |" for name, share in curve.items())
    yield ""
    yield "Spans of slots, given the act: the harmonic mean of recall and precision."
    yield ""
    yield "| slot | spans | exactly the same | overlapping |"
    yield "|---|---|---|---|"
    for slot in SLOTS:
        counts = Counter[str]()
        for one in whole.values():
            counts += one.spans.get(slot, Counter())
        exact = f1(counts["right"], counts["said"], counts["right"], counts["found"])
        near = f1(counts["said near"], counts["said"], counts["found near"], counts["found"])
        yield f"| {slot} | {counts['said']} | {exact:.1%} | {near:.1%} |"
    yield ""
    confused = Counter[tuple[str, str]]()
    for one in whole.values():
        confused += one.confused
    yield "| meant | read as | times |"
    yield "|---|---|---|"
    yield from (f"| {meant} | {read} | {times} |" for (meant, read), times in confused.most_common(20))


if __name__ == "__main__":
    main()
