"""What fails inside Java, thrown or only logged there, as one line with a cure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyterrier as pt

from pipeline.errors import RunError

_FULL = ("No space left", "Disk quota exceeded", "File too large")


@contextmanager
def watched(what: str) -> Iterator[Callable[[], list[str]]]:
    """What Java throws inside this, or logs as an error, as an error of ours: ``what`` failed.

    Terrier only logs most failures to read or write a file, and goes on. Nothing is printed
    meanwhile; what was logged up to then is listed by what this gives.

    Raises:
        RunError: Java failed.
    """
    from jnius import JavaException  # starts Java when it is imported

    with _heard() as log:
        try:
            yield log
        except JavaException as error:
            raise _explained(what, [*log(), *_reasons(error)]) from error
        if errors := log():
            raise _explained(what, errors)


@contextmanager
def _heard() -> Iterator[Callable[[], list[str]]]:
    """Gives what lists all errors that were logged up to then, in place of printing them."""
    factory = pt.java.autoclass("org.slf4j.LoggerFactory")
    root = pt.java.cast("ch.qos.logback.classic.Logger", factory.getLogger("ROOT"))
    usual, appenders = [], root.iteratorForAppenders()
    while appenders.hasNext():
        usual.append(appenders.next())
    kept = pt.java.autoclass("ch.qos.logback.core.read.ListAppender")()
    kept.setName("kept")
    kept.start()
    root.addAppender(kept)
    for appender in usual:
        root.detachAppender(appender.getName())
    try:
        yield lambda: [reason for event in kept.list for reason in _logged(event)]
    finally:
        for appender in usual:
            root.addAppender(appender)
        root.detachAppender("kept")


def _logged(event: Any) -> list[str]:
    """What a logged event says, if it is an error, and the exceptions behind it."""
    if event.getLevel().toString() != "ERROR":
        return []
    said, cause = [event.getFormattedMessage()], event.getThrowableProxy()
    while cause:
        said.append(f"{cause.getClassName()}: {cause.getMessage()}")
        cause = cause.getCause()
    return [": ".join(said)]


def _reasons(error: Any) -> list[str]:
    """What an exception of Java says: itself first, then what caused it."""
    text = str(error.innermessage or error.classname or error)
    return [text, *(error.stacktrace or [])]


def _explained(what: str, reasons: list[str]) -> RunError:
    """The error to raise: the first of the reasons, or the cure of one that is known."""
    everything = "\n".join(reasons)
    if "OutOfMemoryError" in everything:
        size = heap() >> 20
        return RunError(
            f"{what}: Java's heap of {size} MB is full; give the program more memory, or "
            f"set JAVA_TOOL_OPTIONS=-Xmx{size * 2}m"
        )
    if any(full in everything for full in _FULL):
        return RunError(f"{what}: no space is left on the disk; free some, or use another folder")
    return RunError(f"{what}: Terrier failed: {' '.join(reasons[0].split())}")


def heap() -> int:
    """Bytes that Java's heap may grow to."""
    return int(pt.java.autoclass("java.lang.Runtime").getRuntime().maxMemory())
