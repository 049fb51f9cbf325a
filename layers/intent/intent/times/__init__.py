"""The grammar of times: schedules, moments, days and periods in English text."""
