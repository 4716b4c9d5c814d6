"""Homework: sheets of questions that derive from a lecturer's secret, and the grading of their answers."""
