"""The formulas as one SQL query, and the queries that find what is refused: text alone."""
