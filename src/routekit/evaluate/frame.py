"""An evaluation as a data frame of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from routekit.evaluate.row import Row
from routekit.states import State, Verdict

if TYPE_CHECKING:
    from routekit.evaluate.evaluation import Evaluation


def frame_of(evaluation: Evaluation) -> Any:
    """Give one row for each request: decision, times, and for each signal its label, P of a hit, and the truth."""
    return pandas().DataFrame([_record(row, evaluation) for row in evaluation.rows])


def pandas() -> Any:
    """Import pandas, or say how to get it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install pandas") from error
    return pandas


def _record(row: Row, evaluation: Evaluation) -> dict[str, object]:
    record: dict[str, object] = {
        "source": row.source,
        "line": row.line,
        "id": row.id,
        **{what: row.named(what) for what in ("action", "rule", "model", "pool")},
        "status": row.status,
        "refused": row.refused,
        "n_body_bytes": row.n_body_bytes,
        "n_text_bytes": None if row.facts is None else row.facts.n_text_bytes,
        "estimated_tokens": row.estimated_tokens,
        "prompt_tokens": row.prompt_tokens,
        "completion_tokens": row.completion_tokens,
        "wall_seconds": row.wall_seconds,
        "cpu_seconds": row.cpu_seconds,
    }
    for signal in evaluation.provenance.recorded:
        if signal in row.states:
            record |= _of_signal(signal, row.states[signal], evaluation)
    for signal, label in row.labels.items():
        record[f"{signal}.true"] = label if isinstance(label, bool) else ", ".join(sorted(label))
    return record | {f"expected.{what}": name for what, name in row.expected.items()}


def _of_signal(signal: str, state: State, evaluation: Evaluation) -> dict[str, object]:
    if not isinstance(state, Verdict):
        return {signal: state.value}
    if state.prediction is None:
        return {f"{signal}.label": None, f"{signal}.error": state.failed}
    traits, probabilities = evaluation.provenance.traits[signal], state.prediction.probabilities
    p = traits.positive_probability(probabilities) if traits.positive else max(probabilities.values(), default=None)
    coverage = state.prediction.coverage
    return {f"{signal}.label": state.prediction.label, f"{signal}.p": p, f"{signal}.coverage": coverage}
