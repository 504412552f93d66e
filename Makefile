# `make` alone lists what there is to do. Every path is relative: make cannot handle an absolute one with a space in it.

ifeq ($(wildcard environment.yml),)
$(error Call make in the folder of the repository, or name it: make -C FOLDER)
endif

ENV := .venv
PY := $(ENV)/bin/python
LOG := build/env.log

# Plain `=`, so that the environment does not decide (some machines export CONDA as the name of a folder);
# `make env CONDA=` does without conda, `make env PYTHON=/path/to/python3.11` takes another Python.
CONDA = $(firstword $(foreach tool,micromamba mamba conda,$(if $(shell command -v $(tool) 2>/dev/null),$(tool))))
PYTHON = python3.11 python3 python3.12 python3.13

# The folder where make was called (not the same as this one after `make -C`): file names in PARAMS start there.
export CALLED_FROM := $(PWD)
export PYTHONNOUSERSITE := 1
export JUPYTER_PREFER_ENV_PATH := 1
unexport PYTHONPATH PYTHONHOME

# The same bits on every x86-64 CPU: for the recorded outputs only, since training takes about three times as long.
test record tamper mutants matrix: export ATEN_CPU_CAPABILITY = avx2
test record tamper mutants matrix: export MKL_CBWR = COMPATIBLE
test record tamper mutants matrix: export ONEDNN_MAX_CPU_ISA = AVX2
test record tamper mutants matrix: export OMP_NUM_THREADS = 1
# They run beside other jobs: where notebooks try two threads, one that waits should give its core away, not spin on it.
test tamper mutants matrix: export OMP_WAIT_POLICY = passive
# They keep their checkpoints away from the user's, which lie in build/translator.
test: export ATTENTION_BUILD = $(CURDIR)/build/test
record: export ATTENTION_BUILD = $(CURDIR)/build/record
tamper mutants matrix: export ATTENTION_BUILD = $(CURDIR)/build/net

