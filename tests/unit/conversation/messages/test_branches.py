"""Which messages are active after edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation.messages.branches import MAX_SKIPPED, BranchPath, parse_segments, segments_to_text

EDITED = BranchPath().after_replacing(5, 10)


def test_a_path_that_nothing_was_edited_on_has_every_message() -> None:
    assert BranchPath().is_whole
    assert (BranchPath().has(1), BranchPath().count(10), BranchPath().segments(10)) == (True, 10, ((1, 10),))


def test_an_edit_leaves_out_what_it_replaces_and_what_followed() -> None:
    assert EDITED.to_text() == "1-4,11"
    assert [sequence for sequence in range(1, 14) if EDITED.has(sequence)] == [1, 2, 3, 4, 11, 12, 13]
    assert (EDITED.count(10), EDITED.count(12)) == (4, 6)


def test_an_edit_of_the_first_message_leaves_only_what_comes() -> None:
    assert BranchPath().after_replacing(1, 10).to_text() == "11"


def test_edits_of_edits_keep_what_came_before_them() -> None:
    assert EDITED.after_replacing(13, 16).to_text() == "1-4,11-12,17"
    assert EDITED.after_replacing(13, 16).after_replacing(3, 18).to_text() == "1-2,19"


def test_neighbours_become_one() -> None:
    assert BranchPath.from_segments([(1, 4), (5, 8)], 9).is_whole
    assert BranchPath.from_segments([(1, 4), (7, 8)], 9) == BranchPath(((1, 4),), 7)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 3)), max_size=12))
def test_a_stored_path_is_read_back_and_its_stretches_are_what_is_active(
    edits: list[tuple[int, int]],
) -> None:
    path, last = BranchPath(), 4
    for place, more in edits:
        active = [sequence for sequence in range(1, last + 1) if path.has(sequence)]
        path = path.after_replacing(active[place % len(active)], last)
        last += 2 + 2 * more
        assert BranchPath.parse(path.to_text()) == path
    active = [sequence for sequence in range(1, last + 1) if path.has(sequence)]
    assert path.count(last) == len(active)
    assert parse_segments(segments_to_text(path.segments(last))) == path.segments(last)
    for newest_first in (True, False):
        stretches = list(path.ranges(1, last, newest_first=newest_first))
        read = {place for each in stretches for place in range(each.low, each.high + 1)}
        assert set(active) <= read
        assert all(each.skipped <= MAX_SKIPPED for each in stretches)
        assert sum(each.skipped for each in stretches) == len(read) - len(active)


@pytest.mark.parametrize(("gap", "stretches"), [(MAX_SKIPPED, 1), (MAX_SKIPPED + 1, 2)])
def test_few_replaced_messages_are_read_along_many_are_left_out(gap: int, stretches: int) -> None:
    path = BranchPath(((1, 10),), 11 + gap)
    assert len(list(path.ranges(1, 200, newest_first=True))) == stretches
