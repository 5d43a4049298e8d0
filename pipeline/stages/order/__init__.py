"""Stages that move or drop documents without scoring them."""
