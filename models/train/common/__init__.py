"""Holds the code that the trainers of several labellers share."""
