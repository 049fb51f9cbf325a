from __future__ import annotations

from typing import Any

import pytest

from local.template.event_filters import UnsupportedFilter, check_pattern, matches

RECORD = {
    "eventName": "INSERT",
    "dynamodb": {"Keys": {"sk": {"S": "R#1"}}, "NewImage": {"status": {"S": "queued"}, "n": {"N": "1"}}},
}


@pytest.mark.parametrize(
    "pattern",
    [
        {},
        {"eventName": ["INSERT"]},
        {"eventName": ["REMOVE", "INSERT"]},
        {"dynamodb": {"Keys": {"sk": {"S": [{"prefix": "R#"}]}}}},
        {"dynamodb": {"Keys": {"sk": {"S": [{"suffix": "1"}]}}}},
        {"dynamodb": {"NewImage": {"status": {"S": [{"anything-but": ["running"]}]}}}},
        {"dynamodb": {"OldImage": {"pk": {"S": [{"exists": False}]}}}},
        {"dynamodb": {"NewImage": {"n": {"N": [{"exists": True}]}}}},
        {"eventName": ["INSERT"], "dynamodb": {"NewImage": {"status": {"S": ["queued"]}}}},
        {"$or": [{"eventName": ["MODIFY"]}, {"dynamodb": {"NewImage": {"n": {"N": ["1"]}}}}]},
    ],
)
def test_a_record_passes_where_every_part_of_the_pattern_allows_its_value(pattern: dict[str, Any]) -> None:
    assert matches(check_pattern(pattern), RECORD)


@pytest.mark.parametrize(
    "pattern",
    [
        {"eventName": ["MODIFY"]},
        {"dynamodb": {"Keys": {"sk": {"S": [{"prefix": "S#"}]}}}},
        {"dynamodb": {"NewImage": {"status": {"S": [{"anything-but": "queued"}]}}}},
        {"dynamodb": {"NewImage": {"missing": {"S": [{"anything-but": "x"}]}}}},
        {"dynamodb": {"NewImage": {"missing": {"S": [{"exists": True}]}}}},
        {"dynamodb": {"NewImage": {"n": {"N": [1]}}}},
        {"eventName": ["INSERT"], "dynamodb": {"NewImage": {"status": {"S": ["running"]}}}},
        {"$or": [{"eventName": ["MODIFY"]}, {"dynamodb": {"NewImage": {"n": {"N": ["2"]}}}}]},
        {"$or": [{"eventName": ["INSERT"]}], "dynamodb": {"Keys": {"sk": {"S": ["HEAD"]}}}},
    ],
)
def test_a_record_is_held_back_where_one_part_does_not(pattern: dict[str, Any]) -> None:
    assert not matches(check_pattern(pattern), RECORD)


def test_an_operator_nobody_knows_here_is_named_instead_of_ignored() -> None:
    with pytest.raises(UnsupportedFilter, match="'numeric'"):
        check_pattern({"dynamodb": {"NewImage": {"n": {"N": [{"numeric": [">", 1]}]}}}})
