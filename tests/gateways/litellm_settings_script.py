"""Run by the interpreter that has LiteLLM, in a folder with a policy.toml: every bad setting raises RuntimeError."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

GOOD: dict[str, Any] = {"event_hook": "pre_call", "default_on": True, "policy": "policy.toml"}
BAD: list[dict[str, Any]] = [
    {"policy": None},
    {"policy": "absent.toml"},
    {"policy": 7},
    {"event_hook": None},
    {"event_hook": "post_call"},
    {"event_hook": ["pre_call", "during_call"]},
    {"event_hook": "during_call"},  # the policy routes
    {"polciy": "policy.toml"},
    {"pools": "absent.toml"},
    {"pools": {"pools": []}},
    {"pools": {"pools": [{"name": "short"}]}},
    {"pools": {"pools": [{"name": "short", "max_context": 8192}], "treshold": 1}},
    {"run_in_parallel": True},
    {"n_threads": 0},
    {"max_bytes": "1"},
    {"let_pass": "rerank"},
    {"tag": "yes"},
    {"signal_timeouts": {"jailbreak": 1}},  # the policy asks no such classifier
]


def main() -> int:
    """Return how many bad settings were accepted, or raised something that LiteLLM would swallow."""

    from routekit.integrations.litellm import RoutekitGuardrail  # in here: pytest imports this file, without LiteLLM

    wrong = 0
    RoutekitGuardrail(guardrail_name="good", **GOOD)
    for settings in BAD:
        try:
            RoutekitGuardrail(guardrail_name="bad", **{**GOOD, **settings})
        except RuntimeError as error:
            print("ok   ", settings, error)
        except Exception as error:
            print("WRONG", settings, repr(error))
            wrong += 1
        else:
            print("WRONG", settings, "was accepted")
            wrong += 1
    return wrong + asyncio.run(_unguarded())


async def _unguarded() -> int:
    """Without a guardrail among LiteLLM's callbacks, the feedback callback refuses."""

    from fastapi import HTTPException

    from routekit.integrations.litellm import feedback

    try:
        await feedback.async_pre_call_hook(None, None, {}, "acompletion")
    except HTTPException as refusal:
        return int(refusal.status_code != 500)
    return 1


if __name__ == "__main__":
    sys.exit(main())
