"""Sums that people tell in words. The results were worked out by hand or with another calculator."""

from __future__ import annotations

from fractions import Fraction

import pytest

from intent.sums.reader import NO_VALUE, read_sum
from intent.sums.result import EarlierSum


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("what's 17.5% of 2340?", "17.5% of 2,340 = 409.5"),
        ("22 tables with 8 seats, how many is that?", "22 tables × 8 seats = 176"),
        ("3 pizzas with 2 colas, how many things is that?", "3 pizzas + 2 colas = 5 things"),
        ("12 nights at 89.50", "12 nights × 89.50 = 1,074.00"),
        ("quick one before I dash: 15% of 860?", "15% of 860 = 129"),
        ("side question, 1340 tests minus 87, how many is that", "1,340 tests − 87 = 1,253"),
        ("38 seats at 27.50 and 12 at 19?", "38 seats × 27.50 + 12 × 19 = 1,273.00"),
        ("premium 18,400 plus 18% GST", "18,400 + 18% = 21,712 (the 18% is 3,312)"),
        ("19% on top of 348.20?", "348.20 + 19% ≈ 414.36 (the 19% is 66.16)"),
        ("18% tip on 64.20", "64.20 + 18% ≈ 75.76 (the 18% is 11.56)"),
        ("take 12% off 4,380", "4,380 − 12% = 3,854.4"),
        ("3 pairs at 64.95 with 15% off?", "3 pairs × 64.95 − 15% ≈ 165.62"),
        ("what's 120 without 20% VAT", "120 ÷ 1.2 = 100"),
        ("640 split by 38 please", "640 ÷ 38 ≈ 16.84"),
        ("3,200 parcels at 14.75 rupees", "3,200 parcels × ₹14.75 = ₹47,200.00"),
        ("a dozen eggs at 0.35", "12 eggs × 0.35 = 4.20"),
        ("two hundred and fifty times three", "250 × 3 = 750"),
        ("(3+4)*5", "(3 + 4) × 5 = 35"),
        ("1.240,50 + 3", "1,240.50 + 3 = 1,243.50"),
        ("2.5k plus 300", "2,500 + 300 = 2,800"),
        ("£80 an hour for 37.5 hours", "£80 × 37.5 hours = £3,000"),
        ("0.5 mg per kg for a 62 kg patient", "0.5 mg × 62 kg = 31"),
        ("30 out of 48 as a percentage", "30 ÷ 48 = 62.5%"),
        ("average of 4, 7 and 10", "(4 + 7 + 10) ÷ 3 = 7"),
        ("what is 12 into 144", "144 ÷ 12 = 12"),
        ("what 2 years is in days", "2 years = 730 days (years of 365 days)"),
        ("340 incl vat at 20%, what's it net", "340 ÷ 1.2 ≈ 283.33"),
        ("increase 80 by 25%", "80 + 25% = 100 (the 25% is 20)"),
        ("what's 1/3 of 900", "900 ÷ 3 = 300"),
        ("18 000 / 12", "18,000 ÷ 12 = 1,500"),
        ("14 covers at 38.50 each comes to what", "14 × 38.50 = 539.00"),
        ("what's 5k a month over 3 years", "5,000 × 36 months = 180,000"),
        ("27 kids, 3.20 each way, both ways", "27 kids × 3.20 × 2 = 172.80"),
        ("250 guests, 12% don't show, how many come", "250 guests − 12% = 220 come"),
        ("divide 100 by 0", NO_VALUE),
    ],
)
def test_says_what_it_computed(message: str, said: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert found.text == said


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "we are 23 kids and the bus is 412 euro altogether, what does each one pay?",
            "€412 ÷ 23 kids ≈ €17.91 each",
        ),
        (
            "If 62 members pay £28.50 and eight pay half, what comes in?",
            "62 members × £28.50 + 8 × £28.50 ÷ 2 = £1,881.00",
        ),
        (
            "7.5 hours x 22 days, less 3 sick days, comes to how many hours",
            "7.5 hours × (22 − 3) days = 142.5 hours",
        ),
        (
            "room is 4.2 by 3.65, boards cover 1.8 sq m a pack, how many packs w 10% waste",
            "4.2 × 3.65 = 15.33, 16.86 with 10% more; ÷ 1.8 ≈ 9.37, so 10 packs",
        ),
        (
            "184 cartons at 23.5 kilos each, 26 pallets at 22 - what's the total weight",
            "184 cartons × 23.5 kilos + 26 pallets × 22 = 4,896",
        ),
        ("4.8 m by 6.2 m by 0.15 m, how many cubic metres?", "4.8 × 6.2 × 0.15 = 4.464 m³"),
        (
            "monthly payment on 240000 over 25 years at 4.1%?",
            "240,000 over 300 months at 4.1% a year ≈ 1,280.10 a month",
        ),
        (
            "margin if i buy at 3.20 and sell for 5.49?",
            "(5.49 − 3.20) ÷ 5.49 ≈ 41.71% margin; that is 2.29 each, 71.56% on top of the cost",
        ),
        (
            "12 litres a second is how many cubic metres over four hours?",
            "12 litres × 14,400 seconds = 172,800 litres = 172.8 m³",
        ),
    ],
)
def test_solves_word_problems(message: str, said: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert found.text == said


@pytest.mark.parametrize(
    ("previous", "message", "said"),
    [
        ("12 nights × 89.50", "and for 7 nights?", "7 nights × 89.50 = 626.50"),
        ("12 nights × 89.50", "and 14 boxes at 3?", "14 boxes × 3 = 42"),
        ("12 × 89.50", "and half of that?", "1,074.00 ÷ 2 = 537.00"),
        ("14 boxes × 23.75 + 20%", "and split over our 3 surgeries?", "399.00 ÷ 3 surgeries = 133.00"),
        ("15% of 860", "and 20%?", "20% of 860 = 172"),
        ("38 members × 45 pounds", "And if 52 of them joined?", "52 members × 45 pounds = 2,340"),
        (
            "34 sqm × 62 + 20%",
            "n with 10% off before vat?",
            "(34 sqm × 62 − 10%) + 20% = 2,276.64 (the 20% is 379.44)",
        ),
        ("40 × 12", "and 10% off", "40 × 12 − 10% = 432"),
        ("€412 ÷ 23 kids", "and if it's 450 euro?", "€450 ÷ 23 kids ≈ €19.57"),
        ("313.25 + 0", "plus 20%?", "313.25 + 20% = 375.90 (the 20% is 62.65)"),
    ],
)
def test_goes_on_from_the_sum_before(previous: str, message: str, said: str) -> None:
    found = read_sum(message, earlier=EarlierSum(previous))

    assert found is not None
    assert found.text == said


def test_a_number_of_another_kind_changes_nothing_in_the_sum_before() -> None:
    assert read_sum("and for 3 people?", earlier=EarlierSum("1,074.00 + 7%")) is None


def test_what_tells_of_something_else_changes_no_sum() -> None:
    message = "job for Mrs Hale is 14 Birch Lane, keys under the pot"
    assert read_sum(message, earlier=EarlierSum("34 sqm × 62 + 20%")) is None


def test_results_are_exact() -> None:
    found = read_sum("0.1 + 0.2")

    assert found is not None
    assert found.value == Fraction(3, 10)


@pytest.mark.parametrize(
    "message",
    [
        "4,870 less that, times 0.8",  # what "that" is was never said
        "order 66 for 14:00",
        "62 members and 28.50",
        "hello",
        "7",
        "how tall is a stack of 5 factorial times 8 coins of 2 mm",
        "in how many orders can five friends queue at each of eight doors",
        "how many ways are there to seat 6 guests at 2 tables",
        "the square root of 2 times the 3 in the corner",
        "9" * 400 + " times 2",
        " ".join(["7 times"] * 300),
    ],
)
def test_leaves_what_says_no_sum(message: str) -> None:
    assert read_sum(message) is None


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        (
            ["31 pupils at £9.25 each and 210 for the hall, how much in all?", "and per pupil?"],
            "£496.75 ÷ 31 pupils ≈ £16.02 per pupil",
        ),
        (
            [
                "what's 21% VAT on 1,250 euros net?",
                "and the gross?",
                "they get 3% off that for paying early, what's left?",
            ],
            "€1,512.50 − 3% ≈ €1,467.13",
        ),
        (
            [
                "we wanted 40k and have got 27,400 so far, what percent is that?",
                "how much is missing?",
                "if I get 8% commission on that, how much is it?",
            ],
            "8% of 12,600 = 1,008",
        ),
        (
            [
                "17 pallets with 48 cartons each, 12,5 kg one carton. how much kg all?",
                "truck can take 24 t. what is free then",
            ],
            "24 t − 10.2 t = 13.8 t",
        ),
        (["500 minus 140", "we do 15 a week, how many weeks is that?"], "360 ÷ 15 = 24 weeks"),
        (["14 boxes at 3", "and for colleagues?"], None),
    ],
)
def test_a_question_goes_on_from_the_last_result(messages: list[str], said: str | None) -> None:
    earlier: EarlierSum | None = None
    for message in messages[:-1]:
        found = read_sum(message, earlier=earlier)
        assert found is not None
        earlier = EarlierSum.of(found)

    last = read_sum(messages[-1], earlier=earlier)

    assert (last.text if last else None) == said


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("how many minutes are from 05:20 to 13:45?", "05:20 to 13:45 = 8 h 25 min (505 minutes)"),
        ("shift 21:45 to 06:15, how long is it", "21:45 to 06:15 the next day = 8 h 30 min (510 minutes)"),
        ("hours from 9am to 5pm less 45 min", "09:00 to 17:00 less 45 minutes = 7 h 15 min (435 minutes)"),
        ("from 6am to 2:30pm at 11.50 an hour, how much", "06:00 to 14:30: 8.5 hours × 11.50 = 97.75"),
        ("64 flyers at 18p each", "64 flyers × £0.18 = £11.52"),
    ],
)  # fmt: skip
def test_counts_hours_and_pence(message: str, said: str) -> None:
    found = read_sum(message)

    assert found is not None
    assert found.text == said


def test_what_is_kept_of_a_sum_survives_a_note() -> None:
    found = read_sum("27 kids at £14.50 each")

    assert found is not None
    kept = EarlierSum.of(found)
    assert EarlierSum.of_note(kept.to_note()) == kept
    assert EarlierSum.of_note({"expression": 3}) is None


def test_an_average_and_what_is_left_go_on_from_the_sum_before() -> None:
    earlier = EarlierSum("641.25 + 199", "840.25", ("641.25", "199"))

    average = read_sum("average per day over the 4?", earlier=earlier)
    left = read_sum("my contract is 900, so how much is left?", earlier=earlier)

    assert average is not None
    assert average.text == "840.25 ÷ 4 = 210.0625"
    assert left is not None
    assert left.text.endswith("59.75")
