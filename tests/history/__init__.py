"""Histories of many concurrent writers under faults, and a checker for the promises of the chat service."""
