#!/bin/sh
# Installs what the tests need beside what the program needs, and runs them all: style, types and
# scripts first, then pytest (quick tests, then those with Java, on a cluster, with the image).
# Words go on to pytest, and then only it runs:
#   ./tests/run.sh -m "not terrier and not cluster and not image"
set -eu
cd "$(dirname "$0")/.."
unset PIPELINE_VENV PYTERRIER_HOME PYTHONPATH PYTHONHOME
./run.sh setup tests/requirements.lock
PATH=$PWD/.venv/bin:$PATH
PYTHONPATH=$PWD python tests/lucene.py
if [ $# -eq 0 ]; then
    python tests/debian.py
    python -m ruff check .
    python -m ruff format --check .
    python -m mypy
    shellcheck run.sh tests/run.sh .ci/run
    hadolint --failure-threshold style Dockerfile
fi
exec python -m pytest "$@"
