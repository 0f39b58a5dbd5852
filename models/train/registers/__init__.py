"""Trains, measures and exports what tells the registers of texts."""
