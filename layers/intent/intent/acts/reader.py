"""Reads a message in its scene: the list of its acts, with every clause accounted for.

The learned models say where each act begins, of which kind it is and which words are its slots. The grammar
of times and the user's own names make them exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intent.acts.absent_agents import spares_agent
from intent.acts.act import Act, ActKind, Meant, Span, Thing
from intent.acts.after_deeds import another_meant, corrects_deed
from intent.acts.agent_questions import read_question
from intent.acts.asides import without_asides
from intent.acts.asked_agents import ASKING, asked_kind, without_field_words
from intent.acts.asked_at_once import asked_at_once
from intent.acts.certain_kinds import on_other
from intent.acts.changes_apart import with_changes_apart
from intent.acts.clauses import Clause
from intent.acts.cleft_deeds import clefts_apart
from intent.acts.commanded_changes import tells_in_passing
from intent.acts.commands import read_command, says_instead
from intent.acts.commands_apart import with_commands_apart
from intent.acts.copy_requests import find_copy_name
from intent.acts.corrections import with_corrections
from intent.acts.days_off import refused_for_agent
from intent.acts.doubting_tails import without_doubting_tail
from intent.acts.echoes import clause_of, unread, without_echoes
from intent.acts.evidence import is_commanded
from intent.acts.fitting_kinds import COMMANDED, fitting_kind, is_filler, probability_of
from intent.acts.help_wishes import with_help_wishes
from intent.acts.joined_acts import merged, without_corrected
from intent.acts.joined_questions import questions_apart
from intent.acts.kept_apart import with_kept_apart
from intent.acts.kind_sets import ON_AGENTS, ON_TASKS
from intent.acts.labelled_requests import read_labelled
from intent.acts.learned.act_model import ActModel, Belief, Segment
from intent.acts.learned.marked_tokens import SERVICES, MarkedMessage, mark_message
from intent.acts.letters import blank_letter
from intent.acts.lexicon import CORRECTIONS, LEADS
from intent.acts.listed_agents import ListedAgent, listed_agents
from intent.acts.listed_amounts import listed_amounts
from intent.acts.meant_things import meant_agent, meant_option, meant_rest, meant_task
from intent.acts.meant_times import with_meant_time
from intent.acts.named_segments import pointing_part, with_names_joined
from intent.acts.named_states import with_states_apart
from intent.acts.naming.extent import is_name
from intent.acts.naming.given_names import read_told_names
from intent.acts.naming.telling_names import read_beside_names
from intent.acts.new_titles import find_new_title
from intent.acts.offer_answers import completed_by, gives_address
from intent.acts.parts import Part, beside_name, hull, listed
from intent.acts.places import adds_place, amends_place, dropped_places, removes_place, wanted_places
from intent.acts.politeness import blank_politeness
from intent.acts.present_times import with_wish_joined
from intent.acts.questions_apart import with_questions_apart
from intent.acts.reasons import without_reason
from intent.acts.references import find_meant
from intent.acts.request_series import enumerated, request_starts, with_requests_apart
from intent.acts.requests import asks_for_something
from intent.acts.respelled_names import respelled_name
from intent.acts.retitled_tasks import with_said_title
from intent.acts.scene import Scene
from intent.acts.slots import Found, find_name, find_new_name, find_slots, says_naming
from intent.acts.statements import says_nobody, times_are_of_others
from intent.acts.sum_parts import has_numbers, with_sums
from intent.acts.tagged_titles import asked_titles
from intent.acts.taken_back_apart import taken_back_apart
from intent.acts.taken_back_times import without_taken_back_times
from intent.acts.taken_back_words import without_taken_back_words
from intent.acts.task_reading.behind_list import with_next_tasks_apart
from intent.acts.task_reading.behind_told import asking_part
from intent.acts.task_reading.commands import (
    announces_task,
    asks_for_list,
    asks_for_told,
    is_reminder,
)
from intent.acts.task_reading.deeds_apart import with_task_deeds_apart
from intent.acts.task_reading.due_statements import with_dues_apart
from intent.acts.task_reading.need import may_mean_tasks
from intent.acts.task_reading.same_day import find_same_day, on_same_day, without_same_day
from intent.acts.task_reading.task_like_last import find_shifted, title_like_last
from intent.acts.task_reading.told_tasks import (
    listed_tasks,
    lists_dated,
    told_tasks,
    with_exceptions,
    with_offsets,
    with_said_due,
    without_disclaimed,
    without_musings,
)
from intent.acts.task_titles import DEEDS, names_deed
from intent.acts.time_wishes import with_time_wishes
from intent.acts.timed_items import timed_items, with_told_jobs
from intent.acts.timed_requests import (
    with_shared_slots,
    with_told_job,
    with_whole_requests,
)
from intent.acts.tokens import tokenise
from intent.acts.told_before import apart_from_told, names_gerund, told_before
from intent.acts.told_before_deeds import without_told_reasons
from intent.acts.told_occasions import with_occasions_told
from intent.acts.told_places import apart_from, mailbox, told_places
from intent.acts.typed_schedules import beside_typed_cron
from intent.acts.unsure_chores import tells_what_was_asked
from intent.acts.unsure_parts import of_unsure
from intent.acts.when_words import when_beside, when_words
from intent.acts.wishes_for_agents import changes_focus
from intent.sums.headings import with_heading_behind


class ActReader:
    """Reads messages. It keeps nothing from one message to the next."""

    def __init__(self, model: ActModel) -> None:
        self._model = model

    def read(self, message: str, scene: Scene, belief: Belief | None = None) -> tuple[Act, ...]:
        """Return the acts of a message in the order said; empty for a message without words.

        ``belief`` is what another reading makes of the whole message; None: there is none.
        """
        if (labelled := read_labelled(message, scene)) is not None:
            return (labelled,)
        message = with_heading_behind(blank_letter(message))
        meant = without_taken_back_times(without_taken_back_words(message), scene)
        asked = with_help_wishes(meant)
        scene = scene if asked == meant else replace(scene, is_help_wished=True)
        message = with_time_wishes(blank_politeness(without_doubting_tail(asked)))

        def read_rest(rest: str, within: Scene) -> tuple[Act, ...]:
            return self._read(rest, within, belief if rest == message else None)

        def read_aside(rest: str, within: Scene) -> tuple[Act, ...]:
            return read_beside_names(rest, within, read_rest)

        is_of_task = on_other(Clause(message, tokenise(message)), scene) in ON_TASKS
        named = None if is_of_task else read_told_names(message, scene, read_aside)
        return read_aside(message, scene) if named is None else named

    def _read(self, message: str, scene: Scene, belief: Belief | None) -> tuple[Act, ...]:
        parts = self._parts(message, scene, belief)
        found = {part.clause.start: _slots_of(part.clause, scene) for part in parts}
        acts: list[Act] = []
        for part in parts:
            act = _act(part, scene, found[part.clause.start])
            rest = meant_rest(part.clause, acts, scene.agents) if act.kind in ON_AGENTS else None
            act = act if rest is None else replace(act, meant=rest)
            sure = _confidence(act, part, scene, acts)
            act = replace(act, confidence=sure, is_other=part.is_one_more)
            acts.append(unread(act) if tells_in_passing(act, part.clause) else act)
            scene = with_focus(scene, acts[-1])
        apart = {part.clause.start for part in parts if part.is_one_more}
        acts = with_shared_slots(
            list(merged(message, without_corrected(message, without_echoes(acts)), apart))
        )
        return tuple(acts)

    def read_as(self, message: str, span: tuple[int, int], kind: ActKind, scene: Scene) -> Act | None:
        """Return the act of a known kind in a stretch of a message; None when the stretch has no words."""
        marked = mark_message(message, scene.agents, scene.tasks if kind in ON_TASKS else ())
        places = [place for place, one in enumerate(marked.tokens) if span[0] <= one.token.start < span[1]]
        if not places:
            return None
        part = self._tagged(marked, (places[0], places[-1] + 1), kind, 1.0)
        return replace(_act(part, scene, _slots_of(part.clause, scene)), kind=kind)

    def _split(
        self, message: str, scene: Scene, belief: Belief | None
    ) -> tuple[MarkedMessage, tuple[Segment, ...]]:
        """Return a message with its names marked, and the stretches that are one act each."""
        marked = _marked(message, scene, ())
        segments = self._model.split(marked, scene, belief)
        if may_mean_tasks(segments, scene, marked.tokens):
            bare, marked = marked, _marked(message, scene, scene.tasks)
            segments = segments if marked == bare else self._model.split(marked, scene, belief)
        return marked, segments

    def _parts(self, message: str, scene: Scene, belief: Belief | None) -> list[Part]:
        marked, segments = self._split(message, scene, belief)
        apart = questions_apart(marked, segments, scene, self._model) or taken_back_apart(marked, scene)
        apart = apart or clefts_apart(marked, scene)
        if apart is not None:
            return [part for half in apart for part in self._parts(half, scene, belief)]
        segments = with_questions_apart(segments, marked, scene, self._model)
        segments = with_names_joined(with_exceptions(segments, marked), marked)
        segments = with_commands_apart(with_kept_apart(segments, marked), marked)
        segments = with_wish_joined(with_changes_apart(segments, marked), marked)
        segments = with_states_apart(with_occasions_told(segments, marked, scene), marked, scene)
        segments = with_dues_apart(segments, marked, scene)
        segments = with_next_tasks_apart(with_task_deeds_apart(segments, marked, scene), marked)
        segments = with_whole_requests(marked, segments, scene)
        amounts = listed_amounts(marked, segments, scene)
        is_asked = amounts is not None and amounts.part.kind is ActKind.SUM and not lists_dated(marked, scene)
        if not is_asked and (told := told_tasks(marked, segments, scene)):
            rest = [one for one in segments if one.start >= told.end and not is_filler(one)]
            return [told.part, *(self._part(marked, one, scene, []) for one in rest)]
        if amounts is not None:
            return [amounts.part, *self._behind_amounts(marked, segments, amounts.end, scene, belief)]
        if several := self._several(marked, segments, scene):
            return several
        if (single := with_requests_apart(marked, segments)) != marked.text:
            return self._parts(single, scene, belief)
        telling = [one for one in segments if not is_filler(one) or _is_request(one, marked, scene)]
        telling = telling if any(not is_filler(one) for one in telling) else list(segments[:1])
        telling = [part for one in telling for part in apart_from_told(one, marked)]
        fillers = [one for one in segments if one not in telling]
        if scene.question is None or (telling and telling[0].kind in ON_TASKS):
            telling = with_corrections(marked, telling)
        parts: list[Part] = []
        for segment in sorted([*telling, *fillers], key=lambda one: one.start):
            if segment in telling:
                part = self._part(marked, segment, scene, [part.kind for part in parts])
                parts.extend(self._in_series(marked, segment, part))
            elif has_numbers(clause := self._clause(marked, segment.start, segment.end)):
                parts.append(Part(clause, ActKind.NONE, 0.0, {}, is_filler=True))
        parts = without_disclaimed(with_offsets(with_sums(parts, scene), scene), marked)
        parts = without_told_reasons(without_musings(parts), scene)
        return self._of_unsure([part for part in parts if not part.is_filler], marked, scene)

    def _behind_amounts(
        self,
        marked: MarkedMessage,
        segments: Sequence[Segment],
        end: int,
        scene: Scene,
        belief: Belief | None,
    ) -> list[Part]:
        """Return the parts behind a question about amounts, in whose segment another may have begun."""
        behind = [one for one in segments if one.start >= end]
        rest = marked.tokens[end : behind[0].start if behind else len(marked.tokens)]
        if sum(one.token.is_word for one in rest) >= _FEWEST_OF_REQUEST:
            begin = rest[0].token.start
            found = self._parts(f"{' ' * begin}{marked.text[begin:]}", scene, belief)
            return [part for part in found if part.kind not in {ActKind.NONE, ActKind.SUM}]
        parts = (self._part(marked, one, scene, []) for one in behind)
        return [part for part in parts if part.kind is not ActKind.NONE]

    def _of_unsure(self, parts: list[Part], marked: MarkedMessage, scene: Scene) -> list[Part]:
        """Return the parts; those of somebody who didn't know what to ask for as what they tell of it."""
        whole = (0, len(marked.tokens))
        place = whole if gives_address(parts, marked, scene) else completed_by(parts, marked, scene)
        if place is not None:
            return [self._tagged(marked, place, ActKind.ANSWER, 1.0)]
        if tells_what_was_asked(parts, marked, scene):
            return [self._tagged(marked, (0, len(marked.tokens)), ActKind.CREATE_AGENT, 1.0)]
        return of_unsure(parts, marked, scene)

    def _several(self, marked: MarkedMessage, segments: Sequence[Segment], scene: Scene) -> list[Part]:
        """Return the parts of a message that lists or numbers requests for new agents; empty for others."""
        if timed := timed_items(marked, segments, scene):
            parts = self._listed(marked, timed, segments, scene)
            return with_told_jobs(parts, marked, timed, scene)
        if items := listed_agents(marked, segments):
            return self._listed(marked, items, segments, scene)
        starts = self._items(marked, segments)
        return self._enumerated(marked, starts, segments, scene) if starts else []

    def _items(self, marked: MarkedMessage, segments: Sequence[Segment]) -> list[int]:
        """Return where the numbered requests for new agents begin; empty where there are none."""
        is_creation = bool(segments) and segments[0].kind is ActKind.CREATE_AGENT
        return enumerated(marked.tokens) if is_creation else []

    def _enumerated(
        self, marked: MarkedMessage, starts: Sequence[int], segments: Sequence[Segment], scene: Scene
    ) -> list[Part]:
        """Return a part for each numbered request, with what the words before them say of all."""
        parts = []
        ends = [*(start - 2 for start in starts[1:]), len(marked.tokens)]
        sure = segments[0].ranked[0].probability
        for start, end in zip((0, *starts), (starts[0] - 2, *ends), strict=True):
            other = next((one for one in segments if start - 2 <= one.start < end and _is_other(one)), None)
            if other is not None:
                parts.append(self._part(marked, replace(other, start=start, end=end), scene, ()))
                continue
            tokens = tuple(one.token for one in marked.tokens[start:end])
            tagged = self._model.tag(marked, start, end, ActKind.CREATE_AGENT)
            if tokens:
                clause = Clause(marked.text, tokens)
                kind = ActKind.ADD_TASK if is_reminder(clause) else ActKind.CREATE_AGENT
                tagged = {} if kind is ActKind.ADD_TASK else tagged
                parts.append(Part(clause, kind, sure, tagged))
        head = parts.pop(0) if len(parts) > len(starts) else None
        shared = {} if head is None else _slots(head, scene, _slots_of(head.clause, scene))
        shared = {name: span for name, span in shared.items() if name in {"when", "where"}}
        if head is not None and (tagged_times := head.tagged.get("when")):
            shared["when"] = hull(head.clause.message, tagged_times)
        return [replace(part, shared=shared, is_one_more=True) for part in parts]

    def _listed(
        self, marked: MarkedMessage, items: Sequence[ListedAgent], segments: Sequence[Segment], scene: Scene
    ) -> list[Part]:
        """Return a part for each listed request for an agent, with what the words before them say of all, and
        the parts around them.
        """
        first, end = items[0].start, max(items[-1].end, 1)
        before = [one for one in segments if one.end <= first and not is_filler(one)]
        before = [one for one in before if one.kind is not ActKind.CREATE_AGENT]
        begin = max((one.end for one in before), default=0)
        shared: dict[str, Span] = {}
        if begin < first:
            head = self._tagged(marked, (begin, first), ActKind.CREATE_AGENT, 1.0)
            found = _slots_of(head.clause, scene)
            told = _slots(head, scene, found)
            says = {"when": bool(found.times), "where": bool(found.addresses), "source": "source" in told}
            shared = {name: span for name, span in told.items() if says.get(name)}
        parts = [self._part(marked, one, scene, ()) for one in before]
        for item in items:
            part = self._tagged(marked, item, ActKind.CREATE_AGENT, 1.0)
            tagged = with_told_job(part.tagged, marked.tokens[item.start : item.end], marked.text)
            parts.append(replace(part, tagged=tagged, shared=shared, is_one_more=True))
        behind = [one for one in segments if one.start >= end and not is_filler(one)]
        return [*parts, *(self._part(marked, one, scene, [ActKind.CREATE_AGENT]) for one in behind)]

    def _in_series(self, marked: MarkedMessage, segment: Segment, part: Part) -> list[Part]:
        """Return the part; several, when it asks for several new agents one after the other."""
        if part.kind is not ActKind.CREATE_AGENT:
            return [part]
        own = marked.tokens[segment.start : segment.end]
        starts = request_starts(own)
        if len(starts) < 2:
            return [part]
        ends = [*(start + segment.start for start in starts[1:]), segment.end]
        parts: list[Part] = []
        for start, end in zip((start + segment.start for start in starts), ends, strict=True):
            tokens = tuple(one.token for one in marked.tokens[start:end])
            tagged = self._model.tag(marked, start, end, part.kind)
            if parts:
                tagged = with_told_job(tagged, marked.tokens[start:end], marked.text)
            clause = Clause(marked.text, tokens, is_question=part.clause.is_question)
            parts.append(replace(part, clause=clause, tagged=tagged, is_one_more=bool(parts)))
        return parts

    def _part(self, marked: MarkedMessage, segment: Segment, scene: Scene, before: Sequence[ActKind]) -> Part:
        own = marked.tokens[segment.start : segment.end]
        clause = self._clause(marked, segment.start, segment.end)
        fitting, sure = fitting_kind(segment, scene, clause, own, before)
        kind = ActKind.DELETE_AGENT if spares_agent(fitting, clause, scene) else fitting
        kind = asked_kind(kind, clause, scene)
        is_plain = read_command(own) is kind
        sure = 1.0 if is_plain else sure if kind is fitting else probability_of(segment)
        # A command in plain form is a verb and whole names: there is nothing to tag.
        return self._tagged(marked, (segment.start, segment.end), kind, sure, is_plain=is_plain)

    def _tagged(
        self,
        marked: MarkedMessage,
        place: tuple[int, int],
        kind: ActKind,
        sure: float,
        *,
        is_plain: bool = False,
    ) -> Part:
        tagged = {} if is_plain else self._model.tag(marked, *place, kind)
        return Part(self._clause(marked, *place), kind, sure, tagged)

    @staticmethod
    def _clause(marked: MarkedMessage, start: int, end: int) -> Clause:
        tokens = tuple(one.token for one in marked.tokens[start:end])
        is_question = any(one.token.text == "?" for one in marked.tokens[end - 1 : end + 1])
        return Clause(marked.text, tokens, "", is_question)


