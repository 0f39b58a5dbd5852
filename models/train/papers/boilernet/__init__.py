"""Trains, measures and exports BoilerNet (Leonhardt et al. 2020) and MultiBoilerNet (Wu & Chang 2022)."""
