"""CPU seconds by part and peak memory of one whole run, from files to run.txt.

    python benchmarks/run.py FOLDER [-c CONFIG] [--peer]

Runs ``run.sh -i FOLDER`` in a process of its own, without a kept index, and prints the parts that
the run recorded in ir-metadata.yml, what is left (start, imports), and the peak memory that the
operating system saw. While an index is built, Terrier has a thread of its own: the CPU seconds of
the main thread are then all of ours. ``--peer`` runs plain PyTerrier over the same folder first:
json.load, IterDictIndexer, BM25; it holds the whole collection in memory.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import yaml
from measure import OURS, PYTHON, FailedError, measured, table


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-c", "--config", default="default")
    parser.add_argument("--peer", action="store_true")
    given = parser.parse_args()
    row = table(["CPU s", "wall s", "peak MB", "main thread"], 44)
    with tempfile.TemporaryDirectory() as work:
        if given.peer:
            peer = Path(__file__).with_name("peers.py")
            used = measured([*PYTHON, str(peer), "pyterrier", "run", str(given.folder), work])
            row("plain PyTerrier", f"{used.cpu:.1f}", f"{used.wall:.1f}", f"{used.peak:.0f}")
        run = ["run", "-i", str(given.folder), "-o", work, "-c", given.config, "--quiet"]
        used = measured([*OURS, *run])
        described = yaml.safe_load(Path(work, "ir-metadata.yml").read_text())
    cpu, wall = used.cpu, used.wall
    row(f"this program, {given.config}", f"{cpu:.1f}", f"{wall:.1f}", f"{used.peak:.0f}")
    for part, spent in described["resources"]["parts"].items():
        cpu, wall = cpu - spent["cpu"], wall - spent["wall"]
        row(f"  {part}", f"{spent['cpu']:.1f}", f"{spent['wall']:.1f}", "", spent["main_thread"])
    row("  start, imports, exit", f"{cpu:.1f}", f"{wall:.1f}")


if __name__ == "__main__":
    try:
        main()
    except FailedError as error:
        sys.exit(str(error))
