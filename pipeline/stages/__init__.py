"""The stages that a config can name: a folder a verb, a file a stage or a family of stages.

Importing this package registers them all. It is light: PyTerrier, pandas, Java and models are
loaded only when a stage is built.
"""

from importlib import import_module
from pkgutil import iter_modules, walk_packages

for _folder in iter_modules(__path__, f"{__name__}."):
    if _folder.ispkg:
        for _module in walk_packages(import_module(_folder.name).__path__, f"{_folder.name}."):
            import_module(_module.name)
