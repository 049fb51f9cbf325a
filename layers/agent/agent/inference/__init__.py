"""Use of models: routing, the tool loop, question answering, turn budgets, the tools a caller gets."""
