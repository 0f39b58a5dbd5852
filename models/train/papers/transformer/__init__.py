"""Trains, measures and exports the labeller `transformer` (Salmela 2022)."""
