"""What a reply claims to have done, and which changes it does not speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tests.evals.dialogues.reply import Reply, sentences

_DID = (
    r"saved|added|created|changed|updated|renamed|deleted|removed|erased|paused|resumed|unpaused|shared"
    r"|unshared|started|scheduled|rescheduled|moved|cancell?ed|completed|marked|ticked|crossed|restored|undone"
    r"|reverted|switched|stopped|cleared|registered|copied|duplicated|reopened|archived|un-?archived"
    r"|brought back|taken|set up|turned"
)
_I_DID = re.compile(
    r"(?i)\bI(?:\s+(?:just|also|now))?\s+(?:saved|added|created|changed|updated|renamed|deleted|removed|erased"
    r"|paused|resumed|shared|started|moved|cancell?ed|marked|restored|copied)\b"
    r"|\b(?:I['\u2019]ve|I have|we['\u2019]ve|we have)\s+(?:(?:just|also|now|successfully)\s+)*"
    rf"(?:{_DID}|set|put|made)\b"
)
_IT_IS = re.compile(
    rf"(?i)\b(?:has|have)\s+(?:now\s+|just\s+)?been\s+(?:{_DID}|set|put)\b"
    rf"|\b(?:is|are)\s+now\s+(?:{_DID}|set|called|named|active|due|private|gone|back"
    r"|on your list|off your list)\b"
    r"|\bnow\s+(?:runs|works|reads|goes|posts|reports|sends|watches|looks like this|reports)\b"
)
_OWN_IS = re.compile(
    r"(?i)\b(?:is|are)\s+(?:saved|added|created|renamed|deleted|removed|erased|restored|gone|back)\b"
)
_YOUR_OWN = re.compile(r"(?i)\byour (?:new )?(?:agent|task)\b")
_LEAD = re.compile(
    r"(?i)^\W*(?:(?:ok(?:ay)?|great|perfect|sure|alright|all right|got it|yes|right|all)\b[\s,.!:—-]*)*"
    rf"(?:all )?(?:done|{_DID})\b"
    r"(?=\s*(?:$|[.,!;:—\u2013-])|\s+(?:the|your|it|both|all|that|this|two|three|agent|task)\b)"
)
_NOT = re.compile(
    r"(?i)\b(?:not|nothing|never|none|no|without|cannot|unable|neither|nor|already)\b|n['\u2019]t\b"
    r"|as it is\b|as it was\b|unchanged|left (?:it|everything)"
)
_PAST = re.compile(r"(?i)\b(?:since|already)\b")
_NOTHING = re.compile(r"(?i)\bnothing (?:has|was|is|else)\b")
_UNLESS = re.compile(
    r"(?i)\b(?:if|once|when|whenever|after|before|until|unless|would|could|can|shall|should|might|may|ask|say"
    r"|tell me|for example|such as|to have|every|each|days?)\b"
)
_CLAUSE = re.compile(r"\s*(?:;|,\s+(?=but\b|and\b|so\b|then\b)|\bbut\b|\s\()\s*")
_CARD_LINE = re.compile(r"(?m)^\s*[-*•]\s*[A-Za-z][\w ]{0,24}:\s.*$")
_HEADING = re.compile(r"(?im)^\W*(?:done|completed|open|deleted|paused)\s*(?:\(\d+\))?:\s*$")
_ASKS_BACK = re.compile(
    r"(?i)^\W*(?:(?:and|ok(?:ay)?|so|hi|hello|hey|thanks|um|but|wait|no|hm+|sorry)\b[\s,.!—-]*)*"
    r"(?:what|when|who|which|did|is|are|was|were|has|have|how|why|where|do|does|whose)\b"
)
_PLEASE = re.compile(r"(?i)\b(?:can|could|would|will) (?:you|u)\b|\bplease\b|\bpls\b|\bplz\b")
_TOLD = {
    "agent +": r"saved|set up|created|\bmade\b|\bnew\b|ready|added|copied|copy|duplicat|done|\bnow\b|restored"
    r"|back|in place|undone",
    "agent ~": r"chang|updat|\bnow\b|renam|moved|\bset\b|switch|paus|resum|shared?|unshar|private|done\b"
    r"|stopp|called|adjust|restored|back|undone|active|on hold|\bmade\b|added|removed|took|from now",
    "agent -": r"delet|remov|\bgone\b|dropped|done\b|eras|clear|undone|taken|took|got rid",
    "task +": r"added|\bput\b|\bon (?:your|the) (?:to-?do )?list|noted|saved|created|done\b|\bto-?do|got it"
    r"|restored|back|wrote|remind|new tasks?|tasks?:",
    "task ~": r"done\b|mark|complet|chang|updat|moved|tick|cross|\bnow\b|renam|\bdue\b|reopen|\bopen\b|back"
    r"|off your list|finished|undone",
    "task -": r"delet|remov|\bgone\b|dropped|done\b|eras|clear|off (?:your|the) list|took|taken|undone",
    "policy ~": r"\bnow\b|\bkept\b|keep|chang|updat|\bset\b|done\b|saved|days|from now",
    "skill +": r"regist|added|connect|saved|created|done\b|\bnew\b",
    "skill ~": r"chang|updat|\bnow\b|done\b|shared|enabled|disabled|connect",
    "skill -": r"delet|remov|disconnect|gone|done\b",
    "run +": r"start|running|\brun\b|working|on it|queued|begun|began|under way|kicked|launched",
    "run ~": r"cancel|stop|ended|done\b",
}
_HAS_TOLD = {kind: re.compile("(?i)" + pattern) for kind, pattern in _TOLD.items()}
_DENIES = re.compile(
    r"(?i)\b(?:nothing|not|never|cannot|unable)\b|n['\u2019]t\b|as it (?:is|was)\b|unchanged"
    r"|\bleft (?:it|everything)"
)
_DENIED_NEXT = re.compile(r"(?i)\w*\W*(?:nothing|not)\b")
_NEXT_CHARACTERS = 16


def claims(reply: Reply, said: str, names: Iterable[str] = ()) -> list[str]:
    """The clauses in which a reply says that something was just done.

    A reply to a question speaks of the past, so it claims nothing. ``names`` are those of the user's things.
    """
    if _is_question(said):
        return []
    own = [name.lower() for name in names if name]
    return [
        clause
        for sentence in _statements(_CARD_LINE.sub("", reply.text))
        for clause in _CLAUSE.split(sentence)
        if _claims(clause, own)
    ]


def untold(changed: Sequence[tuple[str, str]], reply: Reply) -> list[tuple[str, str]]:
    """The changes a reply does not speak of."""
    clauses = [clause for sentence in _statements(reply.text) for clause in _CLAUSE.split(sentence)]
    return [
        (kind, what)
        for kind, what in changed
        if not any(_tells(clause, _HAS_TOLD[kind]) for clause in clauses)
    ]


def _claims(clause: str, own: Sequence[str]) -> bool:
    match = _LEAD.search(clause) or _I_DID.search(clause) or _IT_IS.search(clause)
    if match is None:
        match = _OWN_IS.search(clause)
        about_own = any(name in clause.lower() for name in own) or _YOUR_OWN.search(clause)
        if match is None or not about_own or _UNLESS.search(clause):
            return False
    if _NOT.search(clause[: match.end()]) or _PAST.search(clause) or _NOTHING.search(clause):
        return False
    return not _UNLESS.search(clause[: match.start()])


def _is_question(said: str) -> bool:
    return bool(_ASKS_BACK.search(said) or said.rstrip().endswith("?")) and not _PLEASE.search(said)


def _statements(text: str) -> list[str]:
    """The sentences that state something; a heading of a list (`Done:`) states nothing."""
    return [sentence for sentence in sentences(_HEADING.sub("", text)) if not sentence.endswith("?")]


def _tells(clause: str, pattern: re.Pattern[str]) -> bool:
    for match in pattern.finditer(clause):
        behind = clause[match.end() : match.end() + _NEXT_CHARACTERS]
        if not _DENIES.search(clause[: match.start()]) and not _DENIED_NEXT.match(behind):
            return True
    return False
