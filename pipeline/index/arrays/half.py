"""What the process of its own does that ``halves`` starts: reads from some argument on."""

from __future__ import annotations

import json
import os
import sys
import threading
from array import array
from dataclasses import asdict
from pathlib import Path

import numpy as np

from pipeline.collection.argsme import Place, Report, read
from pipeline.collection.npy import save
from pipeline.index.arrays.halves import DOCNOS, REPORT, SPANS, STEP, TOKENS
from pipeline.index.arrays.tokens import StreamWriter


def main(folder: Path, begin: Place, files: list[Path]) -> None:
    """Writes to ``folder`` what the files hold from an argument on.

    Raises:
        Exception: whatever is wrong; whoever started this reads it all by itself, and meets it.
    """
    stream, docnos, spans, report = StreamWriter(folder / TOKENS), [], array("q"), Report()
    for argument in read(files, _Steps().add, report, begin):
        stream.append(argument)
        docnos.append(argument.docno)
        spans.extend((argument.file, argument.start, argument.end))
    stream.close()
    (folder / DOCNOS).write_text("".join(f"{docno}\n" for docno in docnos), encoding="utf-8")
    save(folder / SPANS, np.asarray(spans, np.int64).reshape(-1, 3))
    (folder / REPORT).write_text(json.dumps(asdict(report)), encoding="utf-8")


class _Steps:
    """Writes a byte to the output for every so many that are read."""

    def __init__(self) -> None:
        self._rest = 0

    def add(self, number: int) -> None:
        steps, self._rest = divmod(self._rest + number, STEP)
        os.write(1, b"." * steps)


def _end_with_parent() -> None:
    """Waits until nobody holds the other end of our input, which is when our parent has ended."""
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    main(Path(sys.argv[1]), Place(int(sys.argv[2]), int(sys.argv[3])), [*map(Path, sys.argv[4:])])
