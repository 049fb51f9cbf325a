"""Answers to what needs no agent and no task, on a real table."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest

from agent.dialogue.talk import texts
from intent.acts.act import ActKind as K
from tests.fakes.data.act_session import ActTalk

DAY_S = timedelta(days=1).total_seconds()


def test_a_sum_goes_on_from_the_sum_before() -> None:
    talk = ActTalk()
    talk.act_in_full("14 boxes of gloves at 23.75 each plus 20% vat, whats that?", K.SUM)

    split = talk.act_in_full("and split over our 3 surgeries?", K.SUM)
    whole = talk.act_in_full("sorry, what was it altogether before splitting?", K.RECALL)

    assert split.text == "399.00 ÷ 3 surgeries = 133.00"
    assert "= 399.00" in whole.text


def test_a_sum_takes_its_numbers_from_the_sentence_before() -> None:
    message = "we are 23 kids and the bus is 412 euro altogether, what does each one pay?"

    reply = ActTalk().act_in_full(
        message,
        (K.REMEMBER, "we are 23 kids and the bus is 412 euro altogether"),
        (K.SUM, "what does each one pay?"),
    )

    assert reply.text == "€412 ÷ 23 kids ≈ €17.91 each"


def test_a_number_that_belongs_to_something_else_changes_no_sum() -> None:
    talk = ActTalk()
    talk.act_in_full("34 sqm at 62 a sqm plus 20% vat", K.SUM)

    reply = talk.act_in_full("job for Mrs Hale is 14 Birch Lane, keys under the pot", K.SUM)

    assert reply.text.startswith("Noted")


def test_a_sum_that_says_no_operation_is_asked_about() -> None:
    reply = ActTalk().act_in_full("62 members and 28.50", K.SUM)

    assert (
        reply.text
        == "I see 62 and 28.50, but not what to do with them. Should I multiply, add or divide them?"
    )
    assert reply.lacks_answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what time is it?", "It is 9:00 AM on Friday, January 30 (UTC)."),
        ("time in Manila?", "In Manila it is 5:00 PM on Friday, January 30."),
        ("How late is it in Toronto just now", "In Toronto it is 4:00 AM on Friday, January 30."),
        ("Is it Tuesday or Wednesday today?", "Today is Friday, January 30, 2026."),
        ("which week number are we in", "This is week 5: January 26 to February 1."),
        ("what date is Sunday week?", "That is Sunday, February 8, in 9 days."),
        ("how many days until 4 July", "155 days until Saturday, July 4."),
        (
            "what time is it in Xyztown",
            "I don't know the time zone of Xyztown. Which larger city is it near?",
        ),
    ],
)
def test_tells_time_and_date(question: str, said: str) -> None:
    assert ActTalk().act_in_full(question, K.CLOCK).text == said


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("For later: the caterer is called Bellini", "what was the caterer's name again?"),
        ("our school groups are capped at 28, just so you know", "how big can a group be, did I say?"),
        ("I charge 0.12 a word for Dutch and 0.15 for Danish", "hello, what do I charge for Danish?"),
        ("our hygienist Petra only works tuesdays", "which days did I say petra's in?"),
        ("code freeze starts on 18 June", "right. which day did I say the freeze starts?"),
        ("put it in #prep", "which channel did I tell you?"),
        ("its gate 7 for Nagel", "did i mention which dock gate Nagel uses??"),
    ],
)
def test_quotes_what_the_user_said(told: str, question: str) -> None:
    talk = ActTalk()
    talk.act_in_full(told, K.REMEMBER)
    talk.act_in_full("the parking permit is in the blue folder", K.REMEMBER)
    talk.clock.advance(3 * DAY_S)

    assert talk.act_in_full(question, K.RECALL).text == f"You told me on Friday: “{told}”"


def test_says_when_nothing_was_told_or_only_something_near() -> None:
    talk = ActTalk()
    talk.act_in_full("the wifi code at the clubhouse is 4471", K.REMEMBER)

    near = talk.act_in_full("do you remember what the parking code is?", K.RECALL)
    nothing = talk.act_in_full("what did I say about the Cardiff lease?", K.RECALL)

    assert near.text.startswith("I don't find “parking code”. The nearest you told me, today: “the wifi code")
    assert nothing.text.startswith("I don't find “Cardiff lease” in anything you told me.")
    assert nothing.lacks_answer


def test_tells_what_was_done_about_something() -> None:
    talk = ActTalk()
    talk.act_in_full("add call the bank", (K.ADD_TASK, "call the bank"))
    talk.clock.advance(6 * DAY_S)

    reply = talk.act_in_full("what did we do about the bank last week?", K.RECALL)

    assert reply.text == "On Friday I added the task call the bank."


def test_a_question_about_own_facts_is_answered_from_what_was_told() -> None:
    talk = ActTalk()
    talk.act_in_full("I charge 0.15 a word for Danish", K.REMEMBER)

    assert "0.15" in talk.act_in_full("what do I charge for Danish?", K.ASK_WORLD).text


@pytest.mark.parametrize(
    ("told", "question", "read_as"),
    [
        (
            "seed mans number is 01865 440217 btw, remember that",
            "whats the seed mans number agen?",
            K.LIST_TASKS,
        ),
        ("Remember that our table at the fair is B17.", "where was our table at the fair?", K.RESUME_DRAFT),
        ("we had 41 guests at the open day", "how many came to the open day?", K.ASK_WORLD),
        (
            "Meyer & Sons closes its books on 30 June",
            "Tell me, I don't want a reminder, on which date does Meyer & Sons close its books?",
            K.UNSURE,
        ),
    ],
)
def test_a_fact_answers_a_question_whatever_it_is_taken_for(told: str, question: str, read_as: K) -> None:
    talk = ActTalk()
    talk.act_in_full(told, K.REMEMBER)

    reply = talk.act_in_full(question, read_as)

    assert reply.text == f"You told me today: “{told}”"


def test_a_fact_does_not_stand_in_for_the_list() -> None:
    talk = ActTalk()
    talk.act_in_full("the hall is 40 metres long", K.REMEMBER)

    reply = talk.act_in_full("what's on my list for the hall?", K.LIST_TASKS)

    assert "40 metres" not in reply.text


def test_the_first_request_of_a_conversation_is_quoted() -> None:
    talk = ActTalk()
    talk.act_in_full("could something look at the bad reviews for me", K.UNSURE)
    talk.act_in_full("no, my brother does that", K.NO)

    reply = talk.act_in_full("what was it I wanted at first?", K.LIST_TASKS)

    assert "bad reviews" in reply.text


def test_small_talk_is_never_answered_twice_in_the_same_words() -> None:
    talk = ActTalk()

    replies = [talk.act_in_full("thanks", K.SMALL_TALK).text for _ in range(3)]

    assert all(first != second for first, second in pairwise(replies))


@pytest.mark.parametrize(
    ("message", "replies"),
    [
        ("heyyy how's it going", texts.MOODS),
        ("are you a robot?", texts.ROBOT),
        ("morning!! how's my favourite robot", texts.MOODS),
        ("lol ok thanks", texts.WELCOMES),
        ("Have a lovely evening.", texts.WISHES),
        ("what a shift... I could cry", texts.SYMPATHY),
        ("sorry for shouting earlier", texts.PARDONS),
        ("ok bye, off to do the school run x", texts.FAREWELLS),
        ("honestly this is rubbish, my old clipboard was better", texts.apology("")),
    ],
)
def test_answers_small_talk_in_kind(message: str, replies: tuple[str, ...]) -> None:
    assert ActTalk().act_in_full(message, K.SMALL_TALK).text in replies


def test_somebody_without_a_clue_gets_examples_from_what_they_said() -> None:
    reply = ActTalk().act_in_full(
        "not sure what I need. I run a little yoga studio, bookings are in Mindbody", K.UNSURE
    )

    assert "with Mindbody" in reply.text
    assert "hasn't been to a class" in reply.text
    assert reply.text.endswith("?")


def test_somebody_who_is_annoyed_gets_an_apology_instead_of_examples() -> None:
    reply = ActTalk().act_in_full(
        "this is the third time I try and it still makes no sense. honestly useless.", K.UNSURE
    )

    assert reply.text in texts.apology("")


def test_a_question_back_about_an_unfinished_agent_is_answered_with_a_suggestion_that_a_yes_takes() -> None:
    talk = ActTalk()
    talk.act_in_full("list overdue invoices from Xero", K.CREATE_AGENT)

    suggested = talk.act_in_full("hmm, what would you suggest?", K.UNSURE)
    talk.act_in_full("yes", K.YES)
    talk.act_in_full("and what would you suggest there?", K.UNSURE)
    talk.act_in_full("yes", K.YES)

    assert suggested.text == "Weekdays at 8:00 AM suits most reports. Shall I take that?"
    assert [agent.schedule.cron for agent in talk.agents() if agent.schedule] == ["0 8 * * 1-5"]


def test_a_deed_outside_is_offered_as_a_task() -> None:
    talk = ActTalk()

    reply = talk.act_in_full("Would you telephone Doris for me please", K.DO_IN_WORLD)
    talk.act_in_full("yes", K.YES)

    assert reply.text == "I can't make phone calls. Should I put “telephone Doris” on your list instead?"
    assert [task.title for task in talk.tasks.list(talk.caller, completed=False, limit=9)[0]] == [
        "telephone Doris"
    ]


def test_a_question_about_the_world_names_its_subject_and_who_knows() -> None:
    reply = ActTalk().act_in_full("silly question, will it rain in Leeds on saturday?", K.ASK_WORLD)

    assert reply.text == "I can't look that up: “will it rain in Leeds on saturday”. A weather service knows."
    assert reply.lacks_answer


def test_says_which_words_led_to_a_change() -> None:
    talk = ActTalk()
    talk.act_in_full("put buy milk on my list", (K.ADD_TASK, "buy milk"))

    reply = talk.act_in_full("why did you do that?", K.WHY)

    assert reply.text == (
        "You wrote “put buy milk on my list”, so I added the task buy milk. If that was wrong, say “undo”."
    )


def test_admits_a_number_that_nobody_wrote() -> None:
    talk = ActTalk()
    talk.act_in_full("put buy milk on my list", (K.ADD_TASK, "buy milk"))

    assert "so I assumed it" in talk.act_in_full("where did you get 9 from?", K.WHY).text
    assert "so I assumed it" not in talk.act_in_full("where did you get that from?", K.WHY).text


def test_a_second_miss_is_answered_in_another_way() -> None:
    talk = ActTalk()

    first = talk.act_in_full("fix the printer in the hall", K.NONE)
    second = talk.act_in_full("it jams all the time you know", K.NONE)

    assert first.text == (
        "I'm not sure what to do with “fix the printer in the hall”. Should it go on your list, or did you "
        "want an agent for it?"
    )
    assert second.text.startswith("I still don't follow: I read “it jams all the time you know”.")


@pytest.mark.parametrize("message", ["????", ".", "asdfgh", "kjhgfd ;;"])
def test_nothing_is_read_into_gibberish(message: str) -> None:
    reply = ActTalk().act_in_full(message, K.NONE)

    assert reply.text == texts.UNREADABLES[0]
    assert reply.note.question is None


def test_a_remark_beside_a_request_gets_no_reply_of_its_own() -> None:
    reply = ActTalk().act_in_full(
        "morning! what time is it?", (K.SMALL_TALK, "morning!"), (K.CLOCK, "what time is it?")
    )

    assert reply.text == "It is 9:00 AM on Friday, January 30 (UTC)."


CHORE = (
    "no idea what to ask for. People give us money, it's all in a Google sheet, and nobody ever thanked them."
)


def test_somebody_unsure_is_offered_the_chore_they_told_and_a_yes_begins_it() -> None:
    talk = ActTalk()

    offer = talk.act_in_full(CHORE, K.UNSURE)
    begun = talk.act_in_full("yes please", K.YES)

    assert "Google Sheets" in offer.text
    assert "nobody ever thanked them" in offer.text
    assert begun.text.startswith("OK: nobody ever thanked them, from Google Sheets.")


def test_nothing_is_suggested_beside_what_was_asked_for() -> None:
    reply = ActTalk().act_in_full(
        "what's due this week? feel like im forgetting something",
        (K.LIST_TASKS, "what's due this week?"),
        (K.UNSURE, "feel like im forgetting something"),
    )

    assert reply.text == "Nothing due this week is on your list."
