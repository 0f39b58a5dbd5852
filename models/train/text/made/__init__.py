"""Makes documents that the gold sets lack from those that they have."""
