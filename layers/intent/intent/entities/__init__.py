"""What a message mentions: agents, services, subjects, qualifiers, short answers."""
