"""Carries out the acts of a message and keeps what a conversation is about from one reply to the next."""
