"""Trains, measures and exports the model for the registers of texts."""
