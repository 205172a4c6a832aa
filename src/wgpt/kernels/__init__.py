"""Kernels in folders by kind, each template beside the Python file with the kernel's facts and its reference.

What all of them use stands here (kernel, registry, template, tuning, ...), what several folders share in pieces/.
"""
