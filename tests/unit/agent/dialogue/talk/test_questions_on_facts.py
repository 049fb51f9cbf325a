"""Questions about what was told before: with what changed it, how it was before, and where it goes on."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def said(*messages: str) -> list[str]:
    talk = Talk()
    answers = []
    for message in messages:
        talk.clock.advance(30)
        answers.append(talk.classify_and_answer(message).text)
    return answers


def test_a_noun_with_its_number_is_one_thing() -> None:
    told = ("table 6 is Ms Berg, party of five", "Table 9 is the Hassans, two high chairs")

    assert "Ms Berg" in said(*told, "what was it with table 6?")[-1]
    assert "Hassans" in said(*told, "and table 9, what did I tell you about that one?")[-1]
    assert "Berg" not in said(told[0], "what did I tell you about table 9?")[-1]


def test_every_correction_is_told_with_the_fact() -> None:
    answer = said(
        "the buyer of flat 12 is called Dimitrios Papadakis and he offers 240000",
        "not Papadakis, Papadopoulos", "and the offer is 245000, excuse me",
        "how is the buyer of flat 12 called?",
    )[-1]  # fmt: skip

    assert answer.index("Papadakis") < answer.index("Papadopoulos") < answer.index("245000")


@pytest.mark.parametrize(
    ("told", "question", "former"),
    [
        (
            ("radio channel is 7 tonight", "channel is 11 now, they switched"),
            "and before that?",
            "channel is 7",
        ),
        (
            ("Ophelia is Juno Vance, her understudy is Bette Marsh.",
             "so Juno's understudy is Rosalind Poole from today"),
            "and who was it before?",
            "Bette Marsh",
        ),
    ],
)  # fmt: skip
def test_how_it_was_before_is_told_on(told: tuple[str, str], question: str, former: str) -> None:
    asked = "which radio channel are we on?" if "radio" in told[0] else "who's the understudy for Juno?"
    answer = said(*told, asked, question)[-1]

    assert former in answer
    assert told[1] not in answer


def test_another_things_fact_is_no_correction() -> None:
    answer = said(
        "the GST file of Mehta Traders is with Rakesh, amount is 84,300 rupees.",
        "The file of Sundaram & Co. is with Lakshmi, amount is 12,750.", "Who has the Mehta file?",
    )[-1]  # fmt: skip

    assert "Rakesh" in answer
    assert "Lakshmi" not in answer


def test_of_two_questions_both_are_answered() -> None:
    answer = said(
        "Freezer B holds the March samples and freezer C the April ones.",
        "Hanneke looks after freezer C, Tomasz after freezer B",
        "Which freezer has the April samples, and who looks after it?",
    )[-1]

    assert "April" in answer
    assert "Hanneke" in answer


def test_what_is_to_be_forgotten_is_not_told_again() -> None:
    told = ("the alarm at the shop goes off at 10. The door word is Pangolin",
            "please forget the door word, I shouldn't have told you that")  # fmt: skip

    assert "Pangolin" not in said(*told, "what was the door word?")[-1]
    assert "goes off at 10" in said(*told, "when does the alarm at the shop go off?")[-1]


def test_a_pronoun_goes_back_to_the_sentence_before() -> None:
    answer = said(
        "the bride is Chidinma, lovely girl", "she hates lilies. 24 table pieces for her",
        "how many table pieces did chidinma want?",
    )[-1]  # fmt: skip

    assert "24 table pieces" in answer


def test_a_remark_behind_a_question_is_not_what_it_is_about() -> None:
    answer = said(
        "add ring the solicitor to my list", "Did I give you a time for that? I'm all over the place"
    )[-1]

    assert answer == "“ring the solicitor” has no due date."


@pytest.mark.parametrize(
    "question",
    ["who was it told me about the camera?", "which radio channel are we on?", "at what hour is the boat?"],
)
def test_a_question_for_a_name_or_an_hour_is_no_sum(question: str) -> None:
    answer = said(
        "Priya reckons the camera over dock 3 is dead",
        "radio channel is 7 tonight",
        "the boat is at 8.15",
        question,
    )[-1]

    assert answer.startswith(("You told me", "I don't find"))


def test_a_question_is_nothing_to_note() -> None:
    answer = said("Hive 3 gave 12.5 kilos.", "How much honey did hive 3 give?")[-1]

    assert "12.5 kilos" in answer


def test_a_correction_that_names_its_subject_is_that_of_the_subject() -> None:
    told = ("tenant in 3B is Mrs Halloran, phone 555 0148", "plumber is Gus, 555 0199",
            "wait i gave you the wrong number for Halloran. its 555 0184")  # fmt: skip

    assert "0184" in said(*told, "phone for the tenant in 3B?")[-1]
    assert "0184" not in said(*told, "who is the plumber?")[-1]


def test_words_without_a_verb_ask_for_what_was_told() -> None:
    told = (
        "engine serial on the Halvorsen boat is KX-7713-B",
        "the other boat, Sea Urchin, engine serial 22-0941",
    )

    assert "KX-7713-B" in said(*told, "serial for halvorsen?")[-1]
    assert "22-0941" in said(*told, "serial for halvorsen?", "and sea urchin")[-1]
