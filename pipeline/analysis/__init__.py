"""Text to terms."""
