"""Stages that give each topic another query."""
