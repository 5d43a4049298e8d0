"""The configs that are shipped, by their bare names."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import InputError, meant

SHIPPED = Path(__file__).parents[2] / "configs"
SWEEPS = SHIPPED / "sweeps"


def shipped() -> list[Path]:
    """Every shipped config of a system, by its path; their file names differ."""
    return [file for file in sorted(SHIPPED.rglob("*.yaml")) if file.parent != SWEEPS]


def sweeps() -> list[Path]:
    """Every shipped sweep; their file names differ from each other and from those of configs."""
    return sorted(SWEEPS.glob("*.yaml"))


def find(config: str, beside: Path | None = None) -> Path:
    """The file that CONFIG means: a file, or the bare name of a shipped config or sweep.

    Args:
        config: as given.
        beside: the folder that its path counts from; None: the current one.

    Raises:
        InputError: neither.
    """
    file = Path(config) if beside is None else beside / config
    if file.is_file():
        return file
    known = {shipped_file.stem: shipped_file for shipped_file in [*shipped(), *sweeps()]}
    bare = file.stem if file.suffix in (".yaml", ".yml") else file.name
    if bare in known and Path(config).name == config:
        return known[bare]
    if file.is_dir():
        raise InputError(f"{config}: is a folder, a config file or its bare name is expected")
    raise InputError(
        f"{config}: no such file, and no shipped config of that name{meant(bare, known)}; "
        f"there is {', '.join(sorted(known))}"
    )
