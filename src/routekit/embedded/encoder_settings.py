"""What ``encoder.json`` says: labels, windows, and how the encoder's scores join those of the linear tier."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from routekit.errors import ModelFormatError, quoted

FORMAT = 1
#: Longest window that an encoder of this format is trained for, special tokens included.
MAX_WINDOW_TOKENS = 128
#: The linear tier's log-odds are cut to this, either way: beyond it they carry no more information.
MAX_LINEAR = 20.0


@dataclass(frozen=True, slots=True)
class JailbreakRule:
    """How a text's two scores become log-odds: ``linear * l + encoder * clip(e) + bias``; both weights are positive.

    So the linear tier alone gives a lower bound, with the encoder at ``-clip``, which no later stage can undo.

    Attributes
    ----------
    slope, offset
        What makes log-odds ``e`` of the encoder's highest margin between its two logits.
    thresholds
        ``(n_words, P)``, ascending in both: a text of up to n_words is a hit from this P on.
    below, above
        The linear log-odds under or over which the linear tier settles a text alone.
    doubt
        `routekit.embedded.doubt` settles a text as harmless under this; never by default.

    Examples
    --------
    >>> rule = JailbreakRule(1.0, 0.0, 1.0, 0.5, 0.0, 4.0, ((math.inf, 0.5),), below=-3.0, above=5.0)
    >>> rule.log_odds(2.0, -1.0), rule.log_odds(2.0, -100.0), rule.settled(-4.0), rule.settled(0.0)
    (1.5, 0.0, -6.0, None)
    """

    slope: float
    offset: float
    linear: float
    encoder: float
    bias: float
    clip: float
    thresholds: tuple[tuple[float, float], ...]
    below: float = -math.inf
    above: float = math.inf
    doubt: float = -math.inf

    def encoder_log_odds(self, margin: float) -> float:
        """Log-odds that the encoder alone gives its highest margin."""
        return self.slope * margin + self.offset

    def log_odds(self, linear: float, encoder: float) -> float:
        """Join the log-odds of both tiers; infinite ones are cut."""
        l = max(-MAX_LINEAR, min(MAX_LINEAR, linear))  # noqa: E741 - as in the formula
        return self.linear * l + self.encoder * max(-self.clip, min(self.clip, encoder)) + self.bias

    def settled(self, linear: float) -> float | None:
        """Log-odds of a text that the linear tier settles; None where the encoder has to read it.

        The encoder counts as agreeing as firmly as it can, so that a settled text never goes back behind a bound.
        """
        if linear < self.below:
            return self.cleared(linear)
        return self.log_odds(linear, math.inf) if linear > self.above else None

    def cleared(self, linear: float) -> float:
        """Log-odds of a text that counts as harmless, as if the encoder agreed as firmly as it can."""
        return self.log_odds(linear, -math.inf)

    def lower_bound(self, linear: float) -> float:
        """Log-odds that a text comes to at least, whose linear score can only grow."""
        settled = self.settled(linear) if linear > self.above else None
        return self.cleared(linear) if settled is None else settled

    @property
    def threshold(self) -> float:
        """The largest threshold: from here on a text of any length is a hit."""
        return self.thresholds[-1][1]

    def threshold_at(self, n_words: int) -> float:
        """Threshold for a text of so many words."""
        return next(threshold for limit, threshold in self.thresholds if n_words <= limit)


@dataclass(frozen=True, slots=True)
class DomainRule:
    """How two verdicts on a subject are mixed: logits over `temperature`, plus `linear` times log P of the linear tier.

    Attributes
    ----------
    settle
        P of its likeliest label from which on the linear tier settles a text alone; over 1 for never.
    """

    temperature: float
    linear: float
    settle: float = math.inf


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """Everything that ``encoder.json`` says.

    Attributes
    ----------
    window_tokens
        Tokens of one window, special tokens included.
    stride_tokens
        Tokens from one window's start to the next one's.
    jailbreak_labels
        The negative label, then the positive one.
    pii_labels
        Columns of the token head: O, and entities with B- and I-.
    pii_thresholds
        P(entity) from which a token belongs to a finding; an entity without one is off.
    """

    window_tokens: int
    stride_tokens: int
    jailbreak_labels: tuple[str, str]
    domain_labels: tuple[str, ...]
    pii_labels: tuple[str, ...]
    pii_thresholds: Mapping[str, float]
    jailbreak: JailbreakRule
    domain: DomainRule


class _Refused(ValueError):
    """A reason that may be shown."""


def read_settings(path: Path) -> EncoderSettings:
    """Read and check ``encoder.json``.

    Raises
    ------
    ModelFormatError
        If the file is missing, damaged or of another format; the message names it and the remedy.
    """
    try:
        return _settings(orjson.loads(path.read_bytes()))
    except _Refused as error:
        reason = str(error)
    except OSError as error:
        reason = f"it cannot be read: {error.strerror}"
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"it does not say what it has to ({type(error).__name__})"
    raise ModelFormatError(f"{quoted(str(path), 200)}: {reason}; reinstall routekit")


def _settings(said: dict[str, Any]) -> EncoderSettings:
    _keys(said, "format", "window_tokens", "stride_tokens", "labels", "jailbreak", "domain", "pii")
    if said["format"] != FORMAT:
        raise _Refused(f"its format is {quoted(str(said['format']))}; allowed: {FORMAT}")
    window, stride = _count(said, "window_tokens"), _count(said, "stride_tokens")
    if not 3 <= window <= MAX_WINDOW_TOKENS or not 1 <= stride <= window:
        raise _Refused(f"windows of {window} tokens, {stride} apart; allowed: 3 to {MAX_WINDOW_TOKENS}, 1 to a window")
    negative, positive = _labels(said["labels"]["jailbreak"])
    pii_labels = _labels(said["pii"]["labels"])
    return EncoderSettings(
        window_tokens=window,
        stride_tokens=stride,
        jailbreak_labels=(negative, positive),
        domain_labels=_labels(said["labels"]["domain"]),
        pii_labels=pii_labels,
        pii_thresholds=_pii_thresholds(said["pii"], pii_labels),
        jailbreak=_jailbreak(said["jailbreak"]),
        domain=_domain(said["domain"]),
    )


def _jailbreak(said: dict[str, Any]) -> JailbreakRule:
    _keys(said, "slope", "bias", "combine", "thresholds", "settle")
    combine, settle = said["combine"], said["settle"]
    _keys(combine, "linear", "encoder", "bias", "clip")
    _keys(settle, "below", "above", "doubt")
    below, above, doubt = settle["below"], settle["above"], settle["doubt"]
    rule = JailbreakRule(
        slope=_number(said, "slope"),
        offset=_number(said, "bias"),
        **{name: _number(combine, name) for name in ("linear", "encoder", "bias", "clip")},
        thresholds=_thresholds(said["thresholds"]),
        below=-math.inf if below is None else _number(settle, "below"),
        above=math.inf if above is None else _number(settle, "above"),
        doubt=-math.inf if doubt is None else _number(settle, "doubt"),
    )
    if rule.slope <= 0 or rule.linear <= 0 or rule.encoder < 0 or rule.clip <= 0 or rule.below > rule.above:
        raise _Refused("its jailbreak weights are not positive, or it settles below more than above")
    return rule


def _thresholds(said: list[list[Any]]) -> tuple[tuple[float, float], ...]:
    steps = tuple((math.inf if limit is None else float(limit), float(p)) for limit, p in said)
    ascending = all(a < b and p <= q for (a, p), (b, q) in pairwise(steps))
    if not steps or steps[-1][0] != math.inf or not ascending or not all(0 < p <= 1 for _, p in steps):
        raise _Refused("its thresholds do not ascend, in (0, 1], to any length")
    return steps


def _domain(said: dict[str, Any]) -> DomainRule:
    _keys(said, "temperature", "linear", "settle")
    rule = DomainRule(
        _number(said, "temperature"),
        _number(said, "linear"),
        math.inf if said["settle"] is None else _number(said, "settle"),
    )
    if rule.temperature <= 0 or rule.linear < 0:
        raise _Refused("its domain temperature is not positive, or its linear weight is negative")
    return rule


def _pii_thresholds(said: dict[str, Any], labels: tuple[str, ...]) -> dict[str, float]:
    _keys(said, "labels", "thresholds")
    entities = {label[2:] for label in labels if label != "O"}
    if "O" not in labels or not all(label == "O" or label[:2] in ("B-", "I-") for label in labels):
        raise _Refused("its PII labels are not O and entities with B- and I-")
    if set(said["thresholds"]) != entities:
        raise _Refused("its PII thresholds are not for the entities that its labels name")
    on = {name: float(p) for name, p in said["thresholds"].items() if p is not None}
    if not all(0 < p < 1 for p in on.values()):
        raise _Refused("a PII threshold lies outside (0, 1)")
    return on


def _keys(said: dict[str, Any], *expected: str) -> None:
    if set(said) != set(expected):
        wrong = sorted(set(said) ^ set(expected))
        raise _Refused(f"{quoted(wrong[0])} is {'unknown' if wrong[0] in said else 'missing'}")


def _labels(said: object) -> tuple[str, ...]:
    if not isinstance(said, list) or not said or not all(isinstance(label, str) and label for label in said):
        raise _Refused("its labels are no list of texts")
    if len(set(said)) != len(said):
        raise _Refused("it repeats a label")
    return tuple(said)


def _number(said: dict[str, Any], name: str) -> float:
    value = said[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _Refused(f"{quoted(name)} is no number")
    return float(value)


def _count(said: dict[str, Any], name: str) -> int:
    value = said[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Refused(f"{quoted(name)} is no whole number")
    return value
