"""How often people get what they came for: dialogues of a simulated user, judged by the state they leave."""
