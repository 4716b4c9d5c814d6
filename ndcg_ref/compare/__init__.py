"""Several runs over the same queries, and the gate that holds one to a baseline."""
