"""One module for each weight type: its TYPE describes everything except its WGSL."""
