"""Personal data, found by written form, check digits and context words, and masked.

>>> from routekit.pii import PatternPiiClassifier, redact
>>> text = "My card is 4111 1111 1111 1111."
>>> [found] = PatternPiiClassifier().classify([text])
>>> redact(text, found.spans)
'My card is [CREDIT_CARD].'
"""

from __future__ import annotations

from routekit.pii.classifier import PatternPiiClassifier, PiiStream
from routekit.pii.redact import redact

__all__ = ["PatternPiiClassifier", "PiiStream", "redact"]
