"""Verdicts in books that Sphinx does not build: an executable plugin for mystmd, and a filter for pandoc."""
