"""The kinds of acts by what carries them out, and by what else they may turn out to be."""

from __future__ import annotations

from intent.acts.act import ActKind

K = ActKind
ON_AGENTS = frozenset(
    {K.CHANGE_AGENT, K.PAUSE_AGENT, K.RESUME_AGENT, K.DELETE_AGENT, K.SHARE_AGENT, K.UNSHARE_AGENT}
)
ON_TASKS = frozenset({K.ADD_TASK, K.COMPLETE_TASK, K.REOPEN_TASK, K.CHANGE_TASK, K.DELETE_TASK, K.LIST_TASKS})
ON_RUNS = frozenset({K.RUN_AGENT, K.CANCEL_RUN, K.SHOW_RESULT})
MAY_BE_ON_PRODUCT = frozenset({K.ASK_PRODUCT, K.ASK_WORLD, K.UNSURE, K.WHY, K.NONE})
"""The kinds that a question about the product may be taken for; see `_may_be_on_product`."""
MAY_BE_RECALL = frozenset(
    {
        K.ASK_PRODUCT, K.ASK_WORLD, K.ASK_USAGE, K.ASK_WORKSPACE, K.SHOW_POLICY, K.SHOW_AGENT, K.SHOW_RESULT,
        K.LIST_TASKS, K.LIST_AGENTS, K.LIST_SKILLS, K.REMEMBER, K.CLOCK, K.UNSURE, K.NONE,
    }
)  # fmt: skip
"""The kinds that a question about earlier talk may be taken for."""
MAY_BE_RETURNS = MAY_BE_RECALL | {K.RECALL}
"""The kinds that a question where an unfinished agent was left may be taken for."""
MAY_BE_DEEDS = frozenset({K.SHOW_AGENT, K.SHOW_RESULT, K.ASK_WORLD, K.ASK_PRODUCT, K.UNSURE})
"""The kinds that a question about what was done here may be taken for."""
MAY_BE_REQUESTS = frozenset({K.ANSWER, K.CREATE_AGENT})
"""The kinds that a whole request for another agent may be taken for."""
ON_SAVED = frozenset({K.PAUSE_AGENT, K.RESUME_AGENT, K.RUN_AGENT, K.SHARE_AGENT})
"""The kinds that only an agent that is saved can undergo."""
ANSWERS = frozenset({K.YES, K.NO, K.LATER, K.PICK, K.ANSWER, K.RESUME_DRAFT})
ON_THINGS = frozenset(
    {
        *ON_AGENTS, *ON_TASKS, *ON_RUNS, K.CREATE_AGENT, K.COPY_AGENT, K.LIST_AGENTS, K.SHOW_AGENT, K.UNDO,
        K.RESTORE_AGENT, K.RESTORE_TASK,
    }
)  # fmt: skip
