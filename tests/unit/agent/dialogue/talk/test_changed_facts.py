"""Facts that are taken back in other words, told after a question in vain, or announced as facts."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def said(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


@pytest.mark.parametrize(
    ("told", "change", "question", "last"),
    [
        ("fyi the new van is KV19 TRE, silver one", "no hang on. TRF. KV19 TRF, I was reading the old letter",
         "what's the new van again?", "KV19 TRF"),
        ("the vet is Dr. Lindqvist on Harbour Street", "wait, he retired, it's Dr. Mbeki now",
         "who's our vet?", "Mbeki"),
        ("Our contact at Brenntag is Suzanne, extension 311",
         "scrap that, Suzanne left. ask for Piotr, same extension",
         "whats the name of our contact at brenntag", "Piotr"),
        ("I'm away from 14 to 21 August and Dilan covers the clinic.",
         "Tch, no. Dilan's on a course that week. Marta covers it.", "Who was covering the clinic in August?",
         "Marta"),
        ("the wifi at the flat is Pangolin77", "sorry, typo, Pangolin78",
         "what's the wifi password at the flat", "Pangolin78"),
    ],
)  # fmt: skip
def test_what_is_taken_back_is_told_with_what_was_said_instead(
    told: str, change: str, question: str, last: str
) -> None:
    assert last in said(told, change, question)[-1]


def test_a_later_word_on_the_same_thing_is_told_with_it() -> None:
    answer = said(
        "Rehearsals are in room 4 this term", "and the choir has 30 members",
        "they moved us, rehearsals are in the annex from now on", "where are rehearsals?",
    )[-1]  # fmt: skip

    assert "room 4" in answer
    assert "annex" in answer


def test_an_unrelated_fact_changes_nothing() -> None:
    answer = said("the locker code is 4410", "the gate has a new bell", "what's the locker code?")[-1]

    assert "4410" in answer
    assert "bell" not in answer


def test_a_fact_told_after_a_question_in_vain_is_kept_with_what_was_asked() -> None:
    missed, noted, found = said(
        "did I ever give you my landlord's number?", "ok found it, mr okoro, 020 7946 0958",
        "the heating is dead. what's the landlord's number?",
    )  # fmt: skip

    assert "don't find" in missed
    assert "not sure" not in noted
    assert "020 7946 0958" in found


def test_a_request_after_a_question_in_vain_is_no_fact() -> None:
    talk = Talk()
    talk.classify_and_answer("did I ever give you my landlord's number?")
    talk.classify_and_answer("remind me tomorrow at 9 to ring him")

    assert talk.tasks.list(talk.caller, completed=False, limit=5)[0]


def test_a_question_that_goes_on_gets_what_was_quoted_where_nothing_else_is_found() -> None:
    answer = said(
        "FYI our auditor this year is Ms. Deshpande from KRC & Co, her extension is 4417.",
        "what was the extension of the auditor?", "and from which firm was she?",
    )[-1]  # fmt: skip

    assert "KRC" in answer


@pytest.mark.parametrize(
    "message",
    [
        "So that I don't forget: we decided the team lunch is at Il Ponte. Everyone's happy, a miracle",
        "for the record, the boiler is a Vaillant from 2014",
        "before I forget, the spare key is with Mrs Hahn",
    ],
)
def test_a_fact_that_is_announced_is_noted(message: str) -> None:
    assert said(message)[0].startswith("Noted")


def test_listed_facts_become_no_tasks() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "I write here two things which I always search: our customer number at DHL is 4471902 and at Schenker"
        " it is 80-3315."
    )

    assert not talk.tasks.list(talk.caller, completed=False, limit=5)[0]
    assert "80-3315" in talk.classify_and_answer("what was our number at Schenker?").text


def test_a_number_and_what_it_was_before_is_a_fact_and_no_sum() -> None:
    talk = Talk()
    noted = talk.classify_and_answer(
        "for the Hendry wedding it's 96 guests by the way, was 110 till yesterday"
    )

    assert "10,560" not in noted.text
    assert "96" in talk.classify_and_answer("how many guests for Hendry, latest count?").text


def test_a_question_behind_thanks_goes_on_from_what_was_quoted() -> None:
    answer = said(
        "I'm away from 14 to 21 August and Dilan covers the diabetes clinic.",
        "Who was covering my diabetes clinic in August?", "Good. And what dates did I tell you I'm off?",
    )[-1]  # fmt: skip

    assert "14 to 21 August" in answer
