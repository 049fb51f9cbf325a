"""Items survive their way through JSON text."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from storage.sqlite.json_items import from_json, to_json
from storage.table import Item, Value

NAMES = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["$set", "$map"])
SETS = st.frozensets(NAMES, min_size=1, max_size=3)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=4) | SETS
VALUES: st.SearchStrategy[Value] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_any_item_is_read_back_as_it_was_written(item: Item) -> None:
    assert from_json(to_json(item)) == item


def test_the_attributes_of_an_item_are_plain_members_for_an_index_to_find() -> None:
    assert json.loads(to_json({"by_user": "T#acme#U#maya", "$set": 1}))["by_user"] == "T#acme#U#maya"
