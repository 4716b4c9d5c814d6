"""Tests and intervals for the differences of two runs, and small tables as text."""
