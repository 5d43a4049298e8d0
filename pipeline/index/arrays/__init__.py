"""Our own index: a token stream, postings as arrays, and search over them."""
