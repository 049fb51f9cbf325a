"""Operations on conversations outside turns: list, rename, archive, fork, edit, pin, rate, oversee."""
