"""Trains a shipped network further on the gold of its user; `thresher train --step network` runs it."""
