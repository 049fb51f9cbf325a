"""The kinds of acts that are done to tasks, and those that are done to agents."""

from __future__ import annotations

from intent.acts.act import ActKind

ON_TASKS = frozenset(
    {
        ActKind.COMPLETE_TASK, ActKind.REOPEN_TASK, ActKind.CHANGE_TASK, ActKind.DELETE_TASK,
        ActKind.RESTORE_TASK, ActKind.ADD_TASK, ActKind.LIST_TASKS,
    }
)  # fmt: skip
ON_AGENTS = frozenset(
    {
        ActKind.CHANGE_AGENT, ActKind.COPY_AGENT, ActKind.PAUSE_AGENT, ActKind.RESUME_AGENT,
        ActKind.DELETE_AGENT, ActKind.RESTORE_AGENT, ActKind.SHARE_AGENT, ActKind.UNSHARE_AGENT,
        ActKind.RUN_AGENT, ActKind.CANCEL_RUN, ActKind.SHOW_AGENT, ActKind.SHOW_RESULT,
    }
)  # fmt: skip
