"""How well messages are understood: labelled utterances, and what share of them a tier gets right."""
