"""Makes documents that the gold sets lack."""
