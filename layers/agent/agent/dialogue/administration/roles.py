"""Questions about roles: who the asker is, who may change something, and why the asker may not."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise, takewhile

from agent.dialogue.administration.policy_fields import topics_in
from agent.dialogue.workspace_questions.wording import Wording, word_set
from conversation.identity import ADMIN, Caller
from intent.acts.lexicon import LEADS
from intent.answers.answer import Answer

ADMINS = word_set("admin admins administrator administrators admin's administrator's")
GENERAL = word_set("rules policy policies settings limits limit setting")


class Role(StrEnum):
    """What a question about roles is after."""

    IDENTITY = "identity"
    """Who the asker is."""
    OWN = "own"
    """Whether the asker is an administrator."""
    DECIDES = "decides"
    """Who may change a setting."""
    NAMES = "names"
    """Who the administrators are; a written answer says it, which may be the workspace's own."""
    REPAIRS = "repairs"
    """Who can make an agent work that failed."""
    REASON = "reason"
    """Why the asker may not."""


_WHO = word_set("who who's whos whom")
_ABLE = word_set(
    "can could may might able allowed permitted entitled decide decides decided responsible charge rights"
    " right power must should do to has would will"
)
_DECIDING = word_set(
    "decide decides decided change changes set sets raise raises lower lowers increase reduce allow allows"
    " permit grant limit configure manage control controls adjust edit turn switch give get enable disable"
    " determine determines responsible charge define defines extend"
)
_ASKED = word_set("ask talk speak contact turn write bother call tell approach")
_POINTING = word_set("that this it them those")
_REPAIRING = word_set("fix fixes repair repairs solve sort do set help change connect sorts")
_SELF = word_set("i me myself")
_WANTING = word_set("become need needs ask how make contact request find reach see read use without")
_BEING = word_set("am is are do have isn't aren't ain't was")
_IDENTITY = (
    "who am i", "whoami", "who i am", "which user am i", "what user am i", "which account am i",
    "what account am i", "am i logged in as", "am i signed in as", "my user name", "my username",
    "my user id",
)  # fmt: skip
_OWN_RIGHTS = ("my role", "my rights", "my permissions", "rights do i", "role do i", "permissions do i")
_MOST_WORDS = 9
_LONGEST = 30


def role_question(wording: Wording, *, is_refused: bool = False, has_failed: bool = False) -> Role | None:
    """Return what words ask about roles; None for any other words.

    ``is_refused``: the last reply said that only administrators may. ``has_failed``: it spoke of a run or
    an agent that can't work.
    """
    words = [word for word in wording.words if word[0].isalnum() and word not in LEADS]
    if not words or len(words) > _LONGEST:
        return None
    if len(words) <= _MOST_WORDS and wording.says(*_IDENTITY):
        return Role.IDENTITY
    if len(words) <= _MOST_WORDS and (wording.says(*_OWN_RIGHTS) or _asks_own(words)):
        return Role.OWN
    if (
        _asks_own(words)
        or _supposes_own(wording.words)
        or (len(words) <= _MOST_WORDS and _asks_permission(words))
    ):
        return Role.OWN
    if is_refused and len(words) <= _MOST_WORDS and _asks_reason(words):
        return Role.REASON
    asked = _asked_who(wording.words)
    if asked is None:
        return None
    is_short = len(asked) <= _MOST_WORDS
    may = not _ABLE.isdisjoint(asked) or not _ASKED.isdisjoint(asked)
    if not ADMINS.isdisjoint(asked) and not _READING & set(asked):
        return Role.DECIDES if may else Role.NAMES
    if is_refused and is_short and may:
        return Role.DECIDES
    if has_failed and is_short and not _REPAIRING.isdisjoint(asked) and not _POINTING.isdisjoint(asked):
        return Role.REPAIRS
    decides = not _DECIDING.isdisjoint(asked) or not _ASKED.isdisjoint(asked)
    names_setting = next(topics_in(wording), None) is not None or not GENERAL.isdisjoint(asked)
    return Role.DECIDES if decides and names_setting else None


_READING = word_set("see sees read reads access")


