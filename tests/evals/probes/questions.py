"""Probes of "no, X" and "yes, but X" in answer to every question that the service asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.evals.probes.commands import (
    agent_changed,
    agent_gone,
    agent_new,
    agent_set,
    delivers_to,
    policy_set,
    run_new,
    task_done,
    task_due,
    task_gone,
    task_new,
)
from tests.evals.probes.effects import Effect
from tests.evals.probes.probe import Probe
from tests.evals.probes.world import given

PART = "answers"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says instead of a plain answer, and what comes of it."""

    text: str
    effects: tuple[Effect, ...] = ()
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, how it comes to be asked, and answers to it."""

    name: str
    asks: str
    """What is asked for, as dialogues name it."""
    opener: str
    no: tuple[Answer, ...]
    yes_but: tuple[Answer, ...]
    needs: tuple[str, ...] = ()
    role: str | None = None
    further: Mapping[str, str] = field(default_factory=dict)
    """What the person answers when asked further."""


def _watch(**fits: object) -> Effect:
    wanted = {"source": "dhl", "cron": "0 8 * * 1-5", "channel": "email", "recipient": "ops@kestrel.com"}
    return agent_new("parcel-watch", **{**wanted, **fits})


def _visitors(**fits: object) -> Effect:
    wanted = {"source": "sheets", "cron": "0 8 * * *", "recipient": "ops@kestrel.com"}
    return agent_new("visitor-count", **{**wanted, **fits})


_PAUSED = {
    name: agent_set(name, status="paused")
    for name in ("stock-levels", "parcels", "press-clips", "rota-check", "invoice-chaser")
}

QUESTIONS = (
    Question(
        "delete-agent",
        "confirm",
        "delete press-clips",
        needs=("press-clips", "parcels"),
        no=(
            Answer("no, pause it instead", (_PAUSED["press-clips"],)),
            Answer("No, just rename it to press-archive", (agent_set("press-clips", name="press-archive"),)),
            Answer("no, I meant parcels", (agent_gone("parcels"),)),
            Answer("no, keep it and share it with everyone", (agent_set("press-clips", shared=True),)),
        ),
        yes_but=(
            Answer("yes, but also pause parcels", (agent_gone("press-clips"), _PAUSED["parcels"])),
            Answer("yes, and delete parcels too", (agent_gone("press-clips"), agent_gone("parcels"))),
            Answer(
                "yes, but add a task to tell Ann about it",
                (agent_gone("press-clips"), task_new("tell Ann about it")),
            ),
        ),
    ),
    Question(
        "delete-several",
        "confirm",
        "delete press-clips, rota-check and invoice-chaser",
        needs=("press-clips", "rota-check", "invoice-chaser"),
        no=(
            Answer("no, only press-clips", (agent_gone("press-clips"),)),
            Answer(
                "No, pause them instead",
                tuple(_PAUSED[name] for name in ("press-clips", "rota-check", "invoice-chaser")),
            ),
        ),
        yes_but=(
            Answer("yes, but not rota-check", (agent_gone("press-clips"), agent_gone("invoice-chaser"))),
            Answer("Yes, but keep invoice-chaser", (agent_gone("press-clips"), agent_gone("rota-check"))),
        ),
    ),
    Question(
        "delete-tasks",
        "confirm",
        "delete the tasks buy napkins, call Tom and print the menu cards",
        needs=("buy napkins", "call Tom", "print the menu cards"),
        no=(
            Answer("no, only buy napkins", (task_gone("buy napkins"),)),
            Answer(
                "no, mark them as done instead",
                tuple(task_done(title) for title in ("buy napkins", "call Tom", "print the menu cards")),
            ),
        ),
        yes_but=(
            Answer("yes, but keep call Tom", (task_gone("buy napkins"), task_gone("print the menu cards"))),
            Answer("yes, but not the menu cards", (task_gone("buy napkins"), task_gone("call Tom"))),
        ),
    ),
    Question(
        "which-agent",
        "which",
        "pause my agent",
        needs=("stock-levels", "parcels", "buy napkins"),
        no=(
            Answer("no, delete the task buy napkins instead", (task_gone("buy napkins"),)),
            Answer("no, just show me my tasks", (), ("(?i)buy napkins",)),
            Answer("No, don't pause anything"),
            Answer("no, run parcels instead", (run_new("parcels"),)),
        ),
        yes_but=(
            Answer("yes, but only stock-levels", (_PAUSED["stock-levels"],)),
            Answer(
                "yes, stock-levels, but also share it with everyone",
                (agent_set("stock-levels", status="paused", shared=True),),
            ),
        ),
    ),
    Question(
        "which-task",
        "which",
        "mark the call as done",
        needs=("call Tom", "call the bank", "buy napkins"),
        no=(
            Answer("no, move call the bank to Friday instead", (task_due("call the bank", "2026-03-06"),)),
            Answer("no, buy napkins is the one that's done", (task_done("buy napkins"),)),
            Answer("no, leave them both open"),
        ),
        yes_but=(
            Answer("yes, but only call Tom", (task_done("call Tom"),)),
            Answer(
                "yes, call Tom, but move call the bank to Friday",
                (task_done("call Tom"), task_due("call the bank", "2026-03-06")),
            ),
        ),
    ),
    Question(
        "when",
        "when",
        "set up an agent called parcel-watch that lists parcels held at customs in DHL and mails the list to "
        "ops@kestrel.com",
        needs=("press-clips", "buy napkins"),
        further={"when": "weekdays at 8am"},
        no=(
            Answer(
                "no, put it in Slack #dock instead of mail", (_watch(channel="slack", recipient="#dock"),)
            ),
            Answer(
                "no, call it customs-watch", (agent_new("customs-watch", source="dhl", cron="0 8 * * 1-5"),)
            ),
            Answer("no, forget it and add a task to ring DHL", (task_new("ring DHL"),)),
            Answer("No, I don't want it on a schedule, only when I ask", (_watch(cron=None),)),
        ),
        yes_but=(
            Answer("yes, but only on weekdays at 8am", (_watch(),)),
            Answer("yes, but read it from FedEx", (_watch(source="fedex"),)),
            Answer(
                "yes, every weekday at 8, but pause press-clips first", (_watch(), _PAUSED["press-clips"])
            ),
        ),
    ),
    Question(
        "where",
        "where",
        "set up an agent called parcel-watch that lists parcels held at customs in DHL every weekday at 8am",
        needs=("press-clips",),
        further={"where": "mail it to ops@kestrel.com"},
        no=(
            Answer("no, make that every day at 9am", (_watch(cron="0 9 * * *"),)),
            Answer("no, cancel that and pause press-clips", (_PAUSED["press-clips"],)),
            Answer("no mail, just post it to Slack #dock", (_watch(channel="slack", recipient="#dock"),)),
        ),
        yes_but=(
            Answer("yes, but only to ops@kestrel.com", (_watch(),)),
            Answer("yes, to ops@kestrel.com, but at 9am", (_watch(cron="0 9 * * 1-5"),)),
        ),
    ),
    Question(
        "source",
        "source",
        "set up an agent called visitor-count that reports yesterday's visitors every day at 8am by mail to "
        "ops@kestrel.com",
        needs=("buy napkins",),
        further={"source": "Google Sheets"},
        no=(
            Answer("no, make it 9am", (_visitors(cron="0 9 * * *"),)),
            Answer("no, skip it, delete the task buy napkins", (task_gone("buy napkins"),)),
            Answer("no sheet, it's in Airtable", (_visitors(source="airtable"),)),
        ),
        yes_but=(
            Answer("yes, but from Airtable", (_visitors(source="airtable"),)),
            Answer("yes, Google Sheets, but on weekdays only", (_visitors(cron="0 8 * * 1-5"),)),
        ),
    ),
    Question(
        "name",
        "name",
        "rename rota-check to press-clips",
        needs=("rota-check", "press-clips"),
        no=(
            Answer("no, call it shift-check", (agent_set("rota-check", name="shift-check"),)),
            Answer("no, leave the name and pause it", (_PAUSED["rota-check"],)),
            Answer("no, rename press-clips to old-clips then", (agent_set("press-clips", name="old-clips"),)),
        ),
        yes_but=(
            Answer("yes, but make it shift-check", (agent_set("rota-check", name="shift-check"),)),
            Answer(
                "yes, shift-check, but also share it with everyone",
                (agent_set("rota-check", name="shift-check", shared=True),),
            ),
        ),
    ),
    Question(
        "share",
        "confirm",
        "share stock-levels with Anna",
        needs=("stock-levels", "press-clips"),
        no=(
            Answer("no, then pause it", (_PAUSED["stock-levels"],)),
            Answer(
                "no, keep it private and add a task to forward the list to Anna",
                (task_new("forward the list to Anna"),),
            ),
        ),
        yes_but=(
            Answer(
                "yes, but rename it to team-stock",
                (agent_set("stock-levels", shared=True, name="team-stock"),),
            ),
            Answer(
                "yes, and share press-clips too",
                (agent_set("stock-levels", shared=True), agent_set("press-clips", shared=True)),
            ),
        ),
    ),
    Question(
        "retention",
        "confirm",
        "keep our chats for 60 days",
        needs=("press-clips",),
        role="admin",
        no=(
            Answer("no, make it 90 days", (policy_set(retention_days=90),)),
            Answer("no, leave it and pause press-clips", (_PAUSED["press-clips"],)),
        ),
        yes_but=(
            Answer("yes, but 90 days", (policy_set(retention_days=90),)),
            Answer("yes, and pause press-clips", (policy_set(retention_days=60), _PAUSED["press-clips"])),
        ),
    ),
    Question(
        "what-to-change",
        "change",
        "change stock-levels",
        needs=("stock-levels", "press-clips"),
        no=(
            Answer("no, pause it", (_PAUSED["stock-levels"],)),
            Answer("no, delete press-clips instead", (agent_gone("press-clips"),)),
        ),
        yes_but=(
            Answer(
                "yes, but only the time, make it 9am",
                (agent_changed("stock-levels", "schedule", cron="0 9 * * 1"),),
            ),
            Answer(
                "yes, but where it goes: Slack #dock", (delivers_to("stock-levels", ["slack"], ["#dock"]),)
            ),
        ),
    ),
    Question(
        "task-title",
        "other",
        "add a task",
        needs=("call Tom",),
        no=(
            Answer("no, just show me my tasks", (), ("(?i)call Tom",)),
            Answer("no, never mind, mark call Tom as done", (task_done("call Tom"),)),
        ),
        yes_but=(Answer("yes: order stickers, but due Friday", (task_new("order stickers", "2026-03-06"),)),),
    ),
    Question(
        "schedule",
        "when",
        "make stock-levels run at 7 or 8",
        needs=("stock-levels", "press-clips"),
        no=(
            Answer(
                "no, make it weekdays at 9am",
                (agent_changed("stock-levels", "schedule", cron="0 9 * * 1-5"),),
            ),
            Answer("no, leave the schedule and pause it", (_PAUSED["stock-levels"],)),
        ),
        yes_but=(
            Answer(
                "yes, but only Tuesdays at 8am",
                (agent_changed("stock-levels", "schedule", cron="0 8 * * 2"),),
            ),
        ),
    ),
    Question(
        "job",
        "job",
        "create an agent called parcel-watch",
        needs=("press-clips",),
        no=(
            Answer("no, forget it and pause press-clips", (_PAUSED["press-clips"],)),
            Answer("no, I only wanted to see my agents", (), ("press-clips", "lead-list")),
        ),
        yes_but=(
            Answer(
                "yes, but only parcels held at customs in DHL, weekdays at 8am, mailed to ops@kestrel.com",
                (_watch(),),
            ),
        ),
    ),
    Question(
        "delete-chat",
        "confirm",
        "delete this chat",
        needs=("press-clips",),
        no=(
            Answer("no, delete press-clips", (agent_gone("press-clips"),)),
            Answer("no, keep it, just pause press-clips", (_PAUSED["press-clips"],)),
        ),
        yes_but=(Answer("yes, but pause press-clips first", (_PAUSED["press-clips"],)),),
    ),
)


def answer_probes() -> Iterator[Probe]:
    """Every answer to every question."""
    for question in QUESTIONS:
        for form, answers in (("no", question.no), ("yes-but", question.yes_but)):
            for number, answer in enumerate(answers, 1):
                yield _probe(question, answer, f"{PART}/{question.name}/{form}-{number}")


def _probe(question: Question, answer: Answer, name: str) -> Probe:
    return Probe(
        id=name,
        given=given(question.needs, question.role),
        message=answer.text,
        effects=answer.effects,
        told=answer.told,
        said_before=(question.opener,),
        asks=question.asks,
        answers={"confirm": "yes", **question.further},
        asks_before_deleting=False,
    )
