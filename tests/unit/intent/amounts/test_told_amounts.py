"""Amounts that people list or paste, and what they ask about them. Worked out by hand."""

from __future__ import annotations

import pytest

from intent.amounts.reader import read_series
from intent.amounts.results import work_out
from intent.amounts.told import Told, find_question

HOURS = "hours this week - Sam 38, Priya 41.5, Joe 22"
TABLE = "region\tunits\nNorth\t1204\nSouth\t987\nWest\t1433"
OWED = "invoices still open: Delta €1,240.50; Fenwick €880; Orsini €2,015.75"
TWO_COLUMNS = "item,qty,price\nchairs,4,55\ntables,2,180"


def answer(question: str, told: str = "") -> str | None:
    series = read_series(told) if told else None
    before = [Told(series, 0, True, True)] if series is not None else []
    found = find_question(question, lambda: before)
    worked_out = None if found is None else work_out(found.question, found.series, found.words)
    return None if worked_out is None else worked_out.text


@pytest.mark.parametrize(
    ("told", "labels"),
    [
        (HOURS, ("Sam", "Priya", "Joe")),
        (TABLE, ("North", "South", "West")),
        (OWED, ("Delta", "Fenwick", "Orsini")),
        ("rent is 950, electricity 120 and internet 39.99", ("rent", "electricity", "internet")),
        ("I owe Ben 20, Carla 35 and Dmitri 12.50", ("Ben", "Carla", "Dmitri")),
        ("Electric: 118.20, gas: 74.35, water: 31", ("Electric", "gas", "water")),
        ("Kaya;1200\nLopez;950", ("Kaya", "Lopez")),
        ("name | donated\n--- | ---\nHarris | 250\nIbe | 75", ("Harris", "Ibe")),
        ("readings:\n07:00\t5.4\n12:00\t7.1", ("07:00", "12:00")),
        ("- yoga 14\n- pilates 9\n- spin 22", ("yoga", "pilates", "spin")),
        ("3 June dentist 80, 12 June pharmacy 25.50", ("3 June dentist", "12 June pharmacy")),
    ],
)
def test_a_list_or_table_is_read_with_its_labels(told: str, labels: tuple[str, ...]) -> None:
    series = read_series(told)

    assert series is not None
    assert series.labels == labels


@pytest.mark.parametrize(
    "text",
    [
        "- boiler service 14 Elm Rd, 3 June\n- gas cert 9 Mill Lane, 8 June",
        "every monday at 9, tuesday at 10 and friday at 11",
        "remind me to call Ben at 5 and Ana at 6",
        "Our plumber is Mr. Hanley, 0161 496 0102, and he doesn't do Sundays.",
        "the staging db is on port 5433 and prod is on 6432",
        "62 members and 28.50",
    ],
)
def test_dates_times_addresses_and_ports_are_no_amounts(text: str) -> None:
    assert read_series(text) is None


@pytest.mark.parametrize(
    ("told", "question", "said"),
    [
        (HOURS, "whats that altogether?", "38 + 41.5 + 22 = 101.5 hours."),
        (HOURS, "and without joe", "38 + 41.5 = 79.5 hours without Joe."),
        (HOURS, "what does that cost at 20 euro an hour?", "101.5 hours × €20 = €2,030."),
        (HOURS, "how much more did Priya do than Sam", "41.5 − 38 = 3.5 hours: Priya has more."),
        (HOURS, "how much had priya", "Priya: 41.5 hours"),
        (TABLE, "which region sold the most?", "The most: West, 1,433."),
        (TABLE, "and the average", "(1,204 + 987 + 1,433) ÷ 3 = 1,208."),
        (OWED, "what do they owe me in total", "€1,240.50 + €880 + €2,015.75 = €4,136.25."),
        (OWED, "and delta and fenwick together?", "€1,240.50 + €880 = €2,120.50 for Delta and Fenwick."),
        (TWO_COLUMNS, "sum of price?", "55 + 180 = 235."),
        ("hotel 340\ntrain 60\ntotal 400", "add that up", "340 + 60 = 400, as your list says."),
        (
            "hotel 340\ntrain 60\ntotal 410",
            "add that up",
            "340 + 60 = 400. Your list gives 410 as the total.",
        ),
    ],
)
def test_questions_are_answered_from_what_was_told(told: str, question: str, said: str) -> None:
    assert answer(question, told) == said


def test_the_question_may_stand_in_the_same_message() -> None:
    assert answer(f"{HOURS}. total?") == "38 + 41.5 + 22 = 101.5 hours."
    assert answer("can you add up: paint 84, rollers 12.5") == "84 + 12.5 = 96.5."


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("flour 2 kg, milk 3 litres, eggs 12", "different units"),
        ("dates of birth: Ann 1961, Bob 1958, Cy 1970", "I don't add them up"),
        ("growth: north 4%, south 7%", "percentages"),
        (TWO_COLUMNS, "Which column: qty or price?"),
        (
            "hotel €300, flight $420, taxi €40",
            "in different currencies, so I add each apart:\n€300 + €40 = €340",
        ),
    ],
)
def test_what_has_no_sum_is_not_added_up(told: str, said: str) -> None:
    assert said in (answer("what's the total?", told) or "")


@pytest.mark.parametrize(
    "question",
    [
        "how many tasks do I have in total?",
        "which agent runs the most?",
        "what does the subscription for the office cost?",
        "and without Marta?",
        "is it going to rain tomorrow?",
        "ok, thanks",
    ],
)
def test_a_question_about_something_else_is_not_answered_from_amounts(question: str) -> None:
    assert answer(question, HOURS) is None


def test_nothing_is_added_up_where_nothing_was_told() -> None:
    assert answer("what's the total?") is None
