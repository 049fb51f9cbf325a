"""A dialogue is played as a person would hold it, and judged by how it went."""

from __future__ import annotations

from datetime import timedelta

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.reply import Reply
from tests.fakes.data.dialogue_script import AGENT, NONE, ONE, Step, played

CASE: Json = {
    "turns": [{"say": "I need a cash report"}],
    "answers": {"when": "mondays at 9", "where": "slack", "confirm": "yes", "source": None},
    "expect": [{"end": {"agents": [{"name": "cash"}], "agents_exactly": 1}}],
}
SAVED: Step = ("Saved.", {"agents": (AGENT,)})


def test_what_is_asked_is_answered_until_the_goal_is_reached() -> None:
    result, heard = played(
        CASE, NONE, ("When should it run, and where should I send it?", {}), ("Shall I save it?", {}), SAVED
    )

    assert heard == ["I need a cash report", "slack, mondays at 9", "yes"]
    assert result.passed
    assert not result.clean


def test_without_further_turns_it_is_clean() -> None:
    result, _ = played(CASE, NONE, ("Saved: cash-report.", {"agents": (AGENT,)}))

    assert result.clean
    assert result.turns[0].marks == []


def test_what_has_no_answer_is_not_known_twice() -> None:
    asks: Step = ("Where does the data live?", {})
    result, heard = played(CASE, NONE, asks, asks, asks)

    assert heard[1:] == ["I don't know", "I don't know"]
    assert not result.passed
    assert [turn.marks for turn in result.turns] == [[], ["repeat"], ["repeat"]]


def test_there_are_no_more_further_turns_than_allowed() -> None:
    result, heard = played({**CASE, "max_extra": 1}, NONE, ("Shall I?", {}), ("Shall I?", {}), SAVED)

    assert len(heard) == 2
    assert not result.passed


def test_nobody_says_the_same_again_to_the_same_words() -> None:
    asks: Step = ("What should it do, and when should it run?", {})
    _, heard = played({**CASE, "max_extra": 9}, NONE, *[asks] * 5)

    assert heard[1:] == ["mondays at 9"]


def test_who_wants_another_time_says_so_once() -> None:
    result, heard = played(
        CASE,
        NONE,
        ("I'd run it every Monday at 8:00 AM. Shall I?", {}),
        ("Only 8:00 AM is free. Shall I?", {}),
        SAVED,
    )

    assert heard[1:] == ["yes, but mondays at 9", "yes"]
    assert result.passed


def test_the_goal_is_said_in_other_words_once() -> None:
    case = {**CASE, "answers": {**CASE["answers"], "rephrase": "a report of our cash"}}
    _, heard = played(case, NONE, ("What would you like me to do?", {}), ("How can I help?", {}))

    assert heard == ["I need a cash report", "a report of our cash"]


def test_nobody_agrees_to_a_deletion_that_nobody_wanted() -> None:
    _, heard = played(CASE, NONE, ("Do you really want to delete everything?", {}), ("Kept.", {}))

    assert heard[1] == "no"


def test_a_menu_is_answered_by_the_option_that_fits_the_goal() -> None:
    case = {
        "kind": ["task"],
        "turns": [{"say": "renew my passport"}],
        "expect": [{"end": {"tasks_exactly": 1}}],
    }
    menu = "Choose a number:\n1. Create a new agent\n2. Put it on your list"
    result, heard = played(case, NONE, (menu, {}), ("Hm.", {}))

    assert heard[1] == "2"
    assert "menu" in result.turns[0].marks
    assert not result.clean


def test_what_is_there_already_is_not_chosen_again() -> None:
    case = {
        **CASE,
        "kind": ["create", "task"],
        "expect": [{"end": {"agents_exactly": 1, "tasks_exactly": 1}}],
    }
    menu: Step = ("Choose a number:\n1. Create a new agent\n2. Nothing", {})

    assert len(played(case, NONE, menu)[1]) == 2
    assert len(played(case, ONE, menu)[1]) == 1


def test_a_settled_turn_comes_behind_what_was_still_asked() -> None:
    case = {
        **CASE,
        "turns": [{"say": "a"}, {"say": "b", "after": "2d", "settle": True}],
        "expect": [{"turn": 2, "reply_has": ["two"]}, {"last": {"reply_has": ["two"]}}],
    }
    result, heard = played(case, NONE, ("Shall I?", {}), SAVED, ("two", {}))

    assert heard == ["a", "yes", timedelta(days=2), "b"]
    assert result.passed, "turn 2 is the second one said, not the second reply"


def test_the_state_may_be_judged_behind_a_turn() -> None:
    case = {**CASE, "expect": [{"at": 1, "state": {"agents_exactly": 1}}]}
    result, _ = played(case, NONE, ("ok", {}))

    assert result.unmet == ["at 1: agents_exactly 1, there are 0"]


def test_a_claim_without_a_change_is_a_false_claim() -> None:
    result, _ = played(CASE, NONE, ("Perfect, your agent is saved.", {}))

    assert "false claim" in result.turns[0].marks
    assert not result.passed


def test_a_change_without_a_word_is_a_silent_change() -> None:
    case = {"turns": [{"say": "what's the weather?"}], "expect": [{"end": {"agents_exactly": 1}}]}
    result, _ = played(case, ONE, ("It is sunny.", {"agents": ()}))

    assert "silent change" in result.turns[0].marks
    assert not result.passed


def test_a_turn_that_ends_in_an_error_fails_the_dialogue() -> None:
    case = {**CASE, "turns": [{"say": "hi"}], "expect": [{"end": {"agents_exactly": 0}}]}
    result, _ = played(case, NONE, (Reply("", error="500"), {}))

    assert "error" in result.turns[0].marks
    assert not result.passed


def test_jargon_is_marked_unless_the_user_used_it() -> None:
    case = {**CASE, "turns": [{"say": "hi"}, {"say": "a webhook"}]}
    result, _ = played(case, NONE, ("Give me an MCP server.", {}), ("A webhook then.", {}))

    assert "jargon" in result.turns[0].marks
    assert "jargon" not in result.turns[1].marks


def test_a_reply_of_more_than_sixty_words_is_long() -> None:
    assert "long" not in played(CASE, NONE, ("word " * 60, {}))[0].turns[0].marks
    assert "long" in played(CASE, NONE, ("word " * 61, {}))[0].turns[0].marks
