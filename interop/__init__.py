"""What real libraries compute, run on the same input and kept in one file: `make interop`."""
