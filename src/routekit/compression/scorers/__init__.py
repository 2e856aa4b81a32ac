"""Classical scores of sentences, one file each; every one is linear in the text."""

from routekit.compression.scorers.novelty import novelty
from routekit.compression.scorers.position import position
from routekit.compression.scorers.textrank import textrank
from routekit.compression.scorers.tfidf import tfidf

__all__ = ["novelty", "position", "textrank", "tfidf"]
