"""Commands and answers whose words alone are certain, and the places that a clause turns down."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from intent.acts.act import ActKind, Span, Thing
from intent.acts.asides import without_asides
from intent.acts.clauses import Clause
from intent.acts.commands import begins_command, read_command
from intent.acts.learned.marked_tokens import MarkedToken, mark_message
from intent.acts.places import wanted_places
from intent.acts.plain_answers import ends_reply, read_answer
from intent.acts.politeness import blank_politeness
from intent.acts.scene import Asked, Question, Scene
from intent.acts.tokens import tokenise

AGENTS = (Thing("a1", "stock-daily"), Thing("a2", "rota-check"))
TASKS = (Thing("t1", "feed the cat"), Thing("t2", "call Ben"))


def marked(message: str) -> tuple[MarkedToken, ...]:
    return mark_message(message, AGENTS, TASKS).tokens


def answer(message: str, asked: Asked, of: str = "agent.delete", **more: object) -> ActKind | None:
    question = Question(asked, of=of, **more)  # type: ignore[arg-type]
    scene = Scene(now=datetime(2026, 3, 2, 9, tzinfo=UTC), zone="UTC", agents=AGENTS, question=question)
    return read_answer(marked(message), scene)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("please put stock-daily on hold for now", ActKind.PAUSE_AGENT),
        ("stop sharing rota-check", ActKind.UNSHARE_AGENT),
        ("let everyone in the company use rota-check", None),
        ("let the whole company use rota-check", ActKind.SHARE_AGENT),
        ("let me see rota-check", None),
        ("mark call Ben as done", ActKind.COMPLETE_TASK),
        ("mark call Ben as not done", ActKind.REOPEN_TASK),
        ("I just wanted to see my agents", ActKind.LIST_AGENTS),
        ("pause stock-daily and mail it to Ben", None),
        ("don't pause stock-daily", None),
    ],
)
def test_a_verb_with_whole_names_is_a_command(message: str, kind: ActKind | None) -> None:
    assert read_command(marked(message)) is kind


def test_a_command_begins_behind_a_joint_unless_it_is_to_be_told_later() -> None:
    assert begins_command(marked("run stock-daily and pause rota-check"), 2)
    assert not begins_command(marked("remind me to ring Ann and pause rota-check"), 5)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("no, never mind", ActKind.NO),
        ("Yes please!", ActKind.YES),
        ("leave both of them open", ActKind.NO),
        ("keep it for 60 days", None),
        ("I'll leave that to you", None),
        ("I meant rota-check", ActKind.PICK),
        ("pause rota-check", None),
    ],
)
def test_an_answer_to_a_question_for_a_yes(message: str, kind: ActKind | None) -> None:
    assert answer(message, Asked.CONFIRM) is kind


def test_the_name_of_an_option_is_a_choice_whatever_leads_in_to_it() -> None:
    assert answer("but only call Ben", Asked.WHICH, "task.complete", options=TASKS) is ActKind.PICK
    assert answer("but only call Ben", Asked.WHICH, "task.complete", options=TASKS[:1]) is None
    assert answer("move call Ben to Friday", Asked.WHICH, "task.complete", options=TASKS) is None


def test_a_single_word_is_the_name_that_was_asked_for() -> None:
    assert answer("then shift-check", Asked.SLOTS, "agent.change", slots=("name",)) is ActKind.ANSWER
    assert answer("then shift-check", Asked.SLOTS, "agent.change", slots=("when",)) is None


def test_a_reply_ends_at_a_mark_and_not_before_a_noun() -> None:
    assert ends_reply(marked("no, run stock-daily"), 2)
    assert not ends_reply(marked("no mail, post it to #dock"), 1)


def test_reasons_that_say_nothing_else_are_left_out() -> None:
    kept = without_asides(marked("We talked about it in the team. Pause stock-daily, my boss asked for it."))
    assert " ".join(token.token.text for token in kept) == "Pause stock-daily ,"
    told = marked("My boss wants it at nine. Pause stock-daily.")
    assert without_asides(told) == told


def test_places_that_are_turned_down_are_none_where_results_go() -> None:
    words = "no mail, post it to Slack #dock"
    clause = Clause(words, tokenise(words))
    tagged = Span(words[3:], 3, len(words))
    addresses = (Span("mail", 3, 7), Span("to Slack", 17, 25), Span("#dock", 26, 31))
    assert wanted_places(clause, [tagged], addresses) == [*addresses[1:]]
    assert wanted_places(clause, (), addresses) == [*addresses[1:]]


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Would you mind pausing rota-check?", "pause   rota-check?"),
        ("we talked, so could you please run it", "we talked, so                  run it"),
        ("It would be lovely if you could run it", "run it"),
        ("Any chance you can stop rota-check", "stop rota-check"),
        ("let's run it", "run it"),
        ("Could you run rota-check?", "run rota-check?"),
        ("Could you run agents?", "Could you run agents?"),
        ("I want you to know that it failed", "I want you to know that it failed"),
        ("let me know if you can run it daily", "let me know if you can run it daily"),
        ("mind the gap", "mind the gap"),
    ],
)
def test_the_frame_of_a_request_is_left_out(message: str, left: str) -> None:
    assert blank_politeness(message, ["rota-check"]).strip() == left


@pytest.mark.parametrize(
    "words",
    ["dump them into #dock", "drop it in #dock", "don't forget to post it to #dock", "why not post to #dock"],
)
def test_a_place_that_is_only_spoken_of_roughly_is_wanted(words: str) -> None:
    clause = Clause(words, tokenise(words))
    start = words.index("#dock")
    assert wanted_places(clause, (), (Span("#dock", start, start + 5),))
