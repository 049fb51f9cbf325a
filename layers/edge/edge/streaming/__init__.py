"""Streamed turns: frames, and the runtime loop that sends them. `bootstrap` stays in `edge/`."""
