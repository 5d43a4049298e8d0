"""Lucene's jars, which the tests alone need: ``python tests/lucene.py`` fetches them."""

import sys

from pipeline import download, resources
from pipeline.errors import RunError
from pipeline.resources import Resource

CORE = Resource(
    name="Lucene",
    coordinates="org.apache.lucene:lucene-core:9.12.1",
    sha256="8d812e9fa6dbd816808205e6cb4d7ab43a747e379c8cb31a0d6dc91050b3f97a",
    bytes=4_257_452,
    licence="Apache-2.0",
    needed_by="tests: the oracle of Lucene's weighting models",
)
ANALYSIS = Resource(
    name="Lucene's analyzers",
    coordinates="org.apache.lucene:lucene-analysis-common:9.12.1",
    sha256="0e7534d4b6e1c3ce7af939028b3e8c1730ffb29ea5d689de2bc166c482e01b5d",
    bytes=1_722_680,
    licence="Apache-2.0",
    needed_by="tests: cuts at blanks what is indexed by Lucene",
)
JARS = (CORE, ANALYSIS)

if __name__ == "__main__":
    try:
        for jar in JARS:
            download.fetch(jar, resources.home())
    except RunError as error:
        sys.exit(str(error))
