"""The master agent, the approval of held calls, and labelled examples and lessons from turns."""
