"""The names people want things to have: ``Tone Checker`` for ``call it Tone Checker please``. Pure."""

from __future__ import annotations

from intent.patterns import QUOTED, Form, either, pattern

_THING = either("agents?|bot|robot|automation|assistant|workflow|watcher|monitor|helper|skill")
_END = (
    r"(?=\s*(?:[,.;:!?()]|$|\n|\b(?:please|pls|plz|instead|from now|and|so|because|then|now|thanks|thank"
    r" you|for|that|which|who|to|with|in|on|at|every|each|reading|checking|reads|checks|if|when)\b))"
)
_NO_NAME = r"(?!(?:after|by|like|the same|an?|off|out|it|quits)\b)"
_WORDS = rf"{_NO_NAME}(?:([\w&'-]+(?: [\w&'-]+){{0,3}}?){_END}|([\w-]+))"
_NAME = rf"(?:{QUOTED}|{_WORDS})"
_WISHED = pattern(
    rf"\b{_THING}(?: \w+){{0,2}} (?:called|named) {_NAME}",
    rf"\b{_THING} {QUOTED}",
    rf"\b(?:name|call) it {_NAME}",
    rf"\bwith the name {_NAME}",
)
_RENAMED = pattern(
    rf"\brename\b[^.!?\n:]{{0,120}}? (?:to|as|into) {_NAME}",
    rf"\brename\b[^.!?\n:]{{0,60}}?: {_NAME}",
    rf"\brename (?:it|him|her|that one|this one|this|that|the agent) (?!to\b|as\b|into\b){_NAME}",
    rf"\bname\b[^.!?\n]{{0,120}}? to {_NAME}",
    rf"\b(?:new|another|different|better) name\b(?:[,:]| is| would be| should be)? {_NAME}",
    rf"\b(?:name|call) (?:it|him|her|that one|this one|this|that) {_NAME}",
    rf"\b(?:want|like|prefer) (?:it|that one|this|that)(?: to be)? (?:called|named) {_NAME}",
)


def wished_name(text: str) -> str | None:
    """The name a new thing should get."""
    return _name_in(_WISHED, text)


def new_name(text: str) -> str | None:
    """The name an existing thing should get."""
    return _name_in(_RENAMED, text)


def _name_in(form: Form, text: str) -> str | None:
    match = form.search(text)
    return next((group for group in match.groups() if group), None) if match else None
