"""The words of which questions about amounts are made: what they ask for, and what stands around it."""

from __future__ import annotations

AVERAGE = frozenset("average avg mean averaged typical".split())
MOST = frozenset(
    "most highest biggest largest max maximum top best longest priciest greatest heaviest dearest peak"
    " busiest costliest strongest winner leader leads won".split()
)
LEAST = frozenset(
    "least lowest smallest min minimum cheapest fewest shortest worst lightest littlest quietest weakest"
    " last".split()
)
TOTAL = frozenset(
    "total totals sum altogether together combined overall all everything everyone everybody add adding added"
    " amount amounts comes come make makes made whole entire summed sums grand both three four tally".split()
)
SURE_TOTAL = frozenset(
    "total totals sum altogether together combined overall add added tally everything summed".split()
)
OPERATIONS = SURE_TOTAL | AVERAGE | MOST | LEAST
SHARE = frozenset("percent percentage pct % share proportion".split())
WITHOUT = frozenset("w/o without except excluding excl minus less besides ex".split())
LEAVING = frozenset("take leave drop skip ignore remove taking leaving dropping not subtract".split())
OUT = frozenset("out off away counting count including".split())
DIFFERENCE = frozenset(
    "difference gap more fewer apart cheaper dearer pricier higher lower larger smaller longer shorter bigger"
    " heavier lighter older younger faster slower ahead behind spread range above below compared less save"
    " saves saving savings saved versus vs against costlier".split()
)
LESS = frozenset(
    "less fewer cheaper lower smaller shorter lighter younger below behind save saves saving savings"
    " saved".split()
)
"""Words of a comparison in which the one that it begins with has less."""
MORE = frozenset(
    "more dearer pricier costlier higher larger longer bigger heavier older faster above ahead".split()
)
BESIDE_COMPARED = frozenset("than compared to with against versus vs instead of over from".split())
COUNTED = frozenset(
    "people persons names entries rows items lines things ones them numbers amounts values of".split()
)
FILLERS = frozenset(
    "n k and so then ok okay now just right please pls thanks thank cheers again well hm hmm oh hey hi hello"
    " good"
    " morning afternoon evening wait sorry actually cool great fine nice btw anyway also but or plus quick"
    " what what's whats which who who's whos how how's hows much many is are was were be been did does do"
    " have has had can could would will shall should you u i we me my mine us our they them he she him her"
    " his their it its it's that that's thats this these those there the a an of for to in on at by with from"
    " as if up out one ones put work calculate compute tell give gives gave given show need know remind find"
    " get got gets getting say said told only still per each together figure figures number numbers value"
    " values amount amounts cost costs costing spend spent spending paid pay pays owe owes owed earn earned"
    " earns worked made sold use used take took takes drove ran gave expensive high low big small long cheap"
    " come comes came be exactly roughly about around did i'd i'm i've we've you've let's lets far yet"
    " ? ! . , : ; - ( ) \" ' & / … could. please. when where week's month's it'd that'd alone"
    " until till taken between than go goes went like want wanna gonna add sum table list-of pair two".split()
)
OTHER_THINGS = frozenset(
    "agent agents bot bots task tasks todo todos to-do to-dos list lists run runs workspace reminder"
    " reminders due schedule scheduled budget models conversation conversations chats today tomorrow".split()
)
"""Words of questions about what the assistant keeps."""
