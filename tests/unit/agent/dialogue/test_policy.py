"""What is said about the workspace's policy, and how administrators change it by talking."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agent.dialogue.administration.policy import read_wish
from agent.dialogue.administration.roles import role_question
from agent.dialogue.administration.topics import Topic
from agent.dialogue.workspace_questions.wording import Wording
from agent.workspace.roster import read_roster
from conversation.identity import ADMIN, Caller
from conversation.tenants.audit import Act as AuditedAct
from conversation.tenants.audit import AuditLog
from conversation.tenants.policy import Budget, DailyCaps, Limits, TenantPolicy
from intent.acts.act import ActKind
from storage.keys import TenantId
from tests.fakes.data.act_session import ActTalk
from tests.fakes.data.chat_session import Talk

SET, SHOW, YES, NO, ANSWER, NONE = (
    ActKind.SET_POLICY,
    ActKind.SHOW_POLICY,
    ActKind.YES,
    ActKind.NO,
    ActKind.ANSWER,
    ActKind.NONE,
)
ACME = TenantId("acme")


def admin(**policy: object) -> ActTalk:
    talk = ActTalk(Caller(ACME, "maya", frozenset({ADMIN})))
    if policy:
        talk.tenants.save(ACME, TenantPolicy.model_validate(policy))
    return talk


def policy_of(talk: ActTalk) -> TenantPolicy:
    return talk.tenants.record(ACME).policy


def test_retention_changes_after_a_yes_and_the_audit_log_says_so() -> None:
    talk = admin()
    assert talk.act("Conversations should be kept for 60 days from now on", SET) == (
        "Shall I set this for your whole workspace: chats and results are kept for 60 days after the last "
        "activity? Now it is 30 days."
    )
    assert policy_of(talk).retention_days == 30
    assert talk.act("yes", YES) == "Done: chats and results are kept for 60 days after the last activity."
    assert policy_of(talk).retention_days == 60
    records, _ = AuditLog(tables=talk.tables, clock=talk.clock).list(ACME, limit=5)
    assert [record.act for record in records] == [AuditedAct.POLICY_CHANGED]


def test_a_no_with_another_number_is_asked_about_and_a_yes_with_one_is_done() -> None:
    talk = admin()
    talk.act("keep our chats for a year", SET)
    assert "90 days" in talk.act("no, 90 days", NO)
    assert policy_of(talk).retention_days == 30
    talk.act("yes, but only 60 days", (YES, "yes, but only 60 days"))
    assert policy_of(talk).retention_days == 60


def test_the_other_number_may_be_in_an_act_of_its_own_and_keeps_its_unit() -> None:
    talk = admin()
    talk.act("delete results after two years", SET)
    said = talk.act(
        "Absolutely not, two years is far too short; make it six",
        (NO, "Absolutely not, two years is far too short"),
        (SET, "make it six"),
    )
    assert "2,190 days (6 years)" in said
    assert policy_of(talk).retention_days == 30


def test_a_plain_no_drops_the_change_even_when_it_repeats_the_number() -> None:
    talk = admin()
    talk.act("keep our chats for 60 days", SET)
    assert talk.act("no, 60 is too long", NO) == "OK, I'll leave everything as it is."
    talk.act("yes", YES)
    assert policy_of(talk).retention_days == 30


def test_a_sum_beside_the_no_is_no_new_value() -> None:
    talk = admin()
    talk.act("set retention to 60 days", SET)
    said = talk.act(
        "no no, first tell me what 2 years is in days",
        (NO, "no no"),
        (ActKind.SUM, "tell me what 2 years is in days"),
    )
    assert said.startswith("2 years = 730 days")
    talk.act("yes", YES)
    assert policy_of(talk).retention_days == 30


def test_nothing_is_excepted_silently() -> None:
    talk = admin()
    talk.act("keep results for 90 days", SET)
    said = talk.act(
        "Correct, 90 days, except for the probation results, those must stay 2 years",
        (YES, "Correct, 90 days"),
        (SET, "except for the probation results, those must stay 2 years"),
    )
    assert said.startswith("One setting holds for all; I can't except anything. Shall I set this")
    assert "90 days" in said
    assert policy_of(talk).retention_days == 30


def test_two_settings_of_one_message_are_both_set_by_one_yes() -> None:
    talk = admin()
    talk.act(
        "chats kept 45 days max, and nobody gets more than 5 agents",
        (SET, "chats kept 45 days max"),
        (SET, "nobody gets more than 5 agents"),
    )
    talk.act("yes", YES)
    assert policy_of(talk).retention_days == 45
    assert policy_of(talk).limits.agents_per_user == 5


def test_a_missing_value_is_asked_for_and_the_answer_confirmed() -> None:
    talk = admin()
    assert (
        talk.act("cap what we spend each month", SET)
        == "Budgets here are in US dollars. How many dollars a month should it be?"
    )
    assert "2.50 USD a month" in talk.act("2.50", ANSWER)
    talk.act("yes", YES)
    assert policy_of(talk).budget == Budget(usd_per_month=2.5)


@pytest.mark.parametrize(
    ("said", "asked", "budget"),
    [
        ("cap model spend at 4 dollars a day", "4.00 USD a day?", Budget(usd_per_day=4)),
        ("set a monthly cap of $50", "50.00 USD a month?", Budget(usd_per_month=50)),
        ("limit spending to $21 a week", "3.00 USD a day?", Budget(usd_per_day=3)),
        ("our budget is 1200 dollars a year", "100.00 USD a month?", Budget(usd_per_month=100)),
        (
            "each person may spend 2 dollars a day",
            "2.00 USD a day for each person?",
            Budget(usd_per_user_per_day=2),
        ),
        (
            "set a budget of 30 dollars a month per user",
            "30.00 USD a month for each person?",
            Budget(usd_per_user_per_month=30),
        ),
        ("a budget of 40 dollars each month", "40.00 USD a month?", Budget(usd_per_month=40)),
    ],
)
def test_a_budget_is_said_back_and_set_as_it_was_asked_for(said: str, asked: str, budget: Budget) -> None:
    talk = admin()
    assert asked in talk.act(said, SET)
    talk.act("yes", YES)
    assert policy_of(talk).budget == budget


def test_a_budget_is_set_beside_the_others_and_undone_alone() -> None:
    talk = admin(budget=Budget(usd_per_day=4))
    talk.act("set a monthly cap of $50", SET)
    talk.act("yes", YES)
    assert talk.act("what is our budget?", SHOW) == "Models may cost 4.00 USD a day and 50.00 USD a month."
    assert "models may cost 4.00 USD a day again" in talk.act("undo that", ActKind.UNDO)
    assert policy_of(talk).budget == Budget(usd_per_day=4)


def test_limits_on_runs_may_be_for_all_or_for_each() -> None:
    talk = admin()
    talk.act("cap it at 40 runs per day", SET)
    talk.act("yes", YES)
    talk.act("No more than 20 runs a day, for any of us", SET)
    talk.act("yes", YES)
    limits: Limits = policy_of(talk).limits
    assert (limits.per_day.runs, limits.per_user_per_day.runs) == (40, 20)


def test_a_limit_for_all_holds_for_each_as_well() -> None:
    talk = admin(limits=Limits.model_validate({"per_day": DailyCaps(runs=40)}))
    assert talk.act("What's our run limit?", SHOW) == "At most 40 runs a day for all of you together."
    assert "Today you have started 0 of at most 40 runs." in talk.act("am I near my limit", ActKind.ASK_USAGE)


def test_a_limit_above_the_operators_is_refused_with_the_most_there_can_be() -> None:
    talk = admin()
    assert talk.act("raise it to 9000 runs a day", SET).startswith("At most 5,000 runs a day can be set here")


def test_a_number_of_days_out_of_range_is_refused() -> None:
    assert admin().act("keep our chats for 20 years", SET) == (
        "It can be 1 to 3,650 days. How many should it be?"
    )


def test_a_legal_hold_is_for_the_whole_workspace_and_can_be_lifted() -> None:
    talk = admin()
    said = talk.act("put a legal hold on everything about the Keller case", SET)
    assert said.startswith(
        "I can't hold a subject, only the whole workspace. Shall I put the whole workspace"
    )
    talk.act("yes", YES)
    assert policy_of(talk).legal_hold
    assert talk.act("How long do we keep chats?", SHOW).startswith("Your workspace is on legal hold")
    talk.act("lift the hold", SET)
    talk.act("yes", YES)
    assert not policy_of(talk).legal_hold


def test_users_without_the_role_are_told_who_can_and_nothing_waits() -> None:
    talk = ActTalk(Caller(ACME, "maya"))
    said = talk.act("set the retention of our chats to 10 years", SET)
    assert said.startswith(
        "Only an administrator of your workspace can change that, and you aren't one. Now: 30"
    )
    talk.act("yes", YES)
    assert policy_of(talk).retention_days == 30


def test_a_change_since_it_was_asked_about_is_kept() -> None:
    talk = admin()
    talk.act("keep our chats for 60 days", SET)
    talk.tenants.save(ACME, TenantPolicy(language="de"))
    talk.act("yes", YES)
    assert (policy_of(talk).retention_days, policy_of(talk).language) == (60, "de")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "How long do we keep chats at the moment?",
            "45 days after the last activity; results of runs as long.",
        ),
        (
            "and deleted ones, can they be brought back?",
            "Deleted chats can be brought back for 14 days; then they are gone for good.",
        ),
        ("is there a legal hold on anything of ours", "No, your workspace is not on legal hold."),
        ("What's our run limit per day set to?", "At most 5,000 runs a day for all of you together"),
        ("What's my max number of agents?", "Each person may have up to 50 agents; you have 1."),
        ("what are the quiet hours set to", "There are no quiet hours here"),
        ("who's allowed to create agents here?", "Everybody in your workspace may create agents"),
        ("What's the spending cap set to right now", "No budget for models is set."),
        (
            "show me all the rules",
            "Chats are kept for 45 days; deleted ones can be brought back for 14 days.",
        ),
    ],
)
def test_only_what_was_asked_is_answered(asked: str, said: str) -> None:
    talk = admin(retention_days=45, deleted_grace_days=14)
    talk.create("stock-daily")
    assert talk.act(asked, SHOW).startswith(said)


def test_what_another_process_set_is_told_at_once() -> None:
    talk = admin()
    stale = read_roster(talk.tables, ACME, talk.clock.now() - timedelta(seconds=30))
    talk.tenants.save(ACME, TenantPolicy(retention_days=77))
    assert talk.act("How long do we keep chats?", SHOW, roster=stale).startswith("77 days")


def test_the_role_is_told() -> None:
    assert admin().act("Do I need to be an admin for that?", SHOW).startswith("You are an administrator")
    assert (
        ActTalk(Caller(ACME, "maya"))
        .act("am I an admin?", SHOW)
        .startswith("No, you aren't an administrator")
    )


def test_what_it_is_now_leaves_the_question_open() -> None:
    talk = admin()
    talk.act("keep our chats for 60 days", SET)
    assert talk.act("whats it at now", SHOW).startswith("30 days")
    talk.act("ok do it", YES)
    assert policy_of(talk).retention_days == 60


@pytest.mark.parametrize(
    ("words", "topic", "value"),
    [
        ("patient stuff must be wiped after 30 days, not a year", Topic.RETENTION, "30"),
        ("60 days would be safer than 30", Topic.RETENTION, "60"),
        ("Run logs older than half a year can be wiped", Topic.RETENTION, "180"),
        ("two years max, six months would be better. Go with the latter", Topic.RETENTION, "180"),
        ("conversations are to be kept for 30 days, where it is 90 at present", Topic.RETENTION, "30"),
        ("keep chats for 60 days, it says 365 now", Topic.RETENTION, "60"),
        ("retention 7 years pls", Topic.RETENTION, "2555"),
        ("archived chats can go after a fortnight", Topic.ARCHIVED, "14"),
        ("deleted chats should come back for 3 days: bring back", Topic.GRACE, "3"),
        ("nobody gets more than five agents", Topic.AGENTS_OF_A_USER, "5"),
    ],
)
def test_the_setting_and_its_value_are_read_from_words(words: str, topic: Topic, value: str) -> None:
    wish = read_wish(Wording.of_text(words))
    assert wish is not None
    assert (wish.topic, wish.value) == (topic, value)


def test_a_changed_setting_is_undone_exactly_and_the_undo_is_undone_too() -> None:
    talk = admin(retention_days=45, legal_hold=True)
    talk.act("keep our chats for 60 days", SET)
    talk.act("yes", YES)
    said = talk.act("undo", ActKind.UNDO)
    assert said == "Undone: chats and results are kept for 45 days after the last activity again."
    assert policy_of(talk) == TenantPolicy(retention_days=45, legal_hold=True)
    talk.act("undo", ActKind.UNDO)
    assert policy_of(talk).retention_days == 60


def test_a_setting_that_was_changed_again_since_is_not_undone() -> None:
    talk = admin()
    talk.act("keep our chats for 60 days", SET)
    talk.act("yes", YES)
    talk.tenants.save(ACME, TenantPolicy(retention_days=90))
    assert "changed again since" in talk.act("undo", ActKind.UNDO)
    assert policy_of(talk).retention_days == 90


def test_only_administrators_undo_a_setting() -> None:
    talk = admin()
    talk.act("keep our chats for 60 days", SET)
    talk.act("yes", YES)
    talk.caller = talk.caller._replace(roles=frozenset())
    assert talk.act("undo", ActKind.UNDO).startswith("Only an administrator")
    assert policy_of(talk).retention_days == 60


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("set the burst limit of our workspace to 25", "burst", 25),
        ("allow 60 messages a minute", "turns_per_minute", 60),
        ("at most 4 runs at the same time", "runs_at_once", 4),
        ("limit us to 80 agents, all of us together", "agents", 80),
        ("limit the connections of each person to 6", "skills_per_user", 6),
        ("no more than 50 tasks a day for each user", "per_user_per_day.tasks", 50),
        ("cap erasures at 3 a day", "per_day.erasures", 3),
    ],
)
def test_each_limit_has_its_words(said: str, field: str, value: int) -> None:
    talk = admin()
    assert str(value) in talk.act(said, SET)
    talk.act("yes", YES)
    found: object = policy_of(talk).limits
    for name in field.split("."):
        found = getattr(found, name)
    assert found == value


def test_an_unknown_limit_is_asked_about_and_then_set() -> None:
    talk = admin()
    assert talk.act("set the widget limit to 12", SET).startswith("Which limit should be 12")
    assert "12 messages may come at once" in talk.act("the burst limit", NONE)
    talk.act("yes", YES)
    assert policy_of(talk).limits == Limits(burst=12)


def test_a_limit_that_is_no_other_changes_no_other() -> None:
    talk = admin()
    talk.act("set the upload limit to 12", SET)
    talk.act("yes", YES)
    assert policy_of(talk) == TenantPolicy()


def test_a_setting_just_told_is_what_it_means() -> None:
    talk = admin(retention_days=45)
    talk.act("how long are chats kept?", SHOW)
    assert "90 days" in talk.act("make it 90", NONE)
    talk.act("yes", YES)
    assert policy_of(talk).retention_days == 90
    assert talk.act("and now?", NONE).startswith("90 days")


@pytest.mark.parametrize("said", ["make it 8 am", "make it 90% shorter", "add 90 to my list of tasks"])
def test_what_is_no_value_of_a_setting_changes_none(said: str) -> None:
    talk = admin(retention_days=45)
    talk.act("how long are chats kept?", SHOW)
    assert "workspace" not in talk.act(said, NONE)


@pytest.mark.parametrize("said", ["who do I ask then?", "why not?", "and who can do it?", "how come"])
def test_who_may_not_is_told_who_may(said: str) -> None:
    talk = ActTalk(Caller(ACME, "maya"))
    talk.act("set the burst limit to 500", SET)
    assert "administrator" in talk.act(said, NONE)


@pytest.mark.parametrize(
    "said",
    [
        "is it me that's the admin on this or would that be Gerard?",
        "who's able to change the limits for our workspace?",
        "Who in our company can decide that agents are not allowed to send mails outside?",
        "do I have admin rights",
        "can I change the policies here?",
    ],
)
def test_questions_about_roles_name_the_administrator_and_the_asker(said: str) -> None:
    theirs, mine = ActTalk(Caller(ACME, "maya")).act(said, NONE), admin().act(said, NONE)
    assert "administrator" in theirs
    assert "you aren't" in theirs
    assert "you are" in mine


@pytest.mark.parametrize(
    "said",
    ["who can see my agents?", "can an administrator read what I write?", "list customers who pay late"],
)
def test_other_questions_are_not_about_roles(said: str) -> None:
    assert role_question(Wording.of_text(said)) is None


def test_a_limit_that_nobody_set_is_told_as_it_is_by_default() -> None:
    talk = admin()
    assert talk.act("what is our burst limit?", SHOW).startswith("At most 100 messages may come at once")
    assert talk.act("how many messages a minute may we send?", SHOW).startswith(
        "At most 900 messages a minute"
    )
    assert talk.act("how many new agents a day?", SHOW).startswith("At most 1,000 new agents a day")


def test_a_confirmed_value_said_again_asks_nothing_more() -> None:
    talk = Talk(Caller(ACME, "maya", frozenset({ADMIN})))
    talk.classify_and_answer("set the burst limit for our tenant to 40")
    said = talk.classify_and_answer("yes, 40").text
    assert said.startswith("Done: at most 40 messages")
    assert "?" not in said
    assert "40" in talk.classify_and_answer("what does it stand at now").text


@pytest.mark.parametrize(
    "message",
    [
        "what a day, burst main on the high street, soaked",
        "a pipe burst in room 4 and everyone was shouting?",
    ],
)
def test_what_bursts_is_no_limit(message: str) -> None:
    assert "burst limit" not in Talk().classify_and_answer(message).text
