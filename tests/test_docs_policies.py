"""The guide on policies says what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path

import routekit as rk
from routekit.testing import FakeClassifier

GUIDE = Path(__file__).parents[1] / "docs" / "policies.md"


def test_examples_of_the_guide_run() -> None:
    outcome = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert outcome.failed == 0
    assert outcome.attempted > 10


def test_policy_file_of_the_guide_loads(tmp_path: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    (tmp_path / "policy.toml").write_text(text)
    policy = rk.Policy.load(tmp_path / "policy.toml")
    fakes = [FakeClassifier("jailbreak", {}), FakeClassifier("domain", {"math": {}})]
    assert not policy.check(fakes)
    assert rk.PolicyRouter(policy, classifiers=fakes).policy == policy
