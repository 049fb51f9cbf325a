"""Answers to greetings, thanks, feelings, praise and blame: one or two short sentences."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.result import Result
from agent.dialogue.talk import texts
from agent.dialogue.talk.occasion import Occasion
from agent.templates import language_texts
from conversation.messages.models import Role
from intent.acts.daily_life import Tone, tone_of
from intent.acts.tokens import tokenise

_LONGEST_QUOTE, _LEAST_WORDS = 80, 4


def answer(occasion: Occasion) -> Result:
    """Answer in kind, and never twice in the same words."""
    words = occasion.words
    if (foreign := language_texts.greeting_reply(words)) is not None:
        return Result(foreign)
    if not occasion.is_alone:
        return Result(_beside(words))
    replies = _replies(occasion)
    tone = tone_of(occasion.words) if replies in (texts.CHAT, texts.PRAISE, texts.MORNINGS) else None
    return Result(occasion.fresh(FELT[tone] if tone is not None else replies))


FELT = {Tone.SORRY: texts.SORRY_TO_HEAR, Tone.GLAD: texts.GLAD_TO_HEAR, Tone.PLAIN: texts.HEARD}
"""What is said to a remark about everyday life."""


def is_social(text: str) -> bool:
    """Return whether words are a known kind of small talk."""
    return _kind(text) is not texts.CHAT


def is_blame(text: str) -> bool:
    """Return whether somebody is annoyed with the assistant."""
    return _kind(text) is _BLAME


def _beside(text: str) -> str:
    """Return what is said to small talk beside a request: something only where silence would hurt."""
    return "I'm sorry about that." if is_blame(text) else ""


def _replies(occasion: Occasion) -> Sequence[str]:
    kind = _kind(occasion.words)
    if kind is _BLAME:
        last = occasion.turn.situation.last_text(Role.USER)
        is_short = len(last.split()) >= _LEAST_WORDS and len(last) <= _LONGEST_QUOTE
        is_request = is_short and not is_social(last)
        return texts.apology(last if is_request else "")
    return kind


_BLAME: Sequence[str] = ("blame",)


def _kind(text: str) -> Sequence[str]:
    """Return the replies to the kind of small talk that words are."""
    words = [token.word for token in tokenise(text) if token.is_word or token.text in {":)", "😍", "❤"}]
    words = [one for one, behind in zip(words, [*words[1:], ""], strict=True) if behind not in _ASKED_ABOUT]
    said, joined = set(words), f" {' '.join(words)} "
    for marks, phrases, replies in _KINDS:
        if said & marks or any(f" {phrase} " in joined for phrase in phrases):
            return replies
    return texts.CHAT


_ASKED_ABOUT = frozenset({"question", "questions"})
"""What people call ``stupid`` of their own before they ask it."""


def _marks(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KINDS: Sequence[tuple[frozenset[str], Sequence[str], Sequence[str]]] = (
    (_marks(""), ("a joke about", "me a joke", "know a joke", "any jokes", "good joke"), texts.NO_JOKES),
    (
        _marks(""),
        (
            "a robot", "a bot", "a human", "a machine", "an ai", "real person", "a person", "are you real",
            "are you alive", "are you human", "chatgpt", "talking to",
        ),
        texts.ROBOT,
    ),
    (_marks(""), ("your name", "who are you", "who made you"), texts.NO_NAME),
    (
        _marks(
            "useless rubbish stupid dumb idiot idiotic crap awful terrible annoying hopeless pathetic garbage"
            " worst shit fuck fucking damn bloody ridiculous hate muppet fed disappointing nonsense"
            " useless! clueless frustrating frustrated sucks worse angry"
        ),
        (
            "no help", "not helpful", "makes no sense", "was better", "waste of time", "not listening",
            "doesn't work", "don't work", "third time", "give up", "you never", "get it wrong",
            "what a joke", "is a joke", "thick as", "as useful as", "chocolate teapot",
        ),
        _BLAME,
    ),
    (
        _marks("sorry apologies apologise apologize oops"),
        ("my bad", "my mistake", "my fault"),
        texts.PARDONS,
    ),
    (
        _marks("cry exhausted stressed knackered sad tired overwhelmed tough ill sick lonely drowning"),
        ("what a day", "what a shift", "what a week", "bad day", "long day", "hard day", "burnt out",
         "could scream", "killing me"),
        texts.SYMPATHY,
    ),
    (
        _marks("bye goodbye goodnight cya ciao cheerio toodles ttyl tata"),
        (
            "good night", "see you", "see ya", "talk later", "talk soon", "i'm off", "im off", "signing off",
            "that's me", "thats me", "that's us", "we're done", "i'm done", "im done", "all set", "all from",
            "that's all", "that's it", "until tomorrow", "off home", "off to",
        ),
        texts.FAREWELLS,
    ),
    (
        _marks(""),
        (
            "have a good", "have a nice", "have a lovely", "have a great", "happy friday", "merry christmas",
            "happy new", "enjoy your", "lovely evening", "nice weekend", "good weekend", "take care",
        ),
        texts.WISHES,
    ),
    (
        _marks("thanks thank thx ty ta cheers grateful appreciated tnx thankyou merci obliged"),
        ("much appreciated", "saved my", "you legend"), texts.WELCOMES,
    ),
    (
        _marks("how's hows"),
        (
            "how are you", "how are things", "how is it going", "how do you do", "you ok", "what's up",
            "you alright", "still alive", "how you doing", "how r u", "you there", "how have you been",
        ),
        texts.MOODS,
    ),
    (_marks("morning"), ("good morning",), texts.MORNINGS),
    (_marks(""), ("good evening", "evening"), texts.EVENINGS),
    (
        _marks("hi hello hey heya heyy heyyy hiya howdy yo greetings hullo"),
        ("good day", "good afternoon"), texts.GREETINGS,
    ),
    (
        _marks(
            "fantastic brilliant great awesome amazing star legend clever love lovely excellent"
            " wonderful perfect superb impressive genius best fab favourite favorite nice grand neat"
            " magic smart patient kind good marvellous"
        ) - {"good"},
        ("well done", "good job", "good work", "good bot", "nice one", "works well", "only one"),
        texts.PRAISE,
    ),
    (_marks("lol haha hahaha funny lmao rofl hehe ha joke joking kidding"), (), texts.JOKES),
    (_marks("ok okay k fine right cool sure alright yep hm hmm"), ("i see", "got it", "fair enough"),
     texts.ACKNOWLEDGED),
)  # fmt: skip
"""Words and phrases of each kind of small talk with its replies; the first kind counts."""
