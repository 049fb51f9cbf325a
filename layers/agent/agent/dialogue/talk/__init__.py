"""Answers to what needs no agent and no task: sums, dates, what was said before, small talk, the unclear."""
