"""A collection made searchable."""

from pipeline.index.base import Index

__all__ = ["Index"]
