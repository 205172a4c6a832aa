"""What Triton loads by its entry point `triton.backends`: the modules `compiler` and `driver`.

It is separate from `wgpt.triton` because importing that one makes this backend the active one.
"""
