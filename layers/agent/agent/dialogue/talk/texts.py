"""What is said in answers that need no agent and no task. Pure functions and constants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

# Sums


def ask_how_to_reckon(numbers: Sequence[str]) -> str:
    """Ask what to do with numbers."""
    if not numbers:
        return "Which numbers should I work with?"
    listed = _and(numbers[:6])
    if len(numbers) == 1:
        return f"I see {listed}, but not what to do with it. What should I add, multiply or divide?"
    return f"I see {listed}, but not what to do with them. Should I multiply, add or divide them?"


def read_as_decimal(figures: Sequence[str]) -> str:
    """Say how figures such as 1.250 were read; empty without any."""
    if not figures:
        return ""
    meant = figures[0].replace(".", ",")
    return f"I read {figures[0]} with decimals; if you mean thousands, write {meant}."


def earlier_sums(lines: Sequence[str]) -> str:
    """Repeat the sums of a conversation, the newest first."""
    return "\n".join(["These were the sums:", *lines]) if len(lines) > 1 else lines[0]


def without_rate(value: str, rate: str) -> str:
    """Repeat an amount as it was before a percentage was added."""
    return f"{value} without the {rate}"


def with_rate(value: str, rate: str) -> str:
    """Repeat an amount with the percentage that was added."""
    return f"{value} with the {rate}"


def share_of_rate(value: str, rate: str) -> str:
    """Repeat what a percentage came to."""
    return f"The {rate} is {value}"


def compared_again(chosen: str, others: Sequence[str]) -> str:
    """Repeat the lower or the higher of several amounts, with those that were told beside it."""
    return f"{chosen}. You told me {_and([chosen, *others])}."


NO_EARLIER_SUM = "I haven't worked anything out in this conversation yet. Which numbers do you mean?"

# Time and date


def day(when: date, *, today: date | None = None) -> str:
    """Return a day: ``Tuesday, March 3``, with the year when that isn't this year."""
    year = f", {when.year}" if today is None or today.year != when.year else ""
    return f"{when:%A}, {when:%B} {when.day}{year}"


def clock_time(when: datetime) -> str:
    """Return a time of day: ``2:05 PM``."""
    return f"{when.hour % 12 or 12}:{when:%M} {'AM' if when.hour < 12 else 'PM'}"


def now_here(when: datetime, zone: str) -> str:
    """Say what time and day it is for the user."""
    return f"It is {clock_time(when)} on {day(when.date(), today=when.date())} ({zone})."


def now_there(when: datetime, place: str) -> str:
    """Say what time and day it is somewhere else."""
    return f"In {place} it is {clock_time(when)} on {day(when.date(), today=when.date())}."


def today_is(today: date) -> str:
    """Say what day it is."""
    return f"Today is {day(today)}."


def week_is(number: int, first: date, last: date) -> str:
    """Say which week it is."""
    return f"This is week {number}: {first:%B} {first.day} to {last:%B} {last.day}."


def day_is(when: date, today: date) -> str:
    """Say which weekday a day is, and how far away."""
    return f"That is {day(when, today=today)}, {distance(when, today)}."


def days_until(when: date, today: date) -> str:
    """Say how many days there are until a day, or since."""
    count = abs((when - today).days)
    weeks = f" ({count // 7} weeks)" if count >= 14 and count % 7 == 0 else ""
    named = day(when, today=today)
    if when == today:
        return f"That is today, {named}."
    return f"{_days(count)}{weeks} {'until' if when > today else 'since'} {named}."


def days_between(first: date, last: date) -> str:
    """Say how many days lie between two days."""
    return f"{_days(abs((last - first).days))} from {day(first, today=last)} to {day(last, today=first)}."


def minutes_between(minutes: int) -> str:
    """Say how long a stretch of time is: ``505 minutes: 8 hours and 25 minutes.``"""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} minutes."
    named = f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{minutes} minutes: {named}{f' and {rest} minutes' if rest else ''}."


def distance(when: date, today: date) -> str:
    """Return how far away a day is: ``today``, ``in 5 days``, ``3 days ago``."""
    count = (when - today).days
    if abs(count) <= 1:
        return ("yesterday", "today", "tomorrow")[count + 1]
    return f"in {count} days" if count > 0 else f"{-count} days ago"


def _days(count: int) -> str:
    return f"{count:,} day{'' if count == 1 else 's'}"


def unknown_place(place: str) -> str:
    """Ask for a larger city."""
    return f"I don't know the time zone of {place}. Which larger city is it near?"


# What was said before


