"""Skills by talking: connected after a yes, listed, looked at and removed."""

from __future__ import annotations

import pytest

from agent.workspace.skills import Health, HealthStatus, Skill, ToolPin, WaitingTool
from conversation.identity import ADMIN, Caller
from intent.decision import ActionType
from storage.keys import TenantId
from tests.fakes.data.chat_session import Talk

SKILL = ActionType.CREATE_SKILL
NOTION = "Connect the MCP server https://mcp.notion.example/mcp as notion"


def administrator() -> Talk:
    return Talk(Caller(TenantId("acme"), "ada", frozenset({ADMIN})))


def names(talk: Talk) -> list[str]:
    return [card.name for card in talk.skills.visible_cards(talk.caller)]


def test_a_skill_is_registered_after_a_yes() -> None:
    talk = Talk()

    asked = talk.classify_and_answer(NOTION)
    assert asked.text.startswith("Shall I connect https://mcp.notion.example/mcp for Notion")
    assert names(talk) == []
    done = talk.classify_and_answer("yes")

    assert "notion is set up" in done.text
    (card,) = talk.skills.visible_cards(talk.caller)
    assert (card.name, card.serves, card.shared) == ("notion", ("notion",), False)


def test_a_no_registers_nothing() -> None:
    talk = Talk()
    talk.classify_and_answer(NOTION)
    talk.classify_and_answer("no")

    assert names(talk) == []


def test_a_models_word_for_it_is_not_a_yes() -> None:
    talk = Talk()
    talk.say(NOTION, SKILL, confirmed=True, skill={"name": "x", "url": "https://x.example"})

    assert names(talk) == []


def test_an_admins_skill_is_for_everybody() -> None:
    ada = administrator()
    ada.classify_and_answer(NOTION + " with the secret notion-key")
    ada.classify_and_answer("yes")

    assert names(ada.as_other_user("maya")) == ["notion"]


def test_a_secret_is_for_admins_to_use() -> None:
    said = Talk().classify_and_answer(NOTION + " with the secret notion-key")

    assert "'admin'" in said.text
    assert said.note.question is None


def test_a_webhook_without_a_secret_is_refused_with_the_reason() -> None:
    said = administrator().classify_and_answer("Register the webhook https://hooks.example.com/x as crm")

    assert "signed" in said.text
    assert said.note.question is None


def test_a_private_address_is_refused_with_the_reason() -> None:
    said = Talk().classify_and_answer("Connect the MCP server https://169.254.169.254/mcp as meta")

    assert "This address is not allowed." in said.text


def test_a_service_to_connect_is_told_what_it_takes() -> None:
    talk = Talk()

    said = talk.classify_and_answer("connect notion")

    assert said.text.startswith("To connect Notion, I need its address")
    assert not said.effects
    assert "Shall I connect" in talk.classify_and_answer("https://mcp.notion.example/mcp").text


def test_while_an_agent_is_made_a_service_is_its_source() -> None:
    talk = Talk()
    talk.classify_and_answer("Create an agent that reports overdue tickets")

    assert "nothing is stored yet" not in talk.classify_and_answer("connect to jira").text
    assert talk.classify_and_answer(NOTION).text.startswith("Shall I connect")


def test_skills_are_listed_for_whoever_may_use_them() -> None:
    ada = administrator()
    ada.classify_and_answer(NOTION)
    ada.classify_and_answer("yes")

    assert "- Notion" in ada.classify_and_answer("list my skills").text
    assert "- Notion" in ada.as_other_user("maya").classify_and_answer("list my skills").text
    assert "Nothing is connected yet." in Talk().classify_and_answer("list my skills").text


def test_a_skill_is_removed_after_a_yes_by_its_owner() -> None:
    talk = Talk()
    talk.classify_and_answer(NOTION)
    talk.classify_and_answer("yes")

    assert "Shall I disconnect Notion?" in talk.classify_and_answer("remove the notion skill").text
    assert names(talk) == ["notion"]
    assert "Disconnected: Notion." in talk.classify_and_answer("yes").text
    assert names(talk) == []


def test_of_several_skills_the_named_one_is_meant() -> None:
    talk = Talk()
    for name in ("wiki", "our wiki"):
        talk.classify_and_answer(f"Connect the MCP server https://wiki.example.com/mcp as {name}")
        talk.classify_and_answer("yes")

    for words, name in (("our wiki", "our-wiki"), ("wiki", "wiki")):
        asked = talk.classify_and_answer(f"remove the {words} skill")
        assert asked.text == f"Shall I disconnect {name}?"
    assert "Connected: our-wiki and wiki." in talk.classify_and_answer("remove the blog skill").text


def test_a_shared_skill_is_not_removed_by_just_anybody() -> None:
    ada = administrator()
    ada.classify_and_answer(NOTION)
    ada.classify_and_answer("yes")
    maya = ada.as_other_user("maya")

    assert (
        "only ada or an administrator can disconnect it"
        in maya.classify_and_answer("remove the notion skill").text
    )
    assert names(ada) == ["notion"]


