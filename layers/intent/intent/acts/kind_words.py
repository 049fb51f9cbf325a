"""Words without one of which a part of a message is no act of a kind, however likely it looks."""

from __future__ import annotations

CLOCK_WORDS = frozenset(
    "time date day days clock o'clock today tomorrow tomorrow's week weeks month year hour hours late"
    " weekday until till monday tuesday wednesday thursday friday saturday sunday timezone zone".split()
)
CONNECTION_WORDS = frozenset(
    "connect connected connection connections connects connecting connector connectors service services skill"
    " skills tool tools app apps integration integrations integrated plugin plugins hooked linked plugged"
    " source sources access system systems".split()
)
USAGE_WORDS = frozenset(
    "cost costs costing costed price pricing priced spend spending spent pay paid paying bill bills billed"
    " invoice charge charges charged money budget budgets usage use used using tokens token quota quotas"
    " limit limits expensive cheap dollars euros pounds cents usd bucks allowance left remaining much many"
    " owe fee fees consumption consume consumed model models".split()
)
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred"
    " thousand half quarter third double twice percent split divided times plus minus each altogether total"
    " vat".split()
)
ERASURE_WORDS = frozenset(
    "everything all data account me myself profile user history chats conversations traces information whole"
    " entire personal gdpr records anything ever".split()
)
LIST_WORDS = frozenset(
    "list lists task tasks todo todos to-do to-dos do doing did plate left leave leaves open due outstanding"
    " remaining remain remains agenda overdue pending unfinished reminder reminders item items job jobs chore"
    " chores errand errands next today today's todays tonight tomorrow weekend week monday tuesday wednesday"
    " thursday friday saturday sunday still undone done finish finished ticked tick off there else got have"
    " had supposed forgot forget forgotten behind should first lot date dates before after put on".split()
)
CHAT_WORDS = frozenset(
    "chat chats conversation conversations convo thread threads talk discussion dialogue dialog messages"
    " message history transcript session this it everything all here that said wrote written".split()
)
POLICY_WORDS = frozenset(
    "policy policies rule rules setting settings configure configured workspace everybody everyone"
    " nobody retention retain retained retaining keep keeps kept keeping store stores stored storing"
    " storage stay stays wiped wipe saved save expire expires expired deleted delete deletion archived"
    " archive history grace purge brought back restored older hold legal litigation sued lawsuit freeze"
    " frozen lift lifted limit limits limited cap caps capped quota quotas allowance maximum max burst"
    " bursts budget budgets spend spends spending spent cost costs money usd dollars dollar bucks euros"
    " pounds quid $ € £ model models gpt claude ai llm timezone zone mail mails emails outside external"
    " domain domains allowed allow allows allowing permit permitted forbid forbidden ban banned"
    " restrict restricted approved approval quiet share sharing shared admin admins administrator"
    " administrators messages requests runs agents skills connections tasks webhooks erasures exports"
    " imports forks redaction tone instructions language compliance gdpr data chats conversations"
    " results logs ceiling ceilings tenant approve approvers mask masked".split()
)
