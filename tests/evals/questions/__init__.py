"""The suite of questions: whether a question is taken for one about the workspace or about the world."""
