"""The acts that a message asks for by name: to run, pause, change, delete, create or share something.

`names_act` says whether the words bear an act out, however a model understood them. It reads words alone: no
history, no notes. Questions, conditions, refusals and reports of what somebody did name no act.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from re import Match

from pydantic import JsonValue

from intent.decision import ActionType
from intent.entities import extraction
from intent.regular_expressions import LowerPattern, either, lower_pattern, normalise, pattern
from intent.rules.requested_operation import CHANGE_FORM, OPERATION_FORMS, RUN_FORM


class Act(StrEnum):
    """What an effect does to its thing."""

    RUN = "run"
    STOP_RUN = "stop_run"
    PAUSE = "pause"
    RESUME = "resume"
    CHANGE = "change"
    RENAME = "rename"
    DELETE = "delete"
    SHARE = "share"
    CREATE = "create"
    SET_RETENTION = "set_retention"
    CONNECT = "connect"
    ADD_TASK = "add_task"
    COMPLETE_TASK = "complete_task"
    REOPEN_TASK = "reopen_task"
    CHANGE_TASK = "change_task"
    DELETE_TASK = "delete_task"


_ONE = r"(?:[\w'-]+ ){1,4}?"
"""What an act is done to, between the parts of its verb: ``put standup-notes on hold``."""
_PAUSE = either(
    rf"stop|halt|freeze|hush|quiet(?:en)?|quit|cease|hold off|take a break|inactive|dormant"
    rf"|(?:shut|turn|switch) {_ONE}(?:off|down)|knock {_ONE}off|pack {_ONE}in|take {_ONE}(?:offline|down"
    rf"|off)|break from"
    rf"|put {_ONE}(?:on hold|on ice|to sleep|aside)"
    rf"|give {_ONE}(?:a )?(?:rest|break|pause)|let {_ONE}(?:rest|sleep|take a break)|leave {_ONE}off"
    rf"|have {_ONE}stop"
)
_RESUME = either(
    rf"continue|carry on|go on|start|activate|back on|active again|start up|revive|wake|unfreeze|un-?mute"
    rf"|reinstate|restore"
    rf"|get {_ONE}(?:going|running|working)|(?:run|work)(?:s|ning|ing)? again|back to (?:work|life)"
    rf"|back in action"
    rf"|up and running|(?:want|need|have|get) {_ONE}back|fire {_ONE}(?:back )?up|bring {_ONE}back"
    rf"|put {_ONE}back"
)
_RUN = either(
    rf"re-?run|repeat|redo|again|once more|one more time|another (?:go|run|time)|go ahead with"
    rf"|set {_ONE}off|set off"
    rf"|fire {_ONE}(?:up|off)|kick {_ONE}off|get {_ONE}(?:going|started|to work)|put {_ONE}to work"
    rf"|do {_ONE}(?:now|again|once|once more)|do {_ONE}(?:right )?now|let {_ONE}(?:go|run|work|do (?:its"
    rf"|his|her|the) (?:thing|job|work))"
    rf"|(?:have|make) {_ONE}(?:run|work|check|look|do|go)|give {_ONE}(?:a )?(?:go|spin|run|try|nudge)"
    rf"|have a go with"
    rf"|refresh|generate|produce|fetch"
)
_DELETE = either(
    rf"dump|toss|chuck|axe|nuke|wipe|purge|clear out|lose|kill|can go|be gone|do away with|eliminate"
    rf"|discard|destroy|bin"
    rf"|(?:throw|take) {_ONE}(?:out|away)|throw (?:out|away)|shut {_ONE}down for good|clean up|obsolete"
    rf"|superfluous"
    rf"|(?:need|want|use)(?:s|ed)? {_ONE}(?:any ?more|any longer)|no (?:more|longer)"
)
_RENAME = either(
    rf"give {_ONE}the name|call|title|name|re-?title|re-?label|re-?christen|known as|goes by|new title"
)
_CHANGE = either(
    "adjust|alter|amend|tweak|correct|fix|rework|revise|rewrite|replace|swap|extend|narrow|widen|reduce"
    "|increase|raise|lower"
    "|shorten|lengthen|put|have|let|send|deliver|post|e-?mail|mail|message|slack|report|look|read|watch"
    "|monitor|only|also"
    "|no longer|include|exclude|ignore|skip|drop|remove|stop|start|keep|turn|bring|shift|delay|push|more"
    "|less|want|need"
    "|prefer|rather|better|would be|enough|please|give|limit|restrict|focus|cover|take|say|go|goes|route"
    "|direct|redirect|run"
    "|do|write|format|get|leave|fine|ok|suits?|works"
)
_SHARE = either(
    rf"share|un-?share|public|private|publish|visible|available|accessible|open {_ONE}up|give {_ONE}access"
    rf"|hide"
    rf"|(?:let|allow) {_ONE}(?:to )?(?:see|use|view|run|have)"
)
_CREATE = either(
    "create|build|make|set ?up|design|develop|spin up|automate|clone|duplicate|program|deploy|arrange"
    "|organi[sz]e|start|add"
    "|give|get|have|need|want|like|love|looking for|watch|monitor|track|keep|alert|notify|ping|warn|remind"
    "|tell|let|send"
    "|e-?mail|mail|post|collect|summari[sz]e|compile|report|flag|check|scan|look out|write|read|go through"
    "|pull|gather"
    "|whenever|every|each|daily|weekly|monthly|hourly"
)
_KEEP = either(
    "keep|store|retain|retention|hold|save|delete|wipe|purge|erase|kept|remove|archive|expire|forget|stored"
    "|deleted"
)
_CONNECT = either(
    "connect|register|add|plug in|hook up|link|teach|install|integrate|attach|set up|create|use|remove"
    "|disconnect"
    "|unregister|uninstall|delete|get rid of"
)
_ADD_TASK = either(
    "add|create|make|put|note|write|jot|stick|new|remind|remember|(?:\\w+n't|not|never) (?:let me )?forget"
    "|to-?dos?|tasks?|list|have to|need to|must|got to"
    "|plan|schedule|track|record|save|log|set"
)
_COMPLETE_TASK = either(
    "done|finish|finished|complete|completed|mark|tick|ticked|check|checked|cross|crossed|close|closed|did"
    "|sorted|handled"
    "|bought|called|paid|sent|renewed|taken care of|dealt with|off (?:my|the) list|through with|resolved"
    "|i've|i have"
)
_REOPEN_TASK = either(
    "reopen|re-open|undo|not done|isn't done|uncheck|untick|bring back|unfinished|still open|again"
)
_CHANGE_TASK = either(
    "changed?|renamed?|moved?|push(?:ed)?|postponed?|delay(?:ed)?|rescheduled?|shift(?:ed)?|bring forward"
    "|due|deadline"
    "|updated?|edit(?:ed)?|retitled?|reword(?:ed)?|set|make"
    "|correct|fix|add|note|call it|instead|put off|earlier|later|until|by"
)
_DELETE_TASK = either(
    "delete|remove|drop|erase|scrap|cancel|clear|take|get rid of|throw|bin|trash|forget|ditch|strike"
    "|off (?:my|the) list"
    "|no longer|not needed|any ?more"
)
_STATED = frozenset(
    {Act.ADD_TASK, Act.COMPLETE_TASK, Act.REOPEN_TASK, Act.DELETE_TASK, Act.DELETE, Act.CREATE}
)
"""Acts that a statement may ask for: ``I've bought the milk``, ``old-digest is obsolete``."""


