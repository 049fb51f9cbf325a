"""Word lists by their role in a request. `intent.rules.message_signals` uses them."""

from __future__ import annotations

from intent.regular_expressions import either

AGENT = either("agents?|bots?|robots?|automations?|assistants?|workflows?|helpers?|watchers?|colleagues?")
ONE_AGENT = either("agent|bot|robot|automation|assistant|workflow|watcher|detector|monitor|reporter")
AGENTS = either("agents?|bots?|assistants?|robots?")
SKILL = either("skills?|abilit(?:y|ies)|capabilit(?:y|ies)")
BUILDING_BLOCK = either(
    "tool|action|step|module|building block|connector|integration|function|lookup|calculator"
    "|converter|plug-?in"
    "|helper"
)
PRODUCT = either(
    "summar(?:y|ies)|reports?|charts?|graphs?|exports?|deck|slides?|spreadsheet|sheet|pack|memo"
    "|change ?log|newsletter|pdf"
    "|letters?|repl(?:y|ies)|presentation|drafts?|table|list of|minutes|statements?|overview|csv"
    "|one-pager|briefing"
    "|call with|update saying|digest|forecast"
)
MANAGED = either(
    "users?|seats?|roles?|permissions?|admins?|administrators?|sso|single sign-?on|saml|api keys?"
    "|credentials?|quotas?"
    "|billing|monthly bill|subscriptions?|retention|audit(?: trail| log)?s?|tenants?|workspace"
    "|organi[sz]ation"
    "|log ?ins?|sign-?in|passwords?|2fa|mfa|two-factor|phone code|allow-?list|whitelist|ip range"
    "|logo|branding"
    "|colou?rs|portal|user groups?|licen[cs]es?|viewer|(?:spend|budget|limit) (?:on|for|of) tokens|platform"
    "|accounts?|polic(?:y|ies)|time ?zone|default language"
)
CHATS = either("chats?|conversations?|messages|chat history|history")

LEAD = either(
    "please|pls|plz|kindly|just|now|so|ok|okay|hey|hi|hello|then|and|also|actually|right|well|good"
    "|great|neat|yes|yeah"
    "|first|again|next|quickly|(?:can|could|would|will) (?:you|u|we|someone|somebody)"
    "|(?:i|we)(?: want| need|'d like| would like)(?: you)? to|i would want that you|i want(?: "
    "that)?(?: you)?|you to|let's"
    "|go ahead and|help me(?: to)?|(?:it's )?time to|make sure(?: to)?|be so kind(?: as)? to|feel free to"
)
"""Words that people put before a command."""

MAKE = either(
    "creat(?:e|ing)|build(?:ing)?|mak(?:e|ing)|set(?:ting)? up|setup|design|develop|spin up|add"
    "|need|wants?|get(?:ting)?"
    "|give|launch|put together|configure|write|clone|duplicate|looking for|love|like|program|craft"
    "|deploy|start|have|after"
    "|missing|introduce|provide"
)
RUN = either(
    "run|re-?run|execute|start|trigger|fire(?: up| off)?|launch|kick(?: off)?|invoke|process|resend"
    "|backfill|retry"
    "|restart|redo|repeat"
)
WORK = either(
    "analy[sz]e|summari[sz]e|draft|write|compare|send|prepare|pull|get|grab|crunch|turn|look|find"
    "|compile|translate"
    "|convert|export|calculate|book|check|generate|post|print|collect|gather|sort|classify|cluster"
    "|review|proofread"
    "|extract|merge|upload|download|e-?mail|mail|text|call|message|search|count|tally|make|build"
    "|create|put together|do"
    "|clean|schedule|research|investigate|redact|answer|reply|file|plot|draw|chart|format|fill"
    "|order|pick|go through"
    "|give me|produce|update|work out|help me get|set up|bring|fetch|rank|group|list every|tidy"
    "|reconcile|sum up"
    "|dig into|look into"
)
CHANGE = either(
    "change|update|modify|edit|rename|pause|stop|resume|disable|enable|delete|remove|retire|move"
    "|switch|point|bump|drop"
    "|swap|turn|bring back|bring|adjust|reschedule|unpause|reactivate|deactivate|kill|get rid of"
    "|bin|ditch|shut down"
    "|cancel|add|make|have|set|raise|lower|increase|reduce|extend|limit|fix|tweak|loosen|tighten"
    "|postpone|delay|replace"
    "|let|mute|silence|put|take|narrow|widen|correct|share|unshare|exclude|include|skip"
)
END_OR_PAUSE = either(
    "pause|unpause|resume|reactivate|deactivate|disable|enable|rename|retire|reschedule|delete"
    "|remove|get rid of|bin"
    "|ditch|(?:turn|switch) (?:(?:it|that|them|this) )?(?:off|on)|shut down|mute|stop|put on hold"
    "|bring back|kill|unshare"
    "|suspend|trash|scrap"
)
ASK = either(
    "list|show|tell me|explain|describe|remind me|display|walk me through|run me through|take me "
    "through|let me (?:see|know)"
    "|give me (?:a list|an overview|the status|details|an update)|what's|whats|see(?= (?:all|my))"
    "|enumerate|read out"
    r"|help(?=\W*(?:$|[,.!?]|please|what|i'm))"
)
CONFIGURE = either(
    "add|remove|invite|revoke|grant|give|set|configure|enable|turn on|cap|limit|allow|lock|unlock"
    "|create|delete|change"
    "|upgrade|rotate|require|stream|wipe|keep|restrict|reset|assign|make|stop|need|disable|raise"
    "|lower|move|sort out"
    "|arrange|only|let|allow-list|whitelist|block|connect"
)
EVERY_UNIT = either(
    r"time|new|single|incoming|\w+day|week|month|quarter|fortnight|shift|day|morning|night|hour|year"
    r"|evening|afternoon"
)
