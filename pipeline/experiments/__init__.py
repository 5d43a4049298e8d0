"""What the verbs of the command line do, a file a verb."""
