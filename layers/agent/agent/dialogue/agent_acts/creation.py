"""New agents: begun from a request, asked for what is missing, and saved as soon as nothing is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.checks.check import Check, Expectation
from agent.checks.check_phrases import check_from_words
from agent.dialogue import texts
from agent.dialogue.agent_acts import (
    copies,
    creation_texts,
    draft_corrections,
    new_agents,
    page_watches,
    sources,
)
from agent.dialogue.agent_acts.deliveries import link_remarks
from agent.dialogue.agent_acts.open_days import asks_only_days
from agent.dialogue.agent_acts.unfinished_agent import NewAgent
from agent.dialogue.result import Result
from agent.dialogue.workbench import Workbench
from agent.handler_interface import agent_reference
from agent.readiness import missing_keys, readiness
from agent.templates import check_texts
from agent.workspace import agents
from agent.workspace.agents import Agent, AgentSpec
from agent.workspace.delivery_targets import Delivery
from agent.workspace.errors import AddressBlocked, AgentLimitReached, CheckBlocked, TargetNotAllowed
from conversation.errors import QuotaExceeded
from conversation.limits.quotas import QuotaKind
from intent.acts.act import Act, ActKind, Span, Thing
from intent.acts.clauses import Clause
from intent.acts.page_troubles import PageTrouble, page_trouble_in
from intent.acts.references import find_meant
from intent.acts.tokens import tokenise
from intent.acts.unsendable_ways import find_unsendable, without_unsendable
from intent.regular_expressions import lower_pattern
from intent.web_addresses import first_web_address

_LEFT_OPEN = lower_pattern(
    r"\b(?:don'?t know|not sure|no idea|no clue|you (?:choose|decide|pick)|whatever|whenever|up to you"
    r"|doesn'?t matter|don'?t (?:mind|care)|no preference|any(?:thing|time| time| of them)|as you like|dunno"
    r"|your call|skip|either)\b"
)


def leaves_open(words: str) -> bool:
    """Return whether somebody doesn't know an answer, or leaves it to us."""
    return _LEFT_OPEN.search(words) is not None


