"""What users may do with their own data by talking."""

from __future__ import annotations

import pytest

from conversation.erasure.requests import Erasures, Progress, Scope
from conversation.identity import ADMIN, Caller
from conversation.tenants.policy import TenantPolicy
from conversation.tenants.store import UserBeingErased, check_active
from intent.acts.act import ActKind
from storage.keys import TenantId
from tests.fakes.data.act_session import ActTalk

ACME = TenantId("acme")
ERASE, DELETE, YES, NO = ActKind.ERASE, ActKind.DELETE_CONVERSATION, ActKind.YES, ActKind.NO


def talking(*roles: str) -> ActTalk:
    return ActTalk(Caller(ACME, "maya", frozenset(roles)))


def erasures_of(talk: ActTalk) -> list[tuple[Scope, str, Progress]]:
    found, _ = Erasures(tables=talk.tables, clock=talk.clock).list(ACME, limit=5)
    return [(erasure.scope, erasure.subject, erasure.progress) for erasure in found]


def test_everything_of_a_user_is_erased_after_a_plain_yes() -> None:
    talk = talking()
    said = talk.act("I want everything you have stored about me erased", ERASE)
    assert said.startswith("Shall I erase everything of yours: chats, agents, tasks, results and usage?")
    assert erasures_of(talk) == []
    assert talk.act("yes", YES).startswith("Everything of yours is being erased, this chat too.")
    assert erasures_of(talk) == [(Scope.USER, "maya", Progress.RUNNING)]
    with pytest.raises(UserBeingErased):
        check_active(talk.tenants.record(ACME), registered_only=False, user="maya")


@pytest.mark.parametrize("answer", ["yes but keep my agents", "yes, only after you've given me a copy"])
def test_a_yes_with_a_condition_is_asked_again(answer: str) -> None:
    talk = talking()
    talk.act("erase me", ERASE)
    assert talk.act(answer, YES).startswith("Not yet: an erasure takes everything at once and keeps nothing.")
    assert erasures_of(talk) == []
    talk.act("no", NO)
    assert erasures_of(talk) == []


@pytest.mark.parametrize("answer", ["ok but not yet", "yes or no, which is better?"])
def test_words_that_are_no_yes_are_asked_again(answer: str) -> None:
    talk = talking()
    asked = talk.act("erase me", ERASE)
    assert talk.act(answer, YES) == asked
    assert erasures_of(talk) == []


def test_how_long_it_takes_leaves_the_question_open() -> None:
    talk = talking()
    talk.act("erase me", ERASE)
    assert talk.act("how long would that take?", ActKind.SHOW_POLICY).startswith("A few minutes;")
    talk.act("yes", YES)
    assert len(erasures_of(talk)) == 1


def test_nothing_is_erased_on_legal_hold() -> None:
    talk = talking()
    talk.tenants.save(ACME, TenantPolicy(legal_hold=True))
    assert talk.act("erase me", ERASE) == (
        "Your workspace is on legal hold, so nothing may be erased until an administrator lifts it."
    )


def test_nobody_erases_the_whole_workspace_here() -> None:
    talk = talking(ADMIN)
    said = talk.act("The club's folding. Purge our whole account, sadly", ERASE)
    assert said.startswith("I can erase what is yours, not the whole workspace; its operator does that.")


def test_the_conversation_is_deleted_after_a_yes() -> None:
    talk = talking()
    talk.tenants.save(ACME, TenantPolicy(deleted_grace_days=14))
    assert talk.act("clear this chat, there's a client's password in it", DELETE) == (
        "Shall I delete this chat? It can be restored for 14 days. Your agents and tasks stay."
    )
    assert not talk.history[-1].note.kinds
    assert talk.act("yes", YES) == "This chat is gone in a moment. It can be restored for 14 days."
    assert talk.history[-1].note.kinds == (DELETE.value,)


def test_a_question_how_chats_are_deleted_deletes_nothing() -> None:
    talk = talking()
    assert "menu" in talk.act("How do I delete this conversation for good?", DELETE)
    talk.act("yes", YES)
    assert not talk.history[-1].note.kinds


def test_the_export_says_where_files_are() -> None:
    said = talking().act("can I download all my chats somewhere?", ActKind.EXPORT)
    assert "Save as JSON" in said
    assert "/v1/export" in said
    assert len(said.split()) <= 60
