"""Replace findings in a text by what they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from routekit.errors import UsageError
from routekit.prediction import Span


def redact(text: str, spans: Iterable[Span], labels: Collection[str] | None = None, *, mask: str = "[{label}]") -> str:
    """Mask the spans of a text.

    Parameters
    ----------
    spans
        In any order; where some overlap, their union is masked once, under the label of the likeliest.
    labels
        What to mask; default: everything.
    mask
        Put in place of a span; ``{label}`` stands for its label.

    Returns
    -------
    The text with every span masked and everything else untouched.

    Raises
    ------
    UsageError
        If a span does not lie inside the text: it belongs to another one.

    Examples
    --------
    >>> redact("Ann: ann@example.org", [Span(5, 20, "EMAIL_ADDRESS")])
    'Ann: [EMAIL_ADDRESS]'
    """
    pieces: list[str] = []
    position = 0
    for start, end, label in _joined(span for span in spans if labels is None or span.label in labels):
        if not 0 <= start < end <= len(text):
            raise UsageError(
                f"a span reaches from {start} to {end} of {len(text)} characters; redact the text it was found in"
            )
        pieces += (text[position:start], mask.replace("{label}", label))
        position = end
    return "".join((*pieces, text[position:]))


def _joined(spans: Iterable[Span]) -> list[tuple[int, int, str]]:
    """Join spans that overlap."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, s.end)):
        last = joined[-1] if joined else None
        if last and span.start < last.end:
            best = max(last, span, key=lambda s: s.probability)
            joined[-1] = Span(last.start, max(last.end, span.end), best.label, best.probability)
        else:
            joined.append(span)
    return [(span.start, span.end, span.label) for span in joined]
