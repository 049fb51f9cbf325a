"""What messages are read as in the scene they are said in, with the shipped weights."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import pytest

from intent.acts.act import Act, ActKind, Thing
from intent.acts.learned.act_model import load_model
from intent.acts.reader import ActReader
from intent.acts.scene import Asked, Question, Scene

NOW = datetime(2026, 9, 7, 9, tzinfo=UTC)
EMPTY = Scene(now=NOW, zone="UTC")
TASKS = tuple(
    Thing(f"t{place}", title) for place, title in enumerate(("buy flour", "call Ana", "order boxes"))
)
LISTED = Scene(
    now=NOW, zone="UTC", read_tasks=lambda: TASKS, listed_kind="task", listed=TASKS, did="task.list"
)
TOLD_A_TIME = Scene(
    now=NOW, zone="UTC", read_tasks=lambda: TASKS[:1], focus_kind="task", focus=TASKS[0], did="task.add"
)
AGENT = Thing("a", "stock-check", "stock that runs low")
ON_AGENT = Scene(now=NOW, zone="UTC", agents=(AGENT,), focus_kind="agent", focus=AGENT, did="agent.change")


@cache
def reader() -> ActReader:
    model = load_model()
    assert model is not None
    return ActReader(model)


def read(message: str, scene: Scene = EMPTY) -> Act:
    """Return the only act of a message."""
    (act,) = reader().read(message, scene)
    return act


@pytest.mark.parametrize(
    "message",
    [
        "Hi, I run a small bakery and someone told me you can take work off my hands?",
        "hello, a friend who has a nail salon says you'd save me a lot of bother?",
    ],
)
def test_somebody_who_tells_of_their_trade_has_asked_for_no_agent(message: str) -> None:
    assert read(message).kind is ActKind.UNSURE


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("hmm wait, thursday is better, friday I'm at the market", "thursday"),
        ("mondays don't work for me so sundays then", "sundays"),
        ("tuesday would suit me better, wednesday the kids are off", "tuesday"),
        ("wait, not wednesday, my sister visits. saturday instead", "saturday"),
    ],
)
def test_of_two_days_the_preferred_one_is_meant(message: str, wanted: str) -> None:
    for scene, kind in ((TOLD_A_TIME, ActKind.CHANGE_TASK), (ON_AGENT, ActKind.CHANGE_AGENT)):
        act = read(message, scene)
        assert act.kind is kind
        assert wanted in act.slot("when").lower()


@pytest.mark.parametrize("message", ["8 instead", "no, make it 8", "sorry, i meant 8"])
def test_a_bare_hour_corrects_the_time_just_set(message: str) -> None:
    act = read(message, TOLD_A_TIME)

    assert (act.kind, act.meant.things, act.slot("when")) == (ActKind.CHANGE_TASK, TASKS[:1], "at 8")


@pytest.mark.parametrize(
    ("message", "places"),
    [
        ("1 and 3 are done", (0, 2)),
        ("tick off 2 and 3", (1, 2)),
        ("the first and the last one are done", (0, 2)),
        ("1 to 3 are done", (0, 1, 2)),
    ],
)
def test_numbers_mean_the_tasks_of_the_last_list(message: str, places: tuple[int, ...]) -> None:
    act = read(message, LISTED)

    assert act.kind is ActKind.COMPLETE_TASK
    assert act.meant.things == tuple(TASKS[place] for place in places)


@pytest.mark.parametrize(
    "message",
    [
        "I need two agents: one that lists unpaid invoices on Mondays, and another one that watches a.com",
        "set up one that mails me new Shopify orders daily at 7 and a second one that posts late parcels",
    ],
)
def test_two_agents_asked_for_in_one_message_are_two_acts(message: str) -> None:
    assert [act.kind for act in reader().read(message, EMPTY)] == [ActKind.CREATE_AGENT] * 2


@pytest.mark.parametrize("message", ["who can read all this by the way?", "does all of this cost anything?"])
def test_a_question_about_privacy_or_cost_is_about_the_product(message: str) -> None:
    assert read(message, ON_AGENT).kind is ActKind.ASK_PRODUCT


def test_who_sees_an_agent_is_asked_of_the_agent() -> None:
    assert read("who can see stock-check?", ON_AGENT).kind is ActKind.SHOW_AGENT


@pytest.mark.parametrize("message", ["what have I got set up now?", "show me everything I've set up"])
def test_what_is_set_up_is_asked_of_the_whole_workspace(message: str) -> None:
    assert read(message, replace(ON_AGENT, did="")).kind is ActKind.ASK_WORKSPACE


@pytest.mark.parametrize("message", ["pause it", "ok pause that for now"])
def test_a_command_is_no_answer_to_the_question_for_a_source(message: str) -> None:
    asked = Question(Asked.SLOTS, ("source",), of="agent.create")
    assert read(message, replace(EMPTY, question=asked, has_draft=True)).kind is ActKind.PAUSE_AGENT


@pytest.mark.parametrize("message", ["run it on Thursdays at 4pm", "please start it every day at noon"])
def test_running_at_times_that_come_again_is_a_schedule(message: str) -> None:
    assert read(message, ON_AGENT).kind is ActKind.CHANGE_AGENT


AGENTS = (AGENT, Thing("b", "late-orders", "orders that are late"))


@pytest.mark.parametrize(
    ("message", "kind", "place"),
    [
        ("Could you start the second on the list?", ActKind.RUN_AGENT, 1),
        ("go on and kick off the first one on that list", ActKind.RUN_AGENT, 0),
        ("please delete the last on the list", ActKind.DELETE_AGENT, 1),
        ("fire up number two on the list, please", ActKind.RUN_AGENT, 1),
    ],
)
def test_a_place_in_a_list_of_agents_is_no_task(message: str, kind: ActKind, place: int) -> None:
    listed = replace(EMPTY, agents=AGENTS, listed_kind="agent", listed=AGENTS, did="agent.list")

    act = read(message, listed)

    assert (act.kind, act.meant.things) == (kind, (AGENTS[place],))


def test_what_is_to_be_added_is_a_task_whatever_was_listed() -> None:
    listed = replace(EMPTY, agents=AGENTS, listed_kind="agent", listed=AGENTS, did="agent.list")

    assert read("put start the second draft on the list", listed).kind is ActKind.ADD_TASK


PARTED = tuple(Thing(name, name) for name in ("fridge-temps", "expiry-watch", "refill-calls"))


@pytest.mark.parametrize(
    "message",
    [
        "we shut for the refit tonight so pause everything except fridge-temps, the fridges stay on",
        "delete all agents but fridge-temps",
        "pause everything apart from fridge-temps until monday",
        "please stop all of them, not fridge-temps",
    ],
)
def test_what_is_excepted_is_never_meant(message: str) -> None:
    scene = replace(EMPTY, agents=PARTED, focus_kind="agent", focus=PARTED[0], did="agent.create")
    for act in reader().read(message, scene):
        assert PARTED[0] not in act.meant.things


def test_numbered_requests_keep_their_numbers_out_of_names_and_sums() -> None:
    acts = reader().read(
        "2 things pls:\n1) rename stock-check to stock-north\n2) a task for me: count the crates",
        replace(EMPTY, agents=(AGENT,)),
    )

    assert [act.kind for act in acts] == [ActKind.CHANGE_AGENT, ActKind.ADD_TASK]
    assert acts[0].slot("name") == "stock-north"


@pytest.mark.parametrize("message", ["all 3 done?", "both done now?", "so are they all sorted?"])
def test_whether_all_is_done_is_a_question(message: str) -> None:
    assert read(message, replace(ON_AGENT, read_tasks=lambda: TASKS)).kind is ActKind.ASK_WORKSPACE


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("what I actually need is only that you pause stock-check", ActKind.PAUSE_AGENT),
        ("all I want is for you to pause stock-check", ActKind.PAUSE_AGENT),
        ("if it can be arranged, could someone get stock-check running again", ActKind.RESUME_AGENT),
        ("My boss would like to know if it can be arranged that stock-check is paused", ActKind.PAUSE_AGENT),
    ],
)
def test_a_request_wrapped_in_other_words_is_read_as_the_request(message: str, kind: ActKind) -> None:
    assert read(message, replace(EMPTY, agents=(AGENT,))).kind is kind


@pytest.mark.parametrize(
    "message",
    ["does a paused agent still count towards how many I can have?", "do stopped agents cost anything?"],
)
def test_a_question_about_agents_in_general_is_one_about_the_product(message: str) -> None:
    assert read(message, replace(EMPTY, agents=(AGENT,))).kind is ActKind.ASK_PRODUCT


@pytest.mark.parametrize("did", ["", "remember", "task.add"])
def test_a_command_that_a_task_only_says_is_no_command(did: str) -> None:
    scene = replace(EMPTY, agents=(AGENT,), read_tasks=lambda: TASKS, did=did)

    kinds = [
        act.kind
        for act in reader().read("Why is there a task that says pause stock-check now? I only ask.", scene)
    ]

    assert ActKind.PAUSE_AGENT not in kinds


def test_what_somebody_only_tells_of_a_state_is_no_wish() -> None:
    message = "I asked that stock-check be paused last week, was it?"
    kinds = [act.kind for act in reader().read(message, replace(EMPTY, agents=(AGENT,)))]

    assert ActKind.PAUSE_AGENT not in kinds


@pytest.mark.parametrize(
    "message",
    [
        "Could you make a copy of year7-absences",
        "actually make that quarter to seven, half six is a bit keen",
        "how much had Lopez",
        "and if i go on vacaton how i stop one for 2 weeks",
        "set the table for 12",
    ],
)
def test_what_names_no_setting_is_not_about_the_policy(message: str) -> None:
    open_ = replace(EMPTY, has_draft=True, question=Question(Asked.SLOTS, ("where",), of="agent.create"))
    kinds = {act.kind for scene in (EMPTY, open_) for act in reader().read(message, scene)}
    assert not kinds & {ActKind.SHOW_POLICY, ActKind.SET_POLICY}


def test_a_short_answer_about_the_setting_just_talked_about_may_be_on_the_policy() -> None:
    on_policy = replace(EMPTY, last=("policy.show",))
    assert read("make it a year", on_policy).kind is ActKind.SET_POLICY
