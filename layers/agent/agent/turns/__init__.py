"""The turn service: admits, answers and stores messages; degraded and stateless turns."""
