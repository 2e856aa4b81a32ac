"""Classical scores of sentences, one file each; every one is linear in the text."""

from routekit.scorers.novelty import novelty
from routekit.scorers.position import position
from routekit.scorers.textrank import textrank
from routekit.scorers.tfidf import tfidf

__all__ = ["novelty", "position", "textrank", "tfidf"]
