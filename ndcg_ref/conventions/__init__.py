"""Which NDCG: what input is refused, the choices of a convention, and those of each library."""
