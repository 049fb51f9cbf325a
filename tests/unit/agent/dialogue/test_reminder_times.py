"""The due times that are stored for requests to be reminded, read as the acts layer reads them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from agent.dialogue.task_acts.due_times import read_dues, unclear_words
from intent.acts.act import ActKind
from intent.acts.learned.act_model import load_model
from intent.acts.reader import ActReader
from intent.acts.scene import Scene

NOW = datetime(2026, 3, 4, 10, 53, tzinfo=UTC)
"""A Wednesday."""
ZONE = "Europe/London"
LINES = """
2026-03-05 08:00 | remind me tomorrow at 8 to order flour
2026-03-05 16:00 | remind me tomorrow at 4 to call the vet
2026-03-05 09:30 | nudge me tomorrow at 9:30 to water the ferns
2026-03-06 14:00 | remind me on Friday at 2pm to sign the lease
2026-03-04 17:00 | remind me at 5pm to lock the back door
2026-03-04 15:30 | remind me to take the bread out at 3:30pm
2026-03-05 07:00 | remind me to feed the sourdough at 7am tomorrow
2026-03-09 10:00 | remind me on Monday at 10 to chase the invoice for the oven
2026-03-09 10:00 | on Monday at 10 remind me to chase the oven invoice
2026-03-06 08:45 | at 8:45 on Friday remind me to send the rota
2026-03-05 12:00 | tomorrow at noon nudge me to eat something
2026-03-05 11:00 | tell me tomorrow at 11 to ring Priya
2026-03-04 20:00 | tell me at 8pm to put the bins out
2026-03-04 21:00 | remind me tonight at 9 to charge the tablet
2026-03-04 18:30 | remind me at half six this evening to pick up Leo
2026-03-05 09:15 | remind me tomorrow morning at quarter past nine to email the council
2026-03-05 08:50 | remind me at ten to nine tomorrow to print the labels
2026-03-06 07:45 | remind me Friday at quarter to eight in the morning to defrost the butter
2026-03-04 16:20 | remind me at 20 past 4 to preheat the oven
2026-03-05 19:40 | remind me tomorrow at twenty to eight in the evening to call mum
2026-03-04 11:23 | remind me in half an hour to stir the stew
2026-03-04 12:53 | remind me in 2 hours to move the car
2026-03-04 11:38 | ping me in 45 minutes to check the kiln
2026-03-11 09:00 | remind me next Wednesday at 9 to renew the licence
2026-03-15 13:00 | remind me on the 15th at 1pm to pay the VAT
2026-03-20 17:00 | remind me on 20 March at 5pm to collect the cake
2026-03-05 15:00 | remind me to phone the bank tomorrow at 3
2026-03-05 15:00 | remind me to phone 3 suppliers tomorrow at 3pm
2026-03-06 09:00 | remind me to order 12 trays on Friday at 9
2026-03-06 09:00 | remind me Friday at 9 to order 12 trays
2026-03-05 10:00 | remind me tomorrow at 10 to buy 2 bags of sugar
2026-03-05 14:00 | remind me at 2 tomorrow to buy 10 candles
2026-03-05 09:00 | remind me to take 2 tablets tomorrow at 9am
2026-03-04 22:00 | remind me at 22:00 to set the alarm
2026-03-05 06:00 | remind me at 6am to start the proving
2026-03-05 18:00 | remind me tomorrow by 6pm to file the return
2026-03-06 12:00 | remind me by noon on Friday to send Jo the quote
2026-03-05 16:00 | remind me tomorrow around 4 to check on the delivery
2026-03-04 15:00 | nudge me around 3pm to stretch
2026-03-04 14:15 | could you remind me at 14:15 to join the webinar please
2026-03-05 08:30 | please remind me tomorrow at 8.30 to open the shutters
2026-03-07 11:00 | remind us on Saturday at 11 to bring the samples
2026-03-05 09:00 | hey, remind me tomorrow at 9am to cancel the gym
2026-03-05 13:45 | remind me at 13:45 tomorrow to leave for the station
2026-03-05 10:00 | i need a reminder tomorrow at 10 to book the dentist
2026-03-05 10:00 | set a reminder for tomorrow at 10 to book the dentist
2026-03-06 16:00 | set a reminder to water the plants on Friday at 4pm
2026-03-05 17:15 | remind me to go to the post office tomorrow at 5:15pm
2026-03-05 17:15 | remind me tomorrow at 5:15pm to go to the post office
2026-03-05 09:00 | remind me at 9 tomorrow to reply to Ana and Tom
2026-03-05 11:00 | remind me at 11 tomorrow to go to 7 Mill Lane
2026-03-06 09:00 | remind me on Friday at 9 to pay the 2 o'clock courier
2026-03-05 08:00 | remind me tomorrow at 8 after the school run to ring the plumber
2026-03-05 14:00 | remind me to, um, call the landlord tomorrow at 2
2026-03-04 18:00 | remind me at 6 tonight to put the chicken in
2026-03-04 15:00 | remind me at 3 to ring the school
2026-03-04 12:00 | remind me at 12 to eat
2026-03-05 09:00 | nudge me at 9 in the morning tomorrow to send the figures
2026-03-05 | remind me tomorrow to buy 7 lemons
2026-03-06 | remind me on Friday to fetch 20 chairs
2026-03-05 15:00 | remind me to pick up Zoe from 4B tomorrow at 3pm
2026-03-05 10:30 | tomorrow 10:30 remind me: talk to the landlord
2026-03-09 08:00 | remind me Monday 8am to turn on the till
2026-03-09 08:00 | Monday 8am remind me to turn on the till
2026-03-05 17:00 | don't let me forget to cash up tomorrow at 5
2026-03-05 17:00 | don't let me forget at 5 tomorrow to cash up
2026-03-05 07:00 by day | remind me tomorrow at 7 to order flour
2026-03-05 07:00 by day | remind me at 7 tomorrow to pack the van
2026-03-06 18:00 by day | nudge me on Friday at 6 to call Ed
2026-03-05 07:00 by day | tomorrow at 7 remind me to order flour
2026-03-05 07:00 by day | remind me to order flour tomorrow at 7
2026-03-09 18:00 by day | tell me at 6 on Monday to feed the cat
ask | remind me tomorrow at twenty past to leave
2026-03-05 08:00 | nudge me tomorrow at 8 to pick up the eggs
2026-03-06 11:00 | nudge me Friday at 11 to write to the landlord
2026-03-04 14:00 | nudge me at 2 to let the dog out
2026-03-05 10:00 | remind me at 10 tomorrow to go past the chemist
2026-03-05 09:10 | remind me tomorrow at 10 past 9 to drop the form
2026-03-05 09:00 | remind me tomorrow by 9 to send Kim the deposit
2026-03-05 16:00 | remind me to send Kim the deposit tomorrow by 4
2026-03-09 11:00 | remind me around 11 on Monday to test the alarm
2026-03-09 14:00 | remind me on Monday around 2 to test the alarm
2026-03-04 13:00 | remind me at 1 to turn the compost
2026-03-05 15:45 | remind me tomorrow at quarter to 4 to fetch the twins
2026-03-05 14:30 | remind me tomorrow at half 2 to fetch the twins
2026-03-05 14:30 | remind me at half past two tomorrow to fetch the twins
2026-03-05 11:55 | remind me at five to twelve tomorrow to dial in
2026-03-04 11:05 | remind me at five past eleven to dial in
2026-03-05 08:00 | remind me tomorrow at 8 to text 4 drivers
2026-03-05 08:00 | tomorrow at 8 text me a reminder to ring 4 drivers
2026-03-05 12:30 | tomorrow 12:30 nudge me to take lunch out
2026-03-10 09:00 | remind me next Tuesday at 9 to ring the accountant at 40 High Street
2026-03-10 09:00 | next Tuesday at 9 remind me to ring the accountant
2026-03-12 16:30 | remind me on the 12th at 4:30 pm to hand in the keys
2026-03-25 10:00 | remind me on 25 March at 10 to renew the domain
2026-03-25 10:00 | on 25 March at 10 remind me to renew the domain
2026-03-25 10:00 | remind me to renew the domain on 25 March at 10
2026-03-04 23:00 | remind me at 11pm to turn off the heater
2026-03-04 19:00 | remind me at 7 tonight to turn off the heater
2026-03-05 07:00 | remind me at 7 tomorrow morning to turn on the heater
2026-03-05 07:00 | remind me tomorrow morning at 7 to turn on the heater
2026-03-05 19:00 | remind me tomorrow evening at 7 to turn off the heater
2026-03-05 19:00 | tomorrow evening at 7 remind me to turn off the heater
2026-03-05 06:45 | remind me at quarter to seven tomorrow morning to leave
2026-03-05 15:00 | remind me to submit 3 forms tomorrow at 3
2026-03-06 10:00 | remind me to bring 20 cups to the fair on Friday at 10
2026-03-06 10:00 | remind me on Friday at 10 to bring 20 cups to the fair
2026-03-04 16:00 | remind me at 4pm to check the 5 to 9 shift is covered
2026-03-05 09:00 | remind me at 9am tomorrow to reorder item 1430
2026-03-05 10:00 | remind me tomorrow at 10 to move the 2pm meeting
2026-03-05 09:30 | put a reminder in for tomorrow at 9:30 to check stock
2026-03-04 17:30 | give me a nudge at 5:30pm to lock the gate
2026-03-04 12:13 | remind me to flip the dough in 80 minutes
2026-03-04 11:08 | remind me in a quarter of an hour to flip the dough
2026-03-04 12:23 | remind me in an hour and a half to flip the dough
2026-03-05 08:00 | remind me tomorrow 8am sharp to sign in
2026-03-05 13:00 | remind me tomorrow at 13 to sign in
2026-03-05 10:00 | remind me at 10 on Thursday to phone in
2026-03-05 10:00 | remind me, tomorrow at 10, to phone in
2026-03-05 10:00 | tomorrow at 10: remind me to phone in
2026-03-05 10:00 | remind me tomorrow at 10. phone the gallery
2026-03-05 10:00 | remind me to phone the gallery. tomorrow at 10
2026-03-05 21:00 | remind me at 9pm tomorrow to put 2 bins out
2026-03-08 09:00 | remind me on Sunday at 9 in the morning to air the tent
2026-03-08 20:00 | remind me on Sunday at 8 in the evening to pack
2026-03-04 18:00 | remind me before 6pm to water the roses
2026-03-05 16:00 | remind me at four tomorrow to ask for the deposit
2026-03-05 10:00 | remind me at ten tomorrow to ask for the deposit
2026-03-05 10:00 | remind me tomorrow at ten to ask for the deposit
2026-03-06 09:00 | remind me at nine on Friday to ask for the deposit
2026-03-05 15:00 | remind me tomorrow at three to go to the bank
2026-03-05 07:00 by day | remind me at seven tomorrow to ask for the deposit
2026-03-05 07:00 by day | remind me tomorrow at seven to ask for the deposit
2026-03-06 18:00 by day | remind me Friday at 6 after the late shift to lock up
""".strip().splitlines()


@cache
def reader() -> ActReader:
    model = load_model()
    assert model is not None
    return ActReader(model)


@pytest.mark.parametrize("line", LINES)
def test_the_stored_due_time_is_the_one_that_was_said_and_a_bare_hour_is_one_of_the_day(line: str) -> None:
    due, say = line.split(" | ")
    [act] = [act for act in reader().read(say, Scene(now=NOW, zone=ZONE)) if act.kind is ActKind.ADD_TASK]
    bench: Any = SimpleNamespace(turn=SimpleNamespace(situation=SimpleNamespace(now=NOW, time_zone=ZONE)))
    [found] = read_dues(act, bench)
    if due == "ask":
        assert found is None
        assert unclear_words(act, bench) is not None
        return
    assert found is not None
    at = f" {found.at:%H:%M}" if found.at else ""
    assert f"{found.day}{at}{' by day' if found.note else ''}" == due
