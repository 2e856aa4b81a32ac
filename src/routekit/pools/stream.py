"""Placing a request while its body arrives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from typing_extensions import Buffer

from routekit.body import JsonBodyReader
from routekit.decision import Decision
from routekit.request import BodyEvent, ModelFound, TextGrown

if TYPE_CHECKING:
    from routekit.pools.router import PoolRouter


class PoolStream:
    """One request on its way through a PoolRouter; see `PoolRouter.open`.

    Ratios, load and health are those of the moment it was opened. An early decision says the same pool as `finish`
    will, unless that raises: the rest of the body is still validated. It comes once the text so far rules out every
    pool but the largest, which needs neither its category nor its end.

    Examples
    --------
    >>> from routekit.pools import PoolRouter, PoolSpec
    >>> router = PoolRouter([PoolSpec("short", max_context=100), PoolSpec("long", max_context=65536)])
    >>> stream = router.open()
    >>> stream.feed(b'{"model": "m", "max_tokens": 50, "messages": [{"role": "user", "content": "') is None
    True
    >>> stream.feed(b"word " * 200).pool
    'long'
    >>> _ = stream.feed(b'"}]}')
    >>> stream.finish().pool
    'long'
    """

    def __init__(
        self, router: PoolRouter, *, metadata: Mapping[str, object] | None = None, category: str | None = None
    ) -> None:
        self._router = router
        self._category = category
        self._snapshot = router.snapshot()
        self._reader = JsonBodyReader(router.dialect)
        self._model: str | None = None
        self._n_text_bytes = 0
        self._early: Decision | None = None

    def feed(self, chunk: Buffer, *, now: float | None = None) -> Decision | None:
        """Take the next bytes; give the decision once it is certain, and again from then on.

        Raises
        ------
        BodyError
            If the bytes rule out a request.
        ContextOverflow
            If the text so far exceeds every pool.
        """
        self._count(self._reader.feed(chunk, now=now))
        # The model may come last and choose other pools: without it nothing is certain for some routers.
        if self._early is None and (self._model is not None or not self._router.has_models):
            self._early = self._router.place_early(
                Decision("route", self._model, None, "pools"),
                n_text_bytes=self._n_text_bytes,
                snapshot=self._snapshot,
            )
        return self._early

    def finish(self, *, now: float | None = None) -> Decision:
        """Say that the body has ended, and place the request.

        Raises
        ------
        BodyError, ContextOverflow, Overloaded
            As `PoolRouter.route`.
        """
        view = self._reader.close()
        decision = Decision("route", view.model, None, "pools")
        return self._router.place(decision, view, now=now, category=self._category, snapshot=self._snapshot)

    def rewrite(self, *, model: str) -> list[memoryview]:
        """Give the received bytes with another model in place; after `finish`."""
        return self._reader.rewrite(model=model)

    def _count(self, events: Iterable[BodyEvent]) -> None:
        for event in events:
            if isinstance(event, TextGrown):
                text = event.text
                self._n_text_bytes += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
            elif isinstance(event, ModelFound):
                self._model = event.model
