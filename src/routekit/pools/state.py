"""Learned ratios as a file, and ratios of several processes as one."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import orjson

from routekit.errors import ConfigError, UsageError, quoted
from routekit.pools.estimator import MAX_NAME_CHARS, RatioEstimator, Ratios
from routekit.pools.ratio import MAX_GAIN, Ratio, RatioRules, is_sound

if TYPE_CHECKING:
    from tempfile import _TemporaryFileWrapper

FORMAT = "routekit-ratios"
VERSION = 1
#: 256 categories take about 40 KB.
_MAX_FILE_BYTES = 16 * 1024 * 1024


def save_state(estimator: RatioEstimator, path: str | Path) -> None:
    """Write what an estimator learned, atomically: a reader sees the old file or the new one, whole.

    Raises
    ------
    ConfigError
        If there is no such folder, or no file can be made in it.
    OSError
        If writing fails midway; the old file stays.
    """
    ratios = estimator.snapshot()
    record = {
        "format": FORMAT,
        "version": VERSION,
        "rule": _rule(ratios.rules),
        "beta": ratios.rules.beta,
        "gain": ratios.gain,
        "categories": {name: list(state) for name, state in ratios.states.items()},
    }
    path = Path(path)
    with _new_file_beside(path) as file:
        written = Path(file.name)
        try:
            file.write(orjson.dumps(record))
            file.flush()
            os.fsync(file.fileno())
            written.replace(path)
        except BaseException:
            written.unlink(missing_ok=True)
            raise


def _new_file_beside(path: Path) -> _TemporaryFileWrapper[bytes]:
    try:
        return NamedTemporaryFile(dir=path.parent, prefix=path.name, suffix=".tmp", delete=False)
    except OSError as error:
        raise ConfigError(
            f"ratios cannot be saved as {quoted(str(path), 200)}: {error.strerror}; give a file in a folder that "
            "exists and that this user may write in"
        ) from None


def load_state(estimator: RatioEstimator, path: str | Path) -> bool:
    """Let an estimator go on from a file; the state comes back exactly as it was saved.

    A file that is missing, damaged, of another version or learned under another rule leaves the estimator as it is,
    with a warning: routing must start without it.

    Returns
    -------
    True if the file was used.

    Examples
    --------
    >>> import tempfile
    >>> before, after = RatioEstimator(), RatioEstimator()
    >>> before.observe("prose", n_bytes=440, n_tokens=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_state(before, folder + "/ratios.json")
    ...     load_state(after, folder + "/ratios.json")
    True
    >>> after.mean("prose") == before.mean("prose")
    True
    """
    try:
        ratios = _read(Path(path), estimator.rules)
    except (OSError, ValueError, TypeError, KeyError) as error:
        reason = type(error).__name__ if isinstance(error, OSError) else str(error)
        warnings.warn(
            f"ratios in {quoted(Path(path).name)} are not used ({reason}); the estimator starts cold",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    estimator.restore(ratios)
    return True


def merge_states(parts: Iterable[Ratios]) -> Ratios:
    """Merge what several processes learned under the same rules, weighted by their samples; their order is irrelevant.

    Raises
    ------
    UsageError
        If there are none, or they were learned under different rules.
    """
    parts = list(parts)
    if not parts or any(part.rules != parts[0].rules for part in parts):
        raise UsageError(f"merge_states got {len(parts)} states; give at least one, all learned under the same rules")
    names = sorted({name for part in parts for name in part.states})
    n_samples = [sum(state.n for state in part.states.values()) for part in parts]
    shares = [n / sum(n_samples) if any(n_samples) else 1 / len(parts) for n in n_samples]
    gain = _sum(part.gain * share for part, share in zip(parts, shares, strict=True))
    states = {name: _merged([part.states[name] for part in parts if name in part.states]) for name in names}
    return Ratios(states, gain, parts[0].rules)


def _merged(states: list[Ratio]) -> Ratio:
    n = sum(state.n for state in states)
    weight = max(state.weight for state in states)
    mean = _sum(state.n * state.mean / state.weight for state in states) / n
    spread = _sum(state.n * state.spread / state.weight for state in states) / n
    return Ratio(n, weight, mean * weight, spread * weight, max(state.seen for state in states))


def _sum(terms: Iterable[float]) -> float:
    """Add in ascending order, so that the order of the parts does not show in the last digit."""
    return sum(sorted(terms))


def _rule(rules: RatioRules) -> str:
    return "paper" if rules.target_unsafe is None else "target_unsafe"


def _read(path: Path, rules: RatioRules) -> Ratios:
    with path.open("rb") as file:
        data = file.read(_MAX_FILE_BYTES + 1)
    if len(data) > _MAX_FILE_BYTES:
        raise ValueError(f"over {_MAX_FILE_BYTES} bytes")
    try:
        record = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise ValueError("not JSON") from None
    if not isinstance(record, dict) or (record.get("format"), record.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"not {FORMAT} version {VERSION}")
    if (record.get("rule"), record.get("beta")) != (_rule(rules), rules.beta):
        raise ValueError("learned under another rule or beta")
    gain = record.get("gain")
    if isinstance(gain, bool) or not isinstance(gain, (int, float)) or not 0 <= gain < 1e6:
        raise ValueError("gain out of range")
    return Ratios(_states(record.get("categories"), rules), min(float(gain), max(MAX_GAIN, rules.sigma_gain)), rules)


def _states(record: object, rules: RatioRules) -> dict[str, Ratio]:
    if not isinstance(record, dict) or len(record) > rules.max_categories:
        raise ValueError(f"more than {rules.max_categories} categories, or none")
    states = {}
    for name, values in record.items():
        if not isinstance(values, list) or len(values) != 5 or not all(map(_is_number, values)):
            raise ValueError("a category is not five numbers")
        state = Ratio(int(values[0]), *map(float, values[1:]))
        if len(name) > MAX_NAME_CHARS or not is_sound(state, rules):
            raise ValueError("a category is out of range")
        states[name] = state
    return states


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
