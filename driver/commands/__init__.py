"""The commands of `volta-pipe`, one module each; every one imports what it needs when it is called."""
