"""The commands that are probed: their wordings, what they need to be there, and what they change."""

from __future__ import annotations

from dataclasses import dataclass

from tests.evals.dialogues.format import Json
from tests.evals.probes.effects import Change, Effect

_DUE = frozenset({"due_date", "due_at", "remind", "repeat"})


@dataclass(frozen=True, slots=True)
class Command:
    """One command. Its wordings are imperatives without a capital and a full stop."""

    name: str
    texts: tuple[str, ...]
    effects: tuple[Effect, ...] = ()
    needs: tuple[str, ...] = ()
    """The agents and tasks it is about."""
    said_before: tuple[str, ...] = ()
    """What is said first, in the same conversation."""
    deleted_before: tuple[str, ...] = ()
    """Agents and tasks that were deleted before, over REST."""
    told: tuple[str, ...] = ()
    """Regular expressions that the reply holds."""
    role: str | None = None
    can_be_undone: bool = True

    @property
    def changes(self) -> bool:
        """Whether undoing it restores something."""
        return bool(self.effects) and self.can_be_undone


def agent_changed(name: str, /, *fields: str, **fits: object) -> Effect:
    """An agent becomes different in the fields, and fits the matcher."""
    return Effect("agents", name, Change.CHANGED, frozenset(fields), fits)


def agent_set(name: str, /, **values: object) -> Effect:
    """An agent has other values in the fields."""
    return Effect("agents", name, Change.CHANGED, frozenset(values), equals=values)


def agent_new(name: str, /, **fits: object) -> Effect:
    """There is a new agent that fits the matcher."""
    return Effect("agents", name, Change.NEW, fits={"name": name, **fits}, equals={"name": name})


def agent_gone(name: str) -> Effect:
    """An agent is gone."""
    return Effect("agents", name, Change.GONE)


def delivers_to(name: str, channels: list[str], recipients: list[str]) -> Effect:
    """An agent's results go elsewhere."""
    return agent_set(name, delivery={"channels": channels, "recipients": recipients})


def titled(title: str) -> str:
    """A regular expression for a title; a reason or "when you can" behind it does no harm."""
    return rf"(?im)^{title}(?:,? (?:because|since|when you) .*)?$"


def task_new(title: str, due: str | None = None) -> Effect:
    """There is a new task."""
    return Effect("tasks", title, Change.NEW, fits={"text": titled(title), "due": due, "completed": False})


def task_done(title: str, *, completed: bool = True) -> Effect:
    """A task is ticked off, or open again."""
    return Effect("tasks", title, Change.CHANGED, frozenset({"completed"}), equals={"completed": completed})


def task_due(title: str, due: str) -> Effect:
    """A task is due on another day."""
    return Effect("tasks", title, Change.CHANGED, _DUE, {"due": due})


def task_renamed(title: str, new: str) -> Effect:
    """A task has another title."""
    return Effect("tasks", title, Change.CHANGED, frozenset({"title"}), {"text": titled(new)})


def task_gone(title: str) -> Effect:
    """A task is gone."""
    return Effect("tasks", title, Change.GONE)


def run_new(name: str) -> Effect:
    """An agent was started."""
    return Effect("runs", name, Change.NEW)


def policy_set(**values: object) -> Effect:
    """The workspace has other settings."""
    return Effect("policy", "days", Change.CHANGED, equals=values)


_CREATED: Json = {
    "source": "lightspeed",
    "cron": "0 18 * * 5",
    "channel": "email",
    "recipient": "till@hafen.de",
}

