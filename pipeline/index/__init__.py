"""A collection made searchable."""
