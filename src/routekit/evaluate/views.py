"""Evaluations, differences and sweeps as tables: Markdown and HTML from the same cells, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from routekit.errors import plain
from routekit.evaluate.confusion import Confusion
from routekit.evaluate.estimates import Estimate
from routekit.evaluate.signal_report import SignalReport
from routekit.markup import table_html, text_html

if TYPE_CHECKING:
    from routekit.evaluate.difference import Difference
    from routekit.evaluate.evaluation import Evaluation
    from routekit.evaluate.sweeping import Sweep

#: Most rows of a table: labels and models may come from outside.
MAX_ROWS = 50


class Table(NamedTuple):
    """A title, a header, and rows of cells."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def markdown(evaluation: Evaluation) -> str:
    """Write an evaluation as Markdown."""
    return _markdown(_headline(evaluation), tables(evaluation))


def html(evaluation: Evaluation) -> str:
    """Write an evaluation as HTML."""
    return _html(_headline(evaluation), tables(evaluation))


def difference_markdown(difference: Difference) -> str:
    """Write a difference as Markdown."""
    return _markdown(_difference_headline(difference), _difference_tables(difference))


def difference_html(difference: Difference) -> str:
    """Write a difference as HTML."""
    return _html(_difference_headline(difference), _difference_tables(difference))


def sweep_markdown(sweep: Sweep) -> str:
    """Write a sweep as Markdown."""
    return _markdown(_sweep_headline(sweep), [_sweep_table(sweep)])


def sweep_html(sweep: Sweep) -> str:
    """Write a sweep as HTML."""
    return _html(_sweep_headline(sweep), [_sweep_table(sweep)])


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """Walk over the tables of an evaluation that have something to say."""
    found = (
        _rules(evaluation),
        _signals(evaluation),
        *(_labels(report) for report in evaluation.signals.values()),
        *(_expected(evaluation, what) for what in ("rule", "model", "action")),
        *(_shares(evaluation, by) for by in ("action", "model", "pool")),
        _latency(evaluation),
        _trouble(evaluation),
    )
    return (table for table in found if table.rows)


def _headline(evaluation: Evaluation) -> str:
    summary = evaluation.summary
    parts = [f"{summary.n_requests} requests"]
    parts += [f"{evaluation.n_refused} refused"] if evaluation.n_refused else []
    parts += [f"{summary.n_skipped} rows skipped"] if summary.n_skipped else []
    parts += [f"{summary.fully_read.value:.1%} read in full"] if summary.fully_read else []
    if summary.early:
        parts.append(f"{summary.early['share_decided_early']:.1%} decided before the end of the body")
    return ", ".join(parts)


def _rules(evaluation: Evaluation) -> Table:
    reports = evaluation.rules.values()
    rows = [
        (plain(report.name), str(report.n), _rate(report.share), str(report.n_shadow or ""), *_rates(report.confusion))
        for report in reports
    ]
    truth = {report.truth for report in reports} - {None}
    what = {"labels": ", judged by the labels of signals", "expected": ", judged by the rules that rows expect"}
    title = "Rules" + "".join(what[name] for name in truth if name)
    return Table(title, ("rule", "requests", "share", "as shadow", *_RATES), _cut(rows))


def _signals(evaluation: Evaluation) -> Table:
    rows = [
        (
            plain(report.name),
            str(report.n),
            "" if report.n_needed is None else str(report.n_needed),
            str(report.n_labelled),
            *_rates(report.confusion),
            _rate(report.auc),
            "" if report.least_coverage is None else f"{report.least_coverage:.0%}",
            str(sum(report.errors.values()) or ""),
        )
        for report in evaluation.signals.values()
    ]
    header = ("signal", "requests", "needed", "labelled", *_RATES, "AUC", "least read", "errors")
    return Table("Signals, by their own thresholds", header, _cut(rows))


def _labels(report: SignalReport) -> Table:
    rows = [(plain(label), str(c.tp + c.fn), *_rates(c)) for label, c in report.by_label.items()]
    accuracy = "" if report.accuracy is None else f", accuracy {_rate(report.accuracy)}"
    return Table(f"Labels of {plain(report.name)}{accuracy}", ("label", "true", *_RATES), _cut(rows))


def _expected(evaluation: Evaluation, what: str) -> Table:
    outcomes = evaluation.outcomes(what) if what != "rule" else {}  # type: ignore[arg-type]
    rows = [(plain(name), str(c.tp + c.fn), *_rates(c)) for name, c in outcomes.items()]
    return Table(f"Expected {what}", (what, "expected", *_RATES), _cut(rows))


def _shares(evaluation: Evaluation, by: str) -> Table:
    shares = evaluation.shares(by)  # type: ignore[arg-type]
    if by == "pool" and len(shares) < 2 and not evaluation.provenance.placed:
        return Table("", (), ())
    rows = [
        (
            plain(s.name),
            str(s.n),
            _rate(s.share),
            str(s.prompt_tokens or ""),
            str(s.completion_tokens or ""),
            str(s.estimated_tokens or ""),
        )
        for s in shares.values()
    ]
    header = (by, "requests", "share", "prompt tokens", "output tokens", "budget, tokens")
    return Table(f"By {by}", header, _cut(rows))


