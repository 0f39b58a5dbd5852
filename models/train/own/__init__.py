"""Continues to train a shipped network on a user's gold; `thresher train --step network` runs it."""
