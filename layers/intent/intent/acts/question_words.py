"""The words of which questions about agents are made: what they ask for, suppose and doubt."""

from __future__ import annotations

from intent.acts.learned.marked_tokens import SERVICES
from intent.acts.lexicon import LEADS, NEGATIONS, QUESTION_WORDS

WH = QUESTION_WORDS - frozenset({"why", "why's", "how", "how's"})
FINITE = frozenset(
    "is isn't are aren't was wasn't were weren't does doesn't did didn't has hasn't had hadn't will won't"
    " isnt arent doesnt didnt hasnt wont".split()
)
INVERTED = FINITE | frozenset({"do", "have", "am", "don't"})
PERSONS = frozenset("i you we they my our the any all these those anyone anybody".split())
NO_FACTS = frozenset("possible instead rather okay alright better".split())
UNCERTAIN = frozenset(
    "recall remember know knew sure forgot forget forgotten forgets idea wonder wondering unsure".split()
)
TELLING = (("remind", "me"), ("tell", "me"), ("ask", "you"), ("i", "ask"), ("to", "know"))
CONFIRMING = (
    "am i right", "is that right", "right", "correct", "i take it", "i believe", "i suppose", "i assume",
    "i presume", "i think", "is that correct", "i trust", "is that so", "isn't that so", "i guess",
    "is it true", "i understand", "am i correct", "do i have that right",
)  # fmt: skip
NOBODY = frozenset({"nobody", "nothing", "none", "no-one", "noone"})
SENTENCE_MARKS = frozenset(".;,!?:-\u2013\u2014\u2026(")
TIME_NOUNS = frozenset(
    "time times hour hours o'clock day days date dates weekday weekdays schedule timetable frequency"
    " rhythm interval".split()
)
PLACE_NOUNS = frozenset(
    "address addresses adress mail mails email e-mail emails inbox mailbox recipient recipients channel"
    " channels room destination".split()
)
SOURCE_NOUNS = frozenset("source sources system systems sheet spreadsheet data service app tool".split())
READING = frozenset(
    "read reads reading pull pulls pulling connected fetch fetches use uses look looks".split()
)
GETTING = frozenset("get gets receive receives got getting receiving sent send goes go".split())
SEEING = frozenset("see sees seeing share shared access private visible view public look".split())
SURE_STATES = frozenset("paused active inactive stopped enabled disabled alive dormant suspended".split())
STATES = SURE_STATES | {"on", "off", "still", "working", "running"}
ACTING = frozenset(
    "run runs running go goes going come comes coming arrive arrives send sends post posts mail mails"
    " sent posted mailed set delivered report reports happen happens due start starts scheduled out hear"
    " bother get fire fires work works appear appears show shows reach reaches posting sending mailing"
    " delivering arriving".split()
)
UNCHANGED = frozenset("unchanged same still changed".split())
RAN = frozenset("run ran runs running executed started worked".split())
PAST = frozenset("did has have was were hasn't haven't didn't wasn't hasnt didnt been last ever".split())
NOUNS = TIME_NOUNS | PLACE_NOUNS | SOURCE_NOUNS
BEFORE_ASKED = LEADS | frozenset("btw wait hang hold hey um er on at to for in from by with".split())
DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays"
    " fridays saturdays sundays weekend weekends weekday weekdays daily weekly monthly hourly tomorrow"
    " morning mornings afternoon afternoons evening evenings night nights noon midnight mon tue tues wed"
    " thu thur thurs fri sat sun every".split()
)
AUTOMATIC = frozenset("automatically automatic manually unprompted".split())
SELF = (
    "by itself",
    "by themselves",
    "on its own",
    "own accord",
    "by hand",
    "start it myself",
    "on their own",
)
WAYS = frozenset({"mail", "email", "e-mail", "slack", "teams", "chat", "here"})
_OTHERS = frozenset(
    "leave leaves left skip skips skipped"
    " i i'm me my you your we our us it its it's itself that this they them he she who the a an and or of"
    " to at on in by from for with as is be been am i'd really truly actually again else anyone anybody"
    " everyone everybody someone somebody colleagues others team people office than but only next first"
    " time since long once twice week month year already yet ever never even any can could would will may"
    " there right correct take believe suppose assume think true own self hand changed address".split()
)
_RESULTS = frozenset({"result", "results", "outcome", "output"})
FIELD_WORDS = frozenset[str]().union(
    NOUNS, QUESTION_WORDS, LEADS, INVERTED, NEGATIONS, READING, GETTING, SEEING, STATES, ACTING,
    UNCHANGED, RAN, PAST, DAYS, AUTOMATIC, WAYS, NOBODY, UNCERTAIN, SERVICES, _RESULTS, _OTHERS,
)  # fmt: skip