def _form(words: str) -> LowerPattern:
    return lower_pattern(rf"(?<![\w-])(?:{words})(?![\w-])")


_FORMS: Mapping[Act, tuple[LowerPattern, ...]] = {
    Act.RUN: (RUN_FORM, _form(_RUN)),
    Act.STOP_RUN: (_form(either("cancel|stop|abort|kill|halt|interrupt|end")),),
    Act.PAUSE: (OPERATION_FORMS["pause"], _form(_PAUSE)),
    Act.RESUME: (OPERATION_FORMS["resume"], _form(_RESUME)),
    Act.CHANGE: (CHANGE_FORM, _form(_CHANGE)),
    Act.RENAME: (OPERATION_FORMS["rename"], _form(_RENAME)),
    Act.DELETE: (OPERATION_FORMS["delete"], _form(_DELETE)),
    Act.SHARE: (_form(_SHARE),),
    Act.CREATE: (_form(_CREATE),),
    Act.SET_RETENTION: (_form(_KEEP),),
    Act.CONNECT: (_form(_CONNECT),),
    Act.ADD_TASK: (_form(_ADD_TASK),),
    Act.COMPLETE_TASK: (_form(_COMPLETE_TASK),),
    Act.REOPEN_TASK: (_form(_REOPEN_TASK),),
    Act.CHANGE_TASK: (_form(_CHANGE_TASK),),
    Act.DELETE_TASK: (_form(_DELETE_TASK),),
}
_DONE_TO = lower_pattern(
    r"\b(?:want|like|need|prefer|get|have|see|should be|must be|be|to be|is to be) (?:[\w'-]+ ){0,5}"
    r"(?P<act>paused|stopped|halted|suspended|disabled|resumed|restarted|enabled|reactivated|run|started"
    r"|renamed|called|named"
    r"|deleted|removed|scrapped|binned|retired|changed|moved|switched|shared|created|built|gone)\b"
)
"""The passive, which the forms in the imperative miss: ``I'd like it paused``."""
_PASSIVES: Mapping[str, Act] = {
    **dict.fromkeys(("paused", "stopped", "halted", "suspended", "disabled"), Act.PAUSE),
    **dict.fromkeys(("resumed", "restarted", "enabled", "reactivated", "started"), Act.RESUME),
    **dict.fromkeys(("renamed", "called", "named"), Act.RENAME),
    **dict.fromkeys(("deleted", "removed", "scrapped", "binned", "retired", "gone"), Act.DELETE),
    **dict.fromkeys(("changed", "moved", "switched"), Act.CHANGE),
    **dict.fromkeys(("created", "built"), Act.CREATE),
    "run": Act.RUN,
    "shared": Act.SHARE,
}
_RUNNING = lower_pattern(
    r"\b(?:mind|about|feel like|worth|start|try|suggest) (?:[\w'-]+ )?(?P<act>\w{3,12}ing)\b"
)
_ING = {
    "running": Act.RUN, "executing": Act.RUN, "starting": Act.RUN, "pausing": Act.PAUSE,
    "stopping": Act.PAUSE, "suspending": Act.PAUSE, "disabling": Act.PAUSE, "resuming": Act.RESUME,
    "restarting": Act.RESUME, "enabling": Act.RESUME, "renaming": Act.RENAME, "calling": Act.RENAME,
    "deleting": Act.DELETE, "removing": Act.DELETE, "dropping": Act.DELETE, "scrapping": Act.DELETE,
    "changing": Act.CHANGE, "moving": Act.CHANGE, "switching": Act.CHANGE, "sharing": Act.SHARE,
    "creating": Act.CREATE, "building": Act.CREATE,
}  # fmt: skip

