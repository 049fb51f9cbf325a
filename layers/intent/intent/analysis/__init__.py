"""Intent analysis by the explicit, model and offline tiers; the prompt and the output parser for models."""
