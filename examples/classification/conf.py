"""The configuration for Sphinx; that of Jupyter Book is `_config.yml`."""

project = "Precision and recall"
extensions = ["myst_nb", "ndcg_ref.sphinx_ext"]
exclude_patterns = ["_build", "README.md"]
myst_enable_extensions = ["amsmath", "dollarmath"]
nb_execution_mode = "force"
nb_execution_raise_on_error = True
ndcg_check_prose = True
ndcg_subjects = ["classification"]
