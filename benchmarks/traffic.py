"""Public traffic: lengths of Azure requests, and the bytes and tokens of six kinds of text."""

from __future__ import annotations

import json
import math
import os
import random
from dataclasses import dataclass
from pathlib import Path

from routekit.sim import Trace

#: Share of requests of each kind of text: the mix of the reference values.
MIX = {"en_prose": 45, "zh_prose": 15, "go_code": 10, "py_code": 15, "json_yaml": 13, "base64": 2}
#: What may change while requests come: nothing; a category comes to hold another kind of text, bit by bit (none of it
#: at the first request, nothing else at the last); or all ratios swing by a quarter, four times.
WORKLOADS = ("mixed", "drifting", "swinging")
DRIFT = {"en_prose": "zh_prose", "py_code": "json_yaml"}


def folder() -> Path:
    """Give the folder of traces, beside the checkout or under ROUTEKIT_SHARED."""
    shared = os.environ.get("ROUTEKIT_SHARED", Path(__file__).parents[2] / "shared")
    return Path(shared) / "data" / "traffic"


def azure() -> Trace:
    """Read both Azure 2023 traces, conversations and code."""
    return Trace.from_azure(*(folder() / f"AzureLLMInferenceTrace_{name}.csv" for name in ("conv", "code")))


def cdf(name: str) -> list[tuple[float, float]]:
    """Read a cumulative distribution of total lengths: ``"azure"`` or ``"lmsys"``."""
    return [(tokens, share) for tokens, share in json.loads((folder() / f"{name}_cdf.json").read_text())]


def ratios(encoding: str = "cl100k_base") -> dict[str, list[float]]:
    """Give bytes per token of texts of at least 20 tokens, by kind."""
    pairs = json.loads((folder() / "bytes_tokens_pairs.json").read_text())
    return {kind: [b / t for b, t in pairs[f"{kind}|{encoding}"] if t >= 20] for kind in MIX}


@dataclass(frozen=True, slots=True)
class Sent:
    """A request: its kind, the bytes a router sees, and the tokens only the server knows."""

    category: str
    n_bytes: int
    prompt_tokens: int
    output_tokens: int


def requests(n: int, *, seed: int, workload: str = "mixed") -> list[Sent]:
    """Draw requests: lengths from Azure, bytes per token from texts of each kind; the output limit is exact."""
    rng = random.Random(seed)
    trace, texts = azure(), ratios()
    lengths = list(zip(trace.prompt_tokens.tolist(), trace.output_tokens.tolist(), strict=True))
    kinds = rng.choices(list(MIX), list(MIX.values()), k=n)
    sent = []
    for i, category in enumerate(kinds):
        drifted = workload == "drifting" and category in DRIFT and rng.random() < i / n
        prompt, output = rng.choice(lengths)
        ratio = rng.choice(texts[DRIFT[category] if drifted else category])
        if workload == "swinging":
            ratio *= 1 + 0.25 * math.sin(8 * math.pi * i / n)
        sent.append(Sent(category, math.ceil(prompt * ratio), prompt, output))
    return sent
