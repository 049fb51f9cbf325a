"""Reads what people tell of tasks: lists and reports, groups of tasks, days told by another day or task."""
