"""Connecting, listing and disconnecting services by talking."""

from __future__ import annotations

import pytest

from agent.connections.connection import Connection, SignInScope
from agent.connections.store import ConnectionStore
from agent.dialogue.administration.service_names import described_services, named_services
from agent.workspace.skills import Skill, SkillSpec
from conversation.identity import ADMIN, Caller
from intent.acts.act import Act, ActKind, Span
from storage.keys import TenantId
from tests.fakes.data.act_session import ActTalk

ACME = TenantId("acme")
CONNECT, LIST, REMOVE, YES, NO, ANSWER = (
    ActKind.CONNECT,
    ActKind.LIST_SKILLS,
    ActKind.REMOVE_SKILL,
    ActKind.YES,
    ActKind.NO,
    ActKind.ANSWER,
)


def talking(*connected: str) -> ActTalk:
    talk = ActTalk(Caller(ACME, "maya"))
    for name in connected:
        spec = SkillSpec(
            name=name.replace(" ", "-"), url=f"https://{name[:3]}.example.com/mcp", serves=(name,)
        )
        talk.skills.create(talk.caller, spec)
    return talk


def skills_of(talk: ActTalk) -> list[Skill]:
    return [talk.skills.get(talk.caller, card.id) for card in talk.skills.visible_cards(talk.caller)]


def test_a_service_is_connected_in_two_steps_and_a_yes() -> None:
    talk = talking()
    said = talk.act("hook up our Xero please", CONNECT)
    assert said.startswith("To connect Xero, I need its address: the https:// link")
    assert "MCP" not in said
    assert talk.act("https://xero.example.com/mcp", ANSWER) == (
        "Shall I connect https://xero.example.com/mcp for Xero as “xero”? Your agents may then use it."
    )
    assert skills_of(talk) == []
    assert talk.act("yes", YES).startswith("xero is set up, and I'm trying it now.")
    (skill,) = skills_of(talk)
    assert (skill.name, skill.url, skill.serves) == ("xero", "https://xero.example.com/mcp", ("xero",))


def test_an_address_in_the_request_is_taken_at_once_and_a_no_stores_nothing() -> None:
    talk = talking()
    assert "as “wiki”" in talk.act("connect the server https://mcp.example.com/mcp as wiki", CONNECT)
    talk.act("no", NO)
    talk.act("yes", YES)
    assert skills_of(talk) == []


def test_without_an_address_the_second_answer_is_another_one() -> None:
    talk = talking()
    first = talk.act("connect Spond", CONNECT)
    assert talk.act("I don't know what that is", ANSWER) != first
    assert "Jira is connected" in talking("jira").act("reconnect Jira, it says expired", CONNECT)


def test_an_address_that_may_not_be_called_is_refused() -> None:
    talk = talking()
    assert talk.act("connect http://xero.example.com/mcp as xero", CONNECT).startswith("I can't connect that")


def test_a_pronoun_is_the_service_named_before_it() -> None:
    talk = talking()
    said = talk.act(
        "Am I already connected to Salesforce? Otherwise do connect it",
        (LIST, "Am I already connected to Salesforce?"),
        (CONNECT, "Otherwise do connect it"),
    )
    assert said.startswith("No, Salesforce isn't connected.\n\nTo connect Salesforce, I need its address")


def test_the_question_for_an_address_gives_way_to_a_new_agent() -> None:
    talk = talking()
    talk.act(
        "connect Xero, then tell me each morning which invoices are late",
        (CONNECT, "connect Xero"),
        (ActKind.CREATE_AGENT, "tell me each morning which invoices are late"),
    )
    assert talk.history[-1].note.question is None
    assert talk.history[-1].note.draft is not None


def test_whether_a_service_is_connected_is_answered_by_yes_or_no() -> None:
    talk = talking("jira")
    assert talk.act("is dropbox on already?", LIST) == "No, Dropbox isn't connected."
    assert talk.act("is Jira hooked up?", LIST) == "Yes, Jira is connected."
    assert talk.act("have we got teams linked", LIST) == "No, Teams isn't connected."
    assert talk.act("did my Jira link survive the password change?", LIST).startswith(
        "Nobody has looked at jira yet"
    )


def test_the_list_names_what_agents_still_need() -> None:
    talk = talking("jira", "google drive")
    talk.create("late", sources=("xero",))
    assert talk.act("what's plugged in here", LIST) == (
        "Connected:\n\n- Google Drive (google-drive)\n- Jira\n\nYour agents still need Xero."
    )


def test_a_service_is_disconnected_after_a_yes_that_knows_who_uses_it() -> None:
    talk = talking("jira", "xero")
    talk.create("late", sources=("xero",))
    assert talk.act("We leave Xero at the end of the month, unplug it now", REMOVE) == (
        "Shall I disconnect Xero? late reads from it and can't work without it."
    )
    assert len(skills_of(talk)) == 2
    assert talk.act("yes", YES) == "Disconnected: Xero."
    assert [skill.name for skill in skills_of(talk)] == ["jira"]