_SENTENCE = lower_pattern(r"[^.!?;\n]+(?:[.:]\w[^.!?;\n]*)*[.!?;\n]*")
_LEADS = (
    r"\W*(?:(?:and|so|but|ok|okay|hi|hey|hello|well|hm+|um|oh|ah|wait|now|then|also|thanks|great|good"
    r"|yes|no)[\s,!-]+){0,4}"
)
_QUESTION = lower_pattern(
    rf"{_LEADS}(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|does|did|has|have (?:i|you"
    rf"|we|they)|had"
    r"|do (?:i|you|we|they)|should i|should we|shall|may i|am i|will (?:it|that|this|the|they)|would (?:it"
    r"|that|this|the|they)"
    r"|can (?:it|that|this|the|they|i|anyone|everyone|others|people)|could (?:it|that|i|they))\b"
)
_POLITE = lower_pattern(
    rf"{_LEADS}(?:why (?:don't|not)|how about|what about|(?:do|would) you mind|is it (?:ok|okay"
    rf"|possible) (?:to|if you)"
    r"|would it be (?:ok|okay|possible)|(?:can|may|could) (?:i|we) (?:have|get|see)\b[^?]{0,60}\b(?:paused"
    r"|stopped|resumed|renamed"
    r"|deleted|removed|shared|changed|moved|run)|should be)\b",
)
_SUGGESTED = pattern(r"\bwhy (?:don't|not)(?: (?:you|we))? ")
_ASKING = lower_pattern(
    r"\b(?:tell me|explain|show me|describe|wonder|curious|know|remember|remind me|forgot) (?:again )?"
    r"(?:me )?(?:what|which|who|where|when|why|how|if|whether|about)\b[^,]{0,200}$"
)
_REFUSED = lower_pattern(
    r"(?:\bnot|n't|\bnever|\bwithout|\bno need to|\binstead of|\brather than|\bavoid|\bno longer"
    r"|\bstop short of|\brefuse to"
    r"|\bdont|\bmustnt)(?! (?:forget|mind|need|want|use)\b)(?: [\w'-]+){0,2} $"
)
_IF = lower_pattern(
    r"\b(?:if|when|whenever|before|after|once|until|till|whether|since|because|while|unless|that|which|who"
    r"|in case|as soon as)"
    r" (?:i|you|we|they|it|he|she|somebody|someone|anyone|the [\w-]+|my [\w-]+"
    r"|[\w]+-[\w-]+)(?: [\w'-]+){0,2} $"
)
_REPORTED = lower_pattern(
    r"(?:^|[^\w])(?:i|he|she|they|it|we|you|who|that|agents?|bots?|\w+-\w+|ben|everyone|somebody|someone"
    r"|nobody)"
    r"(?: (?:just|already|always|usually|often|never|only|once|still|now|did|do|does|have|has|had|will"
    r"|would|can|could|may"
    r"|might|to))* $"
)
_ASKED = lower_pattern(
    r"\b(?:can|could|would|will|please|pls|should|must|shall|may|i'd|let|do|want|need|like|have|make|help"
    r"|ask|tell) "
    r"(?:[\w'-]+ ){0,3}$"
)
_A_NOUN = lower_pattern(
    r"\b(?:the|a|an|this|that|last|latest|next|first|second|my|its|his|her|our|your|every|each|any|no"
    r"|previous|current|test"
    r"|dry|which|what|of|more|less|these|those|whose|old|new|daily|weekly|hourly) $"
)
_NOUNS = lower_pattern(
    r"(?:run|change|stop|pause|move|start|delete|rename|make|use|fire|launch|call|name|title|process|report"
    r"|check"
    r"|update|switch|set|point|add|share|list|plan|note|record|log|schedule|track|halt|break|repeat|fix"
    r"|drop|push|look|watch)$"
)


