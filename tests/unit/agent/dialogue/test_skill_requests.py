"""What messages about skills say, and which messages are about something else."""

from __future__ import annotations

import pytest

from agent.dialogue.administration.skill_requests import (
    AskedSkill,
    asks_to_register,
    parse_skill,
    skill_name,
)
from agent.workspace.skills import SkillKind


@pytest.mark.parametrize(
    "message",
    [
        "Connect the MCP server https://mcp.notion.example/mcp as notion",
        "Add a skill called wiki at https://wiki.example.com/mcp",
        "Register the webhook https://hooks.example.com/x as crm with the secret crm-key",
        "connect notion",
        "How do I connect Notion?",
        "Connect https://tools.example.com/jira for Jira",
        "https://mcp.jira.example.com/mcp",
        "Can you connect to our Jira?",
    ],
)
def test_a_wish_to_connect_a_service_is_told_from_others(message: str) -> None:
    assert asks_to_register(message)


@pytest.mark.parametrize(
    "message",
    [
        "Create an agent that posts its report to the webhook https://hooks.example.com/x",
        "Make a monitor for Jira and use the webhook https://hooks.example.com/x",
        "Read https://example.com/article for me",
        "Send it to the webhook https://hooks.example.com/x and make it daily",
        "https://example.com/article",
        "delete the weekly report agent",
        "which agents may use it?",
        "I want to teach you something",
        "connect the dots for me",
        "Connect to Jira every morning and tell me which tickets are overdue for more than a week",
        "add a task to remove the wiki skill",
        "how do I improve my negotiation skills?",
        "accept the invitation to the skills workshop",
        "should I accept criticism of my soft skills?",
        "Add a skill for looking up VAT numbers so my agents can use it",
        "Create a skill called Allergen Check that takes a recipe",
        "yes",
    ],
)
def test_a_message_about_something_else_is_left_alone(message: str) -> None:
    assert not asks_to_register(message)


def test_address_name_secret_and_service_are_read_from_the_words() -> None:
    message = "Register the webhook https://hooks.example.com/x?a=1, named Our CRM, with the secret crm-key."

    assert parse_skill(message) == AskedSkill(
        kind=SkillKind.WEBHOOK,
        url="https://hooks.example.com/x?a=1",
        name="our-crm",
        secret="crm-key",
        serves=("crm",),
    )


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://mcp.notion.com/mcp", "notion"),
        ("https://api.tools.acme-labs.io:8443/x", "acme-labs"),
        ("http://127.0.0.1:4020/mcp", None),
    ],
)
def test_without_a_name_the_host_gives_one(url: str, name: str | None) -> None:
    assert parse_skill(f"connect the MCP server {url}").name == name


def test_a_name_that_is_a_service_is_served() -> None:
    assert parse_skill("https://mcp.jira.example.com/mcp").serves == ()
    assert parse_skill("connect the MCP server https://mcp.notion.com/mcp").serves == ("notion",)


def test_a_name_is_cut_to_what_tools_may_be_called() -> None:
    assert skill_name("Ünser großes Wiki!") == "unser-grosses-wiki"
    assert skill_name("w" * 100) == "w" * 30
    assert skill_name("???") is None