_FEWEST_OF_REQUEST = 3


def _is_other(segment: Segment) -> bool:
    """Return whether one of several numbered requests is for no agent: ``2) don't let me forget …``."""
    likeliest = segment.ranked[0]
    is_create = likeliest.kind is ActKind.CREATE_AGENT
    return not is_create and not is_filler(segment) and likeliest.probability >= _SURE_OF_OTHER


_SURE_OF_OTHER = 0.5


def _is_request(segment: Segment, marked: MarkedMessage, scene: Scene) -> bool:
    """Return whether a segment of no known kind asks for something, or corrects the last deed."""
    tokens = tuple(one.token for one in marked.tokens[segment.start : segment.end])
    clause = Clause(marked.text, tokens)
    if (
        corrects_deed(clause, scene)
        or amends_place(clause, scene)
        or says_instead(marked.tokens, segment.start)
    ):
        return True
    before = marked.tokens[segment.start - 1].token.text if segment.start else ""
    if before == "," and tokens[0].word in _RELATIVES and tokens[-1].text != "?":
        return False  # ``my boss, who spoke to them, wants …``
    asks = asks_for_something(tokens) or announces_task([token.word for token in tokens])
    return segment.kind is not ActKind.SMALL_TALK and asks


_RELATIVES = frozenset({"who", "which", "whose", "whom"})


