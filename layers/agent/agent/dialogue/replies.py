"""Puts the results of several acts together into one note and one reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.dialogue.result import Result, one_question
from agent.handler_interface import HandlerReply
from conversation.messages.models import Note, Reference
from intent.acts.act import Act, ActKind
from intent.acts.lexicon import classes_of
from intent.acts.requests import has_question
from intent.acts.tokens import tokenise
from intent.regular_expressions import lower_pattern

_DROPS = ("forget", "never mind", "nevermind", "cancel", "drop", "scrap", "leave it", "stop", "don't need")
_THANKS = frozenset({"thanks", "thank", "thx", "ta", "cheers"})
_ANOTHER = frozenset({"agent", "another", "bot", "second", "one"})
_NEW = frozenset({"new", "another", "create", "second", "third", "next"})


def note_of(results: Sequence[Result], about: Reference | None) -> Note:
    """Return the note of the results; ``about`` is what was talked about before."""
    question = one_question([result.question for result in results if result.question])
    return Note(
        did="; ".join(result.did for result in results if result.did),
        about=next((result.about for result in reversed(results) if result.about), about),
        listed=next((result.listed for result in reversed(results) if result.listed), ()),
        question=question.to_note() if question else None,
        kinds=tuple(result.kind.value for result in results if result.kind),
    )


def in_one_text(said: Sequence[str], remarks: Sequence[str]) -> str:
    """Return what is said in one text, each once; remarks end the only line, or stand below several."""
    text, remark = "\n\n".join(dict.fromkeys(filter(None, said))), " ".join(remarks)
    return (" " if "\n" not in text else "\n\n").join(filter(None, (text, remark)))


def without_idle(results: Sequence[Result]) -> list[Result]:
    """Return the results without those that say a thing is as asked, where another changed it since."""
    changed = {result.about.id if result.about else "" for result in results if result.did}
    return [one for one in results if not (one.is_idle and (one.about.id if one.about else "") in changed)]


def without_repeated(results: Sequence[Result]) -> list[Result]:
    """Return the results; one that a later one on the same agent says as well has no text of its own."""
    whole = {one.about.id: place for place, one in enumerate(results) if one.is_whole and one.about}
    return [
        replace(one, text="", did="")
        if one.kind is ActKind.CHANGE_AGENT and one.about and place < whole.get(one.about.id, 0)
        else one
        for place, one in enumerate(results)
    ]


def without_optional(result: Result) -> Result:
    """Return the result without a question that needs no answer: an unfinished agent asks its own."""
    return replace(result, question=None) if result.question and result.question.is_optional else result


def with_others(reply: HandlerReply, others: Sequence[HandlerReply]) -> HandlerReply:
    """Return the reply with what acts answered elsewhere wrote and noted."""
    if not others:
        return reply
    note = reply.note
    for other in others:
        theirs = {
            name: getattr(other.note, name) for name in other.note.model_fields_set - {"draft", "asking"}
        }
        mine = {name for name in note.model_fields_set if getattr(note, name)} - {"about"}
        note = note.model_copy(update={name: value for name, value in theirs.items() if name not in mine})
    return replace(
        reply,
        note=note,
        effects=(*reply.effects, *(action for other in others for action in other.effects)),
        used_tools=(*reply.used_tools, *(tool for other in others for tool in other.used_tools)),
        lacks_answer=len(others) == 1 and not reply.effects and others[0].lacks_answer,
    )


def drops(act: Act, message: str) -> bool:
    """Return whether a no gives up the unfinished agent: ``forget it``, or nothing but ``no, thanks``."""
    words = act.clause.text.lower()
    said = {token.word for token in tokenise(message) if token.is_word}
    declines = bool(said & _THANKS) and said <= _THANKS | {"no", "nope", "nah", "you", "not", "now"}
    return declines or any(one in words for one in _DROPS) or _throws_away(words)


def _throws_away(words: str) -> bool:
    """Return whether words command to throw "it" away: ``bin that``, ``scrap this one``."""
    pairs = pairwise(token.word for token in tokenise(words) if token.is_word)
    return any(classes_of(verb) & {"delete", "cancel"} and it in _IT for verb, it in pairs)


_IT = frozenset({"it", "that", "this"})


def says_pause(act: Act) -> bool:
    """Return whether an act's words command a pause: ``pause it over christmas``."""
    return any("pause" in classes_of(token.word) for token in tokenise(act.clause.text))


def asks_for_another(act: Act) -> bool:
    """Return whether a request is for one more agent than the unfinished one."""
    if act.is_other:
        return True
    words = set(act.clause.text.lower().replace(":", " ").replace(",", " ").split())
    return bool(words & _ANOTHER) and bool(words & _NEW)


def is_about_draft(act: Act) -> bool:
    """Return whether an act is about the unfinished agent, not about one that exists or another new one."""
    if act.kind is ActKind.CHANGE_AGENT:
        return not act.meant.things or act.meant.is_focus
    return act.kind is ActKind.CREATE_AGENT and not asks_for_another(act)


def tells_unsure(act: Act) -> bool:
    """Return whether somebody who doesn't know what to ask for tells of themselves, and asks nothing."""
    return act.kind is ActKind.UNSURE and not has_question(tokenise(act.clause.text))


def as_place(act: Act) -> Act | None:
    """Return ``let me know here``, which seems to put something off, as the answer where results go; None for
    other words.
    """
    if act.kind is not ActKind.LATER or act.slot("when") or _HERE.search(act.clause.text) is None:
        return None
    return replace(act, kind=ActKind.ANSWER, slots={**act.slots, "where": act.clause})


_HERE = lower_pattern(
    r"\b(?:let me know|tell me|drop it|put it|post it) (?:just |right )?(?:here|in (?:the|this) chat)\b"
)
