"""Setting an agent up in conversation, with everything that may come between."""

from __future__ import annotations

import pytest

from agent.workspace.delivery_targets import Channel
from conversation.identity import TurnId
from conversation.tenants.policy import Limits, TenantPolicy
from intent.decision import ActionType
from storage.errors import TransactionRefused
from tests.fakes.data.chat_session import CONVERSATION, Talk

MONITOR = "Create an agent that monitors our Jira board for overdue tickets"
PAIN = "We waste hours every Monday compiling project updates from Notion."
ALL_SAID = "Create an agent that reports project updates from Notion every Monday at 9 and emails me"


ASKED = "When should it run, and where should I send the results: by e-mail, to Slack or here?"


def begun(message: str = MONITOR) -> Talk:
    talk = Talk()
    talk.classify_and_answer(message)
    assert talk.history[-1].note.draft is not None
    return talk


def names(talk: Talk) -> list[str]:
    return [agent.name for agent in talk.agents()]


def test_a_direct_wish_that_says_everything_is_done_at_once() -> None:
    talk = Talk()

    said = talk.classify_and_answer(ALL_SAID)

    assert names(talk) == ["notion-reporter"]
    assert said.note.did == "created the agent notion-reporter"


@pytest.mark.parametrize(
    "answer",
    [
        "never mind",
        "forget it",
        "no thanks",
        "actually bin that, my manager says no",
    ],
)
def test_an_offer_turned_down_leaves_nothing(answer: str) -> None:
    talk = begun(PAIN)

    said = talk.classify_and_answer(answer)

    assert said.note.draft is None
    assert talk.agents() == []


@pytest.mark.parametrize("answer", ["yes, and send it to Slack", "Sure, to Slack please", "Slack"])
def test_an_answer_may_say_more_than_yes_and_less_than_everything(answer: str) -> None:
    talk = begun(PAIN)

    talk.classify_and_answer(answer)
    assert talk.agents() == []
    talk.classify_and_answer("at 9")

    [agent] = talk.agents()
    assert (agent.sources, agent.delivery.channels) == (("notion",), (Channel.SLACK,))


def test_other_requests_are_answered_and_the_setup_goes_on_where_it_was() -> None:
    talk = begun()
    asked = talk.history[-1].note

    for message in ("What agents do I have?", "what time is it?", "thanks"):
        said = talk.classify_and_answer(message)
        assert said.note.draft == {**(asked.draft or {}), "is_recalled": True}
        assert said.text.endswith(ASKED) is (message == "What agents do I have?")
    assert talk.classify_and_answer("ok where were we").text.endswith(ASKED)
    talk.classify_and_answer("Slack")
    talk.classify_and_answer("every morning")

    assert len(talk.agents()) == 1


def test_a_question_that_waits_for_a_yes_is_not_buried_under_the_setup() -> None:
    talk = begun()
    talk.create("old-bot")

    question = talk.classify_and_answer("delete old-bot")
    done = talk.classify_and_answer("yes")

    assert question.text == "Shall I delete old-bot?"
    assert question.note.draft
    assert done.text.endswith(ASKED)
    assert done.note.draft
    assert talk.agents() == []


@pytest.mark.parametrize(
    "words", ["cancel", "Never mind", "forget it", "ok stop", "drop it please", "actually, cancel that"]
)
def test_a_setup_can_be_cancelled_half_way(words: str) -> None:
    talk = begun()

    said = talk.classify_and_answer(words)
    after = talk.classify_and_answer("hello")

    assert said.text == "OK, I've dropped it. Nothing was saved."
    assert (said.note.draft, after.note.draft) == (None, None)
    assert talk.agents() == []


def test_words_that_merely_contain_cancel_cancel_nothing() -> None:
    said = begun().classify_and_answer("past due date, but only cancelled orders in the SHOP project")

    assert said.note.draft


@pytest.mark.parametrize("words", ["later", "maybe later"])
def test_later_keeps_the_setup(words: str) -> None:
    talk = begun()

    said = talk.classify_and_answer(words)
    back = talk.classify_and_answer("go on")

    assert said.note.draft
    assert "go on" in said.text
    assert "overdue tickets, from Jira. When should it run" in back.text


@pytest.mark.parametrize("action", list(ActionType))
def test_a_plain_answer_counts_whatever_the_message_was_taken_for(action: ActionType) -> None:
    talk = begun("Create an agent that reports project updates from Notion every Monday at 9")

    talk.say("Send it to Slack", action, confidence=0.3)

    assert len(talk.agents()) == 1


def test_a_second_wish_is_carried_out_and_the_first_goes_on_afterwards() -> None:
    talk = begun()

    second = talk.classify_and_answer(ALL_SAID)
    assert names(talk) == ["notion-reporter"]
    talk.classify_and_answer("every day at 9, here")

    assert "The agent for overdue tickets is still open." in second.text
    assert names(talk) == ["jira-overdue-monitor", "notion-reporter"]


def test_an_agent_just_created_can_be_changed_by_a_second_thought() -> None:
    talk = Talk()
    talk.classify_and_answer(ALL_SAID)

    said = talk.classify_and_answer("actually make it daily")

    [agent] = talk.agents()
    assert agent.schedule
    assert (agent.schedule.cron, agent.version) == ("0 9 * * *", 2)
    assert said.text == "notion-reporter now runs daily at 9:00 AM."


