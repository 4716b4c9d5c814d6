"""Every formula: as printed, in the reference module `plain`, and over numpy arrays, in `arrays`."""
