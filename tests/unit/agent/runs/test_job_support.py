"""What an agent's job asks for, in its owner's words."""

from __future__ import annotations

import pytest

from agent.runs.job_support import support_of_job


@pytest.mark.parametrize(
    ("job", "tool"),
    [
        ("Every morning add a task to check the numbers.", "create_task"),
        ("Turn each overdue invoice into a to-do.", "create_task"),
        ("Mark tasks of closed tickets as done", "complete_task"),
        ("Move my tasks of yesterday to today", "update_task"),
        ("Remove tasks that are older than a month", "delete_task"),
        ("a summary of deals", "crm__find_customer"),
        ("Log a note for each deal", "crm__add_note"),
        ("Post the summary to the wiki", "wiki__write_page"),
        ("Send me the deals, and log a note for each", "crm__add_note"),
        ("deals", "notify__call"),
        ("deals", "notes__whoami"),
    ],
)
def test_a_job_asks_for_the_acts_it_names_and_for_reading(job: str, tool: str) -> None:
    assert support_of_job(job)(tool, {}, {})


@pytest.mark.parametrize(
    ("job", "tool"),
    [
        ("a summary of my tasks", "create_task"),
        ("a summary of my tasks", "delete_task"),
        ("Remove duplicates from the sheet. Then list my tasks", "delete_task"),
        ("List my tasks, but never delete tasks", "delete_task"),
        ("deals of the week", "crm__add_note"),
        ("Every Monday look at our deals and send me what is new, or tell us there is none", "crm__add_note"),
        ("What changed in the wiki", "wiki__write_page"),
        ("Add a task", "run_agent"),
        ("Add a task", "a_tool_nobody_knows"),
    ],
)
def test_a_job_that_does_not_name_the_act_does_not_ask_for_it(job: str, tool: str) -> None:
    assert not support_of_job(job)(tool, {}, {})
