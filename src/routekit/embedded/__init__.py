"""The small default models that ship with routekit, and their card (CARD.md).

Two tiers: linear models and patterns, which read every character, and one small encoder with three heads, which reads
where they are unsure. The encoder needs ONNX Runtime and tokenizers: ``pip install '.[embedded]'``.

>>> from routekit.embedded import load
>>> load("domain").classify(["What is the derivative of the sine function?"])[0].label
'math'
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, Union, overload

from routekit.errors import BackendUnavailable, ConfigError, ModelFormatError, UsageError, quoted
from routekit.linear import LinearClassifier

if TYPE_CHECKING:
    from routekit.embedded.domain import DomainCascade
    from routekit.embedded.encoder import Encoder
    from routekit.embedded.jailbreak import JailbreakCascade
    from routekit.embedded.pii import PiiCascade
    from routekit.pii import PatternPiiClassifier

LinearName: TypeAlias = Literal["domain", "jailbreak"]
Tier: TypeAlias = Literal["auto", "linear", "cascade"]
Embedded: TypeAlias = "Union[LinearClassifier, PatternPiiClassifier, JailbreakCascade, DomainCascade, PiiCascade]"

#: Those with a linear model; the first tier of ``"pii"`` is patterns, which need none.
LINEAR: tuple[LinearName, ...] = ("domain", "jailbreak")
NAMES = (*LINEAR, "pii")
TIERS = ("auto", "linear", "cascade")
FOLDER = Path(__file__).parent
ENCODER = FOLDER / "encoder"
_RUNTIME = ("onnxruntime", "tokenizers")


@overload
def load(name: LinearName, tier: Literal["linear"]) -> LinearClassifier: ...
@overload
def load(name: LinearName, tier: Literal["cascade"]) -> JailbreakCascade | DomainCascade: ...
@overload
def load(name: str, tier: Tier = "auto") -> Embedded: ...
def load(name: str, tier: Tier = "auto") -> Embedded:
    """Give an embedded classifier, which all threads may share; the first call reads it.

    Parameters
    ----------
    name
        ``"jailbreak"``, ``"domain"`` or ``"pii"``.
    tier
        ``"linear"`` reads by linear models and patterns alone; ``"cascade"`` by the encoder too, where they are unsure;
        ``"auto"`` is the cascade where its runtime is installed, else linear.

    Raises
    ------
    UsageError
        If no embedded model has this name.
    ConfigError
        If there is no such tier.
    BackendUnavailable
        If the cascade is asked for and cannot run here; names the remedy.
    ModelFormatError
        If the installed file is damaged.
    """
    if name not in NAMES:
        raise UsageError(f"no embedded model is called {quoted(name)}; there are: {', '.join(NAMES)}")
    if tier not in TIERS:
        raise ConfigError(f"tier is {quoted(str(tier))}; allowed: {', '.join(TIERS)}")
    lack = missing()
    if tier == "linear" or (tier == "auto" and lack):
        return _linear(name)
    if lack:
        raise BackendUnavailable(f"{lack.what}; {lack.remedy}, or load with tier='linear'")
    return _cascade(name, ENCODER)


class Lack(NamedTuple):
    """What keeps the encoder from running here."""

    what: str
    remedy: str


def missing() -> Lack | None:
    """Say what the encoder lacks here; None if it can run. Imports nothing."""
    absent = [module for module in _RUNTIME if find_spec(module) is None]
    if absent:
        what = f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed"
        return Lack(what, "run: pip install 'routekit[embedded]'")
    if not (ENCODER / "encoder.onnx").is_file():
        return Lack("the weights of the embedded encoder are not there", "reinstall routekit")
    return None


def why_unknown(label: str) -> str:
    """Say why a PII label that the encoder's token head knows is not to be had; "" if the head has no such label.

    >>> why_unknown("SHOE_SIZE")
    ''
    """
    from routekit.embedded.encoder_settings import read_settings

    try:
        settings = read_settings(ENCODER / "encoder.json")
    except ModelFormatError:
        return ""  # who loads the encoder is told
    if f"B-{label}" not in settings.pii_labels:
        return ""
    if label not in settings.pii_thresholds:
        return "the embedded encoder errs too often about it, so it is off"
    if lack := missing():
        return f"only the embedded encoder finds it, and {lack.what}; {lack.remedy}"
    return "only the embedded encoder finds it, which this classifier does not ask"


@lru_cache(maxsize=len(NAMES))
def _linear(name: str) -> LinearClassifier | PatternPiiClassifier:
    if name == "pii":
        from routekit.pii import PatternPiiClassifier  # its tables are heavy

        return PatternPiiClassifier()
    return LinearClassifier.from_file(FOLDER / f"{name}.npz")


@lru_cache(maxsize=len(NAMES))
def _cascade(name: str, folder: Path) -> JailbreakCascade | DomainCascade | PiiCascade:
    from routekit.embedded.domain import DomainCascade
    from routekit.embedded.jailbreak import JailbreakCascade
    from routekit.embedded.pii import PiiCascade
    from routekit.pii import PatternPiiClassifier

    if name == "pii":
        return PiiCascade(PatternPiiClassifier(), _encoder(folder))
    linear = load("jailbreak" if name == "jailbreak" else "domain", "linear")
    return (JailbreakCascade if name == "jailbreak" else DomainCascade)(linear, _encoder(folder))


@lru_cache(maxsize=1)
def _encoder(folder: Path) -> Encoder:
    from routekit.embedded.encoder import Encoder
    from routekit.embedded.first_tier import FirstTier

    return Encoder(folder, [FirstTier(load(name, "linear")) for name in LINEAR])
