"""CPU seconds by part and peak memory of one whole run, from files to run.txt.

    python benchmarks/run.py FOLDER [-c CONFIG] [--peer]

Runs ``run.sh -i FOLDER`` in a process of its own, without a kept index, and prints the parts that
the run recorded in ir-metadata.yml, what is left (start, imports), and the peak memory that the
operating system saw. While an index is built, Terrier has a thread of its own: the CPU seconds of
the main thread are then all of ours. ``--peer`` runs plain PyTerrier over the same folder first:
json.load, IterDictIndexer, BM25; it holds the whole collection in memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]

PEER = """
import json, sys
from pathlib import Path
from lxml import etree
import pandas as pd
from pipeline import java
java.start()
import pyterrier as pt
folder, work = Path(sys.argv[1]), sys.argv[2]
def documents():
    for file in sorted(folder.glob("*.json")):
        for argument in json.loads(file.read_text()).get("arguments", []):
            text = " ".join(premise["text"] for premise in argument["premises"])
            yield {"docno": argument["id"], "text": argument["conclusion"] + " " + text}
index = pt.IterDictIndexer(work + "/index", meta={"docno": 64}).index(documents())
topics = [(topic.findtext("number").strip(), topic.findtext("title").strip())
          for topic in etree.parse(folder / "topics.xml").iter("topic")]
bm25 = pt.terrier.Retriever(index, wmodel="BM25", num_results=1000)
pt.io.write_results(bm25(pd.DataFrame(topics, columns=["qid", "query"])), work + "/run.txt")
"""


def measured(command: list[str]) -> tuple[float, float, float]:
    """CPU seconds, wall seconds and peak megabytes of a command and its children."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command[:3])} ... failed with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-c", "--config", default="default")
    parser.add_argument("--peer", action="store_true")
    given = parser.parse_args()
    python = [sys.executable, "-P"]
    row = "{:<44}{:>9}{:>9}{:>10}{:>13}".format
    print(row("", "CPU s", "wall s", "peak MB", "main thread"))
    with tempfile.TemporaryDirectory() as work:
        if given.peer:
            cpu, wall, peak = measured([*python, "-c", PEER, str(given.folder), work])
            print(row("plain PyTerrier", f"{cpu:.1f}", f"{wall:.1f}", f"{peak:.0f}", ""))
        run = ["run", "-i", str(given.folder), "-o", work, "-c", given.config, "--quiet"]
        cpu, wall, peak = measured([*python, "-m", "pipeline", *run])
        described = yaml.safe_load(Path(work, "ir-metadata.yml").read_text())
    print(row(f"this program, {given.config}", f"{cpu:.1f}", f"{wall:.1f}", f"{peak:.0f}", ""))
    for part, spent in described["resources"]["parts"].items():
        cpu, wall = cpu - spent["cpu"], wall - spent["wall"]
        ours = f"{spent['main_thread']:.1f}"
        print(row(f"  {part}", f"{spent['cpu']:.1f}", f"{spent['wall']:.1f}", "", ours))
    print(row("  start, imports, exit", f"{cpu:.1f}", f"{wall:.1f}", "", ""))


if __name__ == "__main__":
    main()
