"""Ways to go through arrays that the other folders share, each a Python base class beside its WGSL."""
