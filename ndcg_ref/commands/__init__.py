"""The commands of `ndcg-ref`: what each takes, and what it prints.

Every module adds its parsers to those of `ndcg_ref.commands.cli`, and loads the rest of the package when a command
runs.
"""
