"""OpenAI's API: what its clients send to chat completions, responses and conversations, and read."""
