"""Built-in tools: calculator, web search, conversation search, tasks."""
