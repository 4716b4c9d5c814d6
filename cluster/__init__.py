"""Evaluates the same data as text, as Parquet, in DuckDB and on a Spark of two workers (`make cluster`)."""
