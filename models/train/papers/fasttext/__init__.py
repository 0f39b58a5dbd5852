"""Trains and exports the labeller `fasttext` (Laippala et al. 2020)."""
