"""Requests to keep a fact in any polite words."""

from __future__ import annotations

import pytest

from intent.acts.kept_requests import kept_fact


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Would you be so kind as to memorise that our vegan guests sit at table nine?",
         "our vegan guests sit at table nine"),
        ("Could I ask you to keep in mind that Mrs Oyelaran is allergic to nuts?",
         "Mrs Oyelaran is allergic to nuts"),
        ("I'd be grateful if you'd retain that the boiler was serviced by Halvorsen Ltd",
         "the boiler was serviced by Halvorsen Ltd"),
        ("Would you mind remembering that our baker is Kessler?", "our baker is Kessler"),
        ("Kindly make a mental note that deliveries come through the back gate",
         "deliveries come through the back gate"),
        ("please bear in mind our accountant is called Ines Falk", "our accountant is called Ines Falk"),
        ("I want you to know that Tobias is the new first aider", "Tobias is the new first aider"),
        ("could u keep in mind the lift is out of order in block B", "the lift is out of order in block B"),
        ("may I trouble you to remember that our florist closes at noon?", "our florist closes at noon"),
        ("I would be most obliged if you remembered that the back gate is locked", "the back gate is locked"),
        ("Would you be good enough to memorise that the Parks like the corner table?",
         "the Parks like the corner table"),
        ("please be aware that Karim is off sick", "Karim is off sick"),
        ("remember, the ladder is in shed 2", "the ladder is in shed 2"),
    ],
)  # fmt: skip
def test_a_polite_request_to_keep_something_has_its_fact(text: str, fact: str) -> None:
    assert kept_fact(text) == fact


@pytest.mark.parametrize(
    "text",
    [
        "do you remember that the vet is Lund?",
        "can you remember what the code is?",
        "remember to call Sam",
        "please don't forget to order flour",
        "could you note that I have to ring the bank on Monday",
        "note that I need the report by Friday",
        "keep in mind that the task is due on Friday",
        "I remember that the van was red",
        "would you mind that we were late?",
        "can you tell Anna to remember that the shop is shut",
        "can you ask Anna to remember that the shop is shut",
        "you noted that the shop is shut",
        "we remembered that the shop is shut",
        "save the list",
        "keep an eye on our stock page",
        "would you be so kind as to remind me of the dentist at 4?",
        "make a note to call Eva tomorrow",
        "can you keep an eye on our website?",
        "put down: ring mrs okafor bout her boiler, thursday 3pm",
        "note: renew the parking permits by march 20th",
        "jot down: dentist tomorrow 3pm",
        "hmm, actually no, keep that one to myself. There are client names in it",
    ],
)
def test_what_asks_for_a_deed_or_an_answer_has_no_fact_to_keep(text: str) -> None:
    assert kept_fact(text) == ""
