"""`wgpt batch`: answers every prompt of a file, in this process, in a process for each GPU, or on Ray.

lines.py, openai_lines.py  what a line asks for, and its answer; the plain format and OpenAI's
flight.py                  a line in an engine, from its form to its answer
answering.py               keeps engines busy with the lines of a file
answers.py                 the answers file: one write per answer, and continued after a kill
job.py                     what another process needs to know
replicas.py, worker.py     an engine on each GPU in a process of its own; on_ray.py: in actors of Ray
run.py                     a whole run
"""
