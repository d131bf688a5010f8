"""What the stages hand to each other: the `ptx` dialect, programs, expression graphs, normal forms, the artifact format."""
