"""A run against judgments, from any input to a mean.

`evaluation` is where a call begins. `inputs` opens what it is given; `sources` (files), `trec`, `blocks`, `tabular`,
`nested` and `batches` read it. `values`, `tallies` and `result` follow, or `engines` where the data are in one.
"""
