# Every target sets up what it needs in .venv; only Python 3.11 or later must be there. What has
# been set up is noted in .venv/.for-<target>, so that the second run starts at once.
#   make test PYTHON=/path/to/python    to choose the Python
#   make test PYTEST="-k clamp"         to run some of the tests
#   make test WORKERS=0                 to run them in one process
#   make soak COUNT=2000 SCENES=500     to read fewer spoilt files and solve fewer random scenes

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help studio pose test lint bench docs wheel house soak clean
.DELETE_ON_ERROR:

PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { command -v $$name; break; }; done)
PYTEST ?=
WORKERS ?= 2
COUNT ?= 200000
SCENES ?= 4000
SCENE ?=
PORT ?= 8080
VENV := .venv
BIN := $(VENV)/bin

export OPENBLAS_NUM_THREADS ?= 1

help:
	@echo "make test     run the tests"
	@echo "make lint     check style, types and the direction of imports"
	@echo "make house    the numbers of the house: rooms, long functions, imports between rooms"
	@echo "make bench    measure the kernels and the solver, beside other solvers"
	@echo "make docs     draw the pictures under docs/, and run the papers' examples again"
	@echo "make studio   pose a figure by hand, in the browser (SCENE=file.yaml, PORT=8080)"
	@echo "make pose     the built-in example: its report, and a picture in build/"
	@echo "make soak     the papers' examples at full length, then 4000 random scenes and 200 000 spoilt"
	@echo "              files of all formats"
	@echo "              (about half an hour on two free cores; COUNT=2000 for fewer)"
	@echo "make wheel    the package as it is installed, with its kernels compiled, in dist/"
	@echo "make clean    remove .venv and what tools have left"

test: $(VENV)/.for-test $(VENV)/.renders $(VENV)/.browses
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST)

lint: $(VENV)/.for-lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/python tools/house.py --check

bench: $(VENV)/.for-bench
	$(BIN)/python benchmarks/run.py

docs: $(VENV)/.for-docs $(VENV)/.renders
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/gallery.py after
	$(BIN)/python docs/draw_drags.py
	$(BIN)/python docs/papers.py

pose: $(VENV)/.for-pose $(VENV)/.renders
	@mkdir -p build
	$(BIN)/poise pose examples/fly_on_the_beam.yaml --picture build/fly_on_the_beam.png

house: $(BIN)/python
	@$(BIN)/python tools/house.py

wheel: $(BIN)/python
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls -l dist/*.whl

soak: $(VENV)/.for-soak $(VENV)/.renders
	POISE_LONG=1 $(BIN)/python -m pytest -q tests/reproductions
	$(BIN)/python -m tests.campaign $(SCENES)
	$(BIN)/python -m tests.soak $(COUNT)
	$(BIN)/python -m tests.studio.soak

studio: $(VENV)/.for-studio
	$(BIN)/poise studio $(SCENE) --port $(PORT)

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find src tests benchmarks examples docs -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# --- set-up -------------------------------------------------------------------------------------

APT := DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
IS_ROOT_ON_DEBIAN := command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]

$(VENV)/.for-test: EXTRAS := build,test,formats,pictures
$(VENV)/.for-lint: EXTRAS := build,lint,test,formats,pictures,bench
$(VENV)/.for-bench: EXTRAS := build,bench,formats,test
$(VENV)/.for-docs: EXTRAS := build,pictures
$(VENV)/.for-soak: EXTRAS := build,test,formats,pictures
$(VENV)/.for-pose: EXTRAS := build,pictures
$(VENV)/.for-studio: EXTRAS := build,studio,formats

$(VENV)/.for-%: pyproject.toml | $(BIN)/python
	@echo "setting up $(VENV) for make $* (once; some minutes if all must be downloaded) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

# Debian and Ubuntu split venv's own pip off into a package.
$(BIN)/python:
	@python="$(PYTHON)"; \
	if [ -z "$$python" ]; then \
		echo "poise needs Python 3.11 or later, and none is on the PATH" \
			"(Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python)" >&2; \
		exit 1; fi; \
	if ! $$python -c 'import ensurepip, venv' 2>/dev/null; then \
		package=$$($$python -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
		if $(IS_ROOT_ON_DEBIAN); then apt-get update -q && $(APT) $$package; \
		else echo "$$python cannot make a virtual environment; install what it lacks with:" \
			"sudo apt install $$package" >&2; exit 1; fi; fi; \
	$$python -m venv --clear $(VENV)

# pyvista draws without a screen through EGL, which a bare Debian or Ubuntu lacks; VTK then dies
# with a segmentation fault, so it is tried in a process of its own.
GRAPHICS := libegl1 libgl1-mesa-dri libx11-6
RENDER := $(BIN)/python -c 'import pyvista; pyvista.Plotter(off_screen=True).show()' >/dev/null 2>&1

$(VENV)/.renders: | $(BIN)/python
	@$(RENDER) || { if $(IS_ROOT_ON_DEBIAN); then apt-get update -q && $(APT) $(GRAPHICS); fi; }
	@$(RENDER) || { echo "pyvista cannot draw here; on Debian or Ubuntu:" \
		"sudo apt install $(GRAPHICS)" >&2; exit 1; }
	@touch $@

# The page is tested in a real Chromium; where there is none, and none can be installed, these
# tests are skipped, and say so.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable

$(VENV)/.browses: | $(BIN)/python
	@for name in $(BROWSERS); do command -v $$name >/dev/null 2>&1 && exit 0; done; \
	if $(IS_ROOT_ON_DEBIAN); then apt-get update -q && $(APT) chromium; \
	else echo "no Chromium is here, so the studio's page is not tested in one;" \
		"on Debian or Ubuntu: sudo apt install chromium" >&2; fi || true
	@for name in $(BROWSERS); do command -v $$name >/dev/null 2>&1 && touch $@ && exit 0; done; true
