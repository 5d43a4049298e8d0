"""Terrier through PyTerrier, with its traps closed."""
