"""The simulated user: answers what the service asks, out of a dialogue's answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tests.evals.dialogues.format import Json
from tests.evals.dialogues.reply import Reply, asked, options_of, sentences

_ACTS = {
    "task": r"\b(?:to-?do|my list|your list|tasks?|remind)",
    "create": r"\b(?:new agent|create|set (?:it|one|that|this)? ?up|an agent)\b",
    "delete": r"\b(?:delet|remov|eras)",
    "run": r"\b(?:run|start) (?:it|one|the|your|now)|\brun\b",
    "share": r"\bshar",
    "change": r"\b(?:change|edit|update|rename|pause|resume)\b",
    "list": r"\b(?:list|show|see)\b",
    "answer": r"\b(?:answer|explain|tell you|information)\b",
    "nothing": r"\b(?:nothing|leave|none|cancel|another way|something else|no thanks)\b",
}
_WANTED = {
    "create": ("create",),
    "task": ("task", "due"),
    "delete": ("delete", "data"),
    "run": ("run", "result"),
    "share": ("share",),
    "change": ("change", "rename", "pause", "resume", "correction"),
    "list": ("list",),
    "answer": ("question", "about_product", "recall", "sum"),
}
_OF_AGENTS = {"change", "rename", "pause", "resume", "delete", "share", "run"}
_NOT_ABOUT_TASKS_ALONE = {"create", "pause", "resume", "share", "run"}
_MAY_DELETE = {"delete", "data", "undo", "change", "task", "correction"}
_STOP = frozenset(
    {
        "a", "all", "also", "an", "and", "any", "are", "as", "at", "be", "bit", "by", "can", "could",
        "do", "don't", "dont", "for", "from", "get", "got", "has", "have", "how", "i'd", "i'll", "i'm",
        "if", "in", "into", "is", "it", "it's", "its", "just", "know", "let", "like", "me", "more",
        "my", "need", "no", "not", "now", "of", "on", "one", "or", "our", "please", "should", "so",
        "such", "tell", "that", "the", "them", "then", "there", "they", "this", "to", "us", "want",
        "was", "we", "what", "when", "where", "which", "who", "will", "with", "would", "yes", "you",
        "your",
    }
)  # fmt: skip
_WORD = re.compile(r"[a-zA-ZÀ-ÿ0-9#@][\w'\u2019@.#-]*")
_ENDING = re.compile(r"(?:ing|ed|es|s)$")
_DESTRUCTIVE = re.compile(r"(?i)\b(?:delete|remove|erase|overwrite|replace)\b")
_ABOUT_AGENT = re.compile(r"(?i)\bagent")
_REFUSAL = re.compile(r"(?i)\W*n(?:o|ein|on)\b")
_CLOCK = re.compile(
    r"(?i)\b(\d{1,2})(?:[:.h](\d\d))?\s*(?:(a\.?m\b|p\.?m\b)|uhr\b|o['\u2019]?clock\b"
    r"|(?=(?:in|of) (?:the )?(?:morning|afternoon|evening)))"
)
_BARE_CLOCK = re.compile(r"(?i)\bat (\d{1,2})\b(?![:.]?\d)|\b(\d{1,2}):(\d\d)\b")
_DAY = re.compile(r"(?i)\b(mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?s?\b")
_UNKNOWN = "I don't know"
_MOST_UNKNOWN = 2
_SCORE_OF_AN_ACT = 2


def content_words(text: str) -> set[str]:
    """The words that carry meaning, cut to a stem of sorts."""
    words = _WORD.findall(text.lower())
    return {_ENDING.sub("", word) for word in words if word not in _STOP and len(word) > 2}


def conflict(proposed: str, wanted: str) -> bool:
    """Whether a proposal names a time of day or weekdays, and none of those wanted."""
    pairs = ((_hours(proposed), _hours(wanted)), (_weekdays(proposed), _weekdays(wanted)))
    return any(held and meant and not held & meant for held, meant in pairs)


class Person:
    """One user of one dialogue. It remembers what it said, and is not to be used for a second dialogue."""

    def __init__(self, case: Json) -> None:
        self._answers: Json = case.get("answers") or {}
        self._kinds = set(case["kind"])
        answers = [str(value) for value in self._answers.values() if value]
        said = [turn["say"] for turn in case["turns"]]
        self._goal = content_words(" ".join([*said, case.get("goal", ""), *answers]))
        self._unknown = 0
        self._rephrased = self._told_job = self._amended = False
        self._before: tuple[str, str | None] = ("", None)
        self._lacking: set[str] = set()

    def answer(self, reply: Reply, names: Sequence[str], lacking: Iterable[str] = ()) -> str | None:
        """What is said next; None: nothing.

        Nobody says the same once more to the same words, nor asks for what is there already. ``lacking``
        holds which sorts of things are missing (`agents`, `tasks`, …), if that is known.
        """
        self._lacking = set(lacking)
        text = self._answer(reply, names)
        if text is not None and (reply.text, text) == self._before and text != _UNKNOWN:
            text = self._in_other_words()
        self._before = (reply.text, text)
        return text

    def _answer(self, reply: Reply, names: Sequence[str]) -> str | None:
        match asked(reply, names):
            case []:
                return None
            case ["menu"]:
                return self._choose(options_of(reply)) or self._in_other_words()
            case ["open"]:
                return self._in_other_words()
            case ["confirm"]:
                return self._confirm(reply)
            case wanted:
                return self._tell(wanted)

    def _tell(self, wanted: Sequence[str]) -> str | None:
        said = list(dict.fromkeys(self._answers[key] for key in self._keys(wanted) if self._answers.get(key)))
        return ", ".join(said) if said else self._not_known()

    def _keys(self, wanted: Sequence[str]) -> Sequence[str]:
        """Under which keys the answers to what is asked stand."""
        if wanted == ["change"]:
            return (
                ["rephrase"] if self._answers.get("rephrase") else ["when", "where", "source", "job", "name"]
            )
        if "other" not in wanted:
            return wanted
        told, self._told_job = self._told_job, True
        return ["other"] if self._answers.get("other") else [] if told else ["job"]

    def _confirm(self, reply: Reply) -> str | None:
        asking = " ".join(sentence for sentence in sentences(reply.text) if sentence.endswith("?"))
        if _DESTRUCTIVE.search(asking) and not self._kinds & _MAY_DELETE:
            return "no"
        when, confirm = self._answers.get("when") or "", self._answers.get("confirm") or ""
        if not confirm:
            return self._not_known()
        if not _REFUSAL.match(confirm) and not self._amended and conflict(reply.text, when):
            self._amended = True
            return f"yes, but {when}"
        return str(confirm)

    def _choose(self, options: Sequence[str]) -> str | None:
        """The number of the option whose words overlap most with the goal; the first of several."""
        scores = [
            (-score, number) for number, option in enumerate(options, 1) if (score := self._score(option))
        ]
        return str(min(scores)[1]) if scores else None

    def _score(self, option: str) -> int:
        act = next((act for act, pattern in _ACTS.items() if re.search("(?i)" + pattern, option)), None)
        is_other_act = act is not None and act not in self._wanted_acts()
        if is_other_act or (self._wants_only_tasks() and _ABOUT_AGENT.search(option)):
            return 0
        return len(content_words(option) & self._goal) + (_SCORE_OF_AN_ACT if act else 0)

    def _wanted_acts(self) -> set[str]:
        wanted = {act for act, kinds in _WANTED.items() if self._kinds & set(kinds)}
        if not self._kinds & _OF_AGENTS and self._kinds & {"schedule", "delivery", "unsure"}:
            wanted.add("create")
        return wanted

    def _wants_only_tasks(self) -> bool:
        only = "task" in self._kinds and not self._kinds & _NOT_ABOUT_TASKS_ALONE
        return only or self._lacking == {"tasks"}

    def _in_other_words(self) -> str | None:
        if self._rephrased or not self._answers.get("rephrase"):
            return None
        self._rephrased = True
        return str(self._answers["rephrase"])

    def _not_known(self) -> str | None:
        self._unknown += 1
        return _UNKNOWN if self._unknown <= _MOST_UNKNOWN else None


def _hours(text: str) -> set[tuple[int, int]]:
    """Times of day, morning or afternoon all the same."""
    found = {(int(hour) % 12, int(minute or 0)) for hour, minute, _ in _CLOCK.findall(text)}
    return found | {
        (int(bare or hour) % 12, int(minute or 0)) for bare, hour, minute in _BARE_CLOCK.findall(text)
    }


def _weekdays(text: str) -> set[str]:
    return {day[:3].lower() for day in _DAY.findall(text)}
