"""Hugging Face folders with quantised weights: config.json names the method, a matrix is several tensors.

Each method has a file here: which settings it takes, what the tensors of a matrix are, and how their rows become
those of one of our types. What it does not know it refuses by name.
"""
