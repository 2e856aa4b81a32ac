"""Which output column of a classifier means which label, however the model's files say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from routekit.errors import ModelFormatError, quoted

MAX_LABELS = 4096
MAX_LABEL_CHARS = 256

_LABEL_TO_INDEX = ("label2id", "label_to_id", "label_to_idx", "category_to_idx")
_INDEX_TO_LABEL = ("id2label", "id_to_label", "idx_to_label", "idx_to_category")


def agreed_labels(sources: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """Read the labels from every file that states them, and insist that all say the same.

    Parameters
    ----------
    sources
        File name to its JSON object. Each may hold label-to-index and index-to-label tables under the names that
        transformers (``id2label``) and the published router models (``category_to_idx``, ``idx_to_label``, ...) use.
        The default names of transformers (``LABEL_0``, ...) say nothing and yield to any other file.

    Returns
    -------
    labels in the order of the output columns.

    Raises
    ------
    ModelFormatError
        If no table is found, indices are not 0 to n - 1, a label is repeated, or two tables disagree.

    Examples
    --------
    >>> agreed_labels({"config.json": {"id2label": {"1": "benign", "0": "jailbreak"}}})
    ('jailbreak', 'benign')
    """
    stated = [(f"{file}: {key}", labels) for file, data in sources.items() for key, labels in _tables(file, data)]
    named = [entry for entry in stated if not _is_placeholder(entry[1])] or stated
    if not named:
        raise ModelFormatError(
            f"no labels in {', '.join(map(quoted, sources))}; expected one of {', '.join(_INDEX_TO_LABEL)} "
            "(or the reverse): add id2label to config.json"
        )
    first, labels = named[0]
    for other, others in named[1:]:
        if others != labels:
            raise ModelFormatError(f"{_difference(first, labels, other, others)}: correct or remove one of the two")
    return labels


def _tables(file: str, data: Mapping[str, object]) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for key in (*_INDEX_TO_LABEL, *_LABEL_TO_INDEX):
        table = data.get(key)
        if table is None:
            continue
        if not isinstance(table, Mapping):
            raise ModelFormatError(f"{quoted(file)}: {key} is a {type(table).__name__}; expected an object")
        pairs = [(index, label) if key in _INDEX_TO_LABEL else (label, index) for index, label in table.items()]
        found.append((key, _in_order(f"{quoted(file)}: {key}", pairs)))
    return found


def _in_order(where: str, pairs: Sequence[tuple[object, object]]) -> tuple[str, ...]:
    if not 0 < len(pairs) <= MAX_LABELS:
        raise ModelFormatError(f"{where} has {len(pairs)} labels; allowed: 1 to {MAX_LABELS}")
    by_index = {_index(where, index): _label(where, label) for index, label in pairs}
    if sorted(by_index) != list(range(len(pairs))):
        raise ModelFormatError(f"{where} has {len(pairs)} entries, not numbered once each from 0 without a gap")
    labels = tuple(by_index[i] for i in range(len(pairs)))
    if len(set(labels)) != len(labels):
        raise ModelFormatError(f"{where} repeats a label; every output column needs its own")
    return labels


def _index(where: str, index: object) -> int:
    if isinstance(index, int) and not isinstance(index, bool):
        return index
    if isinstance(index, str) and index.isascii() and index.isdigit() and len(index) < 10:
        return int(index)
    raise ModelFormatError(f"{where} has an index that is no number from 0: {quoted(str(index))}")


def _label(where: str, label: object) -> str:
    if not isinstance(label, str) or not 0 < len(label) <= MAX_LABEL_CHARS:
        raise ModelFormatError(f"{where} has a label that is not text of 1 to {MAX_LABEL_CHARS} characters")
    return label


def _is_placeholder(labels: tuple[str, ...]) -> bool:
    return all(label == f"LABEL_{i}" for i, label in enumerate(labels))


def _difference(first: str, labels: tuple[str, ...], other: str, others: tuple[str, ...]) -> str:
    if len(labels) != len(others):
        return f"{first} has {len(labels)} labels, {other} has {len(others)}"
    i = next(i for i, (a, b) in enumerate(zip(labels, others, strict=True)) if a != b)
    return f"{first} says label {i} is {quoted(labels[i])}, {other} says {quoted(others[i])}"
