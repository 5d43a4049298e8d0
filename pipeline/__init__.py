"""Argument retrieval as a pipeline of stages, each named and set in a YAML config."""

__version__ = "0.1.0"
