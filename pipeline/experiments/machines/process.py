"""One of the processes that ``local.Processes`` starts.

It reads a line for each group, ``[OUT, [number, ...]]``, and writes a line for each outcome, then
one that says that the group is done, or what is wrong with all points.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import TextIO

from pipeline.errors import InputError, RunError
from pipeline.experiments.sweep import work


def main(given: TextIO, answers: TextIO) -> None:
    """Does groups as long as there are any."""
    for line in given:
        out, numbers = json.loads(line)
        try:
            for outcome in work.outcomes(out, numbers):
                _say(answers, "outcome", *outcome)
            _say(answers, "done")
        except InputError as error:
            _say(answers, "input", *error.lines)
        except RunError as error:
            _say(answers, "run", str(error))


def _say(answers: TextIO, *what: object) -> None:
    answers.write(json.dumps(what) + "\n")
    answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing unfinished is left
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a library prints is no answer
    try:
        main(sys.stdin, channel)
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(1)
