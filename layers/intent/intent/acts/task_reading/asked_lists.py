"""Requests for a list: to be told what is on it, as ``tell me what I need to get done by Saturday``, and by
nothing but its name, as ``show me the list again``.
"""

from __future__ import annotations

from collections.abc import Sequence

from intent.acts.act import ActKind
from intent.acts.clauses import Clause
from intent.acts.lexicon import ASKING_YOU, LEADS
from intent.acts.references import find_meant
from intent.acts.scene import Scene
from intent.times.words.lexicon import WEEKDAYS

_TELLING = (("tell", "me"), ("show", "me"), ("remind", "me"), ("give", "me"), ("let", "me", "know"))
_SORTING = frozenset({"sort", "order", "arrange"})
_WHAT = frozenset({"what", "what's", "whats", "everything", "all"})
_DOING = frozenset({"do", "done", "finish", "finished"})
_OPEN = frozenset("left outstanding open remaining remains due pending unfinished undone".split())
_AROUND = _WHAT | _DOING | _OPEN | frozenset(
    "i i've we we've is are to be get has have got need needs must should ought still yet else that on my our"
    " list for me us by until till before this week weekend month today tomorrow tonight next the at moment"
    " end of day not been".split()
)  # fmt: skip


def asks_what_to_do(words: Sequence[str]) -> bool:
    """Return whether words ask to be told what there is to do, and name no task."""
    said = [word for word in words if word[0].isalnum() and word not in LEADS - _AROUND]
    if tuple(said[:2]) in ASKING_YOU:
        said = [word for word in said[2:] if word != "kindly"]
    if _sorts_list(said):
        return True
    lead = next((one for one in _TELLING if tuple(said[: len(one)]) == one), ())
    asked = said[len(lead) :]
    if not lead or asked[:1] == [] or asked[0] not in _WHAT:
        return False
    is_to_do = bool(_DOING & set(asked)) and bool({"i", "we", "be"} & set(asked))
    return (is_to_do or bool(_OPEN & set(asked))) and set(asked) <= _AROUND | WEEKDAYS.keys()


def _sorts_list(said: Sequence[str]) -> bool:
    """Return whether words ask to sort the list, which stands in the order of its days: ``sort my tasks``."""
    return tuple(said[1:2]) == ("my",) and said[0] in _SORTING and bool(_OWN_TASKS & set(said[2:3]))


_OWN_TASKS = frozenset({"list", "tasks", "to-dos", "todos", "reminders"})


def asks_for_task_on(clause: Clause, scene: Scene) -> bool:
    """Return whether a question is for anything to do with somebody or something that a task names: ``do I
    have something with the plumber?``
    """
    words = clause.words
    at = next((at for at, word in enumerate(words) if word in {"anything", "something"}), None)
    if at is None or not clause.is_question or scene.question is not None or scene.has_draft:
        return False
    has = bool(_HAVING & set(words[:at])) and bool({"i", "we", "there"} & set(words[:at]))
    is_about = bool(_ABOUT & set(words[at + 1 : at + 3])) and not find_meant(clause, scene.agents).things
    return has and is_about and bool(find_meant(clause, scene.tasks).things)


_HAVING = frozenset({"have", "got", "is", "there", "was", "need"})
_ABOUT = frozenset({"with", "about", "for", "regarding", "on", "to"})


def list_talked_of(words: Sequence[str], scene: Scene) -> ActKind | None:
    """Return the list that ``the list`` means in a conversation: of what was listed or talked of last; None
    where words name more than that, or nothing was talked of.
    """
    said = {word for word in words if word[0].isalnum() and word not in LEADS}
    if not ("list" in said and _BARE & said and said <= _AROUND_LIST):
        return None
    if scene.question is not None or scene.has_draft:
        return None
    kinds = {"agent": ActKind.LIST_AGENTS, "run": ActKind.LIST_AGENTS, "task": ActKind.LIST_TASKS}
    return kinds.get(scene.listed_kind or scene.focus_kind)


_BARE = frozenset({"the", "that"})
_AROUND_LIST = _BARE | frozenset(
    "list show see give get let have read me us i we can could may you what does look like whole full"
    " complete entire once more again to".split()
)
