"""Configurations of the router that tests make up, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import routekit as rk
from routekit.testing import FakeClassifier, chat
from routekit.vllm_sr import Translation

JAILBREAK = FakeClassifier("jailbreak", {"evil": 0.9, "odd": 0.6})
DOMAIN = FakeClassifier("domain", {"math": {"integral": 0.9}, "law": {"lawsuit": 0.9}}, positive=())
RISK = FakeClassifier("tool-risk", {"RISKY": {"delete": 0.8}}, positive=())
FAKES = [JAILBREAK, DOMAIN, RISK]


def document(signals: Mapping[str, Any], *decisions: Mapping[str, Any], **routing: Any) -> dict[str, Any]:
    """Write a configuration of layout v0.3."""
    return {
        "version": "v0.3",
        "providers": {"defaults": {"default_model": "small"}},
        "routing": {"signals": dict(signals), "decisions": list(decisions), **routing},
    }


def decision(name: str, rules: Mapping[str, Any] | None = None, model: str = "large", **more: Any) -> dict[str, Any]:
    return {"name": name, "modelRefs": [{"model": model}], **({"rules": dict(rules)} if rules else {}), **more}


def leaf(kind: str, name: str = "it", **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": name, **more}


def reasons(translation: Translation) -> dict[str, str]:
    return {item.path: item.reason for item in translation.unmapped}


def decided(policy: rk.Policy, text: str, *, model: str = "auto", **metadata: Any) -> rk.Decision:
    body = chat(text, model=model)
    return rk.PolicyRouter(policy, classifiers=FAKES).route(body, metadata=metadata)
