"""A tiny model of `routekit.embedded.doubt` with random weights, in a file as it ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from routekit.embedded.doubt import FORMAT, WIDTH

N_IDS, N_BITS, N_DIMS, N_FEATURES = 120, 7, 3, (4, 5)
SCALES = [
    {"n_tokens": n, "slope": slope, "bias": bias} for n, slope, bias in ((4, 0.1, -1), (9, 0.2, 0.5), (0, 0.3, 0))
]


def save(folder: Path, *, n_ids: int = N_IDS, seed: int = 0, **changes: Any) -> Path:
    """Write ``doubt.npz``; `changes` replace arrays or settings."""
    rng = np.random.default_rng(seed)
    settings: dict[str, Any] = {"format": FORMAT, "scales": SCALES, "share": 0.5}
    arrays: dict[str, Any] = {
        "grams": rng.integers(-100, 100, 1 << N_BITS).astype(np.int8),
        "vectors": rng.integers(-127, 128, (n_ids, N_DIMS)).astype(np.int8),
        "out": rng.uniform(0, 0.1, N_FEATURES[-1]).astype(np.float32),
    }
    for i, (n_in, n_out) in enumerate(zip((N_DIMS, *N_FEATURES), N_FEATURES, strict=False)):
        arrays[f"kernel{i}"] = rng.normal(0, 0.1, (WIDTH * n_in, n_out)).astype(np.float32)
        arrays[f"bias{i}"] = rng.normal(0, 0.1, n_out).astype(np.float32)
    for name, value in changes.items():
        (settings if name in settings else arrays)[name] = value
    path = folder / "doubt.npz"
    np.savez(path, settings=np.frombuffer(json.dumps(settings).encode(), dtype=np.uint8), **arrays)
    return path
