"""The Triton sources of the kernels. Only build.py imports them: their TTIR is in ../ttir.tar.xz."""
