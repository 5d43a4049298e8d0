"""Configs: YAML to an experiment, or all that is wrong with it."""