def names_act(own_words: str, act: Act) -> bool:
    """Return whether the words ask for the act.

    ``own_words`` are a message's own words (`intent.entities.own_words`).
    """
    text = _unquoted(normalise(own_words))
    return any(_is_named_in(sentence, act) for sentence in _sentences(text))


def refuses_act(own_words: str, act: Act) -> bool:
    """Return whether the words mention the act only to refuse it: ``don't pause it``."""
    if names_act(own_words, act):
        return False
    text = _unquoted(normalise(own_words))
    return any(
        _REFUSED.search(sentence[: match.start()])
        for sentence in _sentences(text)
        for form in _FORMS[act]
        for match in form.finditer(sentence)
    )


def is_only_question(own_words: str) -> bool:
    """Return whether every sentence only asks for information."""
    found = list(_sentences(_unquoted(normalise(own_words))))
    return bool(found) and all(map(_is_question, found))


def _sentences(text: str) -> Iterator[str]:
    return (match[0].strip() for match in _SENTENCE.finditer(text) if match[0].strip())


def _unquoted(text: str) -> str:
    return _QUOTED.replace_matches(text, replacement=" ")


_QUOTED = pattern(r"\"[^\"\n]{1,200}\"")


def _is_question(sentence: str) -> bool:
    if _POLITE.match(sentence):
        return False
    return _QUESTION.match(sentence) is not None or _ASKING.search(sentence) is not None


def _is_named_in(sentence: str, act: Act) -> bool:
    if _is_question(sentence):
        return False
    sentence = _SUGGESTED.replace_matches(sentence, replacement="please ")
    if any(
        _PASSIVES.get(match["act"]) is act and not _is_refused(sentence, match)
        for match in _DONE_TO.finditer(sentence)
    ):
        return True
    if any(_ING.get(match["act"]) is act for match in _RUNNING.finditer(sentence)):
        return True
    return any(_is_wanted(sentence, match, act) for form in _FORMS[act] for match in form.finditer(sentence))


def _is_wanted(sentence: str, match: Match[str], act: Act) -> bool:
    """Whether the words at the match ask for the act, instead of refusing, supposing or reporting it."""
    before = sentence[: match.start()]
    if _REFUSED.search(before) or _IF.search(before):
        return False
    if _NOUNS.match(match[0]) and _A_NOUN.search(before):
        return False
    if act in _STATED or match[0].startswith(("want", "need")):
        return True
    return _REPORTED.search(before) is None or _ASKED.search(before) is not None


def _is_refused(sentence: str, match: Match[str]) -> bool:
    before = sentence[: match.start("act")]
    return _REFUSED.search(before) is not None or _IF.search(sentence[: match.start()]) is not None


TOOL_ACTS: Mapping[str, Act] = {
    "create_task": Act.ADD_TASK,
    "update_task": Act.CHANGE_TASK,
    "complete_task": Act.COMPLETE_TASK,
    "delete_task": Act.DELETE_TASK,
    "run_agent": Act.RUN,
}
"""The act of each tool that changes something for the user."""
_OPERATIONS: Mapping[str, Act] = {
    "pause": Act.PAUSE,
    "resume": Act.RESUME,
    "rename": Act.RENAME,
    "delete": Act.DELETE,
    "change": Act.CHANGE,
    "share": Act.SHARE,
    "set_retention": Act.SET_RETENTION,
}
_ACTIONS: Mapping[ActionType, Act] = {
    ActionType.CREATE_AGENT: Act.CREATE,
    ActionType.CREATE_SKILL: Act.CONNECT,
    ActionType.EXECUTE_TASK: Act.RUN,
    ActionType.UPDATE_AGENT: Act.CHANGE,
    ActionType.MANAGE_PLATFORM: Act.SET_RETENTION,
}


def act_of(action: ActionType, entities: Mapping[str, JsonValue]) -> Act | None:
    """The act that an action with these entities comes to; None for one that changes nothing."""
    operation = entities.get(extraction.OPERATION)
    if action is ActionType.UPDATE_AGENT and isinstance(operation, str):
        return _OPERATIONS.get(operation, Act.CHANGE)
    return _ACTIONS.get(action)
