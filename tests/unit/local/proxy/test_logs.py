from __future__ import annotations

import logging

from local.proxy import logs


def line(message: str, **fields: object) -> str:
    record = logging.makeLogRecord({"msg": message, "levelname": "INFO", **fields})
    return logs.OneLineFormatter().format(record).partition(" ")[2]


def test_an_event_is_followed_by_its_fields() -> None:
    assert line("turn stored", status=200, source=None) == "INFO    turn stored status=200 source=null"


def test_the_request_is_named_while_it_is_handled() -> None:
    with logs.logged_request({"requestContext": {"requestId": "7"}}):
        assert line("turn stored").endswith('request_id="7"')
    assert "request_id" not in line("turn stored")


def test_nothing_starts_a_new_line_or_moves_the_cursor() -> None:
    text = line("two\nlines", field="a\r\nINFO forged \x1b[2J\u2028")
    assert len(text.splitlines()) == 1
    assert text.isprintable()
