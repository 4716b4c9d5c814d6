"""A run against judgments, from any input to a mean. Each module says at its top what it is for."""
