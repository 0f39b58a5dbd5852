"""Trains the labellers of other people's papers, and compares them with ours."""
