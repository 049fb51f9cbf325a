"""The tier order explicit, model, offline; the prompt and the check of what a model answers."""
