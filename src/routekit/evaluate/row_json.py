"""Rows of an evaluation as JSON, and back: exact, but for spans, which no decision reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from routekit.evaluate.columns import Label
from routekit.evaluate.row import Entry, Facts, Row, Skipped
from routekit.prediction import Prediction
from routekit.program import Outcome
from routekit.states import State, Value, Verdict

#: Fields that are written as they are, where they differ from None and empty.
_PLAIN: Mapping[str, type] = {
    "refused": str,
    **dict.fromkeys(("status", "prompt_tokens", "completion_tokens", "estimated_tokens"), int),
    **dict.fromkeys(("decided_at", "wall_seconds", "cpu_seconds"), float),
}


def entry_to_dict(entry: Entry) -> dict[str, object]:
    """Write a row as plain data."""
    if isinstance(entry, Skipped):
        return {"source": entry.source, "line": entry.line, "skipped": entry.reason}
    data: dict[str, object] = {
        "source": entry.source,
        "line": entry.line,
        "id": entry.id,
        "n_body_bytes": entry.n_body_bytes,
        "outcome": None if entry.outcome is None else list(entry.outcome),
        "facts": None if entry.facts is None else asdict(entry.facts),
        "states": {key: _state_to_dict(state) for key, state in entry.states.items()},
        "ran": list(entry.ran),
        "shadow": list(entry.shadow),
        "labels": {key: label if isinstance(label, bool) else sorted(label) for key, label in entry.labels.items()},
        "expected": dict(entry.expected),
    }
    data |= {name: getattr(entry, name) for name in _PLAIN}
    return {key: value for key, value in data.items() if value not in (None, [], {})}


def entry_from_dict(data: Mapping[str, Any]) -> Entry:
    """Read what `entry_to_dict` wrote; raise KeyError, TypeError or ValueError for anything else."""
    if "skipped" in data:
        return Skipped(str(data["source"]), int(data["line"]), str(data["skipped"]))
    return Row(
        str(data["source"]),
        int(data["line"]),
        str(data["id"]),
        int(data["n_body_bytes"]),
        Outcome(*data["outcome"]) if "outcome" in data else None,
        facts=Facts(**data["facts"]) if "facts" in data else None,
        states={key: _state_from_dict(state) for key, state in data.get("states", {}).items()},
        ran=tuple(data.get("ran", ())),
        shadow=tuple(data.get("shadow", ())),
        labels={key: _label(label) for key, label in data.get("labels", {}).items()},
        expected={key: _text(name) for key, name in data.get("expected", {}).items()},
        **{name: _plain(data.get(name), kind) for name, kind in _PLAIN.items()},
    )


def _label(label: object) -> Label:
    return label if isinstance(label, bool) else frozenset(map(_text, label))  # type: ignore[call-overload]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _plain(value: Any, kind: type) -> Any:
    if value is None or type(value) is kind or (kind is float and type(value) is int):
        return value
    raise TypeError


def _state_to_dict(state: State) -> dict[str, object]:
    if isinstance(state, Value):
        return {"value": state.value} if state.failed is None else {"value": None, "failed": state.failed}
    if state.prediction is None:
        return {"lower": _floats(state.lower), "failed": state.failed}
    prediction = state.prediction
    return {
        "label": prediction.label,
        "probabilities": _floats(prediction.probabilities),
        "coverage": float(prediction.coverage),
        "truncated": bool(prediction.truncated),
        "n_tokens": int(prediction.n_tokens),
        "seconds": float(prediction.seconds),
        **({"tier": prediction.tier} if prediction.tier else {}),
    }


def _state_from_dict(data: Mapping[str, Any]) -> State:
    if "value" in data:
        failed = data.get("failed")
        return Value(data["value"], final=failed is None, failed=failed)
    if "label" not in data:
        return Verdict(_floats(data["lower"]), failed=data["failed"])
    fields = ("coverage", "truncated", "n_tokens", "seconds")
    found = {name: data[name] for name in fields}
    return Verdict(
        prediction=Prediction(data["label"], _floats(data["probabilities"]), tier=data.get("tier", ""), **found)
    )


def _floats(probabilities: Mapping[str, float]) -> dict[str, float]:
    return {label: float(p) for label, p in probabilities.items()}
