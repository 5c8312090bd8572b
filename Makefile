# Short names for the commands of CONTRIBUTING.md. They use the environment that the README sets up,
# and set it up if it is missing; `make test PYTHON=/path/to/python` uses another environment.
PYTHON = .venv/bin/python
BENCH = solve

.PHONY: test test-fast lint types docs bench
.DELETE_ON_ERROR:

test: | $(PYTHON)
	$(PYTHON) -m pytest -n 3

test-fast: | $(PYTHON)
	$(PYTHON) -m pytest -n 2 --fast

lint: | $(PYTHON)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(dir $(PYTHON))codespell

types: | $(PYTHON)
	$(PYTHON) -m mypy

docs: | $(PYTHON)
	$(PYTHON) -m pip install -q -c constraints.txt -e ".[docs]"
	$(PYTHON) -m sphinx -qW docs build/site/docs

bench: | $(PYTHON)
	$(PYTHON) benchmarks/$(BENCH).py

.venv/bin/python:
	python3 -m venv .venv
	.venv/bin/pip install -q -c constraints.txt -e ".[test]"
