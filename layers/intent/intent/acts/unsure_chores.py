"""People who don't know what to ask for, and tell of a chore and where its data are: an offer is due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.help_questions import without_help_question
from intent.acts.learned.marked_tokens import MarkedMessage
from intent.acts.parts import Part
from intent.acts.requests import asks_for_something
from intent.acts.scene import Scene
from intent.acts.tokens import Token, tokenise
from intent.acts.told_problems import begins_with_trouble, content_of, goes_wrong, problem_in
from intent.acts.told_systems import system_told_in
from intent.times.reader import read_times

K = ActKind
_TELLING = frozenset(
    {
        K.CREATE_AGENT, K.UNSURE, K.REMEMBER, K.NONE, K.SMALL_TALK, K.ASK_PRODUCT, K.ASK_WORLD, K.NO,
        K.ADD_TASK, K.RECALL, K.WHY,
    }
)  # fmt: skip
"""What the parts of such a message are taken for."""
_SURE_OF_REQUEST = 0.8
_KNOWING = frozenset("know sure idea clue certain dunno".split())
_NOT = frozenset("not don't dont no dunno never can't haven't isn't".split())
_OPEN = frozenset("what how which if where whether".split())
_DETAILS = frozenset("often when where time day days".split())
"""What is open about a request that says what is wanted: ``dunno how often``."""
_BEGINNING = frozenset((where, "to") for where in ("where", "how", "what"))
"""How somebody goes on who doesn't know a beginning: ``no idea where to start``."""
_NEAR, _AHEAD = 4, 3
_WHETHER_HERE = frozenset({("this", "is"), ("it", "is"), ("you", "can"), ("you", "could")})
"""How somebody goes on who doesn't know whether they are right here: ``not sure this is the place``."""


def with_chores(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> list[Part]:
    """Return the parts; as one of somebody unsure, where they only tell of a chore and its source."""
    if scene.has_draft or scene.question is not None or not parts:
        return list(parts)
    words = [one.token.word for one in marked.tokens]
    has_source = any({"service", "source noun"} & set(one.classes) for one in marked.tokens)
    is_told = all(part.kind in _TELLING for part in parts)
    is_request = any(part.kind is K.CREATE_AGENT and part.sure >= _SURE_OF_REQUEST for part in parts)
    is_request = is_request and not (says_unsure(words) and _only_tells(marked.text))
    is_trouble = _tells_trouble(marked.text) and (says_unsure(words) or begins_with_trouble(words))
    asks_help = without_help_question(marked.text) != marked.text
    asks_help = asks_help and not any(part.kind is K.CREATE_AGENT for part in parts)
    is_unsure = (has_source and says_unsure(words)) or is_trouble or asks_help
    if not (is_told and is_unsure) or is_request:
        return list(parts)
    if not is_trouble and any(
        one.is_recurring for one in read_times(marked.text, now=scene.now, zone=scene.zone)
    ):
        return list(parts)  # it says how often: that is a request
    tokens = tuple(one.token for one in marked.tokens)
    return [replace(parts[0], clause=Clause(marked.text, tokens), kind=K.UNSURE, tagged={}, is_filler=False)]


def _only_tells(text: str) -> bool:
    """Return whether no sentence of a text wishes or commands anything."""
    tokens = tokenise(text)
    sentences = Clause(text, tokens).sentences()
    is_wished = bool(_WISHING & {token.word for token in tokens}) or "?" in text
    return not is_wished and not any(asks_for_something(one.tokens) for one in sentences)


_WISHING = frozenset(
    "want wants need needs like love wish please i'd we'd let's every each daily weekly monthly tell show"
    " list send mail email report remind warn".split()
)


def _tells_trouble(text: str) -> bool:
    """Return whether somebody tells of something that goes wrong, in more than a few words."""
    trouble = problem_in([text])
    return content_of(trouble) >= _FEWEST_OF_TROUBLE and goes_wrong(trouble) and "?" not in text


_FEWEST_OF_TROUBLE = 3


def tells_what_was_asked(parts: Sequence[Part], marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether somebody who didn't know what to ask for now tells where the data are, or what they want
    to be told: a part of the agent they were looking for, whatever it looks like by itself.
    """
    tokens = [one.token for one in marked.tokens]
    if parts and _is_wished(tokens, scene):
        return True
    if not scene.is_unsure or scene.has_draft or scene.question is not None or not parts:
        return False
    words = {token.word for token in tokens}
    if words & _LEAVING or (words & {"connect", "connected"}):
        return False
    if any(part.kind not in _TELLING | _MAY_TELL for part in parts):
        return False
    return bool(system_told_in(marked.text)) or _wishes_to_be_told(tokens)


def _is_wished(tokens: Sequence[Token], scene: Scene) -> bool:
    """Return whether a message says that it would help to be told something, and that means no task."""
    is_open = scene.has_draft or (scene.question is not None and not scene.question.is_offer)
    words = {token.word for token in tokens}
    return scene.is_help_wished and not is_open and not words & _LEAVING and _wishes_to_be_told(tokens)


_MAY_TELL = frozenset({K.CONNECT, K.ANSWER, K.ASK_USAGE, K.ASK_WORKSPACE, K.DO_IN_WORLD})
_LEAVING = frozenset("remind todo task tasks never nevermind forget bye".split())
_TOLD = frozenset("tell show list send give mail email".split())
_WHAT_IS_TOLD = frozenset("who which what when whether if how a the all every".split())


def _wishes_to_be_told(tokens: Sequence[Token]) -> bool:
    """Return whether words wish for something to be told: ``could you just tell me who has paid?``"""
    words = [token.word for token in tokens if token.is_word]
    for place, word in enumerate(words):
        is_told = word in _TOLD and words[place + 1 : place + 2] in (["me"], ["us"])
        is_known = word == "know" and words[max(0, place - 2) : place] in (["me"], ["let", "me"], ["to"])
        behind = words[place + 2 : place + 3] if is_told else words[place + 1 : place + 2]
        if (is_told or is_known) and set(behind) & _WHAT_IS_TOLD and len(words) > place + _FEWEST_TOLD:
            return not {"do", "you"} >= set(words[place + 3 : place + 5]) or len(words) > place + 6
    return False


_FEWEST_TOLD = 3


def says_unsure(words: Sequence[str]) -> bool:
    """Return whether words say that somebody doesn't know what or how: ``no idea what I'd want``."""
    for place, word in enumerate(words):
        if word not in _KNOWING:
            continue
        before = set(words[max(0, place - _NEAR) : place + 1])
        behind = words[place + 1 : place + 1 + _AHEAD]
        is_detail = bool(_DETAILS & set(behind)) and tuple(behind[:2]) not in _BEGINNING
        if before & _NOT and _OPEN & set(behind) and not is_detail:
            return True
        if before & _NOT and tuple(behind[:2]) in _WHETHER_HERE:
            return True
    return any(one == "you" and two in _MAY and three == "help" for one, two, three in _triples(words))


def _triples(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


_MAY = frozenset({"can", "could", "may", "might", "would"})
