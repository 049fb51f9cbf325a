"""The label of an agent's job, and what kind of job it is, from the owner's words."""

from __future__ import annotations

from collections.abc import Sequence

from agent.dialogue.agent_acts.job_kinds import detect_kind
from agent.workspace.agents import Kind
from intent.acts.lexicon import QUESTION_WORDS, classes_of, verb_forms
from intent.acts.tokens import Token, tokenise

_RELATIVES = frozenset({"that", "which", "who"})
_LEADS = _RELATIVES | {"for", "about", "on", "of", "to", "one", "me", "us", "and"}
_OF = frozenset({"of", "from", "by", "with"})
_RECEIVERS = frozenset({"me", "us", "out", "up"})
_PARTICLES = frozenset({"up", "out", "together"})
_DETERMINERS = frozenset({"a", "an", "the", "our", "my"})
_WATCHES = frozenset("watch monitor track look observe follow scan detect alert warn flag spot".split())
_REPORT_VERBS = frozenset(
    "list report summarise summarize collect gather compile count draft write prepare generate".split()
)
_REPORT_NOUNS = frozenset("list report summary overview digest recap table count rundown roundup".split())
_DROPPED = _WATCHES | _REPORT_VERBS | frozenset("send mail email post tell show get give pull fetch".split())
_WHOM = frozenset("who who's which what's whose whos".split())
_OPENS_CLAUSE = frozenset(
    "whether if when that how who what which where why for to at in into on out after every each up".split()
)
"""Words behind a verb without which the verb can't be left out: ``check whether the backup ran``."""


def label_of(words: str, *, before: str = "") -> str:
    """Return the words that name a job without the verb and the receiver: ``new orders`` of ``mails me new
    orders``. ``before`` is the word before the job, by which ``posts`` is known for a verb.
    """
    text = " ".join(words.split())
    tokens = [token for token in tokenise(text) if token.is_word]
    place, is_verb = _behind_phrase(tokens), before.lower() in _RELATIVES
    if (told := _told_clause(tokens, place)) is not None:
        opening, place = told
        return f"{opening}{text[tokens[place].start : _label_end(tokens, place, len(text))]}"
    if (sought := _watched_for(tokens, place)) is not None:
        return text[tokens[sought].start : _label_end(tokens, sought, len(text))]
    while place < len(tokens) - 1 and _may_go(tokens, place, is_verb=is_verb):
        is_verb = tokens[place].word in _RELATIVES
        place += 1
    return text[tokens[place].start : _label_end(tokens, place, len(text))] if tokens else text


def _behind_phrase(tokens: Sequence[Token]) -> int:
    """Return the place behind ``keep an eye on`` and its like; 0 without one."""
    words = tuple(token.word for token in tokens)
    found = (
        len(phrase) for phrase in _PHRASES if words[: len(phrase)] == phrase and len(words) > len(phrase)
    )
    return max(found, default=0)


_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "keep an eye on", "keep an eye out for", "keep a close eye on", "keep track of", "keeps an eye on",
        "keeps track of", "look out for", "looks out for", "watch out for", "watch for", "watches for",
        "arrange that", "see to it that", "make sure that", "let",
        "i'd like to get", "i'd like to have", "i'd like to see", "i'd like to know", "i want to get",
        "i want to see", "i want to have", "i need to get", "i need to see", "i would like to get",
        "i would like to see", "i would like to have", "i'd like", "i would like", "what i need is",
        "what i'd like is", "what i want is", "i'd love", "i'd love to get",
        "we'd like to get", "we need to see",
        "track of", "an eye on", "check for", "checks for", "look for", "looks for",
    )
)  # fmt: skip


def _told_clause(tokens: Sequence[Token], place: int) -> tuple[str, int] | None:
    """Return how a label opens and where it goes on, of ``warn me if stock is low``; None for other words."""
    if len(tokens) < place + _FEWEST_OF_CLAUSE:
        return None
    form = verb_forms().get(tokens[place].word)
    if form is None or form.base not in _TELLS | _WATCHES | {"check", "see"}:
        return None
    at = place + 1 + (tokens[place + 1].word in _TOLD) + (tokens[place + 1 : place + 3][-1].word == "know")
    word = tokens[at].word if at < len(tokens) - 1 else ""
    if word in _CONDITIONS:
        return "whether ", at + 1
    return ("", at) if word in QUESTION_WORDS else None


