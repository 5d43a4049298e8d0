"""Rankings as files: run.txt and ir-metadata.yml."""
