"""conversation.running_turns"""
