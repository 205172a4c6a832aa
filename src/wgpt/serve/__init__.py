"""`wgpt serve`: an HTTP server with OpenAI's and Anthropic's APIs.

Two processes: HTTP's (app.py) renders templates, tokenizes, checks fields and formats answers; the engine's (worker.py)
has the GPU. They exchange one message a step (wire.py), through the supervisor of processes (../processes).

settings.py        all options of the command line
context.py         what every endpoint needs: the engine, the prompts, the settings
engine_process.py  HTTP's side of the engine: submit, cancel, health, which step hangs
prompts.py         chat templates, tokens and their limits
responses.py       JSON in and out, streams of events, and clients that go away
errors.py          an error in OpenAI's and in Anthropic's shape
security.py        keys, size limits, origins
access_log.py, metrics.py
"""
