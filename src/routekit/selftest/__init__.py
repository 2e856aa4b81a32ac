"""Is a backend right, and how fast, on this machine: ``python -m routekit selftest --backend NAME``.

Three parts: the attention op against a float64 reference (`attention_grid`), a classifier on the backend against the
same one on the CPU (`agreement`), and latency and memory by length and concurrency (`latency`). Nothing is downloaded:
the encoder has the real architecture and random weights (`encoder`). Needs ``routekit[rewrite]``; nothing of that is
imported before it is needed.
"""

from routekit.selftest.command import main

__all__ = ["main"]
