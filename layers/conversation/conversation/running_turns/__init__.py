"""Running turns: stored frames from which a broken stream resumes, and cancellation."""
