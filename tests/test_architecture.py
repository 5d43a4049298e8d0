"""Who may import whom, and what stays light. A layer may import those below it, none above."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "pipeline"

# Low to high; layers of one line do not import each other.
LAYERS = [
    ["errors"],
    ["resources", "download", "java", "bootstrap", "native"],
    ["collection", "runs"],
    ["ranking", "analysis"],
    ["index"],
    ["stages", "evaluation"],
    ["config"],
    ["experiments"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {layer: height for height, line in enumerate(LAYERS) for layer in line}
SIBLINGS = {("java", "resources"), ("download", "resources")}
NEVER = {("stages", "collection"), ("config", "collection"), ("config", "evaluation")}


def layer_of(file: Path) -> str:
    return file.relative_to(HOUSE).parts[0].removesuffix(".py")


def imports(file: Path) -> list[tuple[int, str]]:
    """The layers that a file imports from, with the line of each import."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.module == "pipeline":
            names = [f"pipeline.{name.name}" for name in node.names]
        names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
        parts = [name.split(".") for name in names]
        found += [(node.lineno, p[1]) for p in parts if p[0] == "pipeline" and len(p) > 1]
    return [(line, layer) for line, layer in found if not layer.startswith("__version")]


FILES = [file for file in sorted(HOUSE.rglob("*.py")) if layer_of(file) != "__init__"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HOUSE)))
def test_imports_point_down(file):
    layer = layer_of(file)
    assert layer in HEIGHT, f"{layer} has no place in LAYERS"
    wrong = [
        f"{file.relative_to(HOUSE.parent)}:{line}: {layer} imports {target}"
        for line, target in imports(file)
        if target != layer
        and (layer, target) not in SIBLINGS
        and (HEIGHT[target] >= HEIGHT[layer] or (layer, target) in NEVER)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HOUSE)))
def test_modules_are_short(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize(
    "arguments",
    [["check", "default"], ["check", "tune-bm25"], ["list"], ["explain"], ["explain", "tune-bm25"]],
    ids=" ".join,
)
def test_words_load_nothing_heavy(arguments):
    code = (
        "import sys; from pipeline.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit as left: assert not left.code, left.code\n"
        "heavy = {'pyterrier', 'pandas', 'numpy', 'torch', 'jnius', 'lxml'} & set(sys.modules)\n"
        "print('heavy:', *sorted(heavy))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=HOUSE.parent, check=False
    )
    assert out.returncode == 0, out.stderr
    assert out.stdout.splitlines()[-1] == "heavy:"
