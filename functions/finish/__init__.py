"""Turns admitted but unanswered, and turns storage refused."""
