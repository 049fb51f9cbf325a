"""Requests told as what would help: ``telling me who hasn't paid would be a help`` is ``tell me who hasn't
paid``, ``a list of the late vans would be super`` is ``a list of the late vans``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.lexicon import LEADS
from intent.acts.tokens import Token, tokenise

_DEEDS = {
    "telling": "tell", "showing": "show", "sending": "send", "giving": "give", "letting": "let",
    "reminding": "tell", "listing": "list", "mailing": "mail", "emailing": "email", "getting": "get",
    "warning": "warn", "checking": "check", "watching": "watch", "finding": "find", "collecting": "collect",
    "flagging": "flag", "seeing": "see", "knowing": "know", "having": "have",
}  # fmt: skip
_LETTING = (["letting", "me", "know"], ["letting", "us", "know"])
_NOUNS = frozenset("list summary report overview digest table mail email message note heads-up count".split())
_LEADS = LEADS | frozenset("hm hmm mm um er maybe perhaps guess suppose i honestly".split())
_ARTICLES = frozenset({"a", "an", "some", "just", "simple", "short", "quick", "little", "weekly", "daily"})
_SUBJECTS = frozenset("that this it that'd it'd that'll it'll".split())
_MODALS = frozenset("would might could will d".split())
_GOOD = frozenset(
    "help helpful useful lovely nice grand super brilliant perfect fantastic wonderful handy good great ideal"
    " amazing marvellous excellent start bonus relief godsend lifesaver appreciated welcome enough fab cool"
    " neat awesome smashing gold magic plenty".split()
)
_AROUND_GOOD = _GOOD | frozenset(
    "be a an the really so very just quite big huge real absolutely indeed already much thing for me us then"
    " of rather most more pretty of dream thanks".split()
)
_MARKS = frozenset(",.;!")


def with_help_wishes(message: str) -> str:
    """Return a message of the same length, with what would help as what is asked for."""
    tokens = tokenise(message)
    if not _GOOD & {token.word for token in tokens}:
        return message
    kept = list(message)
    begin = 0
    for end in range(len(tokens) + 1):
        if end < len(tokens) and tokens[end].text[0] not in ".!?;\n":
            continue
        _ask_instead(tokens[begin:end], kept)
        begin = end + 1
    return "".join(kept)


def _ask_instead(sentence: Sequence[Token], kept: list[str]) -> None:
    """Put the command into the place of a sentence's wish; any other sentence stays."""
    first = next((at for at, one in enumerate(sentence) if one.is_word and one.word not in _LEADS), None)
    tail = None if first is None else _tail(sentence, first)
    if first is None or tail is None:
        return
    verb = sentence[first]
    base = _DEEDS.get(verb.word)
    noun = next((one.word for one in sentence[first:] if one.word not in _ARTICLES), "")
    if base is None and (noun not in _NOUNS or verb.word not in _ARTICLES):
        return
    if [one.word for one in sentence[first : first + 3]] in _LETTING:
        base, known = "tell", sentence[first + 2]
        kept[known.start : known.end] = " " * (known.end - known.start)
    if base is not None:
        kept[verb.start : verb.end] = base.ljust(verb.end - verb.start)
    start, end = tail
    kept[sentence[start].start : sentence[end - 1].end] = " " * (
        sentence[end - 1].end - sentence[start].start
    )


def _tail(sentence: Sequence[Token], first: int) -> tuple[int, int] | None:
    """Return where the words begin and end that say how welcome something would be; None without any."""
    words = [token.word for token in sentence]
    for place in range(first + _FEWEST, len(words)):
        is_bare = words[place] in _MODALS and words[place + 1 : place + 2] == ["be"]
        begins = is_bare or (words[place] in _SUBJECTS and words[place - 1] in _MARKS)
        if not begins:
            continue
        marks = (at for at in range(place, len(words)) if words[at] in _MARKS)
        end = next(marks, len(words))
        said = set(words[place:end]) - _MODALS - _SUBJECTS
        if said & _GOOD and said <= _AROUND_GOOD and "be" in " ".join(words[place:end]):
            is_set_off = words[place - 1] == "," and not is_bare
            return (place - 1 if is_set_off else place), end
    return None


_FEWEST = 2
