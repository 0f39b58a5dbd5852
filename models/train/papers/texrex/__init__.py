"""Trains, measures and exports the labeller `texrex` (Schäfer 2016)."""