def _latency(evaluation: Evaluation) -> Table:
    latency = evaluation.latency
    columns = ("mean", "p50", "p95", "p99", "max")
    rows = [
        (name, *(f"{1000 * seconds[column]:.2f}" for column in columns))
        for name, seconds in (("wall", latency.wall), ("CPU", latency.cpu))
        if seconds
    ]
    return Table("Latency of a decision, ms", ("", *columns), tuple(rows))


def _trouble(evaluation: Evaluation) -> Table:
    rows = [("refused", plain(name), str(n)) for name, n in evaluation.refused.items()]
    for report in evaluation.signals.values():
        rows += [(f"{plain(report.name)} failed", plain(name), str(n)) for name, n in report.errors.items()]
        rows += [
            (f"{plain(report.name)} has no label", plain(name), str(n)) for name, n in report.unknown_labels.items()
        ]
    for name, n in evaluation.summary.unrecorded.items():
        rows.append((f"labels for {plain(name)}", "not recorded: evaluate with signals=[...]", str(n)))
    return Table("What went wrong", ("what", "which", "requests"), _cut(rows))


def _difference_headline(difference: Difference) -> str:
    share = f" ({difference.n_changed / difference.n:.1%})" if difference.n else ""
    lines = [f"{difference.n_changed} of {difference.n} requests{share} are decided otherwise"]
    for n, where in ((difference.n_only_before, "before"), (difference.n_only_after, "after")):
        lines += [f"{n} are only in the evaluation {where}"] if n else []
    right = difference.correctness
    if right is not None:
        lines.append(f"of {right.n} with an expectation {right.n_fixed} become right and {right.n_broken} wrong")
    return "; ".join(lines)


def _difference_tables(difference: Difference) -> list[Table]:
    rules = [
        (
            plain(c.name),
            str(c.n_before),
            str(c.n_after),
            f"+{c.n_gained}",
            f"-{c.n_lost}",
            _points(c.change),
            f"{c.p_value:.2g}",
        )
        for c in difference.rules.values()
    ]
    moves = [
        (plain(old), plain(new), str(n), ", ".join(plain(name) for name in difference.ids[old, new][:5]))
        for (old, new), n in difference.transitions.items()
    ]
    header = ("rule", "before", "after", "gains", "loses", "change of share, points", "p")
    found = [Table("Rules", header, _cut(rules)), Table("Moves", ("from", "to", "requests", "such as"), _cut(moves))]
    return [table for table in found if table.rows]


def _sweep_headline(sweep: Sweep) -> str:
    subject = plain(sweep.signal) + ("" if sweep.label is None else f"[{plain(sweep.label)}]")
    n = sweep.points[0].confusion.n if sweep.points else 0
    return f"Thresholds of {subject} on {n} labelled requests"


def _sweep_table(sweep: Sweep) -> Table:
    rules = list(dict.fromkeys(name for point in sweep.points for name in point.shares))
    rows = []
    for point in sweep.points:
        shares = [_rate(point.shares[name].share) if name in point.shares else "0" for name in rules]
        rows.append((f"{point.threshold:g}", _rate(point.recall), _rate(point.fpr), _rate(point.precision), *shares))
    header = ("threshold", "recall", "FPR", "precision", *(f"share of {plain(name)}" for name in rules))
    return Table("", header, _cut(rows))


_RATES = ("precision", "recall", "F1", "FPR")


def _rates(confusion: Confusion | None) -> tuple[str, ...]:
    if confusion is None:
        return ("",) * len(_RATES)
    return tuple(_rate(rate) for rate in (confusion.precision, confusion.recall, confusion.f1, confusion.fpr))


def _rate(estimate: Estimate | None) -> str:
    return "" if estimate is None else f"{estimate.value:.3f} ({estimate.low:.3f}–{estimate.high:.3f})"


def _points(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    value, low, high = (100 * share for share in (estimate.value, estimate.low, estimate.high))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"


def _cut(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    if len(rows) <= MAX_ROWS:
        return tuple(rows)
    rest = f"... and {len(rows) - MAX_ROWS} more"
    return (*rows[:MAX_ROWS], (rest, *("" for _ in rows[0][1:])))


def _markdown(headline: str, found: Sequence[Table] | Iterator[Table]) -> str:
    parts = [_escaped(headline)]
    for table in found:
        lines = [_line(table.header), "|" + "---|" * len(table.header), *map(_line, table.rows)]
        parts.append((f"### {_escaped(table.title)}\n\n" if table.title else "") + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |"


def _escaped(cell: str) -> str:
    """Escape what Markdown, and the HTML in it, would read."""
    escaped = "".join("\\" + character if character in "\\`*_[]|#!~" else character for character in cell)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _html(headline: str, found: Sequence[Table] | Iterator[Table]) -> str:
    parts = [f"<p><b>{text_html(headline)}</b></p>"]
    for table in found:
        parts.append(f"<p>{text_html(table.title)}</p>" if table.title else "")
        parts.append(table_html(table.header, table.rows))
    return "".join(parts)
