"""The command `ndcg-ref`, and the pytest plugin.

`cli` is where a call begins. Each module with a name in `_command` or `_commands` adds its parsers to it, and loads the
rest of the package when a command runs.
"""
