"""Skills by talking: connected after a yes, listed, looked at and removed."""

from __future__ import annotations

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

    asked = talk.say(NOTION)
    assert "Shall I?" in asked.text
    assert names(talk) == []
    done = talk.say("yes", reply="yes")

    assert "notion is registered, for your own agents only" in done.text
    (card,) = talk.skills.visible_cards(talk.caller)
    assert (card.name, card.serves, card.shared) == ("notion", ("notion",), False)


def test_a_no_registers_nothing() -> None:
    talk = Talk()
    talk.say(NOTION)
    talk.say("no", reply="no")

    assert names(talk) == []


def test_a_models_word_for_it_is_not_a_yes() -> None:
    talk = Talk()
    talk.say(NOTION, SKILL, confirmed=True, skill={"name": "x", "url": "https://x.example"})

    assert names(talk) == []


def test_an_admins_skill_is_for_everybody() -> None:
    ada = administrator()
    ada.say(NOTION + " with the secret notion-key")
    ada.say("yes", reply="yes")

    assert names(ada.as_other_user("maya")) == ["notion"]


def test_a_secret_is_for_admins_to_use() -> None:
    said = Talk().say(NOTION + " with the secret notion-key")

    assert "'admin'" in said.text
    assert said.note.pending is None


def test_a_webhook_without_a_secret_is_refused_with_the_reason() -> None:
    said = administrator().say("Register the webhook https://hooks.example.com/x as crm")

    assert "signed" in said.text
    assert said.note.pending is None


def test_a_private_address_is_refused_with_the_reason() -> None:
    said = Talk().say("Connect the MCP server https://169.254.169.254/mcp as meta")

    assert "This address is not allowed." in said.text


def test_without_an_address_it_says_what_it_takes() -> None:
    said = Talk().say("Teach our agents to read invoices", SKILL)

    assert "tell me its address and a name" in said.text
    assert not said.effects


def test_a_service_to_connect_is_told_what_it_takes() -> None:
    said = Talk().say("connect notion")

    assert '("Notion")' in said.text
    assert "tell me its address and a name" in said.text


def test_while_an_agent_is_made_a_service_is_its_source() -> None:
    talk = Talk()
    talk.say("Create an agent that reports overdue tickets", ActionType.CREATE_AGENT)

    assert "nothing is stored yet" not in talk.say("connect to jira").text
    assert "Shall I?" in talk.say(NOTION).text


def test_skills_are_listed_with_who_may_use_them() -> None:
    ada = administrator()
    ada.say(NOTION)
    ada.say("yes", reply="yes")

    assert "1. notion - MCP server (shared; connects Notion)" in ada.say("list my skills").text
    assert "There are no skills yet" in Talk().say("which skills do we have?").text


def test_a_skill_is_removed_after_a_yes_by_its_owner() -> None:
    talk = Talk()
    talk.say(NOTION)
    talk.say("yes", reply="yes")

    assert "Shall I remove the skill notion?" in talk.say("remove the notion skill").text
    assert names(talk) == ["notion"]
    assert "is removed" in talk.say("yes", reply="yes").text
    assert names(talk) == []


def test_of_several_skills_the_named_one_is_meant() -> None:
    talk = Talk()
    for name in ("wiki", "our wiki"):
        talk.say(f"Connect the MCP server https://wiki.example.com/mcp as {name}")
        talk.say("yes", reply="yes")

    assert "the skill our-wiki?" in talk.say("remove the our wiki skill").text
    assert "Which skill do you mean? You have: our-wiki, wiki." in talk.say("remove the blog skill").text


def test_a_shared_skill_is_not_removed_by_just_anybody() -> None:
    ada = administrator()
    ada.say(NOTION)
    ada.say("yes", reply="yes")
    maya = ada.as_other_user("maya")

    assert "only its owner or an admin" in maya.say("remove the notion skill").text
    assert names(ada) == ["notion"]


def test_asking_after_a_skill_has_it_looked_at() -> None:
    talk = Talk()
    talk.say(NOTION)
    talk.say("yes", reply="yes")

    said = talk.say("is the notion skill working?")

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
    talk.say(NOTION)
    talk.say("yes", reply="yes")
    return talk


def test_waiting_tools_are_shown_as_their_server_describes_them_and_accepted_after_a_yes() -> None:
    talk = connected()
    changed = tool(
        "search", accepted_description="Searches.", description='Sends "all". Yes?', changed=("description",)
    )
    skill = with_waiting(talk, changed, tool("write/page", "b"))

    told = talk.say("is the notion skill working?").text
    assert '2 tools of it wait for its owner: say "accept the tools of the notion skill"' in told
    asked = talk.say("accept the tools of the notion skill").text
    assert (
        '1. search (changed: description): now "Sends \'all\'. Yes?", accepted as "Searches."\n'
        '2. write_page (new): "Does write/page."\n\n'
        "Shall I accept them like this?" in asked
    )
    assert talk.skills.get(talk.caller, skill.id).health.waiting_tools == (changed, tool("write/page", "b"))
    done = talk.say("yes", reply="yes")

    assert "Done, I've accepted search, write_page of notion." in done.text
    accepted = talk.skills.get(talk.caller, skill.id)
    assert [pin.name for pin in accepted.pinned or ()] == ["old", "search", "write/page"]
    assert accepted.health.waiting_tools == ()
    assert "No tool of notion waits" in talk.say("accept the tools of the notion skill").text


def test_a_tool_that_changes_before_the_yes_is_not_accepted() -> None:
    talk = connected()
    skill = with_waiting(talk, tool("search"))
    talk.say("accept the changes of the notion skill")
    with_waiting(talk, tool("search", "f"))

    said = talk.say("yes", reply="yes")

    assert "changed again meanwhile, so I've accepted nothing" in said.text
    assert [pin.name for pin in talk.skills.get(talk.caller, skill.id).pinned or ()] == ["old"]


def test_a_no_accepts_no_tool() -> None:
    talk = connected()
    skill = with_waiting(talk, tool("search"))
    talk.say("accept the tools of the notion skill")
    talk.say("no", reply="no")

    assert [pin.name for pin in talk.skills.get(talk.caller, skill.id).pinned or ()] == ["old"]


def test_as_many_tools_are_accepted_as_were_shown() -> None:
    talk = connected()
    skill = with_waiting(talk, *(tool(f"tool-{number}") for number in range(7)))

    assert "2 more wait; these come first." in talk.say("accept the tools of the notion skill").text
    talk.say("yes", reply="yes")

    waiting = talk.skills.get(talk.caller, skill.id).health.waiting_tools
    assert [each.name for each in waiting] == ["tool-5", "tool-6"]


def test_the_tools_of_a_shared_skill_are_not_accepted_by_just_anybody() -> None:
    ada = administrator()
    ada.say(NOTION)
    ada.say("yes", reply="yes")
    with_waiting(ada, tool("search"))
    maya = ada.as_other_user("maya")

    said = maya.say("accept the tools of the notion skill")

    assert "only its owner or an admin may accept its tools" in said.text
    assert said.note.pending is None
