"""Stages that add terms of the top documents to a query and retrieve again."""
