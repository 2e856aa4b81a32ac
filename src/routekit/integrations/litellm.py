"""routekit in the LiteLLM proxy: a guardrail that blocks, routes and redacts, and a callback that learns from usage.

    guardrails:
      - guardrail_name: routekit
        litellm_params:
          guardrail: routekit.integrations.litellm.RoutekitGuardrail
          mode: pre_call
          default_on: true
          policy: policy.toml           # relative to config.yaml
          pools: pools.toml             # or the same as a table

    litellm_settings:
      callbacks: [routekit.integrations.litellm.feedback]

Made for litellm 1.108; see ``docs/guides/litellm.md``.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

import litellm
import orjson
from fastapi import HTTPException
from litellm.integrations.custom_guardrail import CustomGuardrail, log_guardrail_information
from litellm.integrations.custom_logger import CustomLogger
from litellm.types.guardrails import LitellmParams

from routekit.aio import AsyncRouteStream
from routekit.decision import Decision
from routekit.error_body import ErrorAnswer
from routekit.errors import UnsupportedBody, quoted
from routekit.integrations.decision_headers import decision_headers
from routekit.integrations.litellm_request import (
    dialect_of_call,
    judged_body,
    metadata_of,
    policy_metadata,
    replaced_texts,
    rerouted,
)
from routekit.integrations.litellm_settings import KEYS, gate_of, mode_of
from routekit.request import Dialect
from routekit.trace import Trace
from routekit.transforms import changes_prompt

#: Where a request's metadata says what was decided.
RECORD = "routekit"
#: Placed requests whose usage is still awaited; those that failed upstream never send any.
MAX_AWAITED = 10_000
_log = logging.getLogger("routekit.litellm")


class Record(dict[str, Any]):
    """What was decided, as LiteLLM's logs see it; of a type that no client can send in its metadata."""


class RoutekitGuardrail(CustomGuardrail):  # type: ignore[misc]  # litellm is not installed where types are checked
    """Judges every request of the proxy by a policy file.

    Raises
    ------
    RuntimeError
        For anything wrong with its settings: the one error that stops the proxy's start. After a ValueError or a
        TypeError LiteLLM would start without the guardrail.
    """

    def __init__(
        self, guardrail_name: str | None = None, event_hook: object = None, default_on: bool = False, **params: Any
    ) -> None:
        try:
            self._mode = mode_of(event_hook)
            self._gate = gate_of(params, self._mode, _own_keys(), _config_folder())
        except Exception as error:
            raise RuntimeError(f"guardrail {quoted(str(guardrail_name))}: {type(error).__name__}: {error}") from None
        if not default_on:
            _log.warning("guardrail %s judges only requests that ask for it: set default_on", guardrail_name)
        if self._gate.pools is not None:
            atexit.register(self._gate.pools.save)
        self._awaited: OrderedDict[str, Decision] = OrderedDict()
        inherited = {key: value for key, value in params.items() if key not in KEYS}
        super().__init__(guardrail_name=guardrail_name, event_hook=self._mode, default_on=default_on, **inherited)

    @log_guardrail_information  # type: ignore[untyped-decorator]
    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        """Judge a request before it is sent; the name and the parameters are LiteLLM's."""
        if call_type in self._gate.let_pass:
            return data
        dialect = dialect_of_call(call_type)
        try:
            await self._admit(data, user_api_key_dict, call_type, dialect)
        except Exception as error:
            raise _refusal(error, dialect) from None
        return data

    @log_guardrail_information  # type: ignore[untyped-decorator]
    async def async_moderation_hook(self, data: dict[str, Any], user_api_key_dict: Any, call_type: str) -> None:
        """Judge a request while a model works on it; can only block."""
        if call_type in self._gate.let_pass:
            return
        dialect = dialect_of_call(call_type)
        try:
            _, decision = await self._judged(data, user_api_key_dict, call_type, dialect)
            decision.raise_if_blocked()
        except Exception as error:
            raise _refusal(error, dialect) from None

    async def async_post_call_response_headers_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: Any,
        response: Any,
        request_headers: Any = None,
        litellm_call_info: Any = None,
    ) -> dict[str, str] | None:
        """Tell the client what was decided."""
        record = metadata_of(data).get(RECORD)
        return record["headers"] if self._mode == "pre_call" and isinstance(record, Record) else None

    async def learn(self, details: Mapping[str, Any], usage: object) -> None:
        """Take the usage of a call, given LiteLLM's details of it."""
        pools, decision = self._gate.pools, self._awaited.pop(_placement(details), None)
        if pools is None or decision is None or not _is_counted(details):
            return
        if pools.learn(decision, usage, now=monotonic()):
            await asyncio.to_thread(pools.save)

    async def _admit(self, data: dict[str, Any], key: object, call_type: str, dialect: Dialect | None) -> None:
        """Judge a request and change it as the policy says."""
        stream, decision = await self._judged(data, key, call_type, dialect)
        record = metadata_of(data)[RECORD] = _record(decision)
        decision.raise_if_blocked()
        if changes_prompt(decision):
            replaced_texts(data, orjson.loads(b"".join(await stream.rewrite(decision))))
        rerouted(data, decision)
        record["headers"] |= decision_headers(replace(decision, model=data.get("model")))
        if self._gate.tag:
            _tag(metadata_of(data), decision)
        self._await_usage(record["placement"], decision)

    async def _judged(
        self, data: Mapping[str, Any], key: object, call_type: str, dialect: Dialect | None
    ) -> tuple[AsyncRouteStream, Decision]:
        if dialect is None:
            raise UnsupportedBody(
                f"calls of type {quoted(call_type)} cannot be judged; if they may pass unjudged, list it in let_pass"
            )
        stream = self._gate.router.open(metadata=policy_metadata(data, key), dialect=dialect, now=monotonic())
        decision = await stream.feed(judged_body(data))
        if decision is None or decision.action != "block":
            decision = await stream.finish()
        return stream, decision

    def _await_usage(self, placement: str, decision: Decision) -> None:
        """Keep what usage teaches about, without predictions."""
        if decision.trace.budget is None:
            return
        transforms = decision.trace.transforms if changes_prompt(decision) else ()
        trace = Trace(budget=decision.trace.budget, transforms=transforms)
        self._awaited[placement] = replace(decision, signals={}, trace=trace)
        while len(self._awaited) > MAX_AWAITED:
            self._awaited.popitem(last=False)