def _asked_who(words: Sequence[str]) -> Sequence[str] | None:
    """Return the words from the "who" of a question to its end; None where it asks for nobody."""
    at = next((place for place, word in enumerate(words) if word in _WHO), None)
    if at is None or (at and words[at - 1] in _NOUNS_BEFORE):
        return None
    asked = takewhile(lambda word: word[0] not in _ENDS, words[at:])
    return [word for word in asked if word[0].isalnum() and word not in LEADS]


_ENDS = frozenset("?!.;")


_NOUNS_BEFORE = word_set("people person man woman colleague customer customers somebody someone those one")
"""Words after which "who" begins no question: ``the customers who pay late``."""


def _asks_own(words: Sequence[str]) -> bool:
    """Return whether words ask if the asker is an administrator: ``is it me that's the admin?``"""
    if ADMINS.isdisjoint(words) or not _WANTING.isdisjoint(words):
        return False
    starts = next((place for place, word in enumerate(words) if word in _BEING), None)
    if starts is None:
        return False
    pairs = set(pairwise(words[starts:]))
    says_i = bool(pairs & {("am", "i"), ("do", "i"), ("have", "i")})
    me = any(two == "me" and one in {"is", "it", "or", "it's", "that"} for one, two in pairs) or any(
        one == "me" and two in {"or", "that", "that's", "who", "the", "an"} for one, two in pairs
    )
    return says_i or me


def _supposes_own(words: Sequence[str]) -> bool:
    """Return whether words state what they ask about the asker: ``so I am not administrator?``"""
    is_own = bool(set(pairwise(words)) & {("i", "am")}) or "i'm" in words
    return is_own and "?" in words and not ADMINS.isdisjoint(words) and _WANTING.isdisjoint(words)


def _asks_permission(words: Sequence[str]) -> bool:
    """Return whether words ask if the asker may change the settings: ``can I change the policies here?``"""
    begins = tuple(words[:2]) in {("can", "i"), ("may", "i"), ("could", "i"), ("am", "i")}
    return begins and not _CHANGING.isdisjoint(words) and not GENERAL.isdisjoint(words)


_CHANGING = word_set("change set edit adjust manage raise lower alter modify")
_REASONS = (("why",), ("how", "come"), ("what", "for"))


def _asks_reason(words: Sequence[str]) -> bool:
    """Return whether words ask for nothing but a reason: ``why not?``, ``why can't I?``"""
    return any(tuple(words[: len(begin)]) == begin for begin in _REASONS)


def answer(role: Role, caller: Caller, answers: Sequence[Answer] = ()) -> str:
    """Answer a question about roles. ``answers``: the workspace's own, of which one may name the
    administrators.
    """
    own = next((one.text for one in answers if one.id == _WHO_IS_ANSWER), None)
    who = _WHO_IS if own is None else own
    is_admin = caller.has(ADMIN)
    match role:
        case Role.IDENTITY:
            be = "are" if is_admin else "aren't"
            return (
                f"You are signed in as {caller.user} in the workspace {caller.tenant}. You {be} an "
                "administrator of it."
            )
        case Role.OWN if is_admin:
            return (
                "Yes, you are an administrator of this workspace: you may change its settings, such as "
                "limits and how long chats are kept."
            )
        case Role.OWN:
            return f"No, you aren't an administrator here. {who}"
        case Role.DECIDES | Role.NAMES if is_admin:
            return "An administrator of your workspace can, and you are one: tell me what to change."
        case Role.DECIDES | Role.NAMES:
            return f"An administrator of your workspace can, and you aren't one. {who}"
        case Role.REPAIRS:
            mine = "You are one." if is_admin else "You aren't one: ask your IT department who is."
            return (
                f"An administrator of your workspace can connect services for everybody. {mine} A language "
                "model is set up by whoever operates the service."
            )
        case Role.REASON if is_admin:
            return "You are an administrator, so you may change the settings of your workspace."
        case Role.REASON:
            return (
                "Settings hold for everybody in the workspace, so only an administrator may change them, and "
                f"you aren't one. {who}"
            )


_WHO_IS_ANSWER = "who-is-my-admin"
_WHO_IS = "I have no list of administrators: ask whoever gave you access, usually your IT department."
