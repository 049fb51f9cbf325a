"""A model's text as a verdict: every odd form is refused, ignored or cut, and costs little."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent.acts.act import ActKind, ProposedAct
from intent.analysis import prompt
from intent.analysis.output_parser import MAX_BRACKETS, UnusableOutput, parse_verdict
from intent.decision import ActionType, Decision, DecisionSource
from intent.entities.extraction import KEYS
from tests.fakes.data.situations import situation_after
from tests.fakes.run.bad_inputs import case, row
from tests.fakes.run.instruction_count import effort_of
from tests.fakes.run.property_budget import example_settings

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(sorted(KEYS)) | st.text(max_size=9), inner, max_size=6)
    ),
    max_leaves=12,
)
FIELDS = ("action_type", "confidence", "entities", "reasoning", "is_ambiguous", "alternative_action",
          "clarifying_question", "other")  # fmt: skip


def output(**fields: object) -> str:
    return json.dumps({"action_type": "create_agent", "confidence": 0.9, "entities": {}, **fields})


def test_a_proper_answer_is_read_in_full() -> None:
    verdict = parse_verdict(
        output(
            entities={"source": "notion", "ordinal": 2},
            reasoning="wants a report",
            is_ambiguous=True,
            alternative_action="execute_task",
            clarifying_question="Once, or every week?",
        )
    )
    assert verdict.action_type is ActionType.CREATE_AGENT
    assert verdict.entities == {"source": "notion", "ordinal": 2}
    assert verdict.alternative_action is ActionType.EXECUTE_TASK
    assert (verdict.is_ambiguous, verdict.reasoning) == (True, "wants a report")
    assert verdict.clarifying_question == "Once, or every week?"


@example_settings(300)
@given(
    text=st.dictionaries(st.sampled_from(FIELDS), ANYTHING).map(lambda fields: output(**fields))
    | ANYTHING.map(json.dumps)
    | st.text(max_size=80)
)
def test_whatever_a_model_writes_is_a_decision_or_of_no_use(text: str) -> None:
    try:
        verdict = parse_verdict(text)
    except UnusableOutput:
        return
    decision = verdict.to_decision(DecisionSource.MODEL)
    assert Decision.model_validate(decision.model_dump()) == decision
    assert 0 <= decision.confidence <= 1
    assert decision.entities.keys() <= KEYS
    assert len(decision.reasoning) <= 500
    json.dumps(decision.model_dump(mode="json"), ensure_ascii=False).encode()


def test_a_code_fence_is_taken_off() -> None:
    assert parse_verdict(f"```json\n{output()}\n```").action_type is ActionType.CREATE_AGENT


@pytest.mark.parametrize(
    "text",
    [
        case("J1 empty", ""),
        case("J1 blank", "   "),
        case("null", "null"),
        case("list", "[]"),
        case("text", '"create_agent"'),
        case("prose", "I think you want an agent."),
        case("J3", output()[:-10]),
        case("J4 two", output() + output()),
        case("J4 trailing", output() + " hope this helps"),
        case("no confidence", '{"action_type": "create_agent"}'),
        case("null confidence", output(confidence=None)),
        case("confidence in digits", output(confidence="0.9")),
        case("J7 text", output(confidence="nan")),
        case("true confidence", output(confidence=True)),
        case("confidences", output(confidence=[0.9])),
        case("J7 nan", '{"action_type": "create_agent", "confidence": NaN}'),
        case("J7 infinity", '{"action_type": "create_agent", "confidence": Infinity}'),
        case("J7 minus infinity", '{"action_type": "create_agent", "confidence": -Infinity}'),
        case("J7 too large", '{"action_type": "create_agent", "confidence": 1e999}'),
        case("J13 digits", '{"action_type": "create_agent", "confidence": 0.9, "x": ' + "9" * 5_000 + "}"),
        case("J13 confidence", '{"action_type": "create_agent", "confidence": ' + "9" * 5_000 + "}"),
        case("J13 deep", '{"a":' * 100_000),
        case("J13 deep lists", "[" * 100_000 + "]" * 100_000),
        case("J13 many lists", "[]," * 500_000),
        case("J13 backslashes", '"' + "\\" * 1_000_000),
        case("half a surrogate pair", "\ud800"),
        case("J13 blanks", "```json\n" + " " * 1_000_000),
    ],
)
def test_an_unusable_answer_is_refused_before_it_costs_anything(text: str) -> None:
    def refused() -> None:
        with pytest.raises(UnusableOutput):
            parse_verdict(text)

    assert effort_of(refused).steps < 10 * MAX_BRACKETS


@row("J6")
@pytest.mark.parametrize(
    "action", ["Create_Agent", "CREATE_AGENT", "fly", "", None, ["create_agent"], {"a": 1}, 7]
)
def test_an_unknown_action_is_unknown(action: object) -> None:
    assert parse_verdict(output(action_type=action)).action_type is ActionType.UNKNOWN


@pytest.mark.parametrize(("given", "kept"), [(1, 1.0), (0, 0.0), (1.7, 1.0), (-3, 0.0), (0.72, 0.72)])
def test_a_finite_confidence_is_kept_within_bounds(given: float, kept: float) -> None:
    assert parse_verdict(output(confidence=given)).confidence == kept


@row("J9")
@pytest.mark.parametrize("entities", [None, [], ["source"], "notion", 5, True])
def test_entities_of_another_type_are_none(entities: object) -> None:
    assert parse_verdict(output(entities=entities)).entities == {}


@row("J12")
def test_entities_are_limited_to_known_keys_and_kinds() -> None:
    given = {
        "source": ["Notion", "Jira"],
        "recipients": ["a@example.com", 7, "b@example.com"],
        "ordinal": "2",
        "days": 90.5,
        "choice": True,
        "reply": "perhaps",
        "agent_id": "made-up",
        "__class__": "os.system",
        "what": {"nested": "object"},
        "scope": "",
        "change": {"cron": "0 9 * * 1", "owner": "me", "change": {"deeper": 1}},
    }
    assert parse_verdict(output(entities=given)).entities == {
        "source": "Notion",
        "recipients": ["a@example.com", "b@example.com"],
        "ordinal": 2,
        "change": {"cron": "0 9 * * 1"},
    }


def test_other_words_for_the_same_entity_are_understood() -> None:
    given = {"data_source": "notion", "task": "project updates", "frequency": "weekly"}
    assert parse_verdict(output(entities=given)).entities == {
        "source": "notion",
        "what": "project updates",
        "schedule_text": "weekly",
    }


@row("J9")
def test_many_deep_and_huge_entities_cost_little() -> None:
    nested: object = "x"
    for _ in range(100):
        nested = {"a": nested}
    many = {f"key{number}": "value" for number in range(9_000)}
    text = output(entities={**many, "what": nested, "topic": "y" * 1_000_000, "source": "jira"})
    assert effort_of(lambda: parse_verdict(text)).steps < 20 * len(many)
    verdict = parse_verdict(text)
    assert len(str(verdict.entities["topic"])) == 500
    assert verdict.entities["source"] == "jira"
    assert "what" not in verdict.entities


@row("J10")
def test_texts_are_cut_and_cleaned() -> None:
    text = "a\x00b\ud800c\u202ed\n" + "e" * 1_000_000
    reasoning = parse_verdict(output(reasoning=text)).reasoning
    assert reasoning.startswith("a b c d e")
    assert len(reasoning) == 500


@row("J12")
def test_the_first_of_two_equal_keys_counts() -> None:
    assert (
        parse_verdict('{"action_type": "query_info", "action_type": "fly", "confidence": 1}').action_type
        is ActionType.QUERY_INFO
    )


@pytest.mark.parametrize("value", ["true", 1, None, [True]])
def test_only_true_is_ambiguous(value: object) -> None:
    assert parse_verdict(output(is_ambiguous=value)).is_ambiguous is False


@row("J15")
def test_text_that_repeats_the_prompt_is_dropped() -> None:
    rules = str(prompt.build_request(situation_after(None, "hi")).messages[0]["content"])
    mark = rules.rpartition("[")[2].rstrip("]")
    for stolen in (f"the mark is {mark}", f"I was told: {rules[:200]}"):
        verdict = parse_verdict(
            output(reasoning=stolen, entities={"what": stolen, "source": "jira"}),
            is_secret=prompt.repeats_prompt,
        )
        assert verdict.reasoning == ""
        assert verdict.entities == {"source": "jira"}


def _acts(value: object) -> tuple[ProposedAct, ...] | None:
    return parse_verdict(json.dumps({"action_type": "unknown", "confidence": 1, "acts": value})).acts


def test_acts_are_read_field_by_field() -> None:
    act = {
        "kind": "agent.pause",
        "text": "pause it",
        "agent": "x",
        "except": ["y", 3],
        "when": 5,
        "evil": "z",
    }
    assert _acts([act]) == (ProposedAct(ActKind.PAUSE_AGENT, "pause it", agents=("x",), excepted=("y",)),)


@pytest.mark.parametrize(
    "value",
    [None, [], "agent.pause", {"kind": "agent.pause"}, [1, None], [{"kind": "agent.explode", "text": "x"}]],
)
def test_acts_of_no_known_kind_count_as_none(value: object) -> None:
    assert _acts(value) is None


def test_an_unusable_act_beside_a_usable_one_is_kept_as_a_gap() -> None:
    found = _acts([{"kind": "agent.explode", "text": "x"}, {"kind": "yes", "text": "yes"}])
    assert found == (ProposedAct(None), ProposedAct(ActKind.YES, "yes"))
