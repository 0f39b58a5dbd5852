"""Names the types of pages that the `page` labeller tells apart."""

# In the order of the program's PAGE_TYPES.
PAGE_TYPES = ["article", "documentation", "forum", "service", "listing", "product", "collection"]
