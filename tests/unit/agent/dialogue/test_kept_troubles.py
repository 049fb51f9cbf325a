"""What somebody unsure tells is kept: the trouble, where its data are, and the examples they were given."""

from __future__ import annotations

import pytest

from tests.fakes.data.chat_session import Talk


@pytest.mark.parametrize(
    ("trouble", "told", "job", "source"),
    [
        (
            "My manager keeps asking which permits are still missing. Is there any way you could help?",
            "They're in a list in SharePoint, one row for each site",
            "permits are still missing", "sharepoint",
        ),
        (
            "I don't quite know how to put this. We answer our readers too late and it's embarrassing",
            "The letters come in through Letterbird. Maybe you could just tell me who has written this week?",
            "who has written this week", "letterbird",
        ),
        (
            "I haven't a clue about this sort of thing",
            "What bugs me is that we run out of flour and nobody notices. The till is Square.",
            "run out of flour", "square",
        ),
        (
            "not sure you're for me. the spare keys always go missing before a guest arrives",
            "it's all in an excel sheet in OneDrive",
            "spare keys always go missing", "excel",
        ),
        (
            "so tired of this, people swap shifts n I'm always the last to know. can u do anything abt that?",
            "they just email me. gmail",
            "people swap shifts", "gmail",
        ),
    ],
)  # fmt: skip
def test_the_trouble_and_the_system_make_the_agent(trouble: str, told: str, job: str, source: str) -> None:
    talk = Talk()
    talk.classify_and_answer(trouble)
    talk.classify_and_answer(told)
    talk.classify_and_answer("every Monday at 8 am, here in the chat")
    [agent] = talk.agents()
    assert job in f"{agent.what} {agent.brief}"
    assert job.rsplit(maxsplit=1)[-1] in agent.what
    assert agent.sources == (source,)


def test_a_trouble_is_quoted_and_its_system_asked_for() -> None:
    said = Talk().classify_and_answer(
        "I'm not sure what I need. Our deliveries are always late and nobody tells me"
    )
    assert said.text == (
        "An agent could look into that regularly and tell you: “Our deliveries are always late and nobody "
        "tells me”. Which system or sheet would show it?"
    )


@pytest.mark.parametrize(
    ("taken", "what"),
    [
        ("the second one sounds good", "stock"),
        ("the latter, please", "stock"),
        ("the first one", "orders"),
        ("I like the one with the orders", "orders"),
    ],
)
def test_an_example_is_taken_by_its_place_or_its_words(taken: str, what: str) -> None:
    talk = Talk()
    said = talk.classify_and_answer("What could you even do for a small farm shop? I haven't a clue").text
    assert "orders; or" in said
    talk.classify_and_answer(taken)
    talk.classify_and_answer("it's in Lightspeed")
    talk.classify_and_answer("every day at 6 am, here")
    [agent] = talk.agents()
    assert what in agent.what
    assert agent.sources == ("lightspeed",)


def test_examples_limit_no_other_answer() -> None:
    talk = Talk()
    talk.classify_and_answer("What could you even do for a small farm shop? I haven't a clue")
    talk.classify_and_answer("remind me on Friday to order the second delivery of seeds")
    assert [one.title for one in talk.tasks.list(talk.caller, limit=9)[0]] == [
        "order the second delivery of seeds"
    ]
    assert not talk.agents()