def test_what_is_excepted_stays_connected() -> None:
    talk = talking("google drive", "google analytics", "jira")
    assert talk.act("remove everything Google but Analytics", REMOVE) == (
        "Shall I disconnect Google Drive (google-drive)?"
    )
    assert talk.act("unlink all services pls except google", REMOVE) == "Shall I disconnect Jira?"


def test_what_is_not_connected_is_never_another_one() -> None:
    talk = talking("jira")
    assert talk.act("unlink my personal gmail, shouldnt be there at all", REMOVE) == (
        "Gmail isn't connected, so there is nothing to remove. Connected: Jira."
    )
    assert talk.act("I'd feel safer if you had no access to my bank", REMOVE) == (
        "Nothing like that is connected. Connected: Jira."
    )
    assert talk.act("disconnect it", REMOVE) == "Shall I disconnect Jira?"


def test_a_colleagues_connection_stays() -> None:
    talk = ActTalk(Caller(ACME, "maya"))
    noah = Caller(ACME, "noah", frozenset({ADMIN}))
    talk.skills.create(noah, SkillSpec(name="jira", url="https://jira.example.com/mcp", serves=("jira",)))
    assert talk.act("disconnect jira", REMOVE) == (
        "Jira belongs to noah; only noah or an administrator can disconnect it."
    )


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("connect gcal and whatsapp", ("google calendar", "whatsapp")),
        ("It'll need DATEV, plug that in", ("DATEV",)),
        ("Jira Cloud needs to be authorised again", ("jira",)),
        ("link odoo n my gmail", ("gmail", "odoo")),
        ("hook up our shopify + klaviyo pls", ("shopify", "klaviyo")),
        ("We use Spond for the club, let's get it hooked in.", ("Spond",)),
        ("Revoke your access to our GitHub.", ("GitHub",)),
        ("Disconnect Gmail, I'm uneasy about it", ("Gmail",)),
        ("hook up the permit database", ("permit database",)),
        ("connect it", ()),
    ],
)
def test_the_services_that_words_name(words: str, names: tuple[str, ...]) -> None:
    act = Act(CONNECT, Span(words, 0, len(words)))
    assert {name.lower() for name in described_services(act)} == {name.lower() for name in names}


def test_only_sure_names_are_quoted_back() -> None:
    words = "I'd feel safer if you had no access to my bank"
    assert named_services(Act(REMOVE, Span(words, 0, len(words)))) == ()


PAGE = "https://chat.acme.example"


def test_a_known_service_is_connected_by_a_sign_in_at_the_page() -> None:
    talk = ActTalk(Caller(ACME, "maya"), page_url=PAGE)

    assert talk.act("connect Notion", CONNECT) == (
        f"[Connect Notion]({PAGE}/?panel=connections&connect=notion): "
        "sign in there, and your agents can use it."
    )
    assert f"{PAGE}/?panel=connections&connect=atlassian" in talk.act("please hook up Jira", CONNECT)
    assert "An administrator has to register a client there once" in talk.act("connect GitHub", CONNECT)
    assert skills_of(talk) == []


def test_a_service_that_is_not_known_still_needs_its_address() -> None:
    talk = ActTalk(Caller(ACME, "maya"), page_url=PAGE)

    said = talk.act("connect Notion and Xero", CONNECT)

    assert said.startswith("[Connect Notion](")
    assert "To connect Xero, I need its address" in said


def test_without_an_address_of_the_page_nothing_is_promised() -> None:
    assert talking().act("connect Notion", CONNECT).startswith("To connect Notion, I need its address")


def test_a_service_waits_for_the_users_sign_in_until_there_is_one() -> None:
    talk = ActTalk(Caller(ACME, "maya"), page_url=PAGE)
    spec = SkillSpec(
        name="notes", url="https://notes.example.com/mcp", serves=("notion",), sign_in=SignInScope.USER
    )
    skill = talk.skills.create(talk.caller, spec)
    link = f"[Connect Notion]({PAGE}/?panel=connections&connect=notion)"

    assert talk.act("is Notion connected?", LIST).startswith(link)
    assert talk.act("connect Notion", CONNECT).startswith(link)
    assert "waits for your sign-in" in talk.act("what is connected?", LIST)

    store = ConnectionStore(tables=talk.tables, clock=talk.clock)
    made = Connection(skill.id, "maya", skill.url, "sealed", 1, talk.clock.now())
    store.save(ACME, made, by="maya")

    assert talk.act("is Notion connected?", LIST) == "Yes, Notion is connected."
    assert talk.act("connect Notion", CONNECT) == "Notion is connected already."
    store.mark_refused(ACME, made)
    assert talk.act("is Notion connected?", LIST).startswith(link)
