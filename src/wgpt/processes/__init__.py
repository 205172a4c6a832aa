"""Processes of ours, each with an engine or with what may have to be killed: started, listened to, started again.

supervisor.py  `Supervised`: one such process, as the one that has started it sees it
child.py       what runs in it: `Link`, its end of the connection
messages.py    what they send each other; outbox.py: without waiting for the reader
affinity.py    which of several processes has read the beginning of a conversation

`wgpt serve` (its engines and its grammars) and `wgpt batch --replicas` are its clients.
"""
