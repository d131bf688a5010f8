"""What `run --watch` waits for: the files of a contract, and when they have changed."""
