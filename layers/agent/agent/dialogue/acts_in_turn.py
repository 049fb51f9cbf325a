"""Carries out all acts of a message in one turn, and says in one reply what became of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent.dialogue import (
    act_kinds,
    asked_instead,
    confirmations,
    picks,
    replies,
    suggestions,
    texts,
    undo_acts,
    unread_clauses,
)
from agent.dialogue.agent_acts import changes, creation_texts, listings, runs, schedules
from agent.dialogue.agent_acts.answered_times import with_told_parts
from agent.dialogue.agent_acts.creation import Drafting, leaves_open
from agent.dialogue.agent_acts.elliptic_questions import as_continued
from agent.dialogue.agent_acts.former_places import with_former_addresses
from agent.dialogue.agent_acts.frequency_complaints import as_complaints
from agent.dialogue.agent_acts.new_agents import is_without_source
from agent.dialogue.agent_acts.restarts import as_resumed
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.dialogue.approval import agrees, replaces
from agent.dialogue.asked_kinds import as_asked
from agent.dialogue.held_acts import AskedQuestion
from agent.dialogue.meaning import alternatives, meant_acts
from agent.dialogue.product_questions import (
    ProductQuestions,
    as_asked_about,
    may_be_on_product,
    with_other_subject,
)
from agent.dialogue.proposals import ask_first
from agent.dialogue.result import Result, joined, remarks_of
from agent.dialogue.talk import answers as talk
from agent.dialogue.talk import interruptions, nearest_facts, open_work, recall
from agent.dialogue.talk.occasion import Occasion
from agent.dialogue.talk.recalled_things import shown_instead, with_thing
from agent.dialogue.task_acts import asked_tasks, tasks
from agent.dialogue.workbench import Workbench
from agent.dialogue.workplace import Workplace
from agent.dialogue.workspace_questions import former_values
from agent.handler_interface import HandlerReply, TurnRequest
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.scene import Asked
from intent.decision import QuestionSubject

K = ActKind
_PARTS_GIVEN = frozenset({"when", "where", "source", "name"})
"""The slots of an answer that gives a part of a new agent, whatever else it says."""


class ActsInTurn:
    """One turn's acts. An instance serves one turn."""

    def __init__(self, turn: TurnRequest, place: Workplace, *, is_correction: bool = False) -> None:
        """``is_correction``: the turn's message was misunderstood before, so that what is open since then is
        part of the mistake.
        """
        self._turn = turn
        self._place = place
        self.bench = Workbench(turn, agents=place.agents, tasks=place.tasks)
        draft = None if is_correction else turn.note.draft
        self._drafting = Drafting(self.bench, NewAgent.of(draft) if draft and "brief" in draft else None)
        self._question = None if is_correction else AskedQuestion.of(turn.note.question)
        self._acts: Sequence[Act] = ()
        self._others: list[HandlerReply] = []
        self._drafted = False
        """Whether this turn's reply speaks of the unfinished agent."""
        self._said: Sequence[Act] = ()
        self._meant: tuple[Act, ...] | None = None
        self._is_by_model = False
        self._subject: QuestionSubject | None = None

    def reply(
        self,
        acts: Sequence[Act],
        *,
        is_by_model: bool = False,
        subject: QuestionSubject | None = None,
        is_subject_told: bool = False,
    ) -> HandlerReply:
        """Carry out the acts in order and return one reply for all of them.

        ``is_by_model``: a model had a say in them, so that a yes has to be one by the rules, too.
        ``subject``: what the message's only question is about. ``is_subject_told``: a model said so.
        """
        self._said, self._is_by_model = acts, is_by_model
        acts, self._question = meant_acts.as_meant(acts, self._question, self.bench)
        self._meant = None if list(acts) == list(self._said) else tuple(acts)
        names = alternatives.names_in(self._turn) if self._question is None else None
        if names is not None and not names.settled:
            return self.only(alternatives.ask_name(names))
        acts = acts if names is None else [alternatives.renamed(names)]
        doubted, sure = ([act for act in acts if act.is_doubted is doubt] for doubt in (True, False))
        has_draft = self._drafting.draft is not None
        sure = meant_acts.as_answered(sure, self._question, self.bench)
        self._question, prepared = confirmations.read_answer(
            self._question, sure, self._turn.message, has_draft=has_draft
        )
        if has_draft and self._question is None and interruptions.takes_leave(self._turn.message):
            self._drafted = True
            return self._composed([self._drafting.leave()])
        if has_draft and self._question is None and interruptions.wants_nothing(self._turn.message):
            self._drafted = True
            return self._composed([self._drafting.drop()])
        if has_draft and self._question is None and (fixed := self._drafting.correct()) is not None:
            self._drafted = True
            return self._composed([fixed])
        known, today = self._turn.situation.agents, self._turn.today
        asked = (as_asked(act, today, known, has_draft=has_draft) for act in prepared)
        self._acts = [as_continued(as_resumed(act, self.bench), self.bench) for act in asked]
        if self._question is None and not has_draft:
            self._acts = as_complaints(self._acts, self.bench)
            self._subject, self._acts = as_asked_about(
                subject, self._acts, self._turn, is_told=is_subject_told
            )
        results, idle = self._results()
        results = [
            confirmations.with_asked_before(self._question, one, self._turn.message) for one in results
        ]
        if doubted:
            results.append(ask_first(doubted, self.bench.turn.situation.time_zone))
        if names is not None:
            results.append(Result("", question=alternatives.remembered(names)))
        if left := unread_clauses.named(self._acts, idle):
            results.append(Result(left))
        if not self._others and not any(result.text for result in results):
            results.append(self._not_read())
        return self._composed(results)

    def _results(self) -> tuple[list[Result], list[Act]]:
        """Return what came of the acts, and those that nothing is said of."""
        results: list[Result] = []
        idle: list[Act] = []
        for act in self._acts:
            was_drafted, self._drafted = self._drafted, False
            count = len(self._others)
            result = with_other_subject(act, self._do(act), self._subject)
            is_of_draft = self._drafted
            self._drafted = was_drafted or is_of_draft
            if len(self._others) == count and not (result and result.text) and not self._is_undone(act):
                idle.append(act)
            if was_drafted and is_of_draft and result is not None and results and not results[-1].did:
                results.pop()  # what it asked of the new agent is out of date
            if result is not None:
                results.append(result)
        return results, idle

    def _not_read(self) -> Result:
        """Return the reply to a message of whose acts none says anything."""
        message = self._turn.message
        self._acts = [Act(K.NONE, Span(message, 0, len(message)))]
        return self._talked(self._acts[0], K.NONE) or Result("")

    def correct(self, act: Act) -> HandlerReply:
        """Carry out what an earlier message was meant as, instead of what the last reply did."""
        self._said = self._acts = [act]
        results = []
        if self._turn.note.changes is not None:
            results.append(self._undo_last(None))
        if not self._is_undone(act) and (done := self._carried_out(act, is_confirmed=False)) is not None:
            results.append(done)
        if not self._others and not any(result.text for result in results):
            results.append(self._not_read())
        return self._composed(results)

    def only(self, result: Result) -> HandlerReply:
        """Return the reply to a message of which nothing else is done."""
        return self._composed([result])

    def _do(self, act: Act, *, is_confirmed: bool = False) -> Result | None:
        """Carry out one act; None when there is nothing to say of it here."""
        act = undo_acts.found_again(act, self.bench)
        if self._is_undone(act):
            return undo_acts.behind_undo(
                act, self.bench, lambda: self._carried_out(act, is_confirmed=is_confirmed)
            )
        if (result := self._on_what_is_open(act)) is not None:
            return result
        if undo_acts.is_instead_of_last(act, self._acts, self._turn):
            undone = self._undo_last(self._turn.message)
            done = self._carried_out(act, is_confirmed=is_confirmed)
            return joined([undone, done]) if done is not None else undone
        return self._carried_out(act, is_confirmed=is_confirmed)

    def _carried_out(self, act: Act, *, is_confirmed: bool) -> Result | None:
        """Carry out an act that isn't about what is open; None when it was answered elsewhere."""
        occasion = self._occasion(act, act)
        first = None if is_confirmed else asked_instead.answer(act, self.bench, self._place, occasion)
        if first is not None:
            return first
        if self._subject is QuestionSubject.GENERAL and not replies.tells_unsure(act):
            return self._product.answer_own(act) or self._talked(act, K.ASK_WORLD)
        if act.kind is not K.SUM and (told := self._product.answer_supposed(act)) is not None:
            return told
        if act.kind in act_kinds.ON_AGENTS:
            act = with_former_addresses(act, self.bench, self._place.changes)
            return changes.change_agents(act, self.bench, is_confirmed=is_confirmed)
        if (told := self._fact_instead(act)) is not None:
            return told
        if may_be_on_product(act) and (told := self._product.answer(act)) is not None:
            return told
        if act.kind in act_kinds.ON_TASKS:
            return tasks.on_tasks(act, self.bench, is_confirmed=is_confirmed)
        if act.kind in {K.ASK_PRODUCT, K.ASK_WORLD}:
            return self._to_question_asked(act)
        if act.kind in talk.KINDS:
            return self._talked(act, act.kind)
        return self._do_by_kind(act, is_confirmed=is_confirmed)

    def _to_question_asked(self, act: Act) -> Result | None:
        """Return the answer to a question that no written answer surely fits."""
        if (near := nearest_facts.near(self._occasion(act, act))) is not None:
            return near
        offered = self._product.offer(act) if act.kind is K.ASK_PRODUCT else None
        told = offered or self._talked(act, K.ASK_WORLD)
        if self._subject is QuestionSubject.EITHER:
            return self._product.either(act, told)
        if self._subject is not QuestionSubject.WORKSPACE or (told is not None and not told.lacks_answer):
            return told
        return self._product.offer(act, self._subject) or told

    def _do_by_kind(self, act: Act, *, is_confirmed: bool) -> Result | None:
        """Carry out an act as its kind demands; None when its reply has a note of its own."""
        if (carried := self._place.by_kind.get(act.kind)) is not None:
            return carried(act, self.bench, is_confirmed=is_confirmed)
        return (self._deeds.get(act.kind) or (lambda one: self._talked(one, K.NONE)))(act)

    def _is_undone(self, act: Act) -> bool:
        """Return whether an act may only say in other words what an undo before it did."""
        return act.kind in act_kinds.ON_THINGS and undo_acts.may_be_as_undone(act, self.bench)

    def _talked(self, act: Act, kind: ActKind) -> Result | None:
        """Return the answer to an act that is taken for one of a kind that needs no deed."""
        told = with_thing(talk.answer(self._occasion(replace(act, kind=kind), act)), self.bench)
        if not told.lacks_answer:
            return told
        return asked_tasks.instead_of_quote(act, self.bench) or shown_instead(act, self.bench) or told

    def _fact_instead(self, act: Act) -> Result | None:
        """Return what the user told before, where that answers what looks like another question."""
        told = recall.fact_instead(self._occasion(act, act), self.bench.tasks)
        return None if told is None else with_thing(told, self.bench)

    def _occasion(self, taken: Act, act: Act) -> Occasion:
        acts = [taken if other is act else other for other in self._acts]
        return Occasion(taken, acts, self._turn, self._place.search)

    @property
    def _product(self) -> ProductQuestions:
        return ProductQuestions(
            self._turn, self._place.product,
            is_alone=len(self._acts) == 1, has_draft=self._drafting.draft is not None,
        )  # fmt: skip

    @property
    def _deeds(self) -> Mapping[ActKind, Callable[[Act], Result | None]]:
        bench = self.bench
        return {
            K.CREATE_AGENT: self._begun,
            K.COPY_AGENT: self._copied,
            K.LIST_AGENTS: lambda act: listings.list_agents(act, bench),
            K.SHOW_AGENT: lambda act: listings.show_agents(act, bench),
            K.UNDO: self._undone,
            K.RESTORE_AGENT: lambda act: undo_acts.restore(act, bench),
            K.RESTORE_TASK: lambda act: undo_acts.restore(act, bench),
            **dict.fromkeys(act_kinds.ON_RUNS, self._on_runs),
        }

    def _undone(self, act: Act) -> Result:
        said = act.clause.text if self._asks_for_more(act) else self._turn.message
        place = self._place
        if (both := undo_acts.undo_both(said, self.bench, place.changes, place.restore_policy)) is not None:
            return both
        if (named := undo_acts.undo_event(said, self.bench, self._place.changes)) is not None:
            return named
        return former_values.bring_back(act, self.bench, self._place.changes) or self._undo_last(said)

    def _undo_last(self, said: str | None) -> Result:
        return undo_acts.undo_last(said, self.bench, self._place.changes, self._place.restore_policy)

    def _asks_for_more(self, act: Act) -> bool:
        """Return whether the message asks for another deed beside an act."""
        deeds = act_kinds.ON_AGENTS | act_kinds.ON_TASKS | {K.CREATE_AGENT}
        return any(other.kind in deeds for other in self._acts if other is not act)

    def _on_runs(self, act: Act) -> Result | None:
        result = runs.on_runs(act, self.bench)
        if result is None:
            self._others.append(runs.start_shared(act, self.bench))
        return result

    def _on_what_is_open(self, act: Act) -> Result | None:
        """Return the reply to an act about the open question or the unfinished agent; None for any other."""
        drafting = self._drafting
        if self._question is not None and picks.is_beyond(act, self._question):
            return picks.ask_again(self._question)
        is_confirm = self._question is not None and self._question.asked is Asked.CONFIRM
        if self._question is not None and is_confirm and picks.only_names(act):
            return self._ask_once_more(self._question)
        if self._question is not None and picks.completes(act, self._question):
            return self._to_question(act, self._question)
        if (
            drafting.draft is not None
            and act.kind in act_kinds.MAY_BE_REQUESTS
            and drafting.is_other_request(act)
        ):
            return self._begun(act)
        if act.kind in act_kinds.ANSWERS:
            return self._answered(act)
        if drafting.draft is None:
            return None
        if act.kind in act_kinds.ON_SAVED and (not act.meant.things or act.meant.is_focus):
            return self._on_unsaved(act)
        if act.kind in {K.UNSURE, K.NONE} and leaves_open(act.clause.text):
            return self._go_on(act)
        if act.kind in {K.NONE, K.UNSURE, K.SMALL_TALK}:
            return self._fitting(act)
        return self._go_on(act) if replies.is_about_draft(act) else None

    def _fitting(self, act: Act) -> Result | None:
        """Take words that fit what was asked as its answer, whatever they look like."""
        if self._is_called_away(act) and not act.slots.keys() & _PARTS_GIVEN:
            return Result(texts.holding())  # why they are called away is no part of the job
        result = self._drafting.go_on(replace(act, kind=K.ANSWER), only_if_it_fits=True)
        self._drafted = self._drafted or result is not None
        is_called_away = result is None and interruptions.holds_on(self._turn.message)
        return Result(texts.holding()) if is_called_away else result

    def _is_called_away(self, act: Act) -> bool:
        """Return whether the user asks to wait, or only tells what just happened around them."""
        if interruptions.holds_on(self._turn.message):
            return True
        draft = self._drafting.draft
        is_told = draft is not None and act.kind is K.NONE
        return is_told and interruptions.tells_aside(act.clause.text, draft.brief if draft else "")

    def _go_on(self, act: Act) -> Result | None:
        self._drafted = True
        return self._drafting.go_on(act)

    def _on_unsaved(self, act: Act) -> Result:
        """Return the reply to a command for "it" while that is an agent that isn't saved yet."""
        self._drafted = True
        if act.kind is K.PAUSE_AGENT and not act.slot("when"):
            return self._drafting.keep()
        asked = self._drafting.ask_again()
        what = self._drafting.draft.subject if self._drafting.draft else ""
        return replace(asked, text=f"{creation_texts.not_saved_yet(what)} {asked.text}")

    def _begun(self, act: Act) -> Result:
        self._drafted = True
        return self._drafting.begin(act, is_only=sum(one.kind is K.CREATE_AGENT for one in self._acts) < 2)

    def _copied(self, act: Act) -> Result:
        agents, problem = changes.meant_agents(act, self.bench)
        if problem is not None:
            return problem
        self._drafted = True
        return self._drafting.copy(act, agents[0])

    def _answered(self, act: Act) -> Result | None:
        asked, drafting = self._question, self._drafting
        if drafting.draft is not None and act.kind in {K.LATER, K.RESUME_DRAFT}:
            place = replies.as_place(act)
            return self._go_on(place) if place is not None else self._set_aside_or_resumed(act)
        if asked is not None and asked.waiting:
            return self._to_question(act, asked)
        if drafting.draft is not None:
            says_none = is_without_source(drafting.draft, act.clause.text)
            if act.kind is K.NO and not act.slots and not says_none:
                self._drafted = True
                return drafting.drop() if replies.drops(act, self._turn.message) else drafting.ask_again()
            return self._fitting(act) if interruptions.holds_on(self._turn.message) else self._go_on(act)
        if act.kind is K.NO and act.meant.things:
            return Result(texts.left_alone([thing.name for thing in act.meant.things]))
        if act.kind is K.YES:
            return Result(texts.nothing_to_confirm() if len(self._acts) == 1 else "")
        if act.kind in {K.NO, K.LATER}:
            return Result(texts.declined() if len(self._acts) == 1 else "")
        if act.kind is K.RESUME_DRAFT:
            if (told := self._fact_instead(act)) is not None:
                return told
            self._others.append(open_work.describe(self._turn))
            return Result("")
        return self._talked(act, K.NONE)

    def _set_aside_or_resumed(self, act: Act) -> Result:
        if act.kind is K.LATER and act.slot("when") and replies.says_pause(act):
            return self._on_unsaved(act)
        self._drafted = True
        return self._drafting.keep() if act.kind is K.LATER else self._drafting.resume(act)

    def _to_question(self, act: Act, asked: AskedQuestion) -> Result | None:
        self._question = None
        if act.kind in {K.NO, K.LATER}:
            return Result(texts.declined() if len(self._acts) == 1 else "")
        match asked.asked:
            case Asked.CONFIRM if any(replaces(other, asked) for other in self._acts):
                return Result("")  # what is wanted instead has its own reply
            case Asked.CONFIRM if not self._agrees(act, asked):
                return self._ask_once_more(asked)
            case Asked.CONFIRM:
                return self._confirmed(asked)
            case Asked.WHICH:
                options = tuple(Thing(one.id, one.name, self._words_of(one.id)) for one in asked.options)
                meant = act.meant if act.meant.things else picks.picked(act, options)
                if not meant.things:
                    return picks.ask_again(asked)
                if len(asked.waiting) > 1:
                    chosen = asked.waiting[int(meant.things[0].id)]
                    return self._redo(asked.model_copy(update={"waiting": (chosen,)}), is_confirmed=True)
                return self._redo(asked, things=meant.things)
            case Asked.SLOTS if act.kind is K.YES and picks.is_no_value(asked):
                return self._redo(picks.with_offered(asked))
            case Asked.SLOTS:
                return self._redo(asked, answer=act)

    def _agrees(self, act: Act, asked: AskedQuestion) -> bool:
        """Return whether an answer is a yes; one that `confirmations` made of another act is."""
        if act.kind is K.YES and act not in self._said:
            return True
        return agrees(act, self._said, asked, is_by_model=self._is_by_model)

    def _ask_once_more(self, asked: AskedQuestion) -> Result | None:
        """Return the question again, in full."""
        held = asked.waiting[0]
        if held.kind in self._place.by_kind:
            return self._redo(asked)
        return ask_first([one.to_act() for one in asked.waiting], self._turn.situation.time_zone)

    def _confirmed(self, asked: AskedQuestion) -> Result | None:
        """Do everything that waited for the yes."""
        ones = [asked.model_copy(update={"waiting": (held,)}) for held in asked.waiting]
        return joined([result for one in ones if (result := self._redo(one, is_confirmed=True)) is not None])

    def _words_of(self, agent_id: str) -> str:
        return next((agent.summary for agent in self._turn.situation.agents if agent.id == agent_id), "")

    def _redo(
        self,
        asked: AskedQuestion,
        *,
        is_confirmed: bool = False,
        things: Sequence[Thing] = (),
        answer: Act | None = None,
    ) -> Result | None:
        act = asked.waiting[0].to_act()
        if things:
            act = replace(act, meant=Meant(things=tuple(things)))
        if answer is not None:
            title = answer.several or ((answer.clause,) if "title" in asked.slots else ())
            slots = schedules.plainly_answered(answer.slots) or (
                {"job": answer.clause} if "job" in asked.slots else {}
            )
            if "when" in asked.slots and (whole := with_told_parts(act, answer, slots, self.bench)):
                return self._do(whole, is_confirmed=is_confirmed)
            slots = {**act.slots, **slots}
            act = replace(act, slots=slots, several=title, dues=answer.dues, clause=answer.clause)
        return self._do(act, is_confirmed=is_confirmed)

    def _composed(self, results: Sequence[Result]) -> HandlerReply:
        draft = self._drafting.draft
        results = replies.without_repeated(replies.without_idle(results))
        if draft is not None:
            results = [replies.without_optional(result) for result in results]
        asks = any(result.question for result in results)
        if not asks and draft is None:
            results = [*results, *suggestions.still_open(self._acts, self._turn.note.question)]
        is_left = draft is not None and draft.missing() and not self._drafted and not asks
        if is_left and (recalled := self._drafting.recall()) is not None:
            results = [*results, recalled]
        changed = self.bench.changes()
        record = None
        if changed:
            record, writes = self._place.changes.record(
                self._turn.caller, self._turn.derive_id("changes"), changed
            )
            self.bench.write(*writes)
        worked_out = next((result.sum for result in reversed(results) if result.sum), None)
        note = replies.note_of(results, self._turn.note.about).model_copy(
            update={
                "sum": worked_out.to_note() if worked_out else self._turn.note.sum,
                "draft": self._drafting.draft.to_note() if self._drafting.draft else None,
                "changes": record.model_dump(mode="json", exclude_defaults=True) if record else None,
            }
        )
        said = [*(result.text for result in results), *(other.text for other in self._others)]
        reply = HandlerReply(
            replies.in_one_text(said, remarks_of(results)), note, self.bench.actions(),
            tuple(dict.fromkeys(result.tool for result in results if result.tool)), ends_draft=True,
            lacks_answer=len(self._acts) == 1 and any(result.lacks_answer for result in results),
            meant=self._meant,
        )  # fmt: skip
        return replies.with_others(reply, self._others)