COMMANDS = (
    Command(
        "create-agent",
        (
            ("set up an agent called refund-watch that reports refunds above 50 euros from Lightspeed "
             "every Friday at 6pm and mails the report to till@hafen.de"),
            ("create an agent named refund-watch: every Friday at 6pm it lists refunds above 50 euros in "
             "Lightspeed and emails the list to till@hafen.de"),
            ("make a new agent refund-watch that checks Lightspeed for refunds above 50 euros on Fridays "
             "at 6 pm and sends what it finds by email to till@hafen.de"),
        ),
        (agent_new("refund-watch", **_CREATED, text="(?i)refunds"),),
    ),
    Command(
        "pause-agent",
        ("pause stock-levels", "put stock-levels on hold", "switch off stock-levels for now"),
        (agent_set("stock-levels", status="paused"),),
        ("stock-levels",),
    ),
    Command(
        "resume-agent",
        ("resume ticket-digest", "turn ticket-digest back on", "start ticket-digest up again"),
        (agent_set("ticket-digest", status="active"),),
        ("ticket-digest",),
    ),
    Command(
        "delete-agent",
        ("delete press-clips", "remove the agent press-clips", "get rid of press-clips"),
        (agent_gone("press-clips"),),
        ("press-clips",),
    ),
    Command(
        "rename-agent",
        ("rename rota-check to shift-check", "call rota-check shift-check from now on",
         "change the name of rota-check to shift-check"),
        (agent_set("rota-check", name="shift-check"),),
        ("rota-check",),
    ),
    Command(
        "share-agent",
        ("share invoice-chaser with the team", "make invoice-chaser visible to everyone",
         "let the whole company use invoice-chaser"),
        (agent_set("invoice-chaser", shared=True),),
        ("invoice-chaser",),
    ),
    Command(
        "unshare-agent",
        ("stop sharing lead-list", "make lead-list private", "unshare lead-list"),
        (agent_set("lead-list", shared=False),),
        ("lead-list",),
    ),
    Command(
        "run-agent",
        ("run parcels now", "run parcels", "start parcels right away"),
        (run_new("parcels"),),
        ("parcels",),
        can_be_undone=False,
    ),
    Command(
        "cancel-run",
        ("cancel the run of parcels", "stop the run", "abort that run"),
        (Effect("runs", "parcels", Change.GONE),),
        ("parcels",),
        ("run parcels now",),
        told=(r"(?i)cancel|stop|abort|over|ended|finished|done|running",),
        can_be_undone=False,
    ),
    Command(
        "change-time",
        ("change the time of stock-levels to 9:15am", "make stock-levels run at 9:15 am instead",
         "move stock-levels to quarter past nine in the morning"),
        (agent_changed("stock-levels", "schedule", cron="15 9 * * 1"),),
        ("stock-levels",),
    ),
    Command(
        "change-day",
        ("move stock-levels to Thursdays", "make stock-levels run on Thursdays instead of Mondays",
         "change the day of stock-levels to Thursday"),
        (agent_changed("stock-levels", "schedule", cron="0 7 * * 4"),),
        ("stock-levels",),
    ),
    Command(
        "change-schedule",
        ("make stock-levels run every weekday at 6:30pm", "change stock-levels to weekdays at 6:30 pm",
         "reschedule stock-levels to run Monday to Friday at 6.30pm"),
        (agent_changed("stock-levels", "schedule", cron="30 18 * * 1-5"),),
        ("stock-levels",),
    ),
    Command(
        "change-delivery",
        ("send the results of rota-check to #wards in Slack instead", "post rota-check to Slack #wards",
         "make rota-check deliver to the Slack channel #wards instead of mail"),
        (delivers_to("rota-check", ["slack"], ["#wards"]),),
        ("rota-check",),
    ),
    Command(
        "add-recipient",
        ("also mail the results of stock-levels to amy@fahrrad.de",
         "add amy@fahrrad.de to the recipients of stock-levels",
         "send stock-levels to amy@fahrrad.de as well"),
        (delivers_to("stock-levels", ["email"], ["jo@fahrrad.de", "amy@fahrrad.de"]),),
        ("stock-levels",),
    ),
    Command(
        "change-source",
        ("make stock-levels read from NetSuite instead of Shopify",
         "change the source of stock-levels to NetSuite",
         "have stock-levels take its data from NetSuite"),
        (agent_set("stock-levels", sources=["netsuite"]),),
        ("stock-levels",),
    ),
    Command(
        "list-agents",
        ("list my agents", "show me all my agents", "tell me which agents I have"),
        needs=("stock-levels", "parcels"),
        told=("stock-levels", "parcels", "lead-list"),
    ),
    Command(
        "show-agent",
        ("show me stock-levels", "tell me what stock-levels does", "show the details of stock-levels"),
        needs=("stock-levels",),
        told=("stock-levels", r"(?i)stock", r"(?i)7(?::00)?\s?am|07:00|monday|shopify"),
    ),
    Command(
        "add-task",
        ("add a task to order stickers", "put order stickers on my to-do list",
         "add order stickers to my list"),
        (task_new("order stickers"),),
    ),
    Command(
        "add-task-due",
        ("add a task to book the bus by Friday", "put book the bus on my list for Friday",
         "add a to-do: book the bus, due Friday"),
        (task_new("book the bus", "2026-03-06"),),
    ),
    Command(
        "complete-task",
        ("mark call Tom as done", "tick off call Tom", "complete the task call Tom"),
        (task_done("call Tom"),),
        ("call Tom",),
    ),
    Command(
        "reopen-task",
        ("reopen return library books", "mark return library books as not done",
         "put return library books back on my list"),
        (task_done("return library books", completed=False),),
        ("return library books",),
    ),
    Command(
        "change-due",
        ("move print the menu cards to Thursday", "change the due date of print the menu cards to Thursday",
         "make print the menu cards due on Thursday"),
        (task_due("print the menu cards", "2026-03-05"),),
        ("print the menu cards",),
    ),
    Command(
        "rename-task",
        ("rename the task call Tom to call Anna", "change the task call Tom to call Anna",
         "reword call Tom as call Anna"),
        (task_renamed("call Tom", "call Anna"),),
        ("call Tom",),
    ),
    Command(
        "delete-task",
        ("delete the task buy napkins", "remove buy napkins from my list",
         "take buy napkins off my to-do list"),
        (task_gone("buy napkins"),),
        ("buy napkins",),
    ),
    Command(
        "list-tasks",
        ("list my tasks", "show me my to-do list", "tell me what's on my list"),
        needs=("buy napkins", "call Tom"),
        told=("(?i)buy napkins", "(?i)call Tom", "(?i)renew my passport"),
    ),
    Command("sum", ("work out 17 * 23", "calculate 17 times 23", "tell me what 17 x 23 is"), told=("391",)),
    Command(
        "undo",
        ("undo that", "take that back", "revert the last change"),
        (agent_set("stock-levels", status="active"),),
        ("stock-levels",),
        ("pause stock-levels",),
        can_be_undone=False,
    ),
    Command(
        "restore-agent",
        ("restore press-clips", "bring back press-clips", "undelete the agent press-clips"),
        (agent_new("press-clips", source="meltwater", cron="0 7 * * 1-5"),),
        ("press-clips",),
        deleted_before=("press-clips",),
    ),
    Command(
        "restore-task",
        ("restore the task buy napkins", "bring back the task buy napkins", "undelete buy napkins"),
        (task_new("buy napkins"),),
        ("buy napkins",),
        deleted_before=("buy napkins",),
    ),
    Command(
        "set-retention",
        ("keep our chats for 60 days", "set the retention to 60 days",
         "delete conversations after 60 days from now on"),
        (policy_set(retention_days=60),),
        role="admin",
    ),
    Command(
        "remind",
        ("remind me to water the plants tomorrow at 3pm",
         "set a reminder to water the plants tomorrow at 3pm",
         "remind me tomorrow at 3pm to water the plants"),
        (task_new("water the plants", "2026-03-04"),),
    ),
)  # fmt: skip

BY_NAME = {command.name: command for command in COMMANDS}
