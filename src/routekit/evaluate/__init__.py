"""Run a policy over labelled requests or a log, see what it does, and try others without classifying again.

`evaluate` gives an `Evaluation`; `compare` says what changes between two policies, `sweep` and `choose_threshold` what
a threshold does, `with_threshold` makes the policy for one. `routekit.evaluate.plots` draws them.

>>> import routekit as rk
>>> from routekit.evaluate import evaluate
>>> policy = rk.Policy([rk.Rule("card", rk.signal("pii").any_of("CREDIT_CARD"), rk.RouteTo("onprem"))], rk.Keep())
>>> evaluation = evaluate(policy, ["My card is 4111 1111 1111 1111", "How do I boil an egg?"])
>>> evaluation.rules["card"].n
1
"""

from __future__ import annotations

from routekit.evaluate.columns import Columns, LabelledRequest
from routekit.evaluate.confusion import Confusion
from routekit.evaluate.difference import Difference, RuleChange, compare
from routekit.evaluate.estimates import Estimate
from routekit.evaluate.evaluation import Evaluation
from routekit.evaluate.latency import Latency
from routekit.evaluate.row import Row, Skipped
from routekit.evaluate.rule_report import RuleReport
from routekit.evaluate.running import evaluate
from routekit.evaluate.shares import Share
from routekit.evaluate.signal_report import SignalReport
from routekit.evaluate.sweeping import Sweep, SweepPoint, choose_threshold, sweep
from routekit.evaluate.thresholds import with_threshold

__all__ = [
    "Columns",
    "Confusion",
    "Difference",
    "Estimate",
    "Evaluation",
    "LabelledRequest",
    "Latency",
    "Row",
    "RuleChange",
    "RuleReport",
    "Share",
    "SignalReport",
    "Skipped",
    "Sweep",
    "SweepPoint",
    "choose_threshold",
    "compare",
    "evaluate",
    "sweep",
    "with_threshold",
]
