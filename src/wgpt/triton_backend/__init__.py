"""What Triton loads by its entry point `triton.backends`: the modules `compiler` and `driver`.

It stands apart from `wgpt.triton` because importing that one asks for this backend to be the active one.
"""
