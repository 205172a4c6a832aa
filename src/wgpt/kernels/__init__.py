"""Kernels, grouped in folders by kind. Each WGSL template is next to the Python file that describes the kernel.

Modules that all kernels use are here (kernel, registry, template, tuning, ...); those that several folders share are
in pieces/.
"""
