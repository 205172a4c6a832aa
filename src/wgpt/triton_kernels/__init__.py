"""The kernels of a language model written in Triton (sources/), compiled ahead of time (compiled/).

They stand in the place of hand-written kernels and have everything of them but the code: `wgpt run --kernels triton`.
Nothing here needs Triton but `python -m wgpt.triton_kernels.build`, which compiles them.
"""
