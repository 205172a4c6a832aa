"""`wgpt batch`: answers every prompt of a file in this process, in one process per GPU, or on Ray.

lines.py, openai_lines.py  what a line requests, and its answer, in the plain format and in OpenAI's
pending_line.py            a line that an engine is answering, and the executors of lines
answering.py               keeps an executor busy with the lines of a file
answers.py                 the answers file: one write per answer; continued after a kill
job.py                     what another process needs to answer lines
replicas.py, worker.py     one engine process per GPU
on_ray.py                  one Ray actor per GPU
run.py                     a whole run
"""