ALL = $(sort $(wildcard notebooks/[0-9]*.ipynb)) $(sort $(wildcard notebooks/solutions/*.ipynb))
CHOSEN = $(if $(NOTEBOOKS),$(foreach word,$(NOTEBOOKS),$(or \
    $(wildcard notebooks/$(word)*.ipynb notebooks/solutions/$(word)*.ipynb),\
    $(error There is no notebook $(word), only: $(notdir $(ALL))))),$(ALL))

.PHONY: help env lab run test record tamper mutants matrix bench clean

help:
	@echo 'make env     set up the environment in $(ENV) (the other targets do it when it is missing)'
	@echo 'make lab     open JupyterLab                      OPTIONS="--no-browser --port 9000"'
	@echo 'make run     execute the notebooks into build/    NOTEBOOKS="01 07" PARAMS="-p steps 800 -p corpus my_pairs.tsv"'
	@echo 'make test    test helpers and every recorded output; with NOTEBOOKS=07 the outputs of that notebook only'
	@echo 'make record  execute the notebooks in place and save their outputs    NOTEBOOKS=07'
	@echo 'make tamper  falsify every recorded output in copies and see it noticed    NOTEBOOKS=01'
	@echo 'make mutants make small faults in helpers and data, one by one, and see each noticed'
	@echo 'make matrix  see outputs and assertions hold on emulated processors, with fast kernels, with two threads'
	@echo 'make bench   compare our speed with that of torch.nn.Transformer'
	@echo 'make clean   remove build/ and caches, but for build/translator* (what you trained) and $(ENV)'

# The stamp names this folder, the list and the module. So a set-up that was cut off (no stamp), a repository that was
# moved (scripts and module hold absolute paths) and a changed list are all made anew, and nothing else is.
STAMP := $(shell { pwd -P; cat environment.yml helpers/pyproject.toml; } 2>/dev/null | cksum)
env:
	@if [ "$$(cat $(ENV)/.ready 2>/dev/null)" = "$(STAMP)" ] && $(PY) -c '' 2>/dev/null; then \
	    $(if $(filter env,$(MAKECMDGOALS)),echo "The environment in $(ENV) is ready.";) exit 0; \
	fi; \
	stop() { echo "make env: $$*" >&2; exit 1; }; \
	tool="$(CONDA)"; \
	if [ -z "$$tool" ]; then \
	    for name in $(PYTHON); do \
	        version=$$($$name -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
	        old="$$old $$name is $$version,"; \
	        $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' && { tool=$$name; break; }; \
	    done; \
	    [ -n "$$tool" ] || stop "Python 3.11 or newer is needed, but$${old:- $(PYTHON) cannot be run,} so install one" \
	        "or name it: make env PYTHON=/path/to/python3.11"; \
	    $$tool -c 'import ensurepip, venv' 2>/dev/null || stop "$$tool ($$version) cannot make environments:" \
	        "its venv module is missing (on Debian and Ubuntu: sudo apt install python$$version-venv)."; \
	fi; \
	[ ! -e $(ENV) ] || echo "The environment in $(ENV) is unfinished, was moved, or has an older list: making it anew."; \
	echo "Setting up $(ENV) with $$tool; this takes some minutes (what happens: tail -f $(LOG))."; \
	rm -f $(ENV)/.ready && rm -rf $(ENV) && mkdir -p build && date > $(LOG) || stop "$(ENV) or build could not be written."; \
	if [ -n "$(CONDA)" ]; then \
	    "$$tool" create --yes --prefix "$$(pwd -P)/$(ENV)" --override-channels --channel conda-forge python=3.11 pip \
	        >> $(LOG) 2>&1 < /dev/null \
	        || stop "$$tool failed, see $(LOG) (no network?); the next make tries again, make env CONDA= without $$tool."; \
	else \
	    $$tool -m venv $(ENV) >> $(LOG) 2>&1 || stop "$$tool -m venv failed, see $(LOG); the next make tries again."; \
	fi; \
	awk '/^ *- pip: *$$/ {list = 1; next} list && /^ *- / {sub(/^ *- /, ""); print}' environment.yml \
	    | $(PY) -m pip install --requirement /dev/stdin >> $(LOG) 2>&1 || { \
	        why=$$(sed -n 's/.*ERROR: //p' $(LOG) | tail -n 1); \
	        grep -qE 'ConnectionError|ConnectTimeout|ReadTimeout|Retry\(total' $(LOG) && why="no network? $$why"; \
	        stop "pip could not install the packages: $$why (all of it: $(LOG)); the next make tries again."; }; \
	echo "$(STAMP)" > $(ENV)/.ready; \
	echo "The environment in $(ENV) is ready."

lab: env
	@$(PY) -m jupyterlab $(OPTIONS)

# As a script, not with -m, which would import torch for nothing; -P: helpers/ is no folder to import from.
run: env
	@$(PY) -P helpers/series.py run $(NOTEBOOKS) $(PARAMS)

# Two runs side by side, a thread each: 07 to 09 (08 takes the checkpoint of 07) beside all the rest.
ASIDE = $(filter notebooks/07% notebooks/08% notebooks/09%,$(CHOSEN))
PYTEST = $(PY) -m pytest --rootdir . --durations=5 -p helpers.tests.pictures --nbval --nbval-current-env --nbval-cell-timeout=900
test: env
	@rm -rf build/test && mkdir -p build/test
	@$(PY) -m ruff check --quiet --output-format concise --config helpers/pyproject.toml helpers data
	@aside=; [ -z "$(ASIDE)" ] || { \
	    $(PYTEST) -o cache_dir=build/pytest_cache_aside $(ASIDE) > build/test/aside.log 2>&1 & aside=$$!; \
	    trap 'kill $$aside 2>/dev/null' INT TERM; }; \
	$(PYTEST) -o cache_dir=build/pytest_cache $(if $(NOTEBOOKS),helpers/tests/test_notebooks.py,helpers/tests) \
	    $(filter-out $(ASIDE),$(CHOSEN)); status=$$?; \
	[ -z "$$aside" ] || { wait $$aside || status=1; cat build/test/aside.log; }; \
	[ $$status = 0 ] \
	    && echo "make test: passed, $(words $(CHOSEN)) notebook(s) compared with their recorded outputs." \
	    || { echo "make test: FAILED, see above." >&2; exit 1; }

record: env
	@rm -rf build/record
	@$(PY) -P helpers/series.py record $(NOTEBOOKS)

tamper: env
	@$(PY) -m helpers.tests.tamper $(CHOSEN)

mutants: env
	@$(PY) -m helpers.tests.mutants

matrix: env
	@$(PY) -m helpers.tests.matrix $(CHOSEN)

bench: env
	@$(PY) -m helpers.tests.bench

clean:
	@[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name 'translator*' -exec rm -rf {} +
	@rmdir build 2>/dev/null || true
	@find . -path './$(ENV)' -prune -o -type d \( -name __pycache__ -o -name .ipynb_checkpoints -o -name .pytest_cache \
	    -o -name .ruff_cache \) -prune -exec rm -rf {} +
	@for kept in build/translator* $(ENV); do [ ! -e "$$kept" ] || echo "Kept: $$kept"; done
