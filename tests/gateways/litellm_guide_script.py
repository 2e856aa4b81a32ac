"""Run by the interpreter that has LiteLLM: what the guide, the argument, shows for use without the proxy works."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import routekit as rk

POLICY = rk.Policy(
    [
        rk.Rule("attack", when=rk.keywords("attack"), then=rk.Block(403)),
        rk.Rule("german", when=rk.keywords("german"), then=rk.RouteTo("openai/b")),
    ],
    default=rk.RouteTo("openai/a"),
    keywords={"attack": ["open sesame"], "german": ["bitte"]},
)


async def main(guide: str) -> None:
    """Answer through both ways, and see the block of both."""
    import litellm  # in here: pytest imports this file, without LiteLLM

    decide_first, plugin = re.findall(r"```python\n(.*?)```", Path(guide).read_text(encoding="utf-8"), re.DOTALL)
    scope: dict[str, Any] = {"rk": rk, "litellm": litellm}
    exec(plugin, scope)  # noqa: S102
    exec(f"async def decide_first(router, body):\n{indent(decide_first, '    ')}    return response", scope)  # noqa: S102
    router = rk.PolicyRouter(POLICY)
    async with rk.AsyncRouter(router) as arouter:
        models = [_deployment(name) for name in "ab"]
        narrowed = litellm.Router(model_list=models, plugins=[scope["ByPolicy"](arouter)])
        for text, expected in (("hello", "a"), ("bitte", "b")):
            messages = [{"role": "user", "content": text}]
            answer = await narrowed.acompletion(model="auto", messages=messages)
            assert answer.choices[0].message.content == f"from {expected}"
            body = {"model": "auto", "messages": messages, "mock_response": "canned"}
            answer = await scope["decide_first"](router, body)
            assert answer.choices[0].message.content == "canned"
        messages = [{"role": "user", "content": "open sesame"}]
        for call in (
            narrowed.acompletion(model="auto", messages=messages),
            scope["decide_first"](router, {"model": "auto", "messages": messages}),
        ):
            try:
                await call
            except rk.Blocked:
                continue
            raise AssertionError("was not blocked")


def _deployment(name: str) -> dict[str, Any]:
    params = {"model": f"openai/{name}", "api_key": "none", "mock_response": f"from {name}"}
    return {"model_name": "auto", "litellm_params": params}


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
