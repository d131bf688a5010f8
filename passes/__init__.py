"""The stages: one module or folder each, named like the stage. A stage is a pure function and knows nothing of the store."""
