"""The configs that are shipped, by their bare names."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import InputError, meant

SHIPPED = Path(__file__).parents[2] / "configs"


def shipped() -> list[Path]:
    """Every shipped config, by its path; their file names differ."""
    return sorted(SHIPPED.rglob("*.yaml"))


def find(config: str) -> Path:
    """The file that CONFIG means: a file, or the bare name of a shipped config.

    Raises:
        InputError: neither.
    """
    file = Path(config)
    if file.is_file():
        return file
    known = {shipped_file.stem: shipped_file for shipped_file in shipped()}
    bare = file.stem if file.suffix in (".yaml", ".yml") else file.name
    if bare in known and len(file.parts) == 1:
        return known[bare]
    if file.is_dir():
        raise InputError(f"{config}: is a folder, a config file or its bare name is expected")
    raise InputError(
        f"{config}: no such file, and no shipped config of that name{meant(bare, known)}; "
        f"there is {', '.join(sorted(known))}"
    )