def _marked(message: str, scene: Scene, tasks: Sequence[Thing]) -> MarkedMessage:
    """Return the marked message, without reasons where nothing waits for an answer."""
    names = [thing.name for thing in (*scene.agents, *tasks)]
    marked = mark_message(blank_politeness(message, names), scene.agents, tasks)
    if scene.question is not None or scene.has_draft:
        return marked
    return replace(marked, tokens=without_asides(marked.tokens))


def _slots_of(clause: Clause, scene: Scene) -> Found:
    """Return the times, addresses and quotations of a clause, with their places in the message."""
    return find_slots(clause.text, clause.tokens, now=scene.now, zone=scene.zone, offset=clause.start)


def with_focus(scene: Scene, act: Act) -> Scene:
    """Return the scene for the next clause, in which "it" is what this one named."""
    if act.kind in _TELLING:
        named = find_meant(clause_of(act), scene.agents)
        is_one = named.is_named and len(named.things) == 1
        return replace(scene, focus_kind="agent", focus=named.things[0]) if is_one else scene
    is_pick = act.kind is ActKind.PICK and scene.question is not None
    on = scene.question.of if is_pick and scene.question is not None else act.kind
    things = act.meant.things
    if len(things) == _PAIR and on in ON_AGENTS:
        return replace(scene, pair=things)
    if len(things) != 1 or on not in ON_AGENTS | ON_TASKS:
        return scene
    kind = "agent" if on in ON_AGENTS else "task"
    return replace(scene, focus_kind=kind, focus=things[0])