def told(when: str, quote: str) -> str:
    """Quote what the user said."""
    return f"You told me {when}: “{quote}”"


def told_again(quote: str) -> str:
    """Quote what the last reply quoted, because it answers another question, too."""
    return f"You told me that, too: “{quote}”"


def answered(when: str, quote: str) -> str:
    """Quote what the assistant said."""
    return f"I told you {when}: “{quote}”"


def told_more(when: str, quote: str) -> str:
    """Quote something else that the user said."""
    return f"And {when}: “{quote}”"


def told_since(quotes: Sequence[str]) -> str:
    """Quote what the user said later to change it."""
    return f"You changed that later: {', then '.join(f'“{quote}”' for quote in quotes)}"


def told_corrected(when: str, quote: str, sentence: str) -> str:
    """Tell what the user said with the value that they put right later, and quote the correction."""
    return f"You told me {when}, with your correction “{quote}”: {sentence}"


def told_to_forget(when: str) -> str:
    """Say that something is not told again, as was asked, and where it still stands."""
    return (
        f"You asked me to forget that, so I don't repeat it. The message that says it, {when}, is still in"
        " the conversation until you delete it."
    )


def cannot_forget(when: str, quote: str) -> str:
    """Say what has to be deleted for something told to be forgotten."""
    return f"I can't forget one sentence by itself. Delete the message that says it, {when}: “{quote}”"


def nothing_to_forget(topic: str) -> str:
    """Say that there is nothing that could be forgotten."""
    return f"There is nothing to forget: I don't find {_topic(topic)} in anything you told me."


def nearest_told(topic: str, when: str, quote: str) -> str:
    """Quote what comes nearest to what was asked for."""
    return f"I don't find {_topic(topic)}. The nearest you told me, {when}: “{quote}”"


WHICH_TOLD = "Which one do you mean? Give me one more word of what you told me, and I'll look for it."


def known_of_user(told: Sequence[str], count: int) -> str:
    """Quote what the user told in this conversation, and say what else there is."""
    rest = (
        "Besides, I have your agents, your tasks and what you wrote in earlier conversations:"
        " ask for any of it by its subject."
    )
    if not told:
        return f"In this conversation you told me nothing to keep in mind. {rest}"
    lines = "\n".join(f"- “{one}”" for one in told)
    last = f"the last {len(told)} of {count} things" if count > len(told) else "this"
    return f"In this conversation you told me {last}:\n{lines}\n\n{rest}"


NO_MORE_TOLD = "I find no more about that than this."


def nothing_told(topic: str) -> str:
    """Say that nothing was found."""
    return f"I don't find {_topic(topic)} in anything you told me. Tell me now, and I'll have it next time."


def _topic(topic: str) -> str:
    return f"“{topic}”" if topic else "that"


def deeds(lines: Sequence[str]) -> str:
    """Say what was done, line by line; what was done twice in the same way once."""
    return "\n".join(dict.fromkeys(lines))


def deed(when: str, did: str) -> str:
    """Say what was done on a day."""
    return f"{when[:1].upper()}{when[1:]} I {did}."


NOTED = (
    "Noted. Ask me whenever you need it.",
    "Got it, I'll remember that.",
    "I'll keep that in mind.",
)
NOTED_BRIEFLY = "I've noted the rest."

# Reasons


def because_you_wrote(quote: str, did: str) -> str:
    """Say which words led to a change."""
    return f"You wrote “{quote}”, so I {did}. If that was wrong, say “undo”."


def because_asked(quote: str) -> str:
    """Say which words led to a question."""
    return f"You wrote “{quote}”, and I wasn't sure enough to go ahead, so I asked. Nothing has changed yet."


def because_several(names: Sequence[str]) -> str:
    """Say why the user was asked which one they mean."""
    return f"Your words fit {_and(names)}, and I don't want to take the wrong one."


BECAUSE_SLOT = {
    "when": "Because it runs by itself: without a time it would never start.",
    "time": "Because it runs by itself: without a time it would never start.",
    "where": "Because the results have to arrive somewhere you'll see them.",
    "source": "Because it has to know where to look, or it would report nothing.",
    "name": "So that we can both say which one we mean. I can choose one, if you like.",
    "job": "Because I can't set it up before I know what it should do.",
}
"""Why each part of a new agent is asked for."""


def because_listed(names: Sequence[str]) -> str:
    """Say what was counted."""
    return f"I counted what there is now: {_and(names)}. That makes {len(names)}."


