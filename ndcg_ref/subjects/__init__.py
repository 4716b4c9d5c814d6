"""What printed numbers are about: the measures of a ranking, and how they go wrong."""