_PAIR = 2
_TELLING = frozenset({ActKind.REMEMBER, ActKind.NONE, ActKind.NO})
"""Kinds that ask for nothing and may still name the agent that the rest of a message is about."""


def _act(part: Part, scene: Scene, found: Found) -> Act:
    clause, kind = part.clause, part.kind
    part = pointing_part(part, scene.agents) if kind is ActKind.CHANGE_AGENT else part
    respelled = respelled_name(clause, scene) if kind is ActKind.CHANGE_AGENT else None
    slots = {"name": respelled} if respelled is not None else _slots(part, scene, found)
    act = Act(kind, clause.span, confidence=part.sure, slots=slots)
    if kind is ActKind.CREATE_AGENT and changes_focus(act, clause, scene):
        kind = ActKind.CHANGE_AGENT
        said = {slot: span for slot, span in act.slots.items() if slot in {"when", "where"}}
        act = replace(act, kind=kind, slots=said)
    if kind is ActKind.ADD_TASK and (part.pieces or "title" in part.shared):
        return listed_tasks(act, part, scene)
    if kind is ActKind.ADD_TASK:
        return _added(act, part, scene, found)
    if kind is ActKind.CHANGE_TASK and (titled := with_said_title(act, clause, scene)) is not None:
        return titled
    if kind in ON_TASKS:
        meant = meant_task(part, scene, found)
        if kind is ActKind.CHANGE_TASK and not found.quoted:
            act = replace(act, slots=_renamed(act, find_new_title(clause, meant, found.times)))
            act = replace(act, slots=with_meant_time(act, clause, scene))
            act = with_said_due(act, clause, scene)
        return replace(act, meant=meant)
    if kind in ASKING and read_question(clause.text, is_marked=clause.is_question) is not None:
        reduced = without_field_words(clause, scene)
        return replace(act, meant=meant_agent(replace(part, clause=reduced, tagged={}), scene, found))
    if kind in ON_AGENTS:
        meant = _meant_agent(act, part, scene, found)
        act = replace(act, slots=with_meant_time(act, clause, scene))
        removes = removes_place(clause) or bool(dropped_places(clause, found.addresses))
        return replace(act, meant=meant, adds=adds_place(clause), removes=removes)
    if kind is ActKind.PICK and scene.question is not None:
        return replace(act, meant=meant_option(part, scene))
    return act


