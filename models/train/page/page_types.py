"""Names the page types that the `page` labeller predicts."""

# In the order of the program's PAGE_TYPES.
PAGE_TYPES = ["article", "documentation", "forum", "service", "listing", "product", "collection"]
