"""A process that stays ready (`volta-pipe serve`), and how a command finds it."""
