"""The forms of the phrases that give a name, as they are held against a message in small letters.

In it the names of present agents stand as rows of one letter. What a form finds is read elsewhere.
"""

from __future__ import annotations

from intent.acts.naming.told_name import Form
from intent.regular_expressions import either, lower_pattern

OWN = "\u2135"
"""Stands for each letter of a present agent's name in the text that the forms are held against."""
_KNOWN = rf"(?:(?:the|my|our) )?(?:agent )?{OWN}++(?: (?:agent|bot|report|one))?"
_NOUN = either(
    "agents?|bots?|robots?|automations?|assistants?|watchers?|monitors?|helpers?|jobs?|one|something|ones"
    "|reports?|digests?|summary|overview|alerts?|workflows?|routines?|newsletter"
)
_POINTED = (
    r"(?:(?:the|this|that|my|our) (?:new |other |same )?(?:agent|bot|robot|automation|assistant|copy|clone"
    r"|duplicate|one|thing|job)|this one|that one|it)"
)
_DESCRIBED = r"(?:the|my|our) (?:[\w-]+ ){1,3}?(?:one|agent|bot|report|automation|job)"
_THING = rf"(?:{_KNOWN}|{_POINTED}|{_DESCRIBED})"
_ANOTHER = rf"(?:{_KNOWN}|{_DESCRIBED})"
_CALLED = r"(?:called|named|titled|dubbed|known as|renamed(?: to| as| into)?)"
_MUST = (
    r"(?:(?:should|shall|must|will|would|could|can|ought to|has to|have to|needs to|need to|wants to|is to"
    r"|'ll)(?: now| just| simply| please)? be)"
)
_BEGIN = (
    r"(?:^|[.,;:!?)(\n\u2013\u2014-]|\b(?:and|to|you|we|us|lets|let's|i'd|i'll|we'll|we'd|rather|then|so|just"
    r"|pls|please|or|can|could|also|now|i|would)) ?"
)
_JUST = r"(?:,? (?:just|simply|now|instead|please))*"
_NOW = r"(?: now| henceforth| from now on)"
_TO = r"(?:to|as|into|->|=>|\u2192|:|=)"
_OF = rf"(?: (?:of|for) (?:{_THING}|the new one|this|that))?"
_WANTED = (
    r"(?: (?:that )?(?:i|we)(?:'d| would)? (?:want|like|prefer|chose|picked|choose|have in mind)"
    r"(?: for it)?)?"
)
_BETTER = (
    r"(?:(?:new|other|another|proper|better|nicer|real|different|decent|shorter|clearer|sensible|nice|good"
    r"|great|fine|fitting|suitable|perfect|final|old|right|correct) )?"
)
_NO_WAY = r"(?!e-?mails?\b|mails?\b|post\b|slack\b|teams\b|sms\b|text\b|itself\b)"
_FROM_NOW = r"from (?:now|today|tomorrow)(?: on(?:wards)?)?|from here on"

