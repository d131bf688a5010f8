"""The evidence of a run: everything that `volta-pipe report` says, as plain data, and that data as one page."""