def _watched_for(tokens: Sequence[Token], place: int) -> int | None:
    """Return where what is looked for begins in ``monitors our board for overdue tickets``; None without."""
    form = verb_forms().get(tokens[place].word) if tokens else None
    if form is None or form.base not in _PLACED:
        return None
    words = [token.word for token in tokens]
    at = next((at for at in range(place + 2, len(words) - 1) if words[at] == "for"), None)
    return None if at is None or words[at + 1] in _NO_THINGS or words[at + 1].isdigit() else at + 1


_PLACED = frozenset("watch monitor check search scan comb observe".split())
_NO_THINGS = frozenset("me us each every a an the my our this that next last today tomorrow".split())
_FEWEST_OF_CLAUSE = 4
_CONDITIONS = frozenset({"if", "when", "whether", "once", "whenever", "that"})


def _label_end(tokens: Sequence[Token], place: int, end: int) -> int:
    """Return where the label ends: before ``and tell me about late ones``."""
    for before, token, behind in zip(tokens[place:], tokens[place + 1 :], tokens[place + 2 :], strict=False):
        form = verb_forms().get(token.word)
        base = token.word if form is None else form.base
        if before.word == "and" and base in _TELLS and behind.word in _TOLD:
            return tokens[tokens.index(before) - 1].end
    while len(tokens) > place + 1 and tokens[-1].word in _HANGING:
        tokens = tokens[:-1]
        end = tokens[-1].end
    return end


_HANGING = frozenset("at on from in to by for and or with of here".split())


_TELLS = frozenset("tell let send mail email post report warn alert notify ping give show".split())
_TOLD = _RECEIVERS | {"it", "them", "everyone", "the"}


def _may_go(tokens: Sequence[Token], place: int, *, is_verb: bool) -> bool:
    """Return whether a label can do without the word at ``place``; ``is_verb``: what stands there is one."""
    word, behind = tokens[place].word, tokens[place + 1].word
    form = verb_forms().get(word)
    if word in {"who", "which"}:  # ``one who lists``, but ``who hasn't paid`` is the job itself
        told = verb_forms().get(behind)
        return told is not None and told.base in _DROPPED and not told.is_base
    if word == "know" and not place and behind in _WHOM:
        return True  # ``know who's off sick``: what is to be known is the job
    if form is None or form.base not in _DROPPED:
        is_lead = word == "one" and behind in _RELATIVES
        is_lead = is_lead or (word in _PARTICLES and behind in _DETERMINERS)  # ``gather up the requests``
        return is_lead or (word in _LEADS and behind not in _OPENS_CLAUSE - {"for", "to"})
    rest = tokens[place + 2].word if behind in _RECEIVERS and place + 2 < len(tokens) else behind
    has_object = behind in _RECEIVERS | _DETERMINERS or (form.is_base and behind not in _OF)
    return rest not in _OPENS_CLAUSE and (is_verb or has_object)


def is_vague(label: str) -> bool:
    """Return whether a label names no job: ``something for me``, ``go``."""
    words = {token.word for token in tokenise(label) if token.is_word} - VAGUE
    return not words or words <= _MOVES


_MOVES = frozenset("go goes going come comes look looks take takes do does".split())


def is_question(label: str) -> bool:
    """Return whether a label asks something by itself, however common its words: ``who's in today``."""
    words = [token.word for token in tokenise(label) if token.is_word]
    return len(words) > 1 and words[0] in QUESTION_WORDS


VAGUE = (
    _LEADS
    | _DETERMINERS
    | frozenset("something anything stuff things thing it this that new agent called named need want".split())
)


def kind_of(job: str, brief: str) -> Kind:
    """Return the kind of a job: what its own verb or noun says, else what the owner's sentences say."""
    tokens = [token.word for token in tokenise(job) if token.is_word]
    telling = next((word for word in tokens if word not in _LEADS | _DETERMINERS | _RECEIVERS), "")
    form = verb_forms().get(telling)
    base = form.base if form is not None else telling
    if base in _WATCHES or ("watch" in classes_of(base) and base in {"check", "notify", "ping"}):
        return Kind.MONITOR
    if base in _REPORT_VERBS or telling in _REPORT_NOUNS:
        return Kind.REPORT
    return detect_kind(brief)
