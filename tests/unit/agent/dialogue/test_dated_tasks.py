"""Tasks that are told one after the other with a day each, and titles with numbers and places."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


def due_of(*messages: str) -> dict[str, str]:
    """Return the titles of the open tasks after some messages, and when each is due; empty: never."""
    talk = Talk()
    for message in messages:
        talk.classify_and_answer(message)
    tasks = talk.turn("", "").situation.read_tasks()
    return {
        task.title: f"{task.due_at:%d.%m. %H:%M}"
        if task.due_at
        else f"{task.due_date:%d.%m.}"
        if task.due_date
        else ""
        for task in tasks
    }


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        (
            "add these to my list: stock count due 9 March, price list due 11 March, audit form 12 March",
            {"stock count": "09.03.", "price list": "11.03.", "audit form": "12.03."},
        ),
        (
            "we've got until Monday to sign the lease and until the 20th to pay the deposit. Put both down",
            {"sign the lease": "02.02.", "pay the deposit": "20.02."},
        ),
        (
            "renew the permit by the 12th, and book the MOT by the 19th. Can you add those?",
            {"renew the permit": "12.02.", "book the MOT": "19.02."},
        ),
        (
            "remind me tomorrow at 8 to feed the hens, and at 12 to ring Jo",
            {"feed the hens": "31.01. 08:00", "ring Jo": "31.01. 12:00"},
        ),
        (
            "remind me Monday at 2pm about the tour at 3 Oak Rd and Friday at 4pm about the one at 8 Elm Rd",
            {"the tour at 3 Oak Rd": "02.02. 14:00", "the tour at 8 Elm Rd": "06.02. 16:00"},
        ),
        ("note: pens and paper by Monday, glue by Tuesday", {"pens and paper": "02.02.", "glue": "03.02."}),
        ("don't let me forget: gate code Monday, alarm test Tuesday",
         {"gate code": "02.02.", "alarm test": "03.02."}),
    ],
)  # fmt: skip
def test_each_task_has_its_own_day(say: str, expected: dict[str, str]) -> None:
    assert due_of(say) == expected


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("add post the parcel, phone the school - both for tomorrow",
         {"post the parcel": "31.01.", "phone the school": "31.01."}),
        ("remind me to buy bread and milk on Friday", {"buy bread and milk": "06.02."}),
        ("add call Jo, email Max and text Pia for tomorrow",
         {"call Jo": "31.01.", "email Max": "31.01.", "text Pia": "31.01."}),
        ("put the chairs away tomorrow, on my list please", {"put the chairs away": "31.01."}),
        ("put milk on my list for tomorrow", {"milk": "31.01."}),
        ("remind me at 14:30 on Tuesday to inspect flat 4b at 21 Queen St",
         {"inspect flat 4b at 21 Queen St": "03.02. 14:30"}),
        ("remind me tomorrow at 8 to sweep the street", {"sweep the street": "31.01. 08:00"}),
    ],
)  # fmt: skip
def test_one_day_counts_for_all_and_numbers_of_houses_are_no_times(
    say: str, expected: dict[str, str]
) -> None:
    assert due_of(say) == expected


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("add send the lease to Lee by Friday, no sorry, by Thursday", {"send the lease to Lee": "05.02."}),
        ("put down finish the rota by Tuesday, no wait, Wednesday", {"finish the rota": "04.02."}),
        ("remind me on Tuesday to call Ana, no, Wednesday", {"call Ana": "04.02."}),
        ("remind me Friday at 3 to call Ana - no, at 4", {"call Ana": "06.02. 16:00"}),
        ("task: file form 12 by the 5th - actually make that the 6th", {"file form 12": "06.02."}),
    ],
)
def test_a_day_that_is_taken_back_is_no_part_of_the_title(say: str, expected: dict[str, str]) -> None:
    assert due_of(say) == expected


@pytest.mark.parametrize(
    ("told", "say", "expected"),
    [
        ("I still haven't sent Ana the keys", "yes, remind me tomorrow at 6pm",
         {"send Ana the keys": "31.01. 18:00"}),
        ("I never rang the landlord back", "oh yes, remind me of that on Monday",
         {"ring the landlord back": "02.02."}),
        ("I haven't booked the hall yet", "ok remind me on Friday", {"book the hall": "06.02."}),
        ("we forgot to invoice Kessler", "put that on my list for Tuesday", {"invoice Kessler": "03.02."}),
        ("add call the vet", "remind me tomorrow at 9", {"call the vet": "31.01. 09:00"}),
        ("can you list my agents?", "remind me tomorrow", {}),
    ],
)  # fmt: skip
def test_a_chore_told_before_is_what_a_bare_reminder_is_of(
    told: str, say: str, expected: dict[str, str]
) -> None:
    assert due_of(told, say) == expected


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("could you give me a nudge tomorrow at quarter to eight to collect 24 rolls from Lutz?",
         {"collect 24 rolls from Lutz": "31.01. 07:45"}),
        ("give me a shout at 4 tomorrow to turn the oven off", {"turn the oven off": "31.01. 16:00"}),
        ("n friday 2pm remind me bellas nails", {"bellas nails": "06.02. 14:00"}),
        ("remind me 2moro 8am bins", {"bins": "31.01. 08:00"}),
        ("give me a shout whenever a new order comes in", {}),
    ],
)  # fmt: skip
def test_reminders_are_asked_for_in_other_words(say: str, expected: dict[str, str]) -> None:
    assert due_of(say) == expected


@pytest.mark.parametrize(
    ("say", "title", "due"),
    [
        ("meeting with Jo Thursday at 14:00, remind me half an hour before", "meeting with Jo", "05T13:30"),
        ("I have a call on Friday at 10, ping me 15 minutes before", "I have a call", "06T09:45"),
        ("staff meeting tomorrow 11:00 (remind me 10 min before)", "staff meeting", "31T10:50"),
        ("optician on Thursday at 4pm, remind me an hour before", "optician", "05T15:00"),
    ],
)
def test_a_reminder_so_long_before_a_time_comes_then(say: str, title: str, due: str) -> None:
    talk = Talk()
    reply = talk.classify_and_answer(say).text

    [task] = talk.tasks.list(talk.caller, completed=None, limit=9)[0]
    assert task.title == title
    assert task.due_at is not None
    assert task.due_at.strftime("%dT%H:%M") == due
    assert "did not do" not in reply


@pytest.mark.parametrize(
    ("say", "title"),
    [
        (
            "Oh and while I think of it, put on my to-do list that I have to renew the papers by Thursday",
            "renew the papers",
        ),
        (
            (
                "ok so half my face is numb, and there are 60 messages about the SOC 2 stuff, anyway, before"
                " I forget it again: I need to send the evidence to Ilse by Thursday, can you keep that"
            ),
            "send the evidence to Ilse",
        ),
        (
            (
                "phew what a morning, the kids were late and the car wouldn't start, so anyway before it"
                " slips my mind: I've got to pay the fees by Thursday, could you note that down"
            ),
            "pay the fees",
        ),
        (
            (
                "just out of a meeting that should have been an email, lol. so: remind me to send Tom the"
                " contract by Thursday, will you"
            ),
            "send Tom the contract",
        ),
        (
            (
                "I've been on hold with the bank for 40 minutes, and now my lunch is cold, but what I"
                " wanted to say is, I need to sign the lease by Thursday, put that on my list"
            ),
            "sign the lease",
        ),
        ("ok then do that: Thursday, send board deck to Aino", "send board deck to Aino"),
    ],
)
def test_what_is_told_around_a_task_is_no_part_of_it(say: str, title: str) -> None:
    talk = Talk()
    talk.classify_and_answer(say)
    assert [(one.title, f"{one.due_date}") for one in talk.turn("", "").situation.read_tasks()] == [
        (title, "2026-02-05")
    ]


@pytest.mark.parametrize(
    "say",
    [
        "Morning. Big day, we've got an audit on Friday",
        "Hey, busy times here, we have inspection next Tuesday",
        "Exciting week, the auditors come on Thursday",
    ],
)
def test_how_the_day_is_makes_no_task_of_what_comes_up(say: str) -> None:
    talk = Talk()
    assert talk.classify_and_answer(say).text.startswith("Noted")
    assert not talk.turn("", "").situation.read_tasks()


def test_what_has_to_be_done_on_a_big_day_is_a_task() -> None:
    talk = Talk()
    talk.classify_and_answer("Big day tomorrow, remind me to bring the cake")
    assert [one.title for one in talk.turn("", "").situation.read_tasks()] == ["bring the cake"]
