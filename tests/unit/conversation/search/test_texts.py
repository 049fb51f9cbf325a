"""Words, queries, the index as text, and snippets."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation.search.postings import (
    SearchDocument,
    find_terms,
    index_documents,
    merge_lines,
    parse_body,
    parse_position,
    term_weights,
    to_bodies,
)
from conversation.search.query import Clause, SearchInvalid, parse_query
from conversation.search.service import LENGTH, Candidate, make_snippet, rank_candidates
from conversation.search.words import stem, words

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def terms(text: str) -> list[str]:
    return [word.term for word in words(text)]


def document(sequence: int, text: str, *, number: int = 1, said_at: datetime = NOON) -> SearchDocument:
    return SearchDocument(number, sequence, said_at, text)


def best(weights: Sequence[Mapping[str, int]], *, documents: int, most: int = 100) -> Sequence[Candidate]:
    return rank_candidates(weights, documents=documents, at_least=most).best


def test_words_are_folded_and_know_their_place() -> None:
    assert terms("Café PLATFORM-42: l'été") == ["cafe", "platform", "42", "l", "ete"]
    text = "the Café is"
    assert [text[word.start : word.end] for word in words(text)] == ["the", "Café", "is"]


def test_a_script_without_spaces_is_read_in_pairs() -> None:
    assert terms("会議室Jira") == ["会議", "議室", "jira"]
    assert terms("猫") == ["猫"]


@pytest.mark.parametrize(
    "forms",
    [
        ("decide", "decided", "decides", "deciding"),
        ("policy", "policies"),
        ("run", "running", "runs"),
        ("process", "processes", "processed"),
        ("agent", "agents"),
    ],
)
def test_the_forms_of_a_word_have_one_stem_and_begin_with_it(forms: tuple[str, ...]) -> None:
    [root] = {stem(form) for form in forms}
    assert all(form.startswith(root) for form in forms)


@given(st.text(max_size=60))
def test_a_stem_is_what_its_word_begins_with(text: str) -> None:
    assert all(term.startswith(stem(term)) and term for term in terms(text))


def test_a_search_names_words_phrases_and_beginnings() -> None:
    wanted = parse_query('what did we decide "to the Moon" conf*')
    assert wanted.clauses == (Clause("word", "decide"), Clause("exact", "moon"), Clause("prefix", "conf"))
    assert wanted.phrases == (("to", "the", "moon"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "the",
        '"to be"',
        "?!",
        "*",
        "a*",
        "x" * 501,
        " ".join(f"word{place}" for place in range(17)),
    ],
)
def test_what_names_no_word_or_too_much_is_refused(text: str) -> None:
    with pytest.raises(SearchInvalid):
        parse_query(text)


def test_the_index_says_which_message_holds_a_word() -> None:
    [body] = to_bodies(
        index_documents([document(3, "The Jira agent"), document(70, "agents", number=2)]),
        max_characters=1_000,
    )
    found = term_weights(find_terms(body, "agent", lambda _term: True))
    assert sorted(map(parse_position, found)) == [(1, 3), (2, 70)]
    assert not list(find_terms(body, "the", lambda _term: True))


def test_merged_parts_say_what_they_said_alone_and_leave_out_what_is_gone() -> None:
    first = index_documents([document(1, "red apples"), document(2, "red", number=2)])
    second = index_documents([document(3, "red pears")])
    [body] = to_bodies(
        merge_lines([first, second], is_alive=lambda number: number == 1), max_characters=1_000
    )
    found = term_weights(find_terms(body, "red", lambda _term: True))
    assert sorted(map(parse_position, found)) == [(1, 1), (1, 3)]


@given(
    st.dictionaries(
        st.integers(1, 300),
        st.tuples(st.integers(0, 70_000), st.integers(0, 900), st.sampled_from(["a1 b2", "b2", "b2 c3 c3"])),
        max_size=30,
    ),
    st.integers(1, 60),
)
def test_no_message_gets_lost_on_its_way_through_bodies(
    said: dict[int, tuple[int, int, str]], most: int
) -> None:
    documents = [
        document(sequence, text, number=number, said_at=NOON + timedelta(days=day))
        for sequence, (number, day, text) in said.items()
    ]
    bodies = list(to_bodies(index_documents(documents), max_characters=most))
    assert merge_lines(map(parse_body, bodies), is_alive=lambda _number: True) == index_documents(documents)
    found = term_weights(each for body in bodies for each in find_terms(body, "b2", lambda _term: True))
    assert {parse_position(name) for name in found} == {(each.number, each.sequence) for each in documents}


def test_weeks_outside_of_the_period_are_left_out() -> None:
    documents = [document(day + 1, "red", said_at=NOON + timedelta(days=day)) for day in range(0, 60, 20)]
    found = index_documents(documents).items()
    since, until = NOON + timedelta(days=15), NOON + timedelta(days=25)
    assert [parse_position(name).sequence for name in term_weights(found, since=since, until=until)] == [21]


def test_a_short_message_about_a_word_ranks_before_a_long_one_that_drops_it() -> None:
    lines = index_documents(
        [document(1, "budget " + "and other things " * 60), document(2, "The budget, then.")]
    )
    weights = term_weights([("budget", lines["budget"])])
    assert [parse_position(each.name).sequence for each in best([weights], documents=2)] == [2, 1]


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    frequent = {f"{place:08d}1": 30 for place in range(50)}
    rare = {"000000031": 30, "000000071": 20}
    found = best([frequent, rare], documents=100)
    assert [each.name for each in found] == ["000000031", "000000071"]
    assert found[0].score > best([frequent], documents=100)[0].score * 2


def test_the_best_of_many_are_those_a_full_sort_would_give() -> None:
    chance = random.Random(7)
    weights = {f"{place:09d}": chance.randrange(8) for place in range(400)}
    ranking = rank_candidates([weights], documents=400, at_least=30)
    assert ranking.total == 400
    assert list(ranking.best[:30]) == list(best([weights], documents=400, most=400)[:30])


def test_where_no_message_holds_all_words_those_that_hold_most_count() -> None:
    first, second, third = {"a" * 9: 9, "b" * 9: 9}, {"a" * 9: 9}, {"c" * 9: 9}
    assert [each.name for each in best([first, second, third], documents=3)] == ["a" * 9]
    assert best([second, third], documents=3) == []


def test_a_snippet_shows_where_most_of_it_is() -> None:
    text = (
        "Nothing here about plans. " * 40 + "We decided that the Jira agent runs at nine. " + "More. " * 200
    )
    snippet = make_snippet(text, parse_query("decide jira"))
    assert snippet is not None
    assert [snippet.text[start:end] for start, end in snippet.matches] == ["decided", "Jira"]
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert len(snippet.text) <= LENGTH + 2


def test_a_text_without_the_phrase_has_no_snippet() -> None:
    assert make_snippet("the moon and to", parse_query('"to the moon"')) is None
    snippet = make_snippet("Fly to the Moon!", parse_query('"to the moon"'))
    assert snippet is not None
    assert [snippet.text[start:end] for start, end in snippet.matches] == ["to", "the", "Moon"]


@given(st.text(max_size=600), st.integers(0, 500))
def test_what_a_snippet_marks_is_what_was_searched_for(noise: str, place: int) -> None:
    text = f"{noise[:place]} Zebra {noise[place:]}"
    snippet = make_snippet(text, parse_query("zebra"))
    assert snippet is not None
    assert "zebra" in {snippet.text[start:end].lower() for start, end in snippet.matches}


def test_words_in_pairs_are_marked_as_one() -> None:
    snippet = make_snippet("明日の会議室です", parse_query("会議室"))
    assert snippet is not None
    assert [snippet.text[start:end] for start, end in snippet.matches] == ["会議室"]
