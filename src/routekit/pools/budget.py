"""What a request may take beside its text: output, images, the chat template."""

from __future__ import annotations

from routekit.errors import MalformedBody
from routekit.request import RequestView

#: What one image, audio clip or file counts as; servers turn an image into 85 to 1,600 tokens.
IMAGE_TOKENS = 1600
#: Most tokens that a chat template puts around one segment; only for pools that want certainty.
TEMPLATE_TOKENS = 16

#: Largest output limit that is taken for one.
MAX_OUTPUT_TOKENS = 2**63 - 1


def output_tokens(view: RequestView, default: int | None) -> int | None:
    """Give the output a request may take: its own limit, the default, or None for all that is left.

    Raises
    ------
    MalformedBody
        If the limit is not an integer from 1 to 2**63 - 1.
    """
    limit = view.max_output_tokens
    if limit is None:
        return 0 if view.dialect == "openai-embeddings" else default
    if type(limit) is int and 0 < limit <= MAX_OUTPUT_TOKENS:
        return limit
    kind = "an integer out of range" if type(limit) is int else f"of type {type(limit).__name__}"
    raise MalformedBody(f"the request's output token limit is {kind}; allowed: integers from 1 to 2**63 - 1")


def worst_tokens(n_bytes: int, n_images: int, n_segments: int, output: int) -> int:
    """Bound a request's tokens from above: one for each byte, as no byte-level tokenizer makes more."""
    return n_bytes + TEMPLATE_TOKENS * (n_segments + 1) + IMAGE_TOKENS * n_images + output
