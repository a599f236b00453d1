"""llama.cpp in a process of its own: `handle.py` is our side of the pipe, `child.py` the other."""
