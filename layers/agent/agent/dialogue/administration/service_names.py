"""The services that a clause names: known ones, and those that only their spelling or place tells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.dialogue.workspace_questions.wording import word_set
from intent.acts import lexicon
from intent.acts.act import Act
from intent.acts.tokens import Token, known_words, tokenise
from intent.entities.services import find_services

_PLAIN = word_set("files email website spreadsheet database calendar crm erp")
"""Known services whose name is a plain word, which is seldom a service to connect."""
_JOINTS = word_set("and or , & plus then so but - . ; :")
_FILLER = (
    word_set(
        "the our my your a an to into in up on of for with from i i've i'd we we've us me you it that "
        "this them there is are be been have got get let let's need needs want would could can please "
        "account accounts login logins new old access system systems app apps service services connection "
        "connections link links linked connected plugged hooked now already still yet ever here there's "
        "out off away one everything all any anything else what which whether among if otherwise do does "
        "did am was were api key it'll you'll sign signed under mail slack's by way after before first "
        "last at month end week today tomorrow since because as not no "
        "except all live real training copy copies"
    )
    | lexicon.LEADS
)
_VERBS = word_set(
    "disconnect unlink unplug unhook revoke withdraw detach unregister uninstall cancel connect link "
    "hook plug integrate authorise authorize reconnect"
)
_ENDS = frozenset(".!?:;")
_CALENDAR = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june "
    "july august september october november december"
)


def named_services(act: Act) -> tuple[str, ...]:
    """Return the services that a clause surely names: by a slot, a known spelling or a capital letter."""
    said = act.slot("service")
    if said:
        return tuple(one.strip() for one in said.split(",") if one.strip())
    text = act.clause.text
    known = [found for found in find_services(text) if found.name not in _PLAIN]
    places = [(found.start, _as_typed(text[found.start : found.end], found.name)) for found in known]
    taken = [(found.start, found.end) for found in known]
    if _is_teams(text) and not any(found.name == "teams" for found in known):
        places.append((0, "teams"))
    places.extend(
        (run[0].start, text[run[0].start : run[-1].end])
        for run in _capitalised(tokenise(text))
        if not any(start <= run[0].start <= end + 1 for start, end in taken)
    )
    return tuple(dict.fromkeys(name for _, name in sorted(places)))


def _is_teams(text: str) -> bool:
    """Return whether ``teams`` stands alone, as the name of the service does."""
    words = [token.word for token in tokenise(text)]
    return "teams" in words and words[max(words.index("teams") - 1, 0)] not in {"my", "our", "the", "all"}


def _as_typed(typed: str, name: str) -> str:
    """Return a service as it was typed where that shows how its name is spelled."""
    return typed if typed.lower() == name and not typed.islower() else name


def described_services(act: Act) -> tuple[str, ...]:
    """Return the services that a clause names, else what stands in their place: ``the permit database``."""
    text, named = act.clause.text, named_services(act)
    if named:
        return (*named, *_unknown_names(text, named))
    run: list[Token] = []
    for token in tokenise(text):
        is_said = (
            token.is_word and token.word not in _FILLER | _VERBS | lexicon.POINTERS | lexicon.AGENT_NOUNS
        )
        if is_said and token.word not in lexicon.verb_forms() and not token.text.startswith("http"):
            run.append(token)
        elif run:
            break
    return (text[run[0].start : run[-1].end],) if run and len(run) <= 3 else ()


def _unknown_names(text: str, named: Sequence[str]) -> list[str]:
    """Return the further names beside known ones: ``klaviyo`` in ``shopify + klaviyo``."""
    spans, small = find_services(text), " ".join(named).lower()
    pairs = [(before, one) for before, one in pairwise(tokenise(text)) if _is_unknown(one, before)]
    return [
        one.text
        for _, one in pairs
        if one.word not in small and not any(span.start <= one.start < span.end for span in spans)
    ]


def _is_unknown(token: Token, before: Token) -> bool:
    """Return whether a word where a name may stand is in no dictionary of ours, and so probably is one."""
    is_there = before.word in _VERBS or before.word in {"and", "+", "&", "n"}
    word = token.word
    return is_there and word.isalpha() and len(word) > 3 and word not in known_words() | _FILLER | _VERBS


def _capitalised(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the runs of words that are spelled as names within a sentence."""
    runs: list[list[Token]] = []
    run: list[Token] = []
    is_first = True
    for token in tokens:
        if token.text[:1].isupper() and _is_own(token, is_first=is_first):
            run.append(token)
        elif run:
            runs.append(run)
            run = []
        is_first = token.text in _ENDS
    return [*runs, run] if run else runs


def _is_own(token: Token, *, is_first: bool) -> bool:
    """Return whether a word with a capital letter is a name, and no word that begins a sentence."""
    word = token.text.lower()
    if word in _FILLER | _JOINTS | _CALENDAR | _VERBS or word.startswith("i'"):
        return False
    if word in lexicon.AUXILIARIES | lexicon.QUESTION_WORDS:
        return False
    return not is_first or (word not in known_words() and len(word) > 2)
