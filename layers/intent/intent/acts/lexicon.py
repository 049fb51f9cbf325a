"""The words by which people command and ask: verbs with their forms, grouped by what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple


class VerbForm(NamedTuple):
    """One form of a verb: its base form, and whether it is the base form itself (an imperative)."""

    base: str
    is_base: bool


_IRREGULAR: Mapping[str, tuple[str, ...]] = {
    "do": ("does", "did", "done", "doing"), "get": ("gets", "got", "gotten", "getting"),
    "put": ("puts", "putting"), "set": ("sets", "setting"), "shut": ("shuts", "shutting"),
    "send": ("sends", "sent", "sending"), "tell": ("tells", "told", "telling"),
    "make": ("makes", "made", "making"), "take": ("takes", "took", "taken", "taking"),
    "give": ("gives", "gave", "given", "giving"), "bring": ("brings", "brought", "bringing"),
    "keep": ("keeps", "kept", "keeping"), "let": ("lets", "letting"), "have": ("has", "had", "having"),
    "throw": ("throws", "threw", "thrown", "throwing"), "hold": ("holds", "held", "holding"),
    "freeze": ("freezes", "froze", "frozen", "freezing"), "wake": ("wakes", "woke", "woken", "waking"),
    "build": ("builds", "built", "building"), "write": ("writes", "wrote", "written", "writing"),
    "undo": ("undoes", "undid", "undone", "undoing"), "show": ("shows", "showed", "shown", "showing"),
    "begin": ("begins", "began", "begun", "beginning"), "forget": ("forgets", "forgot", "forgotten"),
    "hide": ("hides", "hid", "hidden", "hiding"), "rerun": ("reruns", "reran", "rerunning"),
    "run": ("runs", "ran", "running"), "lose": ("loses", "lost", "losing"), "cut": ("cuts", "cutting"),
    "go": ("goes", "went", "gone", "going"), "come": ("comes", "came", "coming"),
    "see": ("sees", "saw", "seen", "seeing"), "read": ("reads", "reading"), "cc": ("ccs", "cced"),
    "think": ("thinks", "thought", "thinking"), "say": ("says", "said", "saying"),
    "buy": ("buys", "bought", "buying"), "pay": ("pays", "paid", "paying"), "mean": ("means", "meant"),
    "reset": ("resets", "resetting"), "drop": ("drops", "dropped", "dropping"),
    "want": ("wants", "wanted"), "spend": ("spends", "spent", "spending"),
}  # fmt: skip
_DOUBLED = frozenset(
    "stop scrap bin zap scan snap flag tag plan ban tip skip cap ship chat swap chop".split()
)

VERBS: Mapping[str, str] = {
    "pause": "pause suspend halt freeze mute silence hush snooze deactivate disable park shelve",
    "stop": "stop cease quit hold",
    "resume": "resume unpause reactivate reenable re-enable enable activate restart unfreeze unmute wake"
    " revive reinstate continue un-pause",
    "delete": "delete remove bin scrap trash erase kill axe ditch dump discard destroy wipe purge zap nuke"
    " eliminate chuck drop retire",
    "run": "run execute trigger rerun re-run launch fire refresh",
    "start": "start begin",
    "cancel": "cancel abort",
    "rename": "rename relabel retitle rechristen re-name reword rephrase",
    "call": "call name title dub",
    "share": "share",
    "unshare": "unshare un-share hide",
    "list": "list show display see view enumerate",
    "add": "add put note jot stick pop record log write include",
    "remind": "remind nag",
    "complete": "complete finish tick check cross mark close",
    "reopen": "reopen untick uncheck unmark re-open",
    "change": "change move reschedule shift update edit alter adjust modify switch set make correct fix"
    " tweak postpone delay push extend shorten replace swap amend",
    "deliver": "send mail email e-mail post deliver forward text slack message report cc notify ping",
    "create": "create build make set develop design automate arrange configure",
    "copy": "copy duplicate clone",
    "watch": "watch monitor track check alert warn notify ping tell flag detect look scan observe follow",
    "produce": "collect gather compile summarise summarize pull fetch report prepare generate count analyse"
    " analyze compare draft write read go list produce review extract copy send mail email post get give",
    "connect": "connect link hook integrate plug attach install register",
    "undo": "undo revert reverse unwind",
    "restore": "restore recover undelete retrieve",
    "want": "want need like love prefer wish",
    "explain": "explain describe tell clarify",
    "keep": "keep retain store save hold",
}  # fmt: skip
"""The base forms of each class of verbs. A verb may belong to several."""

PARTICLES: tuple[tuple[str, frozenset[str], str], ...] = (
    ("turn switch shut knock", frozenset({"off", "down"}), "pause"),
    ("turn switch", frozenset({"on"}), "resume"),
    ("take put switch set", frozenset({"offline"}), "pause"),
    ("take put switch bring get", frozenset({"online"}), "resume"),
    ("put", frozenset({"hold", "ice"}), "pause"),
    ("give take", frozenset({"break", "rest", "pause"}), "pause"),
    ("hold", frozenset({"off"}), "pause"),
    ("stand", frozenset({"down"}), "pause"),
    ("start turn switch bring get put fire take have set", frozenset({"back"}), "restore_or_resume"),
    ("start fire spin get", frozenset({"again"}), "resume"),
    ("kick set", frozenset({"off"}), "run"),
    ("fire spin start", frozenset({"up", "off"}), "run"),
    ("give", frozenset({"go", "spin", "whirl", "try", "run"}), "run"),
    ("get", frozenset({"rid"}), "delete"),
    ("do", frozenset({"away"}), "delete"),
    ("throw chuck", frozenset({"out", "away"}), "delete"),
    ("take strike", frozenset({"off", "out"}), "delete"),
    ("cross tick check strike", frozenset({"off"}), "complete"),
    ("set put spin rig", frozenset({"up", "together"}), "create"),
    ("write jot note put", frozenset({"down"}), "add"),
    ("make keep", frozenset({"private", "myself"}), "unshare"),
    ("make set", frozenset({"public", "visible", "available", "accessible", "shared"}), "share"),
    ("open", frozenset({"up"}), "share"),
    ("roll put change set go take", frozenset({"back"}), "undo"),
)
"""Verbs, the words of which one follows in the same clause, and the class this makes."""

NEGATIONS = frozenset(
    "not don't dont never no cannot can't won't wouldn't shouldn't mustn't doesn't didn't isn't aren't"
    " nothing without stop nor neither".split()
) - {"stop"}
EXCEPTIONS = frozenset(["except", "exept", "but", "besides", "excluding", "save", "bar", "minus"])
POINTERS = frozenset(
    ["it", "that", "this", "them", "those", "these", "one", "ones", "him", "her", "he", "she", "its", "they"]
)
AGENT_NOUNS = frozenset(
    ["agent", "agents", "bot", "bots", "automation", "automations", "robot", "robots", "job", "jobs"]
)
TASK_NOUNS = frozenset(
    "task tasks todo todos to-do to-dos reminder reminders errand errands chore chores item items".split()
)
LIST_NOUNS = frozenset(["list", "lists", "todo", "to-do", "todos", "to-dos"])
NUDGES = frozenset("nudge shout reminder poke prod kick buzz ping bell heads-up tap jog holler".split())
"""What people ask to be given to be reminded: ``give me a nudge``."""
RUN_NOUNS = frozenset(["run", "runs", "execution", "executions", "result", "results", "output", "outcome"])
QUESTION_WORDS = frozenset(
    "what what's whats which who who's whos whose when when's where where's why why's how how's whom".split()
)
AUXILIARIES = frozenset(
    "is are was were do does did can could will would should has have had am may might must shall".split()
)
SUBJECTS = frozenset(
    "i we you it he she they there this that these those i'd we'd i'm we're i've we've".split()
)
LEADS = frozenset(
    "please pls plz kindly just now so ok okay okey oki hey hi hello then and also actually well right good"
    " great alright all yes yeah yep no nope oh ah um uh er hmm hm look listen sorry thanks thank cheers yo"
    " cool fine perfect super lovely nice quickly quick btw fyi but or plus again first next finally lol"
    " oops anyway cool aye".split()
)
ASKING_YOU = frozenset({("can", "you"), ("could", "you"), ("would", "you"), ("will", "you")})
"""How a question begins that asks for a deed: ``could you get rid of it?``"""
REPORTS = frozenset("say says said saying read reads called titled named wrote writes written".split())
"""Words behind which a command is only told: ``a task that says run parcels``."""
CORRECTIONS = frozenset("no nope nah wait oops sorry actually hmm hm correction oh argh damn".split())
"""Words with which people take back what they said."""


REQUEST_WORDS = frozenset(
    "you your the and for can could would will like just please want need with from that this what which when"
    " have thanks about run add how many much where every again night together also then they there their"
    " time send not but show list".split()
)
"""Words that requests are made of, which are often misspelled by swapping two letters."""


SHORTHAND: Mapping[str, str] = {
    "n": "and", "k": "ok", "kk": "ok", "w/o": "without",
    "del": "delete", "rm": "remove", "cxl": "cancel", "abt": "about", "wk": "week", "wks": "weeks",
    "thru": "through", "cuz": "because", "tday": "today", "2day": "today", "2moro": "tomorrow",
    "tmoro": "tomorrow", "rn": "now", "b4": "before", "whens": "when's", "wheres": "where's",
    "sched": "schedule", "lmk": "tell", "snd": "send", "faild": "failed", "nigth": "night", "wat": "what",
    "wats": "what's", "wots": "what's", "wot": "what", "wen": "when",
    "anythin": "anything", "somethin": "something",
    "wich": "which", "evry": "every", "dont": "don't", "cant": "can't", "wont": "won't", "didnt": "didn't",
    "doesnt": "doesn't", "isnt": "isn't", "wasnt": "wasn't", "arent": "aren't", "couldnt": "couldn't",
    "wouldnt": "wouldn't", "shouldnt": "shouldn't", "havent": "haven't", "hasnt": "hasn't",
    "shld": "should", "shud": "should", "cld": "could", "wld": "would", "nxt": "next", "nite": "night",
    "tonite": "tonight", "tmrw": "tomorrow", "tmr": "tomorrow", "mornin": "morning", "mornng": "morning",
    "smth": "something", "teh": "the", "ppl": "people", "prob": "probably", "cos": "because", "w": "with",
    "gimme": "give", "sho": "show", "ment": "meant", "jsut": "just",
}  # fmt: skip
"""Words as people shorten them in a hurry."""


@cache
def verb_forms() -> Mapping[str, VerbForm]:
    """Return every form of every verb in the lexicon."""
    bases = {base for group in VERBS.values() for base in group.split()}
    bases |= {base for verbs, _, _ in PARTICLES for base in verbs.split()}
    forms: dict[str, VerbForm] = {}
    for base in sorted(bases):
        for form in _inflected(base):
            forms.setdefault(form, VerbForm(base, False))
    forms.update({base: VerbForm(base, True) for base in bases})
    return forms


@cache
def classes_of(base: str) -> frozenset[str]:
    """Return the classes of a verb, given its base form."""
    return frozenset(name for name, group in VERBS.items() if base in group.split())


def _inflected(base: str) -> Iterator[str]:
    if base in _IRREGULAR:
        yield from _IRREGULAR[base]
        return
    stem = base + base[-1] if base in _DOUBLED else base
    if base.endswith("e"):
        yield from (f"{base}s", f"{base}d", f"{base[:-1]}ing")
    elif base.endswith("y") and base[-2] not in "aeiou":
        yield from (f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing")
    elif base.endswith(("s", "x", "z", "ch", "sh")):
        yield from (f"{base}es", f"{base}ed", f"{base}ing")
    else:
        yield from (f"{base}s", f"{stem}ed", f"{stem}ing")


_OFTEN_MISSPELT = frozenset(
    "tomorrow today everyone everybody please instead everything another because without rather which again"
    " together altogether yesterday already remember forget forgetting".split()
)
ASKED_WITH = AGENT_NOUNS | _OFTEN_MISSPELT
"""Words that a misspelled word of a question may stand for, whatever the question is about."""


@cache
def command_words() -> frozenset[str]:
    """Return the words that a misspelled word of a command may stand for."""
    nouns = AGENT_NOUNS | TASK_NOUNS | LIST_NOUNS | _OFTEN_MISSPELT
    return frozenset(word for word in (*verb_forms(), *nouns) if len(word) >= 4)


def classes_in(words: AbstractSet[str]) -> frozenset[str]:
    """Return the classes of all verbs in their base form, alone or with their particles."""
    forms = (verb_forms().get(word) for word in words)
    verbs = {name for form in forms if form is not None and form.is_base for name in classes_of(form.base)}
    marks = {name for bases, marks, name in PARTICLES if words & set(bases.split()) and words & marks}
    return frozenset(verbs | marks)
