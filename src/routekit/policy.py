"""A policy: named rules in order, a default, and what to do when a signal fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from routekit.decision import Action, Block
from routekit.errors import PolicyError, UsageError, quoted
from routekit.expressions import Comparison
from routekit.interfaces import Classifier
from routekit.keyword_sets import KeywordSet, folded
from routekit.patterns import Pattern
from routekit.plugins import Plugins, installed_plugins
from routekit.rule import DEFAULT_RULE, Rule, check_action
from routekit.signals import check_comparison, family

if TYPE_CHECKING:
    from routekit.policy_check import Finding

#: What `on_error` says for a signal that it does not name: a judge that is out must not mean "not guilty".
DEFAULT_REMEDY = "block"


@dataclass(frozen=True, slots=True)
class Policy:
    """Rules, tried in list order; the first that holds decides.

    Attributes
    ----------
    rules
        See `Rule`.
    default
        What happens when no rule holds.
    on_error
        Per signal (``"jailbreak"``, ``"pattern:internal-id"``, or a whole family, ``"pattern"``) what a rule does that
        the failure of this signal left unknown:

        * ``"block"``: the request is blocked, by this rule; with the rule's own status if it blocks, else 503.
        * ``"skip"``: the rule counts as false.
        * the name of a rule: that rule's action is taken.

        Of several failed signals that left one rule unknown the strictest counts: ``"block"``, then rules in list
        order, then ``"skip"``. A signal that is not named blocks.
    keywords
        Set name -> literal words or phrases, for `keywords`; found as whole words, whatever their case.
    patterns
        Pattern name -> regular expression (syntax of the `regex` package), for `pattern`.
    pattern_seconds
        CPU time that all patterns together may take in one request; those that exceed it FAIL.

    Raises
    ------
    PolicyError
        When names repeat, `on_error` names an unknown rule, or a signal cannot answer what it is asked.

    Examples
    --------
    >>> import routekit as rk
    >>> policy = rk.Policy(
    ...     [rk.Rule("attack", when=rk.signal("jailbreak") >= 0.9, then=rk.Block(403))], default=rk.RouteTo("general")
    ... )
    >>> policy.signals()
    ('jailbreak',)
    """

    rules: Sequence[Rule]
    default: Action
    on_error: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, Sequence[str]] = field(default_factory=dict)
    patterns: Mapping[str, str] = field(default_factory=dict)
    pattern_seconds: float = 0.25
    #: `keywords` and `patterns`, compiled.
    keyword_sets: Mapping[str, KeywordSet] = field(init=False, repr=False, compare=False)
    compiled_patterns: Mapping[str, Pattern] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        freeze = object.__setattr__
        freeze(self, "rules", tuple(self.rules))
        freeze(self, "on_error", dict(self.on_error))
        freeze(self, "keywords", {name: _words(name, words) for name, words in self.keywords.items()})
        freeze(self, "patterns", dict(self.patterns))
        _check_rules(self.rules)
        check_action(self.default, "default")
        freeze(self, "keyword_sets", {name: KeywordSet.of(words) for name, words in self.keywords.items()})
        freeze(self, "compiled_patterns", {name: Pattern.of(name, text) for name, text in self.patterns.items()})
        if not 0 < self.pattern_seconds <= 3600:
            raise PolicyError(f"pattern_seconds is {self.pattern_seconds!r}; allowed: over 0, at most 3600")
        for rule in self.rules:
            for test in rule.when.comparisons():
                self._check_comparison(rule, test)
        for signal, remedy in self.on_error.items():
            self._check_remedy(signal, remedy)

    def signals(self) -> tuple[str, ...]:
        """List the keys of all signals that rules and actions read, in the order in which they occur."""
        keys = [test.signal for rule in self.rules for test in rule.when.comparisons()]
        keys += ["pii" for action in self.actions() if not isinstance(action, Block) and action.redact]
        return tuple(dict.fromkeys(keys))

    def actions(self) -> Iterator[Action]:
        """Walk over the actions of all rules, then the default."""
        yield from (rule.then for rule in self.rules)
        yield self.default

    def action_of(self, rule: str) -> Action:
        """Return what a rule, or ``"default"``, does.

        Raises
        ------
        PolicyError
            If there is no such rule.
        """
        if rule == DEFAULT_RULE:
            return self.default
        for candidate in self.rules:
            if candidate.name == rule:
                return candidate.then
        raise PolicyError(f"no rule {quoted(rule)}; there are: {_listed([r.name for r in self.rules])}")

    def remedy(self, signal: str) -> str:
        """Return what `on_error` says for a signal: ``"block"``, ``"skip"`` or a rule's name."""
        return self.on_error.get(signal) or self.on_error.get(family(signal)) or DEFAULT_REMEDY

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Policy:
        """Build a policy from plain data: see the guide on policy files.

        Raises
        ------
        PolicyError
            For an unknown key or a value of the wrong kind; the message gives the path and lists what is allowed.
        """
        from routekit.policy_file import policy_fields

        return cls(**policy_fields(data))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy from a ``.toml`` or ``.json`` file.

        Raises
        ------
        PolicyError
            If the file cannot be read, or as `from_dict`.
        UsageError
            If the path is none.
        """
        from routekit.policy_file import read_policy_file

        if not isinstance(path, (str, Path)):
            raise UsageError(f"the path of a policy is a {type(path).__name__}; allowed: str, pathlib.Path")
        try:
            return cls.from_dict(read_policy_file(Path(path)))
        except PolicyError as error:
            raise PolicyError(f"policy file {quoted(str(path), 200)}: {error}") from None

    @classmethod
    def from_vllm_sr(
        cls,
        source: str | Path | Mapping[str, object],
        *,
        recipe: str | None = None,
        classifiers: Sequence[Classifier] = (),
    ) -> Policy:
        """Read the routing part of a vLLM Semantic Router configuration: all of it, or nothing.

        Parameters
        ----------
        source
            YAML text, the `Path` of a file, or data that was read already.
        recipe
            Which policy, of a document with several; None for the one that has no name.
        classifiers
            Those that will judge, where they are not the ones that are installed: their labels count.

        Raises
        ------
        PolicyError
            If anything cannot be mapped; the message lists it all, by path. `routekit.vllm_sr.translate` gives what can
            be mapped, beside that list.

        Examples
        --------
        >>> import routekit as rk
        >>> sums = {"name": "sums", "rules": {"type": "domain", "name": "math"}, "modelRefs": [{"model": "large"}]}
        >>> policy = rk.Policy.from_vllm_sr({"default_model": "small", "decisions": [sums]})
        >>> policy.rules[-1].when, policy.rules[-1].then.model
        (domain['math'] >= 0.5, 'large')
        """
        from routekit.vllm_sr import translate

        translation = translate(source, recipe=recipe, classifiers=classifiers)
        translation.raise_if_unmapped()
        return cls.from_dict(translation.policy)

    def to_dict(self) -> dict[str, object]:
        """Give the policy as plain data that `from_dict` reads back to an equal policy."""
        from routekit.policy_file import policy_to_dict

        return policy_to_dict(self)

    def check(self, classifiers: Sequence[Classifier] = (), *, plugins: Plugins | None = None) -> list[Finding]:
        """Report what is wrong or suspicious: rules that can never fire, unknown labels, signals nobody provides.

        Parameters
        ----------
        classifiers, plugins
            As for `PolicyRouter`, which refuses a policy with findings of severity ``"error"``. Installed classifiers
            that the policy asks are loaded.

        Examples
        --------
        >>> import routekit as rk
        >>> mail = rk.Rule("mail", when=rk.signal("pii").any_of("E_MAIL"), then=rk.Block(403))
        >>> [finding.rule for finding in rk.Policy([mail], default=rk.Keep()).check()]
        ['mail']
        """
        from routekit.policy_check import checked

        return checked(self, classifiers, installed_plugins() if plugins is None else plugins)

    def _repr_html_(self) -> str:
        from routekit.policy_view import policy_html

        return policy_html(self)

    def _check_comparison(self, rule: Rule, test: Comparison) -> None:
        try:
            check_comparison(test)
        except PolicyError as error:
            raise PolicyError(f"rule {quoted(rule.name)}: {error}") from None
        head, _, name = test.signal.partition(":")
        for kind, known in (("keywords", self.keywords), ("pattern", self.patterns)):
            if head == kind and name not in known:
                raise PolicyError(
                    f"rule {quoted(rule.name)} asks for {kind} {quoted(name)}; the policy defines: {_listed(known)}"
                )

    def _check_remedy(self, signal: str, remedy: str) -> None:
        deciding = [rule.name for rule in self.rules if not rule.shadow]
        if remedy not in ("block", "skip", *deciding):
            raise PolicyError(
                f"on_error of {quoted(signal)} is {quoted(str(remedy))}; allowed: 'block', 'skip', or a rule that is "
                f"no shadow: {_listed(deciding)}"
            )
        action = None if remedy in ("block", "skip") else self.action_of(remedy)
        if action is not None and not isinstance(action, Block) and action.redact:
            raise PolicyError(
                f"on_error of {quoted(signal)} names rule {quoted(remedy)}, which redacts: when signals fail, what "
                "is to be redacted may be unknown too; name a rule that forwards the prompt unchanged, or blocks"
            )


def _listed(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(quoted(name) for name in names) or "none"


def _check_rules(rules: Sequence[Rule]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if not isinstance(rule, Rule):
            raise PolicyError(f"rules holds a {type(rule).__name__}; allowed: Rule")
        if rule.name in seen:
            raise PolicyError(f"two rules are named {quoted(rule.name)}; names must be unique")
        seen.add(rule.name)


def _words(name: str, words: object) -> tuple[str, ...]:
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise PolicyError(f"keywords {quoted(name)} is a {type(words).__name__}; allowed: a list of words or phrases")
    if not words or not all(isinstance(word, str) and folded(word).strip() for word in words):
        raise PolicyError(f"keywords {quoted(name)}: allowed is a list of at least one word or phrase, none empty")
    return tuple(words)