def test_asking_after_a_skill_has_it_looked_at() -> None:
    talk = Talk()
    talk.classify_and_answer(NOTION)
    talk.classify_and_answer("yes")

    said = talk.classify_and_answer("is the notion skill working?")

    assert "Nobody has looked at notion yet. I'm having it looked at again" in said.text
    assert len(said.effects) == 1


def tool(name: str, letter: str = "a", **fields: object) -> WaitingTool:
    """A tool that waits, new unless the fields say otherwise; ``letter`` makes its hash."""
    values = {"name": name, "hash": letter * 64, "description": f"Does {name}.", **fields}
    return WaitingTool.model_validate(values)


def with_waiting(talk: Talk, *waiting: WaitingTool) -> Skill:
    """The skill ``notion`` of the talk, of which these tools wait."""
    (card,) = talk.skills.visible_cards(talk.caller)
    skill = talk.skills.get(talk.caller, card.id)
    health = Health(status=HealthStatus.OK, checked_at=talk.clock.now(), new_tools=waiting)
    talk.skills.pin_first(talk.caller.tenant, skill, [ToolPin(name="old", hash="0" * 64)], health)
    talk.skills.record_health(talk.caller.tenant, skill, health)
    return talk.skills.get(talk.caller, card.id)


def connected() -> Talk:
    talk = Talk()
    talk.classify_and_answer(NOTION)
    talk.classify_and_answer("yes")
    return talk


def test_waiting_tools_are_shown_as_their_server_describes_them_and_accepted_after_a_yes() -> None:
    talk = connected()
    changed = tool(
        "search", accepted_description="Searches.", description='Sends "all". Yes?', changed=("description",)
    )
    skill = with_waiting(talk, changed, tool("write/page", "b"))

    told = talk.classify_and_answer("is the notion skill working?").text
    assert '2 tools of it wait for its owner: say "accept the tools of the notion skill"' in told
    asked = talk.classify_and_answer("accept the tools of the notion skill").text
    assert (
        '1. search (changed: description): now "Sends \'all\'. Yes?", accepted as "Searches."\n'
        '2. write_page (new): "Does write/page."\n\n'
        "Shall I accept them like this?" in asked
    )
    assert talk.skills.get(talk.caller, skill.id).health.waiting_tools == (changed, tool("write/page", "b"))
    done = talk.classify_and_answer("yes")

    assert "Done, I've accepted search, write_page of notion." in done.text
    accepted = talk.skills.get(talk.caller, skill.id)
    assert [pin.name for pin in accepted.pinned or ()] == ["old", "search", "write/page"]
    assert accepted.health.waiting_tools == ()
    assert "No tool of notion waits" in talk.classify_and_answer("accept the tools of the notion skill").text


@pytest.mark.parametrize(
    "words",
    [
        "Please accept the changes of the notion skill",
        "approve the new tool of the notion MCP server",
        "I accept the changed tools of notion",
        "can you accept the tools of the notion skill please",
    ],
)
def test_a_wish_to_accept_tools_disconnects_and_connects_nothing(words: str) -> None:
    talk = connected()
    with_waiting(talk, tool("search"))

    assert "Shall I accept it like this?" in talk.classify_and_answer(words).text
    assert talk.classify_and_answer("yes").tools == ("accept_tools",)
    assert names(talk) == ["notion"]


def test_a_tool_that_changes_before_the_yes_is_not_accepted() -> None:
    talk = connected()
    skill = with_waiting(talk, tool("search"))
    talk.classify_and_answer("accept the changes of the notion skill")
    with_waiting(talk, tool("search", "f"))

    said = talk.classify_and_answer("yes")

    assert "changed again meanwhile, so I've accepted nothing" in said.text
    assert [pin.name for pin in talk.skills.get(talk.caller, skill.id).pinned or ()] == ["old"]


def test_a_no_accepts_no_tool() -> None:
    talk = connected()
    skill = with_waiting(talk, tool("search"))
    talk.classify_and_answer("accept the tools of the notion skill")
    talk.classify_and_answer("no")

    assert [pin.name for pin in talk.skills.get(talk.caller, skill.id).pinned or ()] == ["old"]


def test_as_many_tools_are_accepted_as_were_shown() -> None:
    talk = connected()
    skill = with_waiting(talk, *(tool(f"tool-{number}") for number in range(7)))

    assert (
        "2 more wait; these come first."
        in talk.classify_and_answer("accept the tools of the notion skill").text
    )
    talk.classify_and_answer("yes")

    waiting = talk.skills.get(talk.caller, skill.id).health.waiting_tools
    assert [each.name for each in waiting] == ["tool-5", "tool-6"]


def test_the_tools_of_a_shared_skill_are_not_accepted_by_just_anybody() -> None:
    ada = administrator()
    ada.classify_and_answer(NOTION)
    ada.classify_and_answer("yes")
    with_waiting(ada, tool("search"))
    maya = ada.as_other_user("maya")

    said = maya.classify_and_answer("accept the tools of the notion skill")

    assert "only its owner or an admin may accept its tools" in said.text
    assert said.note.question is None