def _meant_agent(act: Act, part: Part, scene: Scene, found: Found) -> Meant:
    """Return the agents that an act is done to: the one talked of, where that is asked for at once."""
    if scene.focus is not None and asked_at_once(part.clause, scene) is act.kind:
        return Meant(things=(scene.focus,), is_focus=True)
    return meant_agent(beside_name(part, act.slots.get("name")), scene, found)


def _added(act: Act, part: Part, scene: Scene, found: Found) -> Act:
    """Return the act that adds the tasks of a clause."""
    if asks_for_told(part.clause, scene):
        return told_before(act, part.clause, scene)
    if asks_for_list([word for word in part.clause.words if word not in LEADS]):
        return replace(act, slots={}, several=())
    part = replace(part, clause=asking_part(part.clause))
    same = find_shifted(part.clause, scene) or find_same_day(part.clause, scene)
    clause, titles = asked_titles(part, without_same_day(found, same))
    titles = title_like_last(part.clause, titles, scene)
    when = on_same_day(when_words(clause, act.kind, {"title": titles}, scene), part.clause, same)
    return replace(act, several=titles, slots={"when": when} if when else {})


def _confidence(act: Act, part: Part, scene: Scene, before: Sequence[Act]) -> float:
    """Return how sure the act is: words that ask for it by themselves count for more than the model."""
    is_added = act.kind is ActKind.ADD_TASK
    is_more = is_added and bool(before) and before[-1].kind is act.kind
    if is_more and (names_deed(part.clause) or names_gerund(part.clause)):
        return max(part.sure, COMMANDED)  # a list of tasks goes on
    if is_added and DEEDS & set(part.clause.words) and find_same_day(part.clause, scene) is not None:
        return max(part.sure, COMMANDED)
    corrects = part.clause.words[0] in CORRECTIONS or another_meant(part.clause, scene) is not None
    is_again = act.kind == scene.did and corrects and bool(act.meant.things)
    return max(part.sure, COMMANDED) if is_again or is_commanded(act, part.clause) else part.sure


