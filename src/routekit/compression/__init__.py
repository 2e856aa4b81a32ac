"""Compression that keeps the verdict: any text becomes at most so many tokens of its own sentences.

From a text to its compressed form, in the order of the files: `units` cuts sentences, `terms` counts words, `analysis`
does both as text arrives; `scorers` and `screens` say what matters; `budget` counts tokens; `selection` spends them,
`duplicates` keeps it from spending them twice; `compressor` puts it together and `view` shows it in a notebook.
"""

from routekit.compression.compressor import CompressionStream, ExtractiveCompressor
from routekit.compression.profiles import Profile
from routekit.compression.view import Compression, compress

__all__ = ["Compression", "CompressionStream", "ExtractiveCompressor", "Profile", "compress"]
