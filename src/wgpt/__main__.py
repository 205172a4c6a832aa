"""`python -m wgpt`."""

from .cli import main

main()
