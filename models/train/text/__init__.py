"""Trains, measures and exports the `text` labeller."""