def because_answered(quote: str) -> str:
    """Say what was answered, when nothing was changed."""
    return f"I answered “{quote}”, and changed nothing. What did you mean instead?"


def assumed(value: str) -> str:
    """Admit that something wasn't said."""
    return f"I don't find {value} in what you wrote, so I assumed it. What should it be?"


NOTHING_SAID_YET = "We have only just begun: I haven't done or said anything yet. What do you mean?"

# The world outside


def cannot_look_up(question: str, where: str) -> str:
    """Say that a question can't be answered."""
    return f"I can't look that up: “{question}”. {where}"


WHERE_TO_ASK = {
    "weather": "A weather service knows.",
    "health": "A doctor or pharmacist is the one to ask.",
    "animals": "A vet is the one to ask.",
    "law": "A lawyer, an accountant or the official site knows.",
    "advice": "Somebody in the trade, or a search engine, is the better source.",
    "": "A search engine will find it.",
}


def cannot_do(what: str) -> str:
    """Say that something can't be done."""
    return f"I can't {what}."


def offer_task(title: str) -> str:
    """Offer to remember it instead."""
    return f"Should I put “{title}” on your list instead?"


# Small talk

GREETINGS = ("Hello! What can I do for you?", "Hi again! What would you like done?")
MORNINGS = ("Good morning! What can I do for you?", "Good morning! Where shall we start?")
EVENINGS = ("Good evening! What can I do for you?", "Good evening! What would you like done?")
WELCOMES = ("You're welcome!", "Any time.", "Glad it helped.")
FAREWELLS = ("Bye! Everything is kept for when you're back.", "See you! Your agents keep working.")
WISHES = ("Thank you, the same to you!", "Thanks, you too!")
MOODS = ("All well here, thanks. What can I do for you?", "Fine, thank you. How can I help?")
ROBOT = ("Yes, I'm a program, not a person. What can I do for you?", "I'm software, nobody is typing here.")
PRAISE = ("Thank you, glad it works for you.", "Thanks, that's good to hear.")
PARDONS = ("No harm done.", "Don't worry about it.")
NO_JOKES = (
    "I can't tell jokes, I'm afraid. Tell me when there's something to do.",
    "Jokes I can't do. Chores I can.",
)
JOKES = ("Ha! I'm here when you need me.", "Ha, fair enough.")
ACKNOWLEDGED = ("OK. I'm here when you need me.", "All right.")
SYMPATHY = (
    "That sounds hard. If there's something I can take off you, tell me.",
    "I'm sorry to hear that. Tell me if I can take something off your hands.",
)
GLAD_TO_HEAR = ("Lovely! I'm here when you need me.", "That's good to hear!")
SORRY_TO_HEAR = (
    "Oh no, I hope the day gets better from here.",
    "Sorry to hear that. I'm here if I can take something off your hands.",
)
HEARD = ("Good to know.", "I see, thanks for telling me.")
CHAT = ("Nice to hear from you. Tell me when there's something to do.", "Good to know. I'm here when needed.")
NO_NAME = ("I'm OmniForge's assistant, a program.", "I'm a program; people just call me the assistant.")


def apology(last_request: str) -> Sequence[str]:
    """Apologise once, and offer one concrete way."""
    if last_request:
        return (
            f"I'm sorry. Shall we try again? You wrote “{last_request}”: tell me what should have happened.",
            "I'm sorry that it still isn't right. Tell me the one thing you need first, in a few words.",
        )
    return (
        "I'm sorry. Tell me the one thing you need first, in a few words, and I'll do just that.",
        "I'm sorry that it's a nuisance. What should have happened? I'll start from there.",
    )


# No idea where to begin


def examples(whom: str, first: str, second: str) -> str:
    """Give two examples as a question."""
    return f"Two things an agent could do for you{whom}: {first}; or {second}. Which is nearer?"


_ASK_CHORE = (
    "I can set up an agent that checks and reports. What do you check again and again, and where is it kept?"
    " For example: “people owe us fees, it's all in a Google sheet”."
)
ASK_CHORE = (
    _ASK_CHORE,
    "Tell me one thing that somebody has to check by hand, and where: I'll say whether an agent could do it.",
)
"""Questions for people who say nothing yet of what they do."""


ASK_TASKS = (
    "I can keep a to-do list for you and remind you. What has to be done? Tell me all of it, and when."
)


def offer_reminder(title: str, when: str) -> str:
    """Offer a task for what somebody keeps forgetting; ``when`` is empty where they didn't say it."""
    if when:
        return f"I can put “{title}” on your list and remind you {when}. Shall I?"
    return f"I can put “{title}” on your list, and remind you if you tell me when. Shall I?"


