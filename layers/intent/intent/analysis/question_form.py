"""Whether a message only asks: it has the form of a question, and wishes for no deed of ours.

A question changes nothing. Words that ask how something is done, why it happens or who may do it resemble the
command to do it, but whoever asks wants an answer. So what a question is about is settled before an act that
needs a command is looked for. It is such an act only if it wishes for a deed of ours (``can you …``, ``could
I have …``, ``is there a way …``) on one of the user's things or for a whole job. A question of what there is,
with the time at which to look (``which orders are late, every morning?``), is a whole job, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intent.acts.act import Act, ActKind
from intent.acts.lexicon import AUXILIARIES, LEADS, QUESTION_WORDS
from intent.acts.requests import asks_for_something
from intent.acts.tokens import Token, tokenise

_ENDS = frozenset(".!?;:\n")
_WISHES = frozenset(
    pair
    for one in ("can", "could", "would", "will", "shall", "may", "cant", "can't", "couldn't", "won't")
    for pair in ((one, "you"), (one, "u"), (one, "we"))
) | frozenset(
    {
        ("i", "want"), ("i", "need"), ("we", "need"), ("we", "want"), ("let", "me"), ("lets", "you"),
        ("how", "about"), ("what", "about"), ("what", "if"), ("don't", "you"), ("not", "you"),
        ("do", "you"), ("a", "way"), ("any", "way"), ("any", "chance"), ("be", "possible"),
        ("is", "possible"), ("it", "possible"), ("i'd", "like"), ("would", "like"), ("would", "love"),
        ("you", "think"), ("u", "think"), ("would", "it"), ("you", "could"), ("you", "can"), ("what", "i"),
        ("what", "i'd"), ("i'd", "love"), ("would", "help"), ("what", "i'm"),
    }
)  # fmt: skip
_TAKING = frozenset({"have", "get", "see", "ask"})
_MAY_TAKE = frozenset({"can", "could", "may"})
_POLITE = frozenset({"please", "pls", "plz", "kindly"})
_INDIRECT = tuple(
    tuple(phrase.split())
    for phrase in (
        "i was wondering", "was wondering", "was just wondering", "i was just wondering", "just wondering",
        "i wonder", "wondering", "any idea", "any ideas", "any clue", "just curious", "curious",
        "out of interest", "out of curiosity", "quick question", "quick one", "random question",
        "silly question", "do you know", "do you happen to know", "can you tell me", "could you tell me",
        "can you explain", "could you explain", "tell me", "explain",
    )
)  # fmt: skip
_ASKED_BEHIND = QUESTION_WORDS | {"whether", "if", "about"}
_WATCHED = frozenset({"when", "whenever", "if", "as", "once"})
"""What follows ``tell me`` where it asks for news, not for an answer."""
_OF_CAUSES = frozenset("how how's why why's did does has was were".split())
"""How a question begins that is none of what there is, and so no job for an agent."""
_OF_OTHERS = frozenset("can could would will might may should must shall".split())
"""How a question begins that wishes for an agent without saying so: ``could something watch the oven?``"""
_COMMANDING = frozenset({"do", "have", "must"})
_BEHIND_COMMANDING = frozenset(
    "me us it that this these those them him her a an the my our put see for something someone somebody"
    " make not".split()
)


def only_asks(message: str, acts: Sequence[Act]) -> bool:
    """Return whether a message is a question that wishes for no deed. The words before it may only tell."""
    sentences = [words for words in _sentences(message) if words]
    if not sentences or _POLITE & {token.word for words in sentences for token in words}:
        return False
    if any(_commands(words) or _wishes(words) for words in sentences):
        return False
    asked = next((_words(words) for words in reversed(sentences) if _is_question(words)), None)
    if asked is None:
        return False
    jobs = [act for act in acts if act.kind is ActKind.CREATE_AGENT]
    has_time = any("when" in act.slots for act in jobs)
    return not ((jobs and asked[0] in _OF_OTHERS) or (has_time and asked[0] not in _OF_CAUSES))


def _commands(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence is a command, such as ``do me a list``."""
    words = _words(tokens)
    if words and words[0] in _COMMANDING and (words[0] == "must" or _BEHIND_COMMANDING & set(words[1:2])):
        return True
    return asks_for_something(tokens) and not _is_question(tokens)


def _sentences(message: str) -> Iterator[list[Token]]:
    words: list[Token] = []
    for token in tokenise(message):
        if token.text in _ENDS:
            yield words
            words = []
        elif token.is_word:
            words.append(token)
    yield words


def _words(tokens: Sequence[Token]) -> list[str]:
    """Return the words of a sentence from where it asks, without what leads in."""
    words = [token.word for token in tokens]
    while words and words[0] in LEADS:
        words = words[1:]
    for phrase in _INDIRECT:
        behind = words[len(phrase) :]
        if tuple(words[: len(phrase)]) != phrase or not behind:
            continue
        is_told = phrase[-1] in {"me", "explain"} and behind[0] in _WATCHED
        if not is_told:
            return behind[1:] if behind[0] in {"whether", "if"} and len(behind) > 1 else behind
    return words


def _is_question(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence asks, directly or behind words such as ``I was wondering whether``."""
    words = _words(tokens)
    said = [token.word for token in tokens if token.word not in LEADS]
    if not words:
        return False
    is_indirect = len(words) < len(said) and _is_led_in(said)
    return is_indirect or words[0] in QUESTION_WORDS | AUXILIARIES


def _is_led_in(said: Sequence[str]) -> bool:
    return any(
        tuple(said[: len(phrase)]) == phrase and bool(_ASKED_BEHIND & set(said[len(phrase) :][:1]))
        for phrase in _INDIRECT
    )


def _wishes(tokens: Sequence[Token]) -> bool:
    """Return whether a sentence wishes for something of ours."""
    words = _words(tokens)
    if any(pair in _WISHES for pair in pairwise(words)):
        return True
    return any(
        one in _MAY_TAKE and two == "i" and bool(_TAKING & set(words[place + 2 : place + 4]))
        for place, (one, two) in enumerate(pairwise(words))
    )
