"""What lessons make of other words than those they were taught in."""

from __future__ import annotations

from intent.acts.act import ActKind, Thing
from intent.lessons.learned_wording import LEARNABLE, LearnedWording, nearest_own
from intent.lessons.wording import MAX_WORDS, masked_wording
from intent.situation import Lesson

K = ActKind
AGENTS = [Thing("1", "ward-census"), Thing("2", "pharmacy-check")]
BLEEP = Lesson("bleep AGENT", "agent.run")
CHIT = Lesson("write me a chit for the lamp", "task.add")
UNSURE = {K.CHANGE_AGENT: 0.5}


def wording(message: str) -> str:
    return masked_wording(message, AGENTS)


def test_names_numbers_times_and_addresses_are_masked() -> None:
    assert wording("Bleep ward-census tomorrow, mail ann@acme.example") == "bleep AGENT TIME mail email"
    assert wording("bleep the ward census") == "bleep the AGENT"
    assert wording("word " * (MAX_WORDS + 1)) == ""


def test_one_lesson_counts_for_other_sentences_with_the_same_unusual_word() -> None:
    learned = LearnedWording([BLEEP, CHIT])
    assert learned.meant_instead(wording("please bleep pharmacy-check"), UNSURE) is K.RUN_AGENT
    assert learned.meant_instead(wording("a chit for the porter's trolley"), {}) is K.ADD_TASK


def test_everyday_words_of_a_lesson_count_for_nothing() -> None:
    learned = LearnedWording([BLEEP, CHIT])
    for message in ("write me a poem", "what is the time", "make ward-census run at 6", ""):
        assert learned.meant_instead(wording(message), UNSURE) is None


def test_what_is_read_in_plain_words_is_left_to_our_own_reading() -> None:
    learned = LearnedWording([BLEEP])
    assert learned.meant_instead("bleep AGENT", {K.PAUSE_AGENT: 1.0}) is None
    assert learned.meant_instead("bleep AGENT", {K.RUN_AGENT: 0.2}) is None


def test_the_same_words_mean_what_their_user_said_last() -> None:
    first = Lesson("bleep AGENT", "agent.pause", is_own=True)
    last = Lesson("bleep AGENT", "agent.run", is_own=True)
    assert LearnedWording([first, last]).settled("bleep AGENT", UNSURE) is K.RUN_AGENT
    assert LearnedWording([BLEEP]).settled("bleep AGENT", UNSURE) is None


def test_of_plain_words_a_user_says_so_twice() -> None:
    once, twice = (Lesson("pause AGENT", "run.result", is_own=True, times=times) for times in (1, 2))
    plain = {K.PAUSE_AGENT: 1.0}
    assert LearnedWording([once]).settled("pause AGENT", plain) is None
    assert LearnedWording([twice]).settled("pause AGENT", plain) is K.SHOW_RESULT


def test_no_words_can_be_taught_to_erase_share_or_set_anything_up() -> None:
    assert not LEARNABLE & {
        K.ERASE, K.EXPORT, K.DELETE_CONVERSATION, K.SET_POLICY, K.SHARE_AGENT, K.YES, K.REMOVE_SKILL,
    }  # fmt: skip


def test_only_near_lessons_of_the_user_are_shown() -> None:
    own = Lesson("chit for the lamp", "task.add", is_own=True)
    lessons = [CHIT, own, Lesson("what is the time", "task.list", is_own=True)]
    assert nearest_own(lessons, wording("a chit for the porter"), most=8) == [own]