class Drafting:
    """The unfinished agent of a conversation during one turn; ``draft`` None: there is none."""

    def __init__(self, bench: Workbench, draft: NewAgent | None) -> None:
        self._bench = bench
        self.draft = draft
        self._last: Agent | NewAgent | None = None
        """The agent that the act before was about, if it was a new one."""
        self._refuses_way = False
        """Whether the act at hand names a way by which nothing can be sent."""

    def begin(self, act: Act, *, is_only: bool = True) -> Result:
        """Begin a new agent. An unfinished one whose job is known is set aside until this one is done."""
        return self._by_other_way(act, lambda one: self._begun(one, is_only=is_only))

    def _begun(self, act: Act, *, is_only: bool) -> Result:
        if (trouble := page_trouble_in(act.clause.text)) is not None:
            return self._offered_watch(trouble, act)
        # A request that was offered names its page itself; the message only says yes to it.
        is_only = is_only and bool(first_web_address(self._bench.turn.situation.message))
        if (check := self._check(act, is_only=is_only)) is not None:
            if not self._is_checkable(check):
                return Result(check_texts.ADDRESS_NOT_ALLOWED)
            new = new_agents.begin_check(check, act, self._bench.turn, is_only=is_only)
            if self._refuses_way and new.delivery == Delivery():
                new = new.model_copy(update={"delivery": None})
            return self._advance(self._before_it(new), act)
        if (expects := page_watches.expected_of(act.clause.text)) is not None:
            return self._advance(self._before_it(page_watches.begun(expects, act, self._bench.turn)), act)
        new = new_agents.begin(act, self._bench.turn)
        before, now = self._before(act.clause.text), self._bench.turn.situation.now
        new = copies.like_before(new, act.clause.text, before, now)
        return self._advance(self._before_it(new), act)

    def _offered_watch(self, trouble: PageTrouble, act: Act) -> Result:
        """Offer to watch the page that gives trouble, and ask for its address where that is unknown."""
        if trouble.url:
            return page_watches.offered(trouble)
        expects = Expectation.UNCHANGED if trouble.is_change else Expectation.REACHABLE
        new = self._before_it(page_watches.begun(expects, act, self._bench.turn))
        self.draft = new.model_copy(update={"asked": new.missing()})
        return Result(creation_texts.offer_watch("", is_change=trouble.is_change))

    def _is_checkable(self, check: Check) -> bool:
        try:
            self._bench.agent_store.require_checkable(check)
        except CheckBlocked:
            return False
        return True

    def _by_other_way(self, act: Act, carry_out: Callable[[Act], Result]) -> Result:
        """Return the result of an act without the way it names by which nothing can be sent, and say so."""
        way = find_unsendable(act.clause.text)
        self._refuses_way = way is not None
        if way is None:
            return carry_out(act)
        rest = without_unsendable(act)
        says_more = any(token.is_word for token in tokenise(rest.clause.text))
        result = carry_out(rest) if says_more or self.draft is None else self.ask_again()
        return replace(result, text=f"{creation_texts.cannot_send(way.name)} {result.text}".rstrip())

    def is_other_request(self, act: Act) -> bool:
        """Return whether an act that might answer what was asked is a whole request for another agent."""
        draft = self.draft
        if draft is None:
            return False
        if not draft.what or "job" in draft.asked:
            return check_from_words(act.clause.text) is not None
        return new_agents.is_whole_request(act.clause.text, lacks_source="source" in draft.missing())

    def _before_it(self, new: NewAgent) -> NewAgent:
        """Return the new agent with the unfinished one that it interrupts, if any."""
        draft = self.draft
        self.draft = None
        if draft is None or not draft.what:
            return new
        return new.model_copy(update={"before": draft.model_copy(update={"asked": (), "misses": 0})})

    def _check(self, act: Act, *, is_only: bool) -> Check | None:
        """Return the web address to check that a request names, with what is expected of it."""
        turn = self._bench.turn
        whole = turn.situation.message
        is_whole = is_only and "\n" not in whole and len(act.clause.text) > len(turn.message) // 2
        # A quotation is no word of the user's own, but it may be what the page is to say.
        words = act.clause.text
        return (check_from_words(whole) if is_whole else None) or check_from_words(words)

    def _before(self, words: str) -> Agent | NewAgent | None:
        """Return the agent that words compare with: the one named behind ``as``, else that talked of last."""
        tokens = tokenise(words)
        at = next((at for at, token in enumerate(tokens) if token.word in {"as", "like"}), None)
        if at is not None and tokens[at + 1 :]:
            things = [Thing(card.id, card.name, card.summary) for card in self._bench.turn.own_agents()]
            meant = find_meant(Clause(words, tokens[at + 1 :]), things).things
            if len(meant) == 1:
                return self._bench.agent(meant[0].id)
        if self._last is not None or self.draft is not None:
            return self._last or self.draft
        about = self._bench.turn.note.about
        return self._bench.agent(about.id) if about is not None and about.kind == "agent" else None

    def copy(self, act: Act, model: Agent) -> Result:
        """Begin an agent like another one, with what the act says differently."""

        def carry_out(one: Act) -> Result:
            return self._advance(self._before_it(copies.copied(model, one, self._bench.turn)), one)

        return self._by_other_way(act, carry_out)

    def go_on(self, act: Act, *, only_if_it_fits: bool = False) -> Result | None:
        """Take what an answer or an amendment says about the unfinished agent.

        With ``only_if_it_fits``, None when it says nothing of what was asked.
        """
        if not only_if_it_fits or find_unsendable(act.clause.text) is not None:
            return self._by_other_way(act, lambda one: self._gone_on(one) or self.ask_again())
        return self._gone_on(act, only_if_it_fits=True)

    def _gone_on(self, act: Act, *, only_if_it_fits: bool = False) -> Result | None:
        assert self.draft is not None  # noqa: S101  only called with one
        watch = page_watches.with_address(self.draft, act, self._bench.turn)
        filled = watch or new_agents.fill(self.draft, act, self._bench.turn)
        if filled == self.draft and (leaves_open(act.clause.text) or act.kind is ActKind.YES):
            filled = new_agents.with_defaults(filled)
        if filled == self.draft and only_if_it_fits:
            return None
        if filled == self.draft and filled.missing():
            return self._ask(filled.model_copy(update={"misses": filled.misses + 1}))
        return self._advance(filled, act)

    def correct(self) -> Result | None:
        """Put what the message wants in place of a known part; None where it wants no such thing."""
        fixed = None if self.draft is None else draft_corrections.corrected(self.draft, self._bench.turn)
        message = self._bench.turn.message
        act = Act(ActKind.ANSWER, Span(message, 0, len(message)))
        return None if fixed is None or fixed == self.draft else self._advance(fixed, act)

    def ask_again(self) -> Result:
        """Ask once more for what is missing."""
        assert self.draft is not None  # noqa: S101
        return self._ask(self.draft)

    def recall(self) -> Result | None:
        """Ask once more behind a reply about something else; None after that has been done already."""
        assert self.draft is not None  # noqa: S101
        if self.draft.is_recalled:
            return None
        asked = self._ask(self.draft)
        self.draft = self.draft.model_copy(update={"is_recalled": True})
        return asked

    def resume(self, act: Act) -> Result:
        """Save it if nothing is missing; else say after a pause what is, and what for."""
        assert self.draft is not None  # noqa: S101
        return self._ask(self.draft, is_return=True) if self.draft.missing() else self._save(self.draft, act)

    def drop(self) -> Result:
        """Drop it."""
        self.draft = self.draft.before if self.draft else None
        return Result(f"{creation_texts.draft_dropped()}{self._still_open()}")

    def _still_open(self) -> str:
        """Name the agent that was set aside, and ask for what it lacks; empty when there is none."""
        if self.draft is None:
            return ""
        missing = self.draft.missing()
        self.draft = self.draft.model_copy(update={"asked": missing})
        asked = creation_texts.ask_parts(missing, "")
        return f"\n\n{creation_texts.still_open(self.draft.subject)} {asked}".rstrip()

    def keep(self) -> Result:
        """Keep it for later."""
        what = self.draft.subject if self.draft else ""
        return Result(creation_texts.draft_kept(what))

    def leave(self) -> Result:
        """Say goodbye, and that it is kept."""
        what = self.draft.subject if self.draft else ""
        return Result(creation_texts.left_with_draft(what))

    def _advance(self, new: NewAgent, act: Act) -> Result:
        new = page_watches.as_it_happens(new_agents.as_watcher(new), act.clause.text)
        if new.check is not None and not self._is_checkable(new.check):
            return Result(check_texts.ADDRESS_NOT_ALLOWED)
        self._last = new
        if new.delivery is not None and (refusal := self._refused(new)):
            self.draft = new.model_copy(update={"delivery": None, "asked": ("where",)})
            return Result(refusal)
        return self._save(new, act) if not new.missing() else self._ask(new)

    def _refused(self, new: NewAgent) -> str:
        bench = self._bench
        try:
            if new.delivery is not None:
                bench.agent_store.check_addresses(bench.turn.caller, new.delivery, bench.turn.roster.record)
        except AddressBlocked:
            return texts.ADDRESS_BLOCKED
        except TargetNotAllowed:
            return texts.TARGET_NOT_ALLOWED
        return ""

    def _ask(self, new: NewAgent, *, is_return: bool = False) -> Result:
        missing = new.missing()
        zone = self._bench.turn.situation.time_zone
        is_first = self.draft is None
        is_changed = self.draft is not None and self._is_corrected(self.draft, new)
        when = texts.schedule(new.schedule, zone) if new.schedule else ""
        if "time" in new.lacks:
            when = when.partition(" at ")[0]  # the time of day is still asked for
        elif new.lacks:
            when = ""
        known = creation_texts.understood_so_far(
            new.what, when, texts.services(new.sources) if new.sources else ""
        )
        self.draft = new.model_copy(update={"asked": missing, "is_recalled": False})
        if is_first and new.before is not None:
            known = f"{creation_texts.set_aside(new.before.subject)} {known}"
        if new.misses > 1:
            return Result(creation_texts.ask_parts_again(missing))
        proposed = texts.schedule(new.proposed, zone) if new.proposed is not None else ""
        known = known if is_first or is_return or is_changed or new.misses else ""
        is_timed = asks_only_days(new.lacks, new.when)
        return Result(
            creation_texts.ask_parts(
                missing,
                known,
                proposed=proposed,
                doubt=new.doubt,
                is_timed=is_timed,
                is_page=new.expects is not None or sources.is_on_some_page(new.brief),
            )
        )

    @staticmethod
    def _is_corrected(before: NewAgent, new: NewAgent) -> bool:
        """Return whether an answer changed what was known, instead of giving what was asked for."""
        is_other = before.schedule is not None and before.schedule != new.schedule
        is_other_job = bool(before.what) and before.what != new.what
        is_other_source = bool(before.sources) and before.sources != new.sources
        return (is_other and before.lacks == new.lacks) or is_other_job or is_other_source

    def _save(self, new: NewAgent, act: Act) -> Result:
        bench = self._bench
        turn = bench.turn
        try:
            turn.roster.require_agent_quota(turn.caller.user)
            bench.agent_store.quotas.take(turn.caller, QuotaKind.AGENTS, record=turn.roster.record)
        except AgentLimitReached as reached:
            self.draft = new
            return Result(texts.limit_reached(reached.limit, of_user=reached.of_user))
        except QuotaExceeded as exceeded:
            self.draft = new
            return Result(str(exceeded))
        agent = self._build(new.to_spec(), act)
        missing = readiness(agent, turn.provision)
        agent = agent.model_copy(update={"told_missing": missing_keys(missing)})
        bench.add_agent(agent)
        self.draft = new.before
        text = creation_texts.created(agent, turn.situation.time_zone, missing, new.assumed)
        text += self._still_open()
        return Result(
            text, f"created the agent {agent.name}", agent_reference(agent), tool="create_agent",
            kind=ActKind.CREATE_AGENT, remarks=(*texts.links_wanted(missing), *link_remarks(agent.delivery)),
        )  # fmt: skip

    def _build(self, spec: AgentSpec, act: Act) -> Agent:
        turn = self._bench.turn
        return Agent.create(
            spec,
            agent_id=turn.derive_id(f"agent{act.clause.start or ''}"),
            name=agents.free_name(spec.name or "agent", self._bench.agent_names()),
            owner=turn.caller.user,
            now=turn.situation.now,
            conversation_id=turn.conversation_id,
        )
