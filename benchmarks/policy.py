"""What a policy costs beyond its signals: 100 rules, microseconds for one decision.

    python benchmarks/policy.py

`route` measures `PolicyRouter.route` on a RequestView, with signals that are free (metadata, model, counts, and
classifiers that answer a constant); `floor` the same call with 7 rules; `walk` the compiled policy alone. Times are
CPU time of this thread, medians over rounds; the cost of 100 rules is `route` less `floor`.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

import routekit as rk
from record import save
from routekit.deliberation import Deliberation
from routekit.judgement import answered

N_RULES = 100
N_CALLS, N_ROUNDS = 500, 15


class Constant:
    """A classifier that costs next to nothing."""

    def __init__(self, name: str, labels: Sequence[str], positive: Sequence[str]) -> None:
        self.name = name
        self.labels = tuple(labels)
        self.positive = frozenset(positive)
        share = 1 / len(labels)
        self._answer = [rk.Prediction(labels[0], dict.fromkeys(labels, share))]

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        return self._answer


def classifiers() -> list[Constant]:
    return [Constant("jailbreak", ["benign", "jailbreak"], ["jailbreak"]), Constant("domain", ["other", "math"], [])]


def policy(n_rules: int, seed: int = 7) -> rk.Policy:
    """Rules of one to three comparisons, none of which holds: the longest way through a policy."""
    rng = random.Random(seed)
    rules = [rk.Rule(f"rule-{i}", condition(rng, i), rk.RouteTo(f"model-{i}")) for i in range(n_rules)]
    return rk.Policy(rules, default=rk.RouteTo("general"))


def condition(rng: random.Random, i: int) -> rk.Expression:
    tests = [
        rk.signal("jailbreak") >= 0.6 + rng.random() * 0.3,
        rk.signal("domain")["math"] >= 0.6 + rng.random() * 0.3,
        rk.signal("domain") == "math",
        rk.header("x-tier") == f"tier-{i}",
        rk.metadata("team") == f"team-{i}",
        rk.signal("model") == f"alias-{i}",
        rk.signal("context_tokens") > rng.randrange(10_000, 100_000),
    ]
    chosen = rng.sample(tests, rng.randint(1, 3))
    result = chosen[0]
    for part in chosen[1:]:
        result = result & part if rng.random() < 0.7 else result | part
    return result


def microseconds(call: Callable[[], object]) -> float:
    """Median over rounds of the CPU time of one call."""
    rounds = []
    for _ in range(N_ROUNDS):
        begun = time.thread_time_ns()
        for _ in range(N_CALLS):
            call()
        rounds.append((time.thread_time_ns() - begun) / N_CALLS / 1000)
    return statistics.median(rounds)


def measure() -> dict[str, float]:
    said = rk.Segment("user", "text", "What is the derivative of x squared?", 0, 0, 0)
    view = rk.RequestView("openai-chat", "auto", False, (said,), 0, (), None, len(said.text))
    metadata = {"x-tier": "gold", "team": "search"}
    many = rk.PolicyRouter(policy(N_RULES), classifiers=classifiers())
    # The same signals, asked once each: what is left is the policy.
    few = rk.PolicyRouter(policy(7), classifiers=classifiers())
    evaluation = Deliberation(many._snapshot.plan, metadata)
    evaluation.complete(view)
    answered(evaluation.steps())
    results = tuple(evaluation.results)
    program = many._snapshot.plan.program
    route = microseconds(lambda: many.route(view, metadata=metadata))
    floor = microseconds(lambda: few.route(view, metadata=metadata))
    return {
        "route_100_rules_us": route,
        "route_7_rules_us": floor,
        "difference_us": route - floor,
        "walk_us": microseconds(lambda: program.verdict(results)),
        "n_comparisons": len(program.comparisons),
        "explain_us": microseconds(many.route(view, metadata=metadata).explain),
    }


if __name__ == "__main__":
    figures = measure()
    for name, value in figures.items():
        print(f"{name:<22}{value:10.1f}")
    print(save("policy", figures))
