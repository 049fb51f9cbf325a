"""Tools of our own: calculator, web search, conversations, tasks."""