def offer_either(thing: str) -> str:
    """Offer a reminder of a thing that goes wrong, or an agent that looks at it."""
    return (
        f"I can remind you of “{thing}” if you tell me when, or have an agent look at it regularly if you"
        " tell me where it is kept. Shall I put it on your list?"
    )


def ask_where_kept(trouble: str) -> str:
    """Say that an agent could report on a trouble that somebody told of, and ask where its data are."""
    return (
        f"An agent could look into that regularly and tell you: “{trouble.rstrip('.!')}”. "
        "Which system or sheet would show it?"
    )


def offer_chore(source: str, job: str) -> str:
    """Offer an agent for the chore that somebody told of."""
    return f"I could go through {source} for you and report this: “{job}”. Shall I set that up?"


def what_helps(source: str) -> str:
    """Say what an agent could do about what was told, with examples for any work, and ask for the chore."""
    there = f"in {source}" if source else "there"
    return (
        f"An agent could look {there} for you and report here, every day or week: what is new, what is"
        " missing or late, or a summary. Which of these would save you work?"
    )


def suggest_time(when: str) -> str:
    """Suggest when an agent runs."""
    return f"{when[:1].upper()}{when[1:]} suits most reports. Shall I take that?"


SUGGEST_PLACE = "Here in the chat is the simplest. Shall I take that?"
SUGGEST_JOB = (
    "Think of what you look up again and again. For example: new orders every morning, or bills unpaid after "
    "30 days. Is yours like one of these?"
)

# Not understood

UNCLEAR, UNREADABLE = "I'm not sure what to do with", "I couldn't make that out."
MISSES = (UNCLEAR, UNREADABLE, "I still don't follow")
"""How replies to what wasn't understood begin."""


def unclear(quote: str) -> str:
    """Guess that something is to be noted, and name the alternative."""
    return f"{UNCLEAR} “{quote}”. Should it go on your list, or did you want an agent for it?"


def unclear_whole(quote: str) -> str:
    """Say that nothing was understood, and ask what is meant."""
    return f"{UNCLEAR} “{quote}”. What should I do, and with which agent or task?"


def unclear_agent(quote: str, source: str) -> str:
    """Guess that an agent is wanted, and name the alternative."""
    return f"{UNCLEAR} “{quote}”. Do you want an agent that reads {source}, or is it for your list?"


def unclear_about(quote: str, name: str) -> str:
    """Guess that it is about an agent."""
    return f"{UNCLEAR} “{quote}”. Is it about {name}? Tell me what should change, or what you want to know."


def unclear_again(quote: str) -> str:
    """Say at a second miss what was understood, and offer one concrete way."""
    return (
        f"I still don't follow: I read “{quote}”. Try one short sentence with a verb, such as "
        "“every Monday at 9, mail me the open orders”."
    )


UNREADABLES = (
    f"{UNREADABLE} What would you like done?",
    "I still don't follow. Try one short sentence, such as “add buy stamps to my list”.",
)
WRONG_WINDOW = ("No problem, I've done nothing.", "That's fine, nothing was done.")
PUZZLED = "Was my last answer unclear? Tell me what you need, and I'll put it another way."
INTRODUCED = (
    (
        "Thanks, good to know. If something in your work has to be watched, collected or remembered,"
        " tell me what"
        " and when, and I'll set it up."
    ),
    "Good to know. Tell me which chore of that you'd like to hand over, and when it comes up.",
)
REMARKS = (
    "I've done nothing about that. Tell me what to check regularly, or what to remind you of and when.",
    "Noted; I've done nothing with it.",
)


def _and(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


ONLY_PASTED = (
    "I take this for a text from somebody else, so I've done nothing that it says. What would you like me to "
    "do with it?"
)
TEXT_WORK = (
    "I can't work on texts without a language model, and none answers here. I've done nothing that the text "
    "says."
)


NO_ANSWER_HERE = (
    "I have no written answer to that about this workspace. Ask “what can you do?” for what I know, or ask"
    " for a thing by its name: an agent, a task, a setting."
)


def general_elsewhere(answer: str) -> str:
    """Say, beside what is known of the workspace, what a general question needs."""
    after = "\n\n" if "\n" in answer else " "  # a list ends with its last line
    return f"{answer}{after}If you meant it in general, that needs a language model; none answers here."


def if_meant(answer: str) -> str:
    """Give the answer to a question that is probably about the product."""
    return f"I'm not sure what you mean. If it's about this chat: {answer}"
