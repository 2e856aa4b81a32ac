"""A decision in words, as data, and as HTML: rules, signals, errors; never prompt text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from routekit.errors import plain, quoted
from routekit.markup import table_html, text_html

if TYPE_CHECKING:
    from routekit.decision import Decision
    from routekit.prediction import Prediction
    from routekit.trace import Budget, SignalTrace, Trace


def headline(decision: Decision) -> str:
    """Say in one line what was decided."""
    if decision.action == "block":
        what = f"block with status {decision.status}"
    elif decision.model is None:
        what = "keep the client's choice: no model"
    else:
        what = f"{'keep' if decision.action == 'keep' else 'route to'} {quoted(decision.model)}"
    pool = f", pool {quoted(decision.pool)}" if decision.pool is not None else ""
    return f"{what}{pool} (rule {quoted(decision.rule)}{', decided early' if decision.early else ''})"


def explained(decision: Decision) -> str:
    """Say in plain text how a decision came about."""
    trace = decision.trace
    lines = [headline(decision)]
    rules = [[_rule_name(r.name, r.shadow), r.outcome.replace("_", " "), r.reason] for r in trace.rules]
    lines += _section("rules", rules)
    lines += _section("signals", [_signal_row(signal) for signal in trace.signals])
    lines += _change_lines(trace)
    lines += _budget_lines(decision)
    return "\n".join(lines)


def decision_to_dict(decision: Decision) -> dict[str, object]:
    """Give a decision as JSON-ready data with stable keys."""
    trace = decision.trace
    return {
        "action": decision.action,
        "model": decision.model,
        "pool": decision.pool,
        "rule": decision.rule,
        "status": decision.status,
        "early": decision.early,
        "estimated_tokens": decision.estimated_tokens,
        "signals": {name: _prediction_to_dict(p) for name, p in decision.signals.items()},
        "trace": {
            "rules": [asdict(rule) for rule in trace.rules],
            "signals": [asdict(signal) for signal in trace.signals],
            "shadow": list(trace.shadow),
            "budget": asdict(trace.budget) if trace.budget is not None else None,
            "transforms": list(trace.transforms),
            "metadata": dict(trace.metadata) if trace.metadata is not None else None,
        },
    }


def decision_html(decision: Decision) -> str:
    """Show a decision in a notebook; everything is escaped."""
    lines = list(_budget_lines(decision)) if decision.trace.budget is None else []
    return f"<p><b>{text_html(headline(decision))}</b></p>" + trace_html(decision.trace) + _paragraphs(lines)


def trace_html(trace: Trace) -> str:
    """Show how a decision came about, in a notebook; everything is escaped."""
    rules = [(_rule_name(r.name, r.shadow), r.outcome.replace("_", " "), r.reason) for r in trace.rules]
    signals = [_signal_row(signal) for signal in trace.signals]
    tables = table_html(("rule", "outcome", "why"), rules)
    tables += table_html(("signal", "state", "value", "read", "time"), signals)
    lines = [*_change_lines(trace), *([] if trace.budget is None else [_budget_line(trace.budget)])]
    return tables + _paragraphs(lines)


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{text_html(line)}</p>" for line in lines)


def _section(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield title
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    for row in rows:
        columns = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        yield "  " + "  ".join([*columns, row[-1]]).rstrip()


def _rule_name(name: str, shadow: bool) -> str:
    return plain(name) + (" (shadow)" if shadow else "")


def _signal_row(signal: SignalTrace) -> list[str]:
    summary = f"{signal.error}: {signal.summary}".rstrip(": ") if signal.error else signal.summary
    by = f" (settled by {plain(signal.tier)})" if signal.tier else ""
    read = f"{signal.coverage:.0%} read{by}" if signal.coverage is not None and not signal.error else ""
    time = f"{signal.seconds * 1000:.2f} ms" if signal.seconds else ""
    return [plain(signal.name), signal.state.replace("_", " "), summary, read, time]


def _budget_lines(decision: Decision) -> Iterator[str]:
    if decision.trace.budget is not None:
        yield _budget_line(decision.trace.budget)
    elif decision.estimated_tokens is not None:
        yield f"estimated tokens {decision.estimated_tokens}"


def _budget_line(budget: Budget) -> str:
    return (
        f"token budget {budget.total_tokens}: {budget.prompt_tokens} in ({budget.n_bytes} bytes of "
        f"{budget.category} at {budget.bytes_per_token:.2f} bytes a token) + "
        f"{budget.max_output_tokens} out; {budget.reason}"
    )


def _change_lines(trace: Trace) -> Iterator[str]:
    if trace.shadow:
        yield "shadow rules that would have decided: " + ", ".join(quoted(name) for name in trace.shadow)
    if trace.transforms:
        yield "the policy changes the prompt: " + ", ".join(plain(change) for change in trace.transforms)


def _prediction_to_dict(prediction: Prediction) -> dict[str, object]:
    return {
        "label": prediction.label,
        "probabilities": {label: float(p) for label, p in prediction.probabilities.items()},
        "spans": [[s.start, s.end, s.label, float(s.probability)] for s in prediction.spans],
        "coverage": float(prediction.coverage),
        "truncated": bool(prediction.truncated),
        "n_tokens": int(prediction.n_tokens),
        "seconds": float(prediction.seconds),
        "tier": prediction.tier,
    }