def _slots(part: Part, scene: Scene, found: Found) -> dict[str, Span]:
    part = beside_typed_cron(part) if part.kind in _NEW_AGENTS else part
    own = {name: hull(part.clause.message, spans) for name, spans in part.tagged.items()}
    clause = part.clause
    own.pop("where", None)
    told = told_places(clause.tokens, found.addresses)
    tagged, addresses = apart_from(told, part.tagged.get("where", ())), apart_from(told, found.addresses)
    if told and part.kind is ActKind.CREATE_AGENT:
        own.setdefault("source", mailbox(clause.tokens, told[0]))
    if wanted := wanted_places(clause, tagged, addresses):
        own["where" if addresses or not _READS & set(clause.words) else "source"] = listed(wanted)
    elif part.kind is ActKind.CHANGE_AGENT and (dropped := dropped_places(clause, addresses)):
        own["where"] = listed(dropped)
    if part.kind is ActKind.CHANGE_TASK and not found.quoted:
        own = {slot: span for slot, span in own.items() if slot not in {"title", "name"}}
    elif part.kind is not ActKind.CREATE_AGENT and (name := find_name(clause, found.quoted)) is not None:
        is_whole = "name" not in own or name.text.startswith(own["name"].text)
        own["name"] = _without_known(name, scene) if is_whole else own["name"]
    is_naming = part.kind is not ActKind.CHANGE_AGENT or says_naming(clause)
    if "name" in own and not (is_naming and is_name(own["name"].text.split())):
        own.pop("name")
    if part.kind in _NEW_AGENTS:
        known = [one.name for one in scene.agents]
        finds = find_copy_name if part.kind is ActKind.COPY_AGENT else find_new_name
        own = own if (name := finds(clause, known)) is None else {**own, "name": name}
    own = {**part.shared, **(_with_labelled_source(own, clause) if part.kind in _NEW_AGENTS else own)}
    named = own.get("name") if part.kind is ActKind.CHANGE_AGENT else None
    when = when_beside(named, clause, part.kind, part.tagged, scene)
    if when and not (part.kind in _CHANGING and _tells_of_others(clause, scene)):
        own["when"] = when
    elif "when" not in part.shared:
        own.pop("when", None)
    return own


