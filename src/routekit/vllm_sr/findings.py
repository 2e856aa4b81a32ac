"""What a translation could not carry over, and what reads differently: collected, so that all of it can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from routekit.errors import PolicyError, plain, quoted

#: How many of them a message lists.
_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Unmapped:
    """One thing in the document that a policy cannot express.

    Attributes
    ----------
    path
        Where it stands, e.g. ``routing.decisions[2].rules.conditions[0]``.
    reason
        Why, and what to do about it where something can be done.
    left_out
        Name of the decision that is not in the policy because of it; None where only this part of it is lost.
    """

    path: str
    reason: str
    left_out: str | None = None

    def __str__(self) -> str:
        lost = "" if self.left_out is None else f" (decision {quoted(self.left_out)} is left out)"
        return f"{plain(self.path)}: {self.reason}{lost}"


@dataclass(frozen=True, slots=True)
class Translation:
    """A policy as plain data, and what became of the rest.

    Attributes
    ----------
    policy
        What `Policy.from_dict` reads, and a policy file holds.
    unmapped
        What is lost.
    notes
        What is carried over but reads differently, and which sections are no routing: ``path: text``.
    """

    policy: Mapping[str, object]
    unmapped: tuple[Unmapped, ...]
    notes: tuple[str, ...]

    def raise_if_unmapped(self) -> None:
        """Raise a `PolicyError` that lists everything that is lost, by path."""
        if not self.unmapped:
            return
        lines = [str(item) for item in self.unmapped[:_SHOWN]]
        if len(self.unmapped) > _SHOWN:
            lines.append(f"and {len(self.unmapped) - _SHOWN} more")
        listed = "\n  ".join(lines)
        counted = "1 thing" if len(self.unmapped) == 1 else f"{len(self.unmapped)} things"
        raise PolicyError(
            f"{counted} cannot be mapped; take them out of the document, or go on without them, by "
            f"routekit.vllm_sr.translate(...).policy:\n  {listed}"
        )


@dataclass(slots=True)
class Findings:
    """Collects while a document is translated."""

    unmapped: list[Unmapped] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)

    def lose(self, path: str, reason: str, left_out: str | None = None) -> None:
        """Record that something is lost."""
        self.unmapped.append(Unmapped(path, reason, left_out))

    def note(self, path: str, text: str) -> None:
        """Record that something reads differently, once."""
        self.notes[f"{plain(path)}: {text}"] = None
