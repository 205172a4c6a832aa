"""The engine: many requests at once over one paged KV cache.

pages.py        which pages are free, shared, or kept for a prompt that begins the same way
sequence.py     one sequence: its tokens, its pages, how far it is
scheduler.py    what runs next: prompts in chunks, and steps of the running sequences
slots.py        the GPU's side of it: a record and a row of the page table by slot
runner.py       submits the Programs of chunks of prompts (packed_rows.py: their rows as one input) and of steps
forward_recorder.py: records them; gpu/programs.py keeps them, and has some recorded while others run
stand_ins.py    which ones can do the work of another one meanwhile
split_runner.py a runner for a model on several GPUs: stage_runner.py has a GPU's Programs, flow.py goes through all
runner_protocol.py: what the engine needs of either runner
proposer.py     tokens guessed ahead: by n-grams (ngram_proposer.py) or by a draft model (draft.py; pace.py: how many)
loop.py         submits them ahead of the GPU, and reads the results
admission.py    how many requests may wait, and which goes first
engine.py       takes requests from any thread, and has the one that loops (worker.py); request.py: what a caller holds
"""