def _with_labelled_source(own: dict[str, Span], clause: Clause) -> dict[str, Span]:
    """Return the slots of a new agent; a known system before a colon is its source, and no name:
    ``pagerduty: open incidents``.
    """
    name = own.get("name")
    is_label = name is not None and clause.message[name.end :].startswith(":")
    if name is None or not is_label or name.text.lower() not in SERVICES or "source" in own:
        return own
    return {**{slot: span for slot, span in own.items() if slot != "name"}, "source": name}


def _tells_of_others(clause: Clause, scene: Scene) -> bool:
    """Return whether what a clause says of times is of other subjects than an agent."""
    if refused_for_agent(clause, scene):
        return False
    clause = without_reason(clause)
    return says_nobody(clause, scene) or times_are_of_others(clause, scene)


def _without_known(name: Span, scene: Scene) -> Span:
    """Return a new name without that of the agent that gets it: ``call parcels late parcels``."""
    known = next((one.name for one in scene.agents if name.text.lower().startswith(f"{one.name} ")), "")
    kept = name.text[len(known) :].lstrip()
    return Span(kept, name.end - len(kept), name.end)


_CHANGING = frozenset({ActKind.CHANGE_AGENT, ActKind.ANSWER})
_NEW_AGENTS = frozenset({ActKind.CREATE_AGENT, ActKind.COPY_AGENT})
_READS = frozenset("source sources data read reads reading pull pulls".split())
"""Words by which what is no address is a source, and no place for results."""


def _renamed(act: Act, title: Span | None) -> dict[str, Span]:
    """Return the slots of a change with the new title that it gives, if any: its own title is no new one,
    and neither are the words that say when.
    """
    own = {slot: span for slot, span in act.slots.items() if slot not in {"title", "name"}}
    due = own.get("due")
    is_time = title is not None and due is not None and due.start < title.end and title.start < due.end
    return own if title is None or is_time else {**own, "name": title}