class RoutekitFeedback(CustomLogger):  # type: ignore[misc]  # litellm is not installed where types are checked
    """Passes usage on to the guardrails, and refuses requests when none was loaded.

    LiteLLM starts without a guardrail whose entry it cannot read (no ``mode``, say), before routekit hears of it.
    """

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: Any, call_type: str) -> None:
        """Refuse to run unguarded."""
        if next(_guardrails(), None) is None:
            _log.error("no guardrail of routekit is loaded: see what LiteLLM logged at its start")
            raise _refusal(RuntimeError(), dialect_of_call(call_type))

    async def async_log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
        """Pass on what the server counted; LiteLLM calls this by keywords."""
        for guardrail in _guardrails():
            await guardrail.learn(kwargs, response_obj)


#: For ``litellm_settings.callbacks``, which wants an instance.
feedback = RoutekitFeedback()


def _guardrails() -> Iterator[RoutekitGuardrail]:
    return (callback for callback in litellm.callbacks if isinstance(callback, RoutekitGuardrail))


def _refusal(error: Exception, dialect: Dialect | None) -> HTTPException:
    """Answer in the client's dialect; LiteLLM puts the envelope of its endpoint around the message."""
    answer = ErrorAnswer.of(error, dialect=dialect)
    if answer.status == 500:
        _log.error("a request could not be judged: %s", type(error).__name__)
    body = answer.to_dict()
    refusal = HTTPException(answer.status, body)
    # Some endpoints look for these and would otherwise send the whole exception as the message.
    vars(refusal).update(message=answer.message, type=body["error"]["type"])
    return refusal


def _record(decision: Decision) -> Record:
    return Record(
        action=decision.action,
        model=decision.model,
        pool=decision.pool,
        rule=decision.rule,
        status=decision.status,
        estimated_tokens=decision.estimated_tokens,
        transforms=list(decision.trace.transforms),
        shadow=list(decision.trace.shadow),
        headers=decision_headers(decision),
        placement=uuid4().hex,
    )


def _tag(metadata: dict[str, Any], decision: Decision) -> None:
    tags = metadata.get("tags")
    metadata["tags"] = [*(tags if isinstance(tags, list) else []), f"routekit:{decision.rule}"]


def _placement(details: Mapping[str, Any]) -> str:
    params = details.get("litellm_params") or {}
    for key in ("litellm_metadata", "metadata"):
        record = (params.get(key) or {}).get(RECORD)
        if isinstance(record, dict):
            return str(record.get("placement"))
    return ""


def _is_counted(details: Mapping[str, Any]) -> bool:
    """Say whether the server counted the tokens; for streams without usage LiteLLM estimates them."""
    if not details.get("stream"):
        return True
    options = (details.get("optional_params") or {}).get("stream_options") or details.get("stream_options") or {}
    return details.get("call_type") not in ("completion", "acompletion") or bool(options.get("include_usage"))


def _own_keys() -> set[str]:
    return set(LitellmParams.model_fields) | {"stream_scope"}


def _config_folder() -> Path:
    """Find the folder of config.yaml; the current one where the proxy was not started from a file."""
    from litellm.proxy import proxy_server

    file = proxy_server.user_config_file_path
    return Path(file).parent if file else Path()
