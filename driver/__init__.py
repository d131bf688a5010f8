"""Contract, pipeline, store, verdict and the command line."""
