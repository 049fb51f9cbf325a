"""Words of a task that its own sentence corrects: only what is meant in the end is on the list."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def _titles(*says: str, tasks: tuple[str, ...] = ()) -> list[str]:
    talk = Talk()
    for title in tasks:
        talk.classify_and_answer(f'add the task "{title}"')
    for say in says:
        talk.classify_and_answer(say)
    return [task.title for task in talk.tasks.list(talk.caller, completed=None, limit=9)[0]]


@pytest.mark.parametrize(
    ("say", "title"),
    [
        ("remind me to call Dave, no sorry, Derek, on thursday at 11am", "call Derek"),
        ("add a task: order 20, I mean 30 chairs by friday", "order 30 chairs"),
        ("remind me at 9 to email Susan, sorry, Suzanne about the keys", "email Suzanne about the keys"),
        ("put buy milk, wait no, oat milk on my list", "buy oat milk"),
        ("remind me to ring the plumber, no, the electrician, tomorrow at 10", "ring the electrician"),
    ],
)  # fmt: skip
def test_the_word_that_is_taken_back_is_not_in_the_title(say: str, title: str) -> None:
    assert [" ".join(one.split()) for one in _titles(say)] == [title]


@pytest.mark.parametrize(
    ("say", "title"),
    [
        ("remind me to say sorry to Dave on thursday at 11am", "say sorry to Dave"),
        ("remind me to call Anna, Bob and Eve on thursday", "call Anna, Bob and Eve"),
    ],
)
def test_what_corrects_nothing_stays_in_the_title(say: str, title: str) -> None:
    assert _titles(say) == [title]


@pytest.mark.parametrize(
    "say",
    [
        'can you call the task "logo stuff" "send final logo files" instead?',
        'please name "logo stuff" "send final logo files" from now on',
        'call the "logo stuff" task "send final logo files"',
    ],
)
def test_a_task_named_by_two_titles_gets_the_second(say: str) -> None:
    assert _titles(say, tasks=("logo stuff",)) == ["send final logo files"]


def test_two_quoted_titles_without_a_task_of_the_first_are_two_tasks() -> None:
    assert sorted(_titles('add the tasks "call Bo" and "ring Jo"')) == ["call Bo", "ring Jo"]
