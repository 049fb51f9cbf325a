"""What people say besides yes and no to a question, and what is brought back without naming its sort."""

from __future__ import annotations

from agent.dialogue.confirmations import read_answer
from agent.dialogue.held_acts import AskedQuestion, HeldAct
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.scene import Asked
from tasks.task import TaskSpec
from tests.fakes.data.act_session import ActTalk

PRESS, ROTA, PARCELS = Thing("1", "press-clips"), Thing("2", "rota-check"), Thing("3", "parcels")


def act(kind: ActKind, text: str, *things: Thing, **slots: str) -> Act:
    span = Span(text, 0, len(text))
    return Act(kind, span, Meant(things=things), {name: Span(said, 0, 0) for name, said in slots.items()})


def asked(kind: ActKind, *things: Thing, by: Asked = Asked.CONFIRM, **slots: str) -> AskedQuestion:
    return AskedQuestion(asked=by, waiting=(HeldAct.of(act(kind, "it", *things, **slots)),))


NO, YES = act(ActKind.NO, "no,"), act(ActKind.YES, "yes,")


def test_another_thing_than_was_asked_about_is_asked_about_anew() -> None:
    question = asked(ActKind.DELETE_AGENT, PRESS)
    acts = [NO, act(ActKind.PICK, "I meant parcels", PARCELS)]
    left, wanted = read_answer(question, acts, "no, I meant parcels")
    assert left is None
    assert [(one.kind, one.meant.things) for one in wanted] == [(ActKind.DELETE_AGENT, (PARCELS,))]


def test_a_yes_to_all_but_one_leaves_that_one_out() -> None:
    question = asked(ActKind.DELETE_AGENT, PRESS, ROTA)
    left, wanted = read_answer(question, [YES], "yes, but not rota-check")
    assert left is not None
    assert left.waiting[0].things == (("1", "press-clips"),)
    assert [one.kind for one in wanted] == [ActKind.YES]


def test_a_yes_to_nothing_of_what_waits_is_a_no() -> None:
    question = asked(ActKind.DELETE_AGENT, PRESS)
    both = question.model_copy(
        update={"waiting": (*question.waiting, *asked(ActKind.DELETE_AGENT, ROTA).waiting)}
    )
    left, wanted = read_answer(both, [YES], "yes, but not rota-check")
    assert left is not None
    assert [held.things for held in left.waiting] == [(("1", "press-clips"),)]
    assert [one.kind for one in wanted] == [ActKind.YES]
    _, wanted = read_answer(both, [YES], "yes, but not press-clips and rota-check")
    assert [one.kind for one in wanted] == [ActKind.NO]


def test_details_told_with_an_answer_change_what_waits() -> None:
    question = asked(ActKind.CHANGE_AGENT, PRESS, when="at 8")
    acts = [NO, act(ActKind.CHANGE_AGENT, "make it 9", when="at 9")]
    left, wanted = read_answer(question, acts, "no, make it 9")
    assert left is not None
    assert left.waiting[0].slots == {"when": "at 9"}
    assert [one.kind for one in wanted] == [ActKind.YES]


def test_a_time_told_with_a_yes_is_that_of_the_task() -> None:
    question = asked(ActKind.ADD_TASK)
    left, wanted = read_answer(
        question, [act(ActKind.YES, "yes, every monday", when="every monday")], "yes, every monday"
    )
    assert left is not None
    assert left.waiting[0].slots == {"when": "every monday"}
    assert [one.kind for one in wanted] == [ActKind.YES]


def test_a_word_that_leads_in_to_another_wish_is_no_yes_to_a_doubt() -> None:
    doubt = asked(ActKind.ADD_TASK).model_copy(update={"is_doubt": True})
    remind = act(ActKind.ADD_TASK, "remind me tomorrow to write the postmortem")
    acts = [act(ActKind.YES, "ok one thing."), remind]
    assert read_answer(doubt, acts, "ok one thing. remind me tomorrow to write the postmortem")[1] == [remind]
    assert read_answer(doubt, [YES, remind], "yes, and remind me …")[1] == [YES, remind]


def test_a_yes_that_commands_another_deed_than_was_guessed_is_that_command() -> None:
    doubt = asked(ActKind.SHARE_AGENT, PRESS).model_copy(update={"is_doubt": True})
    left, wanted = read_answer(doubt, [act(ActKind.YES, "yes, delete")], "yes, delete")
    assert left is None
    assert [(one.kind, one.meant.things) for one in wanted] == [(ActKind.DELETE_AGENT, (PRESS,))]
    yes = act(ActKind.YES, "yes, share it")
    assert read_answer(doubt, [yes], "yes, share it") == (doubt, [yes])


def test_a_yes_before_a_choice_is_no_choice_itself() -> None:
    question = asked(ActKind.PAUSE_AGENT, by=Asked.WHICH)
    pick = act(ActKind.PICK, "rota-check", ROTA)
    assert read_answer(question, [YES, pick], "yes, rota-check") == (question, [pick])
    run = act(ActKind.RUN_AGENT, "run parcels", PARCELS)
    assert read_answer(question, [NO, run], "no, run parcels")[1] == [NO, run]


def test_a_yes_before_more_about_an_unfinished_agent_is_no_answer_of_its_own() -> None:
    more = act(ActKind.ANSWER, "from Airtable", source="Airtable")
    assert read_answer(None, [YES, more], "yes, from Airtable", has_draft=True) == (None, [more])
    assert read_answer(None, [YES], "yes", has_draft=True) == (None, [YES])


def test_a_deleted_task_comes_back_by_its_title_alone() -> None:
    talk = ActTalk()
    task, agent = talk.tasks.create(talk.caller, TaskSpec(title="buy napkins")), talk.create("rota-check")
    talk.tasks.delete(talk.caller, task.id)
    talk.store.delete(talk.caller, agent.id)
    assert "buy napkins" in talk.act("undelete buy napkins", ActKind.RESTORE_AGENT)
    assert [one.title for one in talk.tasks.list(talk.caller, completed=None, limit=9)[0]] == ["buy napkins"]
    assert talk.agents() == []
