"""The kernels as they are written, in Triton. Only build.py imports them: their TTIR is in ../ttir.tar.xz."""
