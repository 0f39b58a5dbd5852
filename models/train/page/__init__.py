"""Trains, measures and exports the `page` labeller."""
