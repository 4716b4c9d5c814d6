"""What printed numbers are about: the measures of a ranking, how they go wrong, and exercises on them."""
