"""What a policy may change in a prompt before it is forwarded: PII masked, user text compressed. Nothing else does."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TypeAlias, cast

from routekit.decision import Decision
from routekit.errors import InferenceError, UsageError
from routekit.interfaces import Compressor
from routekit.prediction import Span
from routekit.request import SEAM, RequestView, Scope, Segment

_Redact: TypeAlias = Callable[[str, Iterable[Span]], str]

#: Stands for a segment of which nothing was kept: APIs refuse empty texts.
NOTHING_KEPT = "…"


def transformed_texts(
    view: RequestView, decision: Decision, pii_scope: Scope, compressor: Compressor | None
) -> dict[int, str]:
    """Carry out ``decision.trace.transforms``.

    Returns
    -------
    Index into `RequestView.segments` -> text to forward in its place; only what changes.

    Raises
    ------
    UsageError
        If PII is to be redacted but the decision carries no prediction on PII, or the text compressed without a
        compressor.
    InferenceError
        If the compressor fails.
    """
    texts = [segment.text for segment in view.segments]
    labels = {what for kind, what in _transforms(decision) if kind == "redact"}
    if labels:
        texts = _redacted(view, texts, decision, labels, pii_scope)
    for kind, cap in _transforms(decision):
        if kind == "compress_to":
            if compressor is None:
                raise UsageError(
                    "the decision compresses, but the policy does not any more; rewrite before you replace it"
                )
            texts = _compressed(view, texts, int(cap), compressor)
    return {i: text for i, (text, old) in enumerate(zip(texts, view.segments, strict=True)) if text != old.text}


def changes_prompt(decision: Decision) -> bool:
    """Say whether what is forwarded is another prompt than was judged: one that was compressed, or held what is masked.

    Examples
    --------
    >>> import routekit as rk
    >>> router = rk.PolicyRouter(rk.Policy([], rk.Keep(redact=("EMAIL_ADDRESS",))))
    >>> texts = ["Mail me", "Mail bo@example.org"]
    >>> [changes_prompt(router.route({"model": "m", "prompt": text})) for text in texts]
    [False, True]
    """
    transforms = list(_transforms(decision))
    masked = {what for kind, what in transforms if kind == "redact"}
    pii = decision.signals.get("pii")
    held = pii is None or any(span.label in masked for span in pii.spans)
    return any(kind != "redact" or held for kind, _ in transforms)


def _transforms(decision: Decision) -> Iterator[tuple[str, str]]:
    for transform in decision.trace.transforms:
        kind, _, what = transform.partition(":")
        yield kind, what


def _redacted(view: RequestView, texts: Sequence[str], decision: Decision, labels: set[str], scope: Scope) -> list[str]:
    if "pii" not in decision.signals:
        raise UsageError("PII is to be redacted, but the decision carries no prediction of the signal 'pii'")
    redact = cast("_Redact", import_module("routekit.pii").redact)  # its tables are heavy: only for those who redact
    spans = [span for span in decision.signals["pii"].spans if span.label in labels]
    found = _by_segment(spans, list(_ranges(view.segments, view.select(scope))))
    return [redact(text, found[i]) if i in found else text for i, text in enumerate(texts)]


def _compressed(view: RequestView, texts: Sequence[str], cap: int, compressor: Compressor) -> list[str]:
    user = view.select("user")
    members = {id(segment) for segment in user}
    joined = SEAM.join(text for text, segment in zip(texts, view.segments, strict=True) if id(segment) in members)
    kept = _kept_spans(joined, cap, compressor)
    out, start = [], 0
    for text, segment in zip(texts, view.segments, strict=True):
        if id(segment) not in members:
            out.append(text)
            continue
        end = start + len(text)
        pieces = [joined[max(a, start) : min(b, end)] for a, b in kept if a < end and b > start]
        out.append(text if pieces == [text] else " ".join(p.strip() for p in pieces) or NOTHING_KEPT)
        start = end + len(SEAM)
    return out


def _kept_spans(text: str, cap: int, compressor: Compressor) -> Sequence[tuple[int, int]]:
    try:
        return compressor.compress(text, cap).spans
    except Exception as error:
        failure = type(error).__name__
    # Raised outside of the handler: as a context, too, the error could hold the prompt.
    raise InferenceError(f"the compressor failed with {failure}")


def _ranges(segments: Sequence[Segment], chosen: Sequence[Segment]) -> Iterator[tuple[int, int, int]]:
    """Give index and character range, in the joined text of those chosen, of each chosen segment."""
    members, start = {id(segment) for segment in chosen}, 0
    for i, segment in enumerate(segments):
        if id(segment) in members:
            yield i, start, start + len(segment.text)
            start += len(segment.text) + len(SEAM)


def _by_segment(spans: Iterable[Span], ranges: Sequence[tuple[int, int, int]]) -> dict[int, list[Span]]:
    """Cut spans of the joined text down to the segments they touch; by index of the segment."""
    ends = [end for _, _, end in ranges]
    found: dict[int, list[Span]] = {}
    for span in spans:
        for i, start, end in ranges[bisect_right(ends, span.start) : bisect_left(ends, span.end) + 1]:
            first, last = max(span.start, start), min(span.end, end)
            if first < last:
                found.setdefault(i, []).append(Span(first - start, last - start, span.label, span.probability))
    return found
