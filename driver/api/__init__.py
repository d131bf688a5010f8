"""The Python API: what `import volta_pipe` offers. Its names are listed in volta_pipe/__init__.py."""
