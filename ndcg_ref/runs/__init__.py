"""A run against judgments, from any input to a mean.

`evaluation` is where a call begins. What it is given goes through `inputs`, `streams` (batches), `ties` (ranks),
`sums`, `values` and `tallies` to a `result`; where the data are in an engine, `engines` does all but the last two.
"""
