"""Which convention prints a number, and what makes two conventions differ."""
