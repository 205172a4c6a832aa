"""The kernels as they are written, in Triton. Only build.py imports them: what they became is in ../compiled."""
