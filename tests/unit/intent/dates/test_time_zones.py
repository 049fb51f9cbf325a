from __future__ import annotations

from zoneinfo import ZoneInfo, available_timezones

from intent.dates.time_zones import zone_names


def test_each_name_is_a_zone_that_the_system_knows_too() -> None:
    assert {"Europe/Lisbon", "America/Argentina/Buenos_Aires", "UTC"} <= zone_names()
    assert zone_names() <= available_timezones()
    assert all(ZoneInfo(name).key == name for name in zone_names())
