"""The router: a policy, the classifiers it asks, and the pools behind its models."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, cast, overload

import orjson

from routekit.asked_labels import asked_labels, redacted_labels
from routekit.body import JsonBodyReader, json_of, read_request
from routekit.decision import Block, Decision
from routekit.deliberation import Answer, Deliberation, Plan, Step
from routekit.errors import ConfigError, PolicyError, UsageError, quoted
from routekit.interfaces import Classifier, Compressor, RequestLike
from routekit.judgement import Snapshot, answered, concluded, rewritten
from routekit.kept_bytes import frozen
from routekit.pace import AT_ONCE, Pace, Pause, pieces
from routekit.placement import Pools
from routekit.plugins import Listener, Plugins, installed_plugins
from routekit.policy import Policy
from routekit.policy_check import errors_of, provided
from routekit.program import compiled
from routekit.request import RequestView
from routekit.route_stream import RouteStream
from routekit.signals import kind_of
from routekit.states import ClassifierTraits

if TYPE_CHECKING:
    from routekit.pools.router import PoolRouter

#: Bytes of text for one token of common tokenizers on English prose.
BYTES_PER_TOKEN = 4.0


class PolicyRouter:
    """Decides requests by a policy. Thread-safe; one serves any number of threads and tasks.

    Parameters
    ----------
    policy
        What decides; see `Policy`.
    classifiers
        Used for the signals that they are named for, in place of installed ones of that name.
    pools
        Chooses the pool once the policy has chosen the model: one `PoolRouter`, or one for each model name.
    compressor
        Carries out `compress_to`; default: the `ExtractiveCompressor`.
    dialect
        Dialect of the bodies, ``"auto"`` to tell by path and keys.
    bytes_per_token
        Bytes of UTF-8 text for one token, for the signal ``context_tokens``.
    language
        Gives the language code of a text, for the signal ``language``; default: by script.
    reader
        Makes the body reader for a stream, called with `dialect` and `path`: ``functools.partial(JsonBodyReader,
        max_bytes=...)`` sets limits.
    plugins
        Where classifiers are found by name; default: what is installed.

    Raises
    ------
    PolicyError
        If the policy asks for a signal that nobody provides, or for a label that a classifier does not have.

    Examples
    --------
    >>> import routekit as rk
    >>> vip = rk.Rule("vip", when=rk.header("x-tier") == "gold", then=rk.RouteTo("large"))
    >>> router = rk.PolicyRouter(rk.Policy([vip], default=rk.RouteTo("small")))
    >>> body = b'{"model": "auto", "messages": [{"role": "user", "content": "Hello"}]}'
    >>> router.route(body).model, router.route(body, metadata={"X-Tier": "gold"}).model
    ('small', 'large')
    """

    def __init__(
        self,
        policy: Policy,
        *,
        classifiers: Sequence[Classifier] | None = None,
        pools: PoolRouter | Mapping[str, PoolRouter] | None = None,
        compressor: Compressor | None = None,
        dialect: str = "auto",
        bytes_per_token: float = BYTES_PER_TOKEN,
        language: Callable[[str], str] | None = None,
        reader: Callable[..., JsonBodyReader] = JsonBodyReader,
        plugins: Plugins | None = None,
    ) -> None:
        if not 1e-3 <= bytes_per_token <= 1e6:
            raise ConfigError(f"bytes_per_token is {bytes_per_token!r}; allowed: 1e-3 to 1e6")
        reader(dialect)  # refuses an unknown dialect now, not in the first request
        self._reader = reader
        self._dialect = dialect
        self._bytes_per_token = float(bytes_per_token)
        self._language = language or _language
        self._given = _distinct(classifiers or ())
        self._plugins = installed_plugins() if plugins is None else plugins
        self._pools = Pools(pools)
        self._compressor = compressor
        self._listeners: dict[str, Listener] = {}
        self._snapshot = self._compiled(policy)

    @property
    def policy(self) -> Policy:
        """The policy that new requests are judged by."""
        return self._snapshot.plan.program.policy

    @property
    def classifiers(self) -> Mapping[str, Classifier]:
        """The classifiers that the policy asks, by signal."""
        return self._snapshot.plan.classifiers

    @property
    def snapshot(self) -> Snapshot:
        """Everything that new requests are judged by, as of now."""
        return self._snapshot

    def with_policy(self, policy: Policy) -> PolicyRouter:
        """Give a router that judges by another policy, with the same classifiers, pools and settings.

        Raises
        ------
        PolicyError
            If the policy does not fit the classifiers.

        Examples
        --------
        >>> import routekit as rk
        >>> router = rk.PolicyRouter(rk.Policy([], default=rk.RouteTo("small")))
        >>> router.with_policy(rk.Policy([], default=rk.RouteTo("large"))).policy.default
        RouteTo(model='large', pool=None, redact=(), compress_to=None)
        """
        other = copy(self)
        other._snapshot = other._compiled(policy)
        return other

    def without_listeners(self) -> PolicyRouter:
        """Give a router that decides the same and tells nobody, for requests that are no traffic."""
        other = copy(self)
        other._snapshot = replace(self._snapshot, listeners={})
        return other

    def replace_policy(self, policy: Policy) -> None:
        """Judge new requests by another policy; those under way end under the one they began with.

        Raises
        ------
        PolicyError
            If the new policy does not fit; the old one then stays.
        """
        self._snapshot = self._compiled(policy)

    def add_listener(self, name: str, listener: Listener) -> None:
        """Let a function hear of every decision of this router, as plugins do by the hook `routekit_decision`.

        Parameters
        ----------
        name
            For logs; another listener of that name is replaced.
        listener
            Called in the thread of the request: be quick.
        """
        self._listeners = {**self._listeners, name: listener}
        self._snapshot = replace(self._snapshot, listeners={**self._plugins.listeners(), **self._listeners})

    def warm_up(self) -> None:
        """Run every classifier once, so that no request waits for tables, threads and sessions that start lazily.

        Call it in each process that serves, after a fork. A classifier that fails here fails in requests too, where
        `on_error` decides.
        """
        for classifier in self.classifiers.values():
            with suppress(Exception):
                getattr(classifier, "warm_up", _nothing)()
                classifier.classify(["Warm up, s'il vous plaît."])

    def route(
        self, request: RequestLike, *, metadata: Mapping[str, object] | None = None, now: float | None = None
    ) -> Decision:
        """Decide a whole request.

        Parameters
        ----------
        request
            The body as bytes, the mapping that it says, or a `RequestView`: the same decision.
        metadata
            Headers and whatever else rules ask for by `header` and `metadata`.
        now
            The caller's clock, in seconds, for pools.

        Raises
        ------
        BodyError
            If the body is no request within the limits.
        ContextOverflow
            If no pool holds the request.
        """
        return answered(self.route_steps(request, metadata=metadata, now=now))

    def route_steps(
        self,
        request: RequestLike,
        *,
        metadata: Mapping[str, object] | None = None,
        now: float | None = None,
        pace: Pace = AT_ONCE,
    ) -> Generator[Step, Answer, Decision]:
        """Do what `route` does, but yield an `Ask` for each classifier to run and expect to be sent its answer.

        For callers that batch or await classifiers: send what ``classify([ask.text])`` returns, or the error it
        raises; to a `Pause`, which `pace` may ask for, nothing.
        """
        snapshot = self._snapshot
        deliberation = yield from self.begin_steps(request, snapshot, metadata=metadata, now=now, pace=pace)
        return (yield from concluded(deliberation, snapshot, snapshot.pools, now, early=False))

    def begin_steps(
        self,
        request: RequestLike,
        snapshot: Snapshot,
        *,
        metadata: Mapping[str, object] | None = None,
        now: float | None = None,
        pace: Pace = AT_ONCE,
    ) -> Generator[Step, Answer, Deliberation]:
        """Read a whole request, and begin to judge it by a snapshot; `concluded` goes on.

        For callers that want to know more of a request than what its decision rests on.
        """
        deliberation = Deliberation(snapshot.plan, metadata, pace)
        deliberation.complete((yield from self._read_steps(request, now, pace)))
        return deliberation

    @overload
    def rewrite(self, request: bytes, decision: Decision) -> bytes: ...
    @overload
    def rewrite(self, request: Mapping[str, object], decision: Decision) -> dict[str, object]: ...
    @overload
    def rewrite(self, request: bytes | Mapping[str, object], decision: Decision) -> bytes | dict[str, object]: ...
    def rewrite(self, request: bytes | Mapping[str, object], decision: Decision) -> bytes | dict[str, object]:
        """Give the request to forward after `route`: the model replaced, and what the policy redacts; else unchanged.

        Parameters
        ----------
        request
            The body, or the mapping that it says, as given to `route`.

        Returns
        -------
        Bytes for bytes, a new mapping for a mapping.

        Raises
        ------
        UsageError
            For a block.
        """
        body = json_of(request) if isinstance(request, Mapping) else request
        reader = self._reader(self._dialect)
        reader.feed(body)
        out = b"".join(rewritten(reader, reader.close(), decision, self._snapshot))
        return cast("dict[str, object]", orjson.loads(out)) if isinstance(request, Mapping) else out

    def open(
        self,
        *,
        metadata: Mapping[str, object] | None = None,
        dialect: str | None = None,
        path: str | None = None,
        now: float | None = None,
        pace: Pace = AT_ONCE,
    ) -> RouteStream:
        """Begin a request whose body arrives in chunks.

        Parameters
        ----------
        metadata
            As in `route`.
        dialect, path
            What tells the dialect, in place of the router's default.
        now
            The caller's clock, in seconds, for pools; `finish` may bring a later one.
        pace
            For callers that take the steps themselves, by `RouteStream.finish_steps`.
        """
        reader = self._reader(self._dialect if dialect is None else dialect, path=path)
        return RouteStream(self._snapshot, reader, metadata, now, pace)

    def _read_steps(self, request: RequestLike, now: float | None, pace: Pace) -> Generator[Step, Answer, RequestView]:
        if isinstance(request, (RequestView, Mapping)):
            return read_request(request, dialect=self._dialect)
        reader = self._reader(self._dialect)
        if not pace.pauses:
            reader.feed(request, now=now)
            return reader.close()
        for piece in pieces(frozen(request)):
            reader.feed(piece, now=now)
            yield Pause.PAUSE
        return reader.close()

    def _compiled(self, policy: Policy) -> Snapshot:
        if not isinstance(policy, Policy):
            raise UsageError(f"the policy is a {type(policy).__name__}; allowed: Policy, e.g. from Policy.load(path)")
        keys = [key for key in policy.signals() if kind_of(key) == "classifier"]
        found = {key: self._classifier(key, policy) for key in keys}
        traits = {key: ClassifierTraits.of(classifier) for key, classifier in found.items()}
        if errors := errors_of(policy, traits):
            raise PolicyError("; ".join(error.message for error in errors))
        plan = Plan(compiled(policy, traits), found, self._bytes_per_token, self._language)
        compressor = self._compressor or self._default_compressor(policy)
        return Snapshot(plan, self._pools, compressor, {**self._plugins.listeners(), **self._listeners})

    def _classifier(self, key: str, policy: Policy) -> Classifier:
        """Find the classifier of a signal; one that was not handed over may leave out labels that nobody asks for.

        Any that finds what is redacted has to read all of a text.
        """
        classifier = provided(key, self._given, self._plugins)
        narrow: Callable[[frozenset[str]], Classifier] | None = getattr(classifier, "for_labels", None)
        if narrow is not None and not any(classifier is given for given in self._given):
            classifier = narrow(asked_labels(policy, key))
        redacted = redacted_labels(policy, key)
        whole: Callable[[frozenset[str]], Classifier] | None = getattr(classifier, "for_redaction", None)
        return whole(redacted) if whole is not None and redacted else classifier

    def _default_compressor(self, policy: Policy) -> Compressor | None:
        used = any(not isinstance(action, Block) and action.compress_to for action in policy.actions())
        return self._plugins.compressor("extractive") if used else None


def _nothing() -> None: ...


def _language(text: str) -> str:
    from routekit.language import detect  # its tables are large: only for policies that ask

    return detect(text)


def _distinct(classifiers: Sequence[Classifier]) -> tuple[Classifier, ...]:
    if isinstance(classifiers, (str, bytes)) or not isinstance(classifiers, Iterable):
        kind = type(classifiers).__name__
        raise UsageError(f"classifiers is a {kind}; allowed: a list of classifiers: write classifiers=[...]")
    seen: set[str] = set()
    for classifier in classifiers:
        if not isinstance(classifier, Classifier) or not isinstance(classifier.name, str):
            kind = type(classifier).__name__
            raise UsageError(f"classifiers holds a {kind}; allowed: what has a name (a text), labels and classify()")
        if classifier.name in seen:
            raise ConfigError(f"two classifiers are named {quoted(classifier.name)}; names must be unique")
        if kind_of(classifier.name) != "classifier":
            raise ConfigError(f"classifier name {quoted(classifier.name)} belongs to a built-in signal; choose another")
        seen.add(classifier.name)
    return tuple(classifiers)
