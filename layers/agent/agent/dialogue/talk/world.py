"""Answers to questions and requests about the world outside, which only a model could answer, or nobody."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.held_acts import AskedQuestion, HeldAct
from agent.dialogue.result import Result
from agent.dialogue.talk import nearest_facts, recall, sums, texts, told_rates, unclear
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.phrases import as_title, trimmed
from intent.acts.act import ActKind
from intent.acts.lexicon import LEADS
from intent.acts.scene import Asked
from intent.acts.tokens import tokenise

_SUBJECTS = {
    "weather": "weather rain raining snow sunny wind windy forecast storm freeze freezing frost typhoon",
    "animals": "dog dogs cat cats collie collies puppy kitten horse horses rabbit vet",
    "health": "mg dose dosage medicine tablet tablets symptoms pregnant fever effects metformin ibuprofen"
    " paracetamol rash vaccine bleeding allergic poison toddler",
    "law": "law hmrc rules legal vat tax statutory rights notice contract visa court sue fine threshold",
}
_DEEDS = (
    ("make phone calls", "call ring phone telephone dial"),
    ("move money", "pay transfer wire refund donate tip bribe"),
    ("book or order anything", "book order buy reserve get rent hire purchase fetch"),
    ("write texts", "write compose draft rhyme poem limerick story speech blurb letter essay prayer email"),
    ("translate", "translate translation"),
    ("draw or design", "draw design paint sketch logo picture image"),
    ("operate machines", "reboot restart install turn switch print unlock lock open close shut"),
    ("send messages to other people", "tell text message email mail invite ask notify"),
)
_VERBS = frozenset(verb for _, verbs in _DEEDS for verb in verbs.split())
_NO_DEED = "do that: I only work in this chat and with what you connect"
_OWN = frozenset({"i", "my", "we", "our", "us", "me"})
_ADVICE = (
    "any tips", "any advice", "how do i", "how should", "what should", "should i", "is that what", "any idea",
)  # fmt: skip
_LONGEST_TITLE = 90


def question(occasion: Occasion) -> Result:
    """Say that it can't be looked up, and who would know."""
    if (known := _known(occasion) or nearest_facts.near(occasion)) is not None:
        return known
    if (felt := unclear.remarked(occasion)) is not None:
        return felt
    said = set(occasion.words.lower().replace("?", " ").replace(",", " ").split())
    subject = next((name for name, marks in _SUBJECTS.items() if said & set(marks.split())), "")
    if trimmed(occasion.words).lower().startswith(_ADVICE):
        subject = "advice"
    text = texts.cannot_look_up(trimmed(occasion.words), texts.WHERE_TO_ASK[subject])
    return Result(text, lacks_answer=True)


def _known(occasion: Occasion) -> Result | None:
    """Return the answer to what is no question about the world after all: a sum, or what the user told."""
    if (found := sums.told_before(occasion)) is not None:
        return Result(found.text)
    if (pointed := told_rates.of_told(occasion) or sums.pointed_at(occasion)) is not None:
        return pointed
    if any(not recall.names_subject(one.clause.text) for one in occasion.acts if one.kind is ActKind.RECALL):
        return Result("")
    is_own = _OWN & set(occasion.words.lower().split())
    return recall.quoted(occasion) if is_own else None


def deed(occasion: Occasion) -> Result:
    """Say that it can't be done, and offer to put it on the list; what is only to be told is a question."""
    if asks_to_be_told(occasion.words):
        return question(occasion)
    title = _without_time(as_title(occasion.words, _VERBS), occasion.act.slot("when"))
    cannot = texts.cannot_do(_deed_in(title))
    if not occasion.is_alone or not title:
        return Result(f"{cannot[:-1]}: “{title}”." if title else cannot)
    short = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
    held = HeldAct(kind=ActKind.ADD_TASK, text=title, several=(short,), slots=_times(occasion))
    asked = AskedQuestion(asked=Asked.CONFIRM, waiting=(held,))
    return Result(f"{cannot} {texts.offer_task(short)}", question=asked, lacks_answer=_may_answer(title))


def _without_time(title: str, when: str) -> str:
    """Return a title without the time at its end, which becomes the due date."""
    start = title.removesuffix(when).rstrip() if when else title
    words = start.split()
    while start != title and words and words[-1].lower() in {"for", "on", "at", "by", "until"}:
        words.pop()
    return " ".join(words).rstrip(",;:") if len(words) > 1 else title


def _deed_in(title: str) -> str:
    words: Sequence[str] = title.lower().split()
    for word in words[:3]:
        found = next((what for what, verbs in _DEEDS if word.strip(",.") in verbs.split()), None)
        if found is not None:
            return found
    return _NO_DEED


def asks_to_be_told(words: str) -> bool:
    """Return whether words ask for an explanation: ``tell me something about tides``."""
    said = [token.word for token in tokenise(words) if token.is_word and token.word not in _BEFORE_TELLING]
    if not said:
        return False
    return said[0] in _EXPLAINING or (said[0] in _TELLING and said[1:2] in (["me"], ["us"]))


_BEFORE_TELLING = LEADS | {"can", "could", "would", "will", "you"}
_EXPLAINING = frozenset({"explain", "describe"})
_TELLING = frozenset({"tell", "teach", "show", "give"})


def _may_answer(title: str) -> bool:
    """Return whether a model could do it in words: not what takes hands, or other people."""
    return _deed_in(title) in {"write texts", "translate", _NO_DEED}


def _times(occasion: Occasion) -> dict[str, str]:
    when = occasion.act.slot("when")
    return {"when": when} if when else {}
