"""Holds what the trainers of several labellers share."""
