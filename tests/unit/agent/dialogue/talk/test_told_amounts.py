"""Amounts and facts that a person tells, and asks for later in the same conversation."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk

PASTED = "this are the september expenses, just so you have them\nKaya;1200\nLopez;950\nSmith;1430"
DAY_S = 24 * 3600


def test_amounts_told_before_are_added_up_and_told_back() -> None:
    talk = Talk()
    noted = talk.classify_and_answer("travel costs this week: Ana 420, Piotr 315.50, me 188")

    total = talk.classify_and_answer("whats that together?")
    rest = talk.classify_and_answer("and without piotr?")
    talk.clock.advance(DAY_S)
    one = talk.classify_and_answer("good morning, how much was piotr again")

    assert noted.text.startswith("Noted")
    assert total.text == "420 + 315.50 + 188 = 923.50."
    assert rest.text == "420 + 188 = 608 without Piotr."
    assert one.text == "Piotr: 315.50"
    assert not talk.tasks.list(talk.caller, completed=False, limit=9)[0]


def test_a_pasted_table_of_amounts_is_noted_and_can_be_asked_about() -> None:
    talk = Talk()

    assert talk.classify_and_answer(PASTED).text.startswith("Noted")
    assert talk.classify_and_answer("how much had Lopez").text == "Lopez: 950"
    assert talk.classify_and_answer("and all together?").text == "1,200 + 950 + 1,430 = 3,580."


def test_a_sum_goes_on_from_the_total_of_what_was_told() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "on-call hours last week: Ben 6.5, Aisha 11, Tomas 4.25, Lin 9. what's the total?"
    )

    reply = talk.classify_and_answer("and what does that cost at 38 euro an hour")

    assert reply.text == "30.75 hours × €38 = €1,168.50."


def test_a_newer_sum_is_what_that_means() -> None:
    talk = Talk()
    talk.classify_and_answer("travel costs: Ana 420, Piotr 315.50, me 188")
    talk.classify_and_answer("what's 12 times 40?")

    assert "923" not in talk.classify_and_answer("and plus 20% what's the total?").text


@pytest.mark.parametrize(
    "message", ["pause stock-daily", "what agents do I have?", "how many tasks do I have in total?"]
)
def test_amounts_that_were_told_don_t_stand_in_the_way_of_requests(message: str) -> None:
    talk = Talk()
    talk.create("stock-daily")
    before = talk.classify_and_answer(message).text
    other = Talk()
    other.create("stock-daily")
    other.classify_and_answer("travel costs: Ana 420, Piotr 315.50, me 188")

    assert other.classify_and_answer(message).text == before


def test_a_note_of_a_fact_is_no_task_and_is_told_back() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "note to self, the staging db is on port 5433 and prod is on 6432 (don't ask why)"
    )

    assert "6432" in talk.classify_and_answer("wait what was the prod port?").text
    assert not talk.tasks.list(talk.caller, completed=False, limit=9)[0]


def test_a_note_of_something_to_do_is_a_task() -> None:
    talk = Talk()
    talk.classify_and_answer("note to self: call the landlord about the boiler")

    assert len(talk.tasks.list(talk.caller, completed=False, limit=9)[0]) == 1


def test_a_quote_is_not_cut_at_an_abbreviation() -> None:
    talk = Talk()
    talk.classify_and_answer(
        "I should tell you a few things. Our vet is Dr. Sorensen, her number is 021 555 0134, and she"
        " comes every second Tuesday. The farrier, that's Mr. Quill, only comes when we ring him."
    )

    assert "0134" in talk.classify_and_answer("What was the vet's number again?").text
    assert "Quill" in talk.classify_and_answer("and who was the farrier?").text


def test_amounts_told_with_the_number_first_are_added_up_and_told_back() -> None:
    talk = Talk()
    talk.classify_and_answer("We spent 20 on fuel, 30 in the canteen and 12 at the car park.")

    assert "62" in talk.classify_and_answer("what's the total?").text
    assert "50" in talk.classify_and_answer("and without the car park?").text


def test_times_of_day_are_no_amounts() -> None:
    talk = Talk()
    talk.classify_and_answer("The vet comes at 9 in the morning and 5 in the evening")

    assert "14" not in talk.classify_and_answer("what's the total?").text


@pytest.mark.parametrize(
    "question",
    [
        "and the difference to Baker?",
        "how much more is Baker than Lindholm?",
        "how much cheaper is Lindholm?",
    ],
)
def test_two_amounts_are_compared(question: str) -> None:
    talk = Talk()
    talk.classify_and_answer("The audit quote from Baker is 18,400 and Lindholm asks 16,950")

    assert "1,450" in talk.classify_and_answer(question).text


def test_a_table_with_its_question_in_the_last_line_is_no_pasted_text() -> None:
    reply = Talk().classify_and_answer("Fees received:\nAarav 2500\nDiya 1800\nMeera 3200\nTotal how much?")
    assert "7,500" in reply.text


def test_prices_behind_numbers_are_no_labels() -> None:
    assert "185" in Talk().classify_and_answer("14 fares at 8.50 and 3 at 22, what's that all in?").text


@pytest.mark.parametrize(
    ("message", "result"),
    [
        ("friday brain's gone. what's 3.5 + 4 + 2.25", "9.75"),
        ("They pay 185 and 240 a month. What's 185 plus 240?", "425"),
    ],
)
def test_a_sum_beside_a_remark_is_worked_out(message: str, result: str) -> None:
    assert result in Talk().classify_and_answer(message).text


BILL = "just done 14 Elm Road. callout 85, 3 hours at 62 and a valve for 41.90. whats that come to"


def replies(*messages: str) -> list[str]:
    talk = Talk()
    return [talk.classify_and_answer(message).text for message in messages]


def test_a_bill_is_worked_out_and_its_items_can_be_asked_for() -> None:
    said = replies(BILL, "and with 20% vat on top?", "how much was the valve at Elm Road again?")

    assert said[0] == "85 + 3 × 62 + 41.90 = 312.90."
    assert said[1].startswith("312.90 + 20% = 375.48")
    assert said[2] == "valve: 41.90"


def test_the_total_asked_beside_own_numbers_is_theirs_and_not_of_those_told_before() -> None:
    said = replies(
        "Note this please: Mr Lindqvist has waist 94 and inside leg 81.",
        "He gets trousers hemmed for 14, a zip 18.50 and sleeves shortened 32. Total?",
        "Give him ten percent off, how much is it then?",
    )

    assert said[1:] == ["14 + 18.50 + 32 = 64.50.", "64.50 − 10% = 58.05"]


@pytest.mark.parametrize(
    ("second", "total"),
    [
        ("plums 5, figs 6. total?", "11"),
        ("oh and plums 5, figs 6. total now?", "18"),
    ],
)
def test_a_list_with_a_question_of_its_own_joins_the_last_only_by_a_word_for_it(
    second: str, total: str
) -> None:
    assert f"= {total}." in replies("apples 3, pears 4. total?", second)[-1]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("and how many percent of that is the food?", "120 ÷ 420 ≈ 28.6% for food."),
        ("what share of the total is the taxi?", "60 ÷ 480 = 12.5% for taxi."),
    ],
)
def test_what_an_amount_is_of_the_result_in_percent(question: str, said: str) -> None:
    before = ("hotel 300, food 120 and taxi 60, total?", "leave out the taxi")

    assert replies(*before, question)[-1] == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what was the net amount once more?", "€2,000 without the 19%"),
        ("what was the gross total again?", "€2,380 with the 19%"),
        ("how much was the VAT again?", "The 19% is €380"),
    ],
)
def test_net_and_gross_are_told_again(question: str, said: str) -> None:
    before = ("invoices: 1,000, 250 and 750 euros. What's the sum?", "plus 19% VAT?", "thanks")

    assert replies(*before, question)[-1] == said


def test_a_budget_is_noted_and_divided_by_a_price_later() -> None:
    said = replies(
        "Budget for the Q3 offsite is 18,500 dollars. Dana wants that rooftop place, 240 a head.",
        "how much was the offsite budget again?",
        "so how many people does that get us at 240 each?",
    )

    assert said[0].startswith("Noted")
    assert "18,500" in said[1]
    assert said[2] == "$18,500 ÷ $240 ≈ 77.08, so 77 people"


def test_the_cheaper_of_two_quotes_is_told_again() -> None:
    said = replies(
        "got two quotes for the roof, 4,200 and 3,850",
        "what's the weather like",
        "what was the cheaper roof quote again?",
    )

    assert said[0].startswith("Noted")
    assert said[-1] == "3,850. You told me 3,850 and 4,200."
