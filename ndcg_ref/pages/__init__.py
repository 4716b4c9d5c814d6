"""What `ndcg_ref.sphinx_ext` puts on a page: the nodes of verdicts and drawings, the ticks in the prose, and the folds."""
