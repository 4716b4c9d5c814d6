"""Every formula: as printed, in plain Python, and the same over arrays."""
