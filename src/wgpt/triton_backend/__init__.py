"""The backend that Triton loads through its entry point `triton.backends`: the modules `compiler` and `driver`.

It is separate from `wgpt.triton`, because importing that package activates this backend.
"""