def test_a_name_that_is_taken_gets_a_number_and_the_reply_says_so() -> None:
    talk = Talk()
    talk.classify_and_answer(ALL_SAID)

    said = talk.classify_and_answer(ALL_SAID)

    assert names(talk) == ["notion-reporter", "notion-reporter-2"]
    assert "notion-reporter-2" in said.text


def test_the_limit_of_the_policy_is_told_and_the_setup_kept() -> None:
    talk = Talk()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(limits=Limits(agents_per_user=1)))
    old = talk.create("old-bot")

    refused = talk.classify_and_answer(ALL_SAID)
    talk.store.delete(talk.caller, old.id)
    talk.classify_and_answer("go on")

    assert "the most there can be" in refused.text
    assert refused.note.draft
    assert names(talk) == ["notion-reporter"]


def test_a_turn_thought_through_again_makes_the_same_agent() -> None:
    talk = Talk()
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    first, second = (talk.answer(turn_id, ALL_SAID, talk.classify(ALL_SAID)) for _ in range(2))
    table = talk.tables.for_tenant(talk.caller.tenant)

    table.transact(first.effects)
    with pytest.raises(TransactionRefused):
        table.transact(second.effects)

    assert first == second
    assert len(talk.agents()) == 1


def test_a_name_taken_meanwhile_leads_to_another_name_on_the_second_thought() -> None:
    talk = Talk()
    turn_id = str(TurnId.make(CONVERSATION, talk.clock.now()))
    late = talk.answer(turn_id, ALL_SAID, talk.classify(ALL_SAID))
    talk.create("notion-reporter")
    table = talk.tables.for_tenant(talk.caller.tenant)

    with pytest.raises(TransactionRefused):
        table.transact(late.effects)
    table.transact(talk.answer(turn_id, ALL_SAID, talk.classify(ALL_SAID)).effects)

    assert names(talk) == ["notion-reporter", "notion-reporter-2"]


def test_where_were_we_names_what_waits_for_a_yes_or_what_was_done_last() -> None:
    talk = Talk()
    talk.create("old-bot")
    fresh = talk.classify_and_answer("where were we?")
    talk.classify_and_answer("delete old-bot")

    waiting = talk.classify_and_answer("Where were we?")
    assert names(talk) == ["old-bot"]
    talk.classify_and_answer("yes")
    done = talk.classify_and_answer("where did we leave off?")

    assert "Nothing is unfinished" in fresh.text
    assert waiting.text == "Shall I delete old-bot?"
    assert "deleted old-bot" in done.text
    assert talk.agents() == []


@pytest.mark.parametrize("words", ["I don't know", "no idea, sorry"])
def test_words_that_answer_nothing_are_no_place_where_data_lives(words: str) -> None:
    talk = begun("make an agent that tells me when the server is down")

    said = talk.classify_and_answer(words)

    assert "Which system or sheet has the data?" in said.text
    assert talk.agents() == []


def test_an_agent_named_by_its_job_alone_is_not_asked_for_it() -> None:
    said = Talk().classify_and_answer("create a travel expenses agent")

    assert said.text.startswith("OK: travel expenses. Which system or sheet has the data, when should it run")


def test_another_question_is_no_answer_to_the_setup() -> None:
    talk = begun("create an agent")
    asked = talk.history[-1].note

    said = talk.classify_and_answer("how long are chats kept?")

    assert said.note.draft == {**(asked.draft or {}), "is_recalled": True}
    assert "What should it watch or report" in said.text


def test_the_unfinished_agent_is_shown_when_it_is_asked_for() -> None:
    talk = begun("make an agent that collects Notion updates")

    assert "Notion" in talk.classify_and_answer("show it").text


@pytest.mark.parametrize(
    ("request_", "job", "name"),
    [
        ("every weekday at 7am look in our Google Calendar and tell me who's in today, here please",
         "who's in today", "google-calendar-agent"),
        ("every Friday at 4pm go through Planday and tell me who's off, here please",
         "who's off", "planday-off-agent"),
    ],
)  # fmt: skip
def test_a_question_that_a_request_passes_on_is_the_job_in_the_commonest_words(
    request_: str, job: str, name: str
) -> None:
    talk = Talk()

    talk.classify_and_answer(request_)

    [agent] = talk.agents()
    assert (agent.what, agent.name) == (job, name)


def test_the_question_what_it_does_is_not_answered_by_another_time() -> None:
    talk = Talk()
    talk.classify_and_answer("set up an agent for our Google Calendar, every weekday at 7am, here please")

    again = talk.classify_and_answer("make the calendar one half an hour earlier")
    assert talk.agents() == []
    talk.classify_and_answer("who comes for the first time")

    assert again.text == "OK: from Google Calendar, weekdays at 6:30 AM. What should it watch or report?"
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert (agent.what, agent.schedule.cron) == ("who comes for the first time", "30 6 * * 1-5")


def test_another_day_is_no_answer_to_at_what_time_and_what_is_better_is_no_source() -> None:
    talk = Talk()
    talk.classify_and_answer("every month on the 4th check the rents sheet for unpaid rents, here please")

    again = talk.classify_and_answer("actually the 5th is better for the sheet")
    assert talk.agents() == []
    talk.classify_and_answer("half eight")

    assert "the 5th of every month. At what time?" in again.text
    [agent] = talk.agents()
    assert agent.schedule is not None
    assert agent.schedule.cron == "30 8 5 * *"
    assert "better" not in agent.sources
