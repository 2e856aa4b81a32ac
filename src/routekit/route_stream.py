"""One request on its way through a PolicyRouter, chunk by chunk."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING

from typing_extensions import Buffer

from routekit.account import decision_of
from routekit.decision import Decision
from routekit.deliberation import Answer, Deliberation, Step
from routekit.errors import UsageError
from routekit.judgement import Snapshot, answered, concluded, rewritten
from routekit.pace import AT_ONCE, Pace
from routekit.plugins import notify
from routekit.request import BodyComplete, RequestView

if TYPE_CHECKING:
    from routekit.body import JsonBodyReader


class RouteStream:
    """Decides a request while its body arrives; made by `PolicyRouter.open`. One thread at a time.

    An early block is final: no later byte can change it, and none needs to be read. An early route or keep is
    provisional, as the rest of the body may still be malformed: go on feeding, then call `finish`.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        reader: JsonBodyReader,
        metadata: Mapping[str, object] | None = None,
        now: float | None = None,
        pace: Pace = AT_ONCE,
    ) -> None:
        self._snapshot = snapshot
        self._pools = snapshot.pools.seen()
        self._reader = reader
        self._now = now
        self._deliberation = Deliberation(snapshot.plan, metadata, pace)
        self._early: Decision | None = None
        self._final: Decision | None = None

    @property
    def view(self) -> RequestView | None:
        """The request, once `finish` has read it whole."""
        return self._deliberation.view

    def feed(self, chunk: Buffer, *, now: float | None = None) -> Decision | None:
        """Take the next bytes of the body.

        Parameters
        ----------
        chunk
            Any bytes-like object.
        now
            The caller's clock, in seconds, for the reader's deadline.

        Returns
        -------
        The decision as soon as nothing can change it, from then on each time; None while it is open. After a block
        further chunks are not read.

        Raises
        ------
        BodyError
            As soon as the bytes rule out a request within the limits.
        UsageError
            After `finish`.
        """
        if self._final is not None:
            return self._blocked_or_refused()
        events = self._reader.feed(chunk, now=now)
        self._deliberation.take(events)
        if not (events and isinstance(events[-1], BodyComplete)):
            self._deliberation.read_ahead()
        return self._decide_early()

    def finish(self, *, now: float | None = None) -> Decision:
        """Say that the body has ended, and decide. May be called again.

        Raises
        ------
        BodyError
            If the body is no complete request, unless it was blocked before its end.
        ContextOverflow
            If no pool holds the request.
        """
        return self._final or answered(self.finish_steps(now=now))

    def finish_steps(self, *, now: float | None = None) -> Generator[Step, Answer, Decision]:
        """Do what `finish` does, step by step: see `PolicyRouter.route_steps`."""
        if self._final is None:
            self._deliberation.complete(self._reader.close())
            early, then = self._early is not None, self._now if now is None else now
            self._final = yield from concluded(self._deliberation, self._snapshot, self._pools, then, early=early)
        return self._final

    def rewrite(self, decision: Decision | None = None) -> list[memoryview]:
        """Give the bytes to forward: those received, with only the model replaced, and what the policy redacts.

        Parameters
        ----------
        decision
            Default: what `finish` returned. One with another model or pool, as a gateway may choose, is fine.

        Raises
        ------
        UsageError
            Before `finish`, for a block, or where PII is to be redacted without a prediction on PII.
        """
        decision = decision or self._final
        if decision is None or self.view is None:
            blocked = "" if self._final is None else "; a blocked request is not forwarded"
            raise UsageError(f"rewrite() comes after finish(): until then the body may still be malformed{blocked}")
        return rewritten(self._reader, self.view, decision, self._snapshot)

    def _decide_early(self) -> Decision | None:
        if self._early is None:
            outcome = self._deliberation.decided()
            if outcome is not None:
                decision = decision_of(self._deliberation, outcome, early=True)
                self._early = self._pools.place_early(decision, self._deliberation.n_text_bytes)
                if decision.action == "block":
                    self._final = self._early
                    notify(self._snapshot.listeners, decision)
        return self._early

    def _blocked_or_refused(self) -> Decision | None:
        if self._final is not None and self._final.action == "block" and self.view is None:
            return self._final
        raise UsageError("feed() after finish(): open a new stream for each request")
