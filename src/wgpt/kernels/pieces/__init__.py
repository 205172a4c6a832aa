"""Ways to iterate over arrays, shared by the other folders: Python base classes with their WGSL."""
