"""One file for each family: its names, config keys, tensors and forward. All are registered together."""

from importlib import import_module
from pkgutil import iter_modules

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f".{_module}", __name__)
