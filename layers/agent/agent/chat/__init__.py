"""The master agent, the approval of held calls, and labelled examples learned from turns."""
