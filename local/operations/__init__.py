"""Operations on a deployed stack: redrive of dead letters, restore of the table, teardown."""
