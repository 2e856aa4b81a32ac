"""Where requests and their tokens go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from routekit.errors import UsageError, quoted
from routekit.evaluate.estimates import Estimate, proportion
from routekit.evaluate.row import Row

By: TypeAlias = Literal["model", "pool", "action", "rule"]

#: Stands for no model or pool: a block, a refusal, or the client's choice where the body names none.
NOWHERE = "(none)"


@dataclass(frozen=True, slots=True)
class Share:
    """Requests that go to one place.

    Attributes
    ----------
    prompt_tokens, completion_tokens
        Tokens that servers counted, over the `n_counted` requests that have a usage.
    estimated_tokens
        Token budgets that placed them in pools.
    """

    name: str
    n: int
    share: Estimate | None
    n_counted: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated_tokens: int = 0

    def to_dict(self) -> dict[str, object]:
        """Give everything JSON-ready."""
        return {
            "n": self.n,
            "share": None if self.share is None else self.share.to_dict(),
            "n_counted": self.n_counted,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "estimated_tokens": self.estimated_tokens,
        }


def shares_of(rows: Iterable[Row], by: By) -> dict[str, Share]:
    """Count requests and tokens by model, pool, action or rule; the largest share first."""
    if by not in ("model", "pool", "action", "rule"):
        raise UsageError(f"shares by {quoted(str(by))}; allowed: model, pool, action, rule")
    found: dict[str, Share] = {}
    n = 0
    for row in rows:
        name = row.named(by)
        n += 1
        key = NOWHERE if name is None else name
        found[key] = _plus(found.get(key) or Share(key, 0, None), row)
    largest = sorted(found.values(), key=lambda share: (-share.n, share.name))
    return {share.name: replace(share, share=proportion(share.n, n)) for share in largest}


def _plus(share: Share, row: Row) -> Share:
    counted = row.prompt_tokens is not None or row.completion_tokens is not None
    return replace(
        share,
        n=share.n + 1,
        n_counted=share.n_counted + counted,
        prompt_tokens=share.prompt_tokens + (row.prompt_tokens or 0),
        completion_tokens=share.completion_tokens + (row.completion_tokens or 0),
        estimated_tokens=share.estimated_tokens + (row.estimated_tokens or 0),
    )
