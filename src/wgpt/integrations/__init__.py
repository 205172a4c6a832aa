"""Thin layers between wgpt and other packages, each an optional extra. Nothing here is imported by `import wgpt`."""
