"""Child processes that run an engine, or work that may have to be killed: started, supervised and restarted.

supervisor.py  `Supervised`: a child process from its parent's side
child.py       what runs in it: `Link`, its end of the connection
messages.py    what they send each other; outbox.py: without waiting for the reader
affinity.py    which of several processes has read the beginning of a conversation

`wgpt serve` (its engines and its grammars) and `wgpt batch --replicas` are its clients.
"""
