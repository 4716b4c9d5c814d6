"""What `ndcg_ref.sphinx_ext` puts on a page: the nodes of verdicts and drawings, the ticks, and the folds."""
