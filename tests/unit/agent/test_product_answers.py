"""Questions about the product in a conversation: answered, continued, and no change of subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.answers.named_systems import named_system
from agent.answers.tenant_answers import AnswerSpec, TenantAnswerStore
from agent.product_answers import ProductAnswers
from conversation.messages.attached_files import AttachedFile
from conversation.tenants.policy import TenantPolicy
from tests.fakes.data.chat_session import Talk

_PICTURE = AttachedFile(id="f" * 32, name="dot.png", media_type="image/png", size=70)


def test_the_next_question_is_understood_by_the_answer_before() -> None:
    talk = Talk()
    first = talk.classify_and_answer("can I erase all my data?")
    second = talk.classify_and_answer("how long does it take?")
    assert first.note.about is not None
    assert (first.note.about.kind, first.note.about.id) == ("answer", "delete-everything")
    assert "35 days" in second.text


def test_an_answer_tells_what_holds_in_this_workspace() -> None:
    talk = Talk()
    talk.tenants.save(talk.caller.tenant, TenantPolicy(retention_days=90, assistant_name="Ada"))
    assert "90 days" in talk.classify_and_answer("how long do you keep my data?").text


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (TenantPolicy(), "Yes, PNG, JPEG, GIF, WebP, PDF, plain text, Markdown, CSV and JSON files:"),
        (TenantPolicy(attachment_types=("application/pdf",)), "Yes, PDF files:"),
        (TenantPolicy(attachment_types=()), "No, your workspace takes no files."),
        (TenantPolicy(history="off"), "No, your workspace takes no files."),
    ],
)
def test_the_answer_on_files_says_which_the_workspace_takes(policy: TenantPolicy, said: str) -> None:
    talk = Talk()
    talk.tenants.save(talk.caller.tenant, policy)
    assert talk.classify_and_answer("can I upload a file?").text.startswith(said)


@pytest.mark.parametrize("question", ["What do you see in it?", "what do you see?", "can you read it?"])
def test_a_question_that_comes_with_a_file_is_about_the_file(question: str) -> None:
    talk = Talk()
    turn = replace(talk.turn("c" * 32 + ".0", question), files=(_PICTURE,))
    reply = ProductAnswers(has_models=lambda: False).answer(turn)
    assert reply is not None
    assert reply.text.startswith("Yes, PNG")
    assert reply.lacks_answer  # a model that reads files may say more


def test_it_still_means_the_agent_after_a_question_about_the_product() -> None:
    talk = Talk()
    talk.create("invoice-watch")
    talk.create("other-watch")
    talk.classify_and_answer("show invoice-watch")
    talk.classify_and_answer("are you a robot?")
    assert "invoice-watch is paused" in talk.classify_and_answer("pause it").text


def test_a_tenants_own_answer_is_given_in_the_chat() -> None:
    talk = Talk()
    spec = AnswerSpec(
        title="Who is our administrator?", questions=("who is our administrator",), text="Ines, room 4."
    )
    TenantAnswerStore(tables=talk.tables).put(talk.caller.tenant, "who-is-my-admin", spec)
    assert talk.classify_and_answer("who is my administrator?").text == "Ines, room 4."
    other = Talk(talk.as_other_user("noah").caller)
    assert "Ines" not in other.classify_and_answer("who is my administrator?").text


def test_a_question_about_ones_own_agent_shows_the_agent() -> None:
    talk = Talk()
    talk.create("invoice-watch")
    assert talk.classify_and_answer("what does invoice-watch do?").text.startswith("invoice-watch: ")


def test_an_open_draft_is_kept_while_a_question_is_answered() -> None:
    talk = Talk()
    draft = talk.classify_and_answer("watch our Jira board for overdue tickets").note.draft
    aside = talk.classify_and_answer("which services can you connect to?")
    assert "Nothing is connected yet." in aside.text
    assert draft is not None
    assert aside.note.draft == {**draft, "is_recalled": True}


def test_what_has_no_answer_is_sent_elsewhere() -> None:
    said = Talk().classify_and_answer("what is the capital of France?").text
    assert "I can't look that up" in said
    assert "search engine" in said


def test_a_model_is_told_the_answers_to_a_question_about_the_product_only() -> None:
    answers, talk = ProductAnswers(has_models=lambda: True), Talk()
    told = answers.facts(talk.turn("c" * 32 + ".0", "is my data used to train models?"))
    assert "Is what I write used to train AI?" in [title for title, _ in told]
    assert answers.facts(talk.turn("c" * 32 + ".0", "what is the capital of France?")) == ()


@pytest.mark.parametrize(
    ("question", "system"),
    [
        ("Can it read from Kafka?", "Kafka"),
        ("could it look into our Oracle database", "Oracle"),
        ("does it post also to discord?", "discord"),
    ],
)
def test_an_answer_about_systems_names_the_one_asked_about(question: str, system: str) -> None:
    assert system in Talk().classify_and_answer(question).text


def test_the_way_to_connect_a_service_names_it() -> None:
    said = Talk().classify_and_answer("How would I hook this up to HubSpot?").text

    assert said.startswith("Ask whoever looks after HubSpot")
    assert "the service" not in said


@pytest.mark.parametrize("question", ["what is Kafka?", "who is Oracle?", "read this out to Kim please"])
def test_a_name_in_another_question_is_no_system_to_reach(question: str) -> None:
    assert named_system(question) is None
