"""Compiles the kernels, where there is a C compiler; all else stands in pyproject.toml."""

import hashlib
from pathlib import Path

from setuptools import Extension, setup

SOURCE = "pipeline/index/arrays/kernels.c"

setup(
    ext_modules=[
        Extension(
            "pipeline.index.arrays._kernels",
            [SOURCE],
            # the program uses a library only if it was made from the source that lies beside it
            define_macros=[
                ("SOURCE", f'"{hashlib.sha256(Path(SOURCE).read_bytes()).hexdigest()[:16]}"')
            ],
            # a product and a sum are never drawn together: the same bits as in numpy and in Java
            extra_compile_args=["-std=c99", "-O3", "-ffp-contract=off"],
            py_limited_api=True,  # it knows nothing of Python: one library for every version
            optional=True,
        )
    ],
    options={"build_ext": {"force": True}},  # by its time, an older source can be the newer one
)