_RENAMED = lower_pattern(
    rf"\b(?:re-?name|retitle|relabel|label) ({_THING}){_JUST} {_TO} ?",
    r"\brename (it|this one|that one) (?!to\b|as\b)",
    rf"\brename ({_KNOWN}) (?={OWN})",
)
_COMMANDED = lower_pattern(rf"{_BEGIN}(?:call|name|title|dub|christen) ({_THING}|this|that){_JUST}[:,]? ?")
_WISHED = lower_pattern(
    rf"\b({_THING}),? (?:{_MUST}|gets?|(?:is|'s){_NOW}) ?(?:now |just |simply )?{_CALLED} ?:?",
    rf"\b(?:can|could|may|should|shall|might) ({_THING}) (?:please |just |now )?be {_CALLED} ?:?",
    rf"\b(?:want|like|prefer|rather|wish|love|have|see)(?: to have| to see| that| if)? ({_THING})"
    rf"(?: to be| was| were| be| is)? {_CALLED} ?:?",
    rf"\b({_THING})(?: (?:should|shall|will|must|can|'ll))?(?: now)? (?:goes|go|going) by"
    rf"(?: the name)?(?: of)? {_NO_WAY}",
    rf"\b(?:give|giving) ({_THING}) (?:the|an?|another|its) {_BETTER}name(?: of)? ?[:,]? ?",
    rf"\b({_THING}) (?:gets?|takes?|has|bears?) the {_BETTER}name(?: of)? ",
    rf"\b({_THING}) (?:needs|wants|deserves|should have|could use) an? {_BETTER}name ?[:,\u2013-] ?",
)
_CHANGED = lower_pattern(
    rf"\b(?:change|set|switch|swap|turn|edit|update|alter|make)"
    rf" (?:the name(?: of ({_THING}))?|(?:its|({_THING})(?:'s)?) name){_JUST} {_TO} ?",
    rf"\b({_KNOWN})(?:'s)? {_BETTER}name (?:{_MUST}|is(?: now)?|becomes|shall become|to) ?:?",
    rf"\b({_KNOWN}) (?:becomes|shall become|will become|should become|is to become|turns into) (?!an?\b)",
    rf"\b({_KNOWN}) ?(?:->|=>|\u2192) ?",
    rf"\b({_KNOWN}) is{_NOW} (?=['\"\u2018\u201c])",
    rf"\b{_BETTER}name (?:of|for) ({_KNOWN}) ?(?::|is|{_MUST}) ?",
    rf"\b({_KNOWN}) ?[:,] {_BETTER}name ?:? ?",
)
_GIVEN = lower_pattern(
    rf"\b(?:its|the|agent|bot) {_BETTER}name{_OF}{_WANTED} ?(?:{_MUST}|is|becomes|:|=) ?:?",
    r"\b(?:with|under) (?:the |a )?name(?: of)? ?:? ?",
    r"\bby (?:the |a )?name(?! ?[,;])(?: of)? ?:? ?",
    rf"\b{_NOUN} whose name (?:is|shall be|should be) ",
    r"\bname ?[:=] ?",
    r"(?:[,(>-]|\bbot|\bagent) name"
    r" (?!(?:of|is|it|this|that|the|and|or|to|should|shall|will|must|for|in|i)\b)",
    r"\b(?:have|has|had|got)(?: already)? (?:a|the|its|one) name(?: for (?:it|this|that))?"
    r"(?: already| ready| in mind)? ?[:,] ?",
    rf"\b(?:it's|its|it is|this is|and is|that's|which is) (?:to be )?{_CALLED} ?:?",
)
_BEHIND_OTHERS = "".join(
    rf"(?<!{noun})"
    for noun in ("sheet", "board", "list", "channel", "folder", "project", "table", "page", "tab")
)
_NEW = lower_pattern(
    rf"{_BEHIND_OTHERS}[,(]( ?{_CALLED} ?:?)",
    rf"(?<=\s)[#@]?[\w.+-]+@?[\w.-]+\.[a-z]+( {_CALLED} ?:?)",
    rf"\b{_NOUN}(?: of mine)?(,?(?: that(?:'s| is)| which is)?(?: to be| should be)? {_CALLED} ?:?)",
    rf"\b{_NOUN}(,?(?: that| which)? (?:goes|going) by(?: the name)?(?: of)? )",
    rf"\b(?:copy|clone|duplicate|version|time|twin|copy of it|{_KNOWN})(,? {_CALLED} ?:?)",
    rf"\b(?:copy|clone|duplicate|twin)(?: of)? {_THING}"
    r"((?:,? as|,? into|,? under| ?->| ?=>| ?\u2192| ?:) ?)(?!(?:the|a) )",
)
FORMS = (
    (Form.CHANGED, _RENAMED), (Form.WISHED, _COMMANDED), (Form.WISHED, _WISHED), (Form.CHANGED, _CHANGED),
    (Form.GIVEN, _GIVEN), (Form.NEW, _NEW),
)  # fmt: skip
"""What stands before a name, with what it says of the thing. The first group is the thing that is named; of
`Form.NEW` it is the part of the phrase that is left out, since what is asked for stands before it.
"""
DESCRIBING = lower_pattern(_DESCRIBED)
NEXT = lower_pattern(
    rf"(?: ?,)? (?:and|then) (?:call |rename |name )?({_ANOTHER})(?: to| as| into| by| ?->| ?:) ",
    rf" ?[,;] ({_ANOTHER})(?: to| as| into| ?->| ?:) ",
)
"""What goes on with another agent and its name behind a first: ``and the rent one to …``."""
NEXT_BARE = lower_pattern(
    rf"(?: ?,)? (?:and|then) (?:call |name )?({_ANOTHER}) ",
    rf" ?[,;] (?:call |name )?({_KNOWN}) ",
)
"""The same without a word between the agent and its name: ``and the rent one Late Rent``."""
CHANGES = lower_pattern(
    rf"\b(?:change|switch|turn|update|set|edit|swap|alter)(?: ({_THING}|this|that))? (?:to|into) ",
    rf"\bmake (?:({_THING})|this|that) ",
    r"\b(?:should|must|shall) (?:say|read|be) ",
)
"""What stands before a name only where a name was spoken of: ``the name is bad, change to …``."""
BEHIND = lower_pattern(
    r"(?: ?,| ?[\u2013-])? ?(?:that's|that is|this is|is|shall be|should be|will be|would be|as|for)"
    rf" (?:the|its|a|my|our) {_BETTER}name\b{_OF}{_WANTED}",
    r" (?:will do|would do|does|'ll do)(?: fine| nicely)? (?:as|for) (?:a|the|its) name\b",
    r" as name\b",
)
"""What stands behind a name."""
PREFERRED = lower_pattern(
    r" (?:is|would be|will be|sounds|fits|suits(?: it)?)(?: much| way| a lot| far)? better\b(?: for it)?"
)
"""What stands behind a name only where a name was spoken of."""
DEEDS = lower_pattern(
    r"\b(?:make|create|build|set up|add|need|want|pause|stop|delete|run|start|copy|clone|send|mail|post|move"
    r"|share)\b"
)
NAME_NOUN = lower_pattern(r"\b(?:re)?named?s?\b|\bcalled\b")
ASKING = lower_pattern(
    r"\W*(?:and |so |but |ok |hey )?(?:why|who|when|where|which|whose|how (?!about)"
    r"|what(?!(?:'s| is)? about|'s say)|did|does|is|are|was|were|has|have|had|do (?:i|we|you|they))\b"
)
NEGATED = lower_pattern(r"(?:\bnot|n't|\bnever|\bno longer|\bnor|\binstead of)(?: \w+){0,2}\W*$")
TAIL = lower_pattern(
    r"(?: ?,? ?(?:please|pls|plz|instead|now|today|then|thanks|thank you|thx|henceforth|for short|btw|ok|okay"
    rf"|as (?:its|a|the|his) name|{_FROM_NOW})\b)*(?: ?:-?\))?"
)
REASON = lower_pattern(
    r" ?,? ?\b(?:so(?: that)?|because|cause|cos|coz|since|as) (?:i|we|it|they|he|she|you|nobody|everybody"
    r"|everyone|people)\b[^.!?;\n]+"
)
"""What stands behind a name and only tells why: ``so I stop mixing them up at 4am``."""
ASKING_MORE = lower_pattern(
    r"(?:,|\b(?:and|then|please|pls|you|it|to)) (?:make|create|build|set|add|pause|stop|delete|run|start|copy"
    r"|clone|send|mail|post|move|share|remind|put|change|switch)\b",
    r"\b(?:i|we)(?:'d| would)? (?:want|need|like|wish|prefer)\b",
    r"\b(?:should|must|shall)\b",
)
"""What in a reason asks for something after all: ``because I want it at 7``."""
LEAD = lower_pattern(
    r"(?:^|(?<=[\s.,;:!?\u2013\u2014-]))(?:(?:and|oh|ok|okay|please|pls|also|then|so|but|maybe|let's|lets"
    rf"|you can|we can|we'll|i'd|can you|could you|would you|{_FROM_NOW}|i|we|want|like|prefer|rather|already"
    r"|to) ?,? ?)+$"
)
