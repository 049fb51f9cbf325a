"""The agent wizard's texts: its questions and its replies to answers. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from agent.templates import agent_texts
from agent.wizard.drafts import VAGUE_WORDS, Draft, Part, channels_text, render_draft, schedule_text
from agent.wizard.flow import WizardStep
from agent.wizard.nearest_schedule import nearest_supported
from agent.workspace.agents import Kind, join_words, service_name
from intent.regular_expressions import LazyPattern

_NOUNS: dict[Part, str] = {
    "source": "where the data lives",
    "what": "what it should do",
    "details": "what data to include",
    "scope": "which part of the source to look at",
    "condition": "what counts",
    "schedule": "when it should run",
    "delivery": "where results should go",
}


MOST_WORDS_FOUND = 5
_CLAUSE = LazyPattern(
    r"\w \b(is|are|has|have|was|were|goes|go|gets|get|changes?|drops?|falls?|fails?|their|its)\b"
)
"""Words that make the watched condition a clause instead of a thing that can be found."""


def first_reply(step: WizardStep) -> str:
    """Replies to a request for an agent that leaves questions open."""
    opening = f"I'll help you create {with_article(step.draft.label())}."
    if step.has_unsupported_schedule:
        unfit = agent_texts.schedule_unfit(step.draft.unfit or "")
        opening = f"{opening} But {unfit[:1].lower()}{unfit[1:]}"
    if len(step.asking) == 1:
        return f"{opening} {questions_text(step.draft, step.asking)}"
    return f"{opening} A few questions:\n{questions_text(step.draft, step.asking)}"


def next_reply(step: WizardStep) -> str:
    """Replies to an answer that leaves questions open."""
    if step.has_unsupported_schedule:
        problem = agent_texts.schedule_unfit(step.draft.unfit or "")
        return f"{problem}\n\n{questions_text(step.draft, step.asking)}"
    if not (step.learned or step.assumed or step.sets_name_or_format):
        return f"{_not_understood(step)}\n\n{questions_text(step.draft, step.asking)}"
    assumed = assumptions(step)
    opening = f"Got it! {assumed}" if assumed else "Got it!"
    questions = questions_text(step.draft, step.asking)
    return f"{opening.strip()} So far we have:\n{render_draft(step.draft)}\n\n{questions}"


def resumed(draft: Draft, asking: Sequence[Part]) -> str:
    """Repeats what is known and what was asked, for a returning user."""
    known = render_draft(draft)
    so_far = f"So far we have:\n{known}" if known else "We have only just begun."
    joint = " " if len(asking) == 1 else "\n"
    questions = questions_text(draft, asking)
    return f"We were setting up your {draft.label()}.\n{so_far}\n\nI was asking:{joint}{questions}"


def reminder(draft: Draft, asking: Sequence[Part]) -> str:
    """Returns one line that reminds the user of the unfinished agent after another topic."""
    missing = (
        f"I still need to know {join_words([_NOUNS[part] for part in asking])}"
        if asking
        else "it isn't saved yet"
    )
    return f'(Your {draft.label()} isn\'t finished: {missing}. Just go on, or say "cancel" to drop it.)'


def assumptions(step: WizardStep) -> str:
    """Says which defaults were filled in; empty when there were none."""
    if not step.assumed:
        return ""
    assumed = join_words([_assumed(step.draft, part) for part in step.assumed])
    return f"I've assumed {assumed}; tell me if that should be different."


def questions_text(draft: Draft, asking: Sequence[Part]) -> str:
    """Returns the questions: a single one as it is, several numbered."""
    if len(asking) == 1:
        return question(asking[0], draft)
    return agent_texts.numbered_list([question(part, draft) for part in asking])


def question(part: Part, draft: Draft) -> str:
    """Returns the question for one part."""
    match part:
        case "source":
            return _source_question(draft)
        case "what":
            verbs = {Kind.MONITOR: "watch for", Kind.REPORT: "report on", Kind.TASK: "do"}
            return f"What should it {verbs[draft.kind]}?"
        case "details":
            place = f" from your {draft.scope_noun()}" if draft.scope_noun() else ""
            return f"What specific data should the report include{place}?"
        case "scope":
            return (
                f"Which {service_name(draft.source or '')} {draft.scope_noun()}(s) should it "
                'monitor? ("all" is fine)'
            )
        case "condition":
            word = draft.vague_word() or ""
            one, other = VAGUE_WORDS[word]
            return f"How do you define '{word}': {one}, or {other}?"
        case "schedule":
            return _schedule_question(draft)
        case "delivery":
            return _delivery_question(draft)
        case _:
            assert_never(part)


def with_article(noun: str) -> str:
    """Puts the article in front: ``a Jira agent``, ``an agent``."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _not_understood(step: WizardStep) -> str:
    if step.asking == ("schedule",):
        return "Sorry, I couldn't read a time out of that."
    if step.asking == ("source",):
        return 'I need a place to look for this, so let me ask again; say "none" if there is none.'
    if step.asking == ("delivery",):
        return "Sorry, I didn't catch where the results should go."
    return "I can't go on without this, so let me ask again."


def _source_question(draft: Draft) -> str:
    if draft.kind is Kind.REPORT and draft.subject():
        subject = draft.subject()
        lives = f"do your {subject} live" if subject.endswith("s") else f"does your {subject} data live"
        return f"Where {lives} (for example Google Sheets, Notion or a database)?"
    return "Which app or service should it work with (for example Jira, Gmail or Google Sheets)?"


def _schedule_question(draft: Draft) -> str:
    near = nearest_supported(draft.unfit) if draft.unfit else None
    if near:
        return f'Shall it run {near}? Say "yes", or tell me another time.'
    if draft.kind is Kind.MONITOR:
        return (
            'How often should it check: every hour, daily or weekly? A time helps, such as "every '
            'morning at 9am".'
        )
    return 'When should it run, for example "every Monday at 9am"? Or only when you ask?'


def _delivery_question(draft: Draft) -> str:
    if draft.kind is not Kind.MONITOR:
        return "How should I deliver the result: here in this conversation, by e-mail, or to Slack?"
    what = draft.what or "something"
    if len(what.split()) > MOST_WORDS_FOUND or _CLAUSE.search(what):
        return "What should happen when it comes to that: a Slack alert, an e-mail, or both?"
    found = f"{what} are found" if what.endswith("s") else f"it finds {what}"
    return f"What should happen when {found}: a Slack alert, an e-mail, or both?"


def _assumed(draft: Draft, part: Part) -> str:
    match part:
        case "schedule":
            return f"the schedule: {schedule_text(draft.schedule)}"
        case "delivery":
            return f"delivery to {channels_text(draft.channels)}"
        case "condition":
            return f"that '{draft.vague_word()}' means {draft.condition}"
        case "details":
            return f"that it includes {draft.details}"
        case "scope" | "source" | "what":
            return f"{getattr(draft, part)}"
        case _:
            assert_never(part)
