"""Writes docs/quality.md from the stored results: the same tables, with the tiers side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quality_goals import GOALS, Goal
from quality_measures import share

PAGE = Path(__file__).parents[1] / "docs" / "quality.md"
TEXT = Path(__file__).with_name("quality_page.md")
TIERS = ("linear", "cascade")


def page_of(record: Mapping[str, Any]) -> str:
    """Fill the marks of quality_page.md, ``<!-- name -->``, with tables."""
    results = record["results"]
    tiers = {name: results[name] for name in TIERS if name in results}
    page = TEXT.read_text(encoding="utf-8")
    page = page.replace("<!-- provenance -->", _provenance(record))
    for name, table in _tables(tiers).items():
        mark = f"<!-- {name} -->"
        if mark not in page:
            raise SystemExit(f"quality_page.md has no mark for {name}")
        page = page.replace(mark, "\n".join(table))
    return page


def _provenance(record: Mapping[str, Any]) -> str:
    machine, versions = record["machine"], record["versions"]
    return f"Commit {record['commit']}, {machine['cpu']}, one core, Python {machine['python']}, " + ", ".join(
        f"{name} {version}" for name, version in versions.items()
    )


def _tables(tiers: Mapping[str, Any]) -> dict[str, list[str]]:
    found = {"goals": list(goals(tiers))}
    of = {name: tier["jailbreak"] for name, tier in tiers.items()}
    for title in ("sets never seen", "held-out rows of known sources"):
        found[title] = list(_separations(of, title))
        found[f"{title}, harmless"] = list(_plain(of, (title, "harmless that fires")))
    for title in (
        "harmless texts with words of attacks",
        "harmless texts in other languages",
        "talk about security",
        "everyday requests",
        "one word or two",
        "machine-made text",
    ):
        found[title] = list(_plain(of, (title,)))
    found["long role play"] = list(_role_play(of))
    found["instructions hidden in documents"] = list(_hidden(of))
    for title in ("disguises", "requests by length"):
        found[title] = list(_two_tables(of, (title,), ("auc", "found", "clean that fires")))
    title = "attacks in other languages"
    found[title] = list(_two_tables(of, (title,), ("auc", "recall_at_1", "found")))
    found["sources left out"] = list(_left_out(tiers))
    domain = {name: {"domain": tier["domain"]} for name, tier in tiers.items()}
    found["domain"] = list(_domain(domain))
    pii = {name: tier["pii"] for name, tier in tiers.items()}
    found["written forms"] = list(_columns(pii, ("written forms",), ("f1", "precision", "recall")))
    found["names"] = list(_names(pii))
    found["documents without names"] = list(_plain(pii, ("documents without names",)))
    found["speed"] = list(_speed(tiers))
    return found


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _head(cells: Sequence[str]) -> list[str]:
    return [_row(cells), "|" + "---|" * len(cells)]


def number(found: Any, unit: str = "") -> str:
    """Write a figure with its interval; shares in per cent.

    Examples
    --------
    >>> number({"value": 0.0714, "low": 0.02, "high": 0.2, "n": 14}, "%")
    '7.1 % (2 to 20)'
    >>> number({"value": 0.9, "low": 0.88, "high": 0.92})
    '0.900 (0.88 to 0.92)'
    """
    if found is None or (isinstance(found, dict) and found.get("value") is None):
        return "-"
    if not isinstance(found, dict):
        found = {"value": found}
    value = found["value"]
    if unit == "%":
        between = f" ({100 * found['low']:.0f} to {100 * found['high']:.0f})" if "low" in found else ""
        return f"{100 * value:.1f} %{between}"
    if unit:
        return f"{value:.0f}{unit}" if value >= 10 else f"{value:.1f}{unit}"
    return f"{value:.3f}" + (f" ({found['low']:.2f} to {found['high']:.2f})" if "low" in found else "")


#: Figures that are shares.
_SHARES = frozenset({"found", "clean that fires", "recall_at_1", "recall_at_5"})
_NAMES = {
    "auc": "area under the curve",
    "recall_at_1": "found at 1 % false positives",
    "recall_at_5": "found at 5 % false positives",
    "found": "found at shipped thresholds",
    "clean that fires": "harmless that fires",
    "ece": "calibration error",
    "f1": "F1",
}


def goals(tiers: Mapping[str, Any]) -> Iterator[str]:
    """One row for each goal, with what each tier reached; the verdict is on the last tier."""
    yield from _head(("goal", "asked", *tiers, "reached"))
    for goal in GOALS:
        measured = {name: goal.measured(tier) for name, tier in tiers.items()}
        best = [*measured.values()][-1]
        verdict = "not measured" if best is None else "yes" if goal.is_met(best["value"]) else "**no**"
        yield _row((goal.title, _asked(goal), *(number(m, goal.unit) for m in measured.values()), verdict))


def _asked(goal: Goal) -> str:
    bound = f"{100 * goal.bound:.0f} %" if goal.unit == "%" else f"{goal.bound:g}{goal.unit}"
    return f"at {'least' if goal.is_least else 'most'} {bound}"


def _at(tier: Mapping[str, Any], path: Sequence[str]) -> Mapping[str, Any]:
    for key in path:
        tier = tier[key]
    return tier


def _columns(of: Mapping[str, Any], path: Sequence[str], figures: Sequence[str]) -> Iterator[str]:
    """One row for each key at a path, one column for each figure and tier."""
    yield from _head(("", *(f"{_NAMES.get(figure, figure)}, {tier}" for figure in figures for tier in of)))
    for key in _at(next(iter(of.values())), path):
        cells = (_at(tier, (*path, key)).get(figure) for figure in figures for tier in of.values())
        units = ("%" if figure in _SHARES else "" for figure in figures for _ in of)
        yield _row((key, *map(number, cells, units)))


#: What a second table has, unless the first one has it.
_FURTHER = ("recall_at_1", "recall_at_5", "f1", "ece")


def _two_tables(of: Mapping[str, Any], path: Sequence[str], first: Sequence[str]) -> Iterator[str]:
    yield from _columns(of, path, first)
    yield ""
    yield from _columns(of, path, [figure for figure in _FURTHER if figure not in first])


def _separations(of: Mapping[str, Any], title: str) -> Iterator[str]:
    yield from _two_tables(of, (title, "by set of attacks"), ("auc", "recall_at_1", "found"))
    yield ""
    figures = ("auc", "recall_at_1", "recall_at_5", "f1", "ece")
    yield from _head(("all of them", *(_NAMES[figure] for figure in figures)))
    for name, tier in of.items():
        pooled = tier[title]["pooled"]
        yield _row((name, *(number(pooled[f], "%" if f in _SHARES else "") for f in figures)))
    shipped = "; ".join(f"{name}: {_shipped(tier[title])}" for name, tier in of.items())
    yield ""
    yield f"At the thresholds that ship, all sets together: {shipped}."
    settled = " ".join(f"{name}: {number(t[title]['settled by the first tier'], '%')}." for name, t in of.items())
    yield ""
    yield f"Settled by the first tier alone: {settled}"


def _shipped(table: Mapping[str, Any]) -> str:
    """Say what share of all attacks is found, and what share of all harmless texts fires."""
    found = _sum([of_set["found"] for of_set in table["by set of attacks"].values()])
    fired = _sum(list(table["harmless that fires"].values()))
    return f"{number(found, '%')} of attacks found, {number(fired, '%')} of harmless texts fire"


def _sum(shares: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return share(sum(round(s["value"] * s["n"]) for s in shares), sum(s["n"] for s in shares))


def _plain(of: Mapping[str, Any], path: Sequence[str]) -> Iterator[str]:
    """One row for each share at a path, with its number of texts."""
    yield from _head(("", "texts", *of))
    for key, first in _at(next(iter(of.values())), path).items():
        yield _row((key, str(first["n"]), *(number(_at(tier, (*path, key)), "%") for tier in of.values())))


def _role_play(of: Mapping[str, Any]) -> Iterator[str]:
    yield from _head(("", *of))
    path = "long role play"
    for figure in ("auc", *_FURTHER):
        cells = (
            number(t[path]["attacks against harmless"][figure], "%" if figure in _SHARES else "") for t in of.values()
        )
        yield _row((f"attacks against harmless: {_NAMES[figure]}", *cells))
    yield _row(("attacks found at shipped thresholds", *(number(t[path]["attacks found"], "%") for t in of.values())))
    for kind in next(iter(of.values()))[path]["harmless that fires"]:
        cells = (number(t[path]["harmless that fires"][kind], "%") for t in of.values())
        yield _row((f"harmless that fires: {kind}", *cells))


def _hidden(of: Mapping[str, Any]) -> Iterator[str]:
    """One row for each form of each line."""
    rows = {
        name: {
            f"{line}: {form}": row
            for line, forms in tier["instructions hidden in documents"].items()
            for form, row in forms.items()
        }
        for name, tier in of.items()
    }
    yield from _two_tables(rows, (), ("auc", "recall_at_1", "found", "clean that fires"))


def _left_out(tiers: Mapping[str, Any]) -> Iterator[str]:
    of = {name: tier["left out"] for name, tier in tiers.items() if tier.get("left out")}
    if not of:
        yield "Not measured."
        return
    found = {name: {"left out": tables} for name, tables in of.items()}
    yield from _two_tables(found, ("left out",), ("auc", "recall_at_1"))


def _domain(of: Mapping[str, Any]) -> Iterator[str]:
    figures = ("right", "macro F1", "calibration error")
    yield from _head(("", "texts", *(f"{figure}, {tier}" for figure in figures for tier in of)))
    for key, first in next(iter(of.values()))["domain"].items():
        rows = [tier["domain"][key] for tier in of.values()]
        cells = [number(row, "%") for row in rows]
        cells += [number(row.get("macro_f1")) for row in rows] + [number(row["ece"]) for row in rows]
        yield _row((key, str(first["n"]), *cells))


def _names(of: Mapping[str, Any]) -> Iterator[str]:
    tier = [*of.values()][-1]["names"]
    yield from _head(("", "spans", "F1", "precision", "recall", "F1, overlapping"))
    for key, found in tier.items():
        for label, row in [("", found)] if "f1" in found else found.items():
            if row["f1"]["value"] == 0.0:
                continue  # the label is off, or the set has none
            cells = (
                number(row["f1"]),
                f"{row['precision']:.3f}",
                f"{row['recall']:.3f}",
                number(row.get("f1_overlapping")),
            )
            yield _row((f"{key} {label}".strip(), str(row["n_spans"]), *cells))


def _speed(tiers: Mapping[str, Any]) -> Iterator[str]:
    titles = {
        "jailbreak": "jailbreak",
        "domain": "domain",
        "pii": "pii",
        "two": "jailbreak and domain",
        "all": "all three",
    }
    yield from _head(("", *(f"{title}, {tier}" for title in titles.values() for tier in tiers)))
    for length in next(iter(tiers.values()))["speed"]["milliseconds"]:
        cells = (t["speed"]["milliseconds"][length][key] for key in titles for t in tiers.values())
        yield _row((length, *(f"{cell:.1f}" for cell in cells)))
    yield ""
    yield from _head(("megabytes", *tiers))
    for key in next(iter(tiers.values()))["speed"]["megabytes"]:
        yield _row((key, *(f"{tier['speed']['megabytes'][key]:.0f}" for tier in tiers.values())))
