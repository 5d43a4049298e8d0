"""What is searched, as files."""
