"""What a policy changes in a prompt: what it says, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routekit as rk
from routekit.testing import FakeClassifier, chat

MAIL = {"EMAIL_ADDRESS": {"bo@x.org": 0.9}, "US_SSN": {"078-05-1120": 0.9}}


def pii(**more: object) -> FakeClassifier:
    return FakeClassifier("pii", MAIL, multi_label=True, **more)  # type: ignore[arg-type]


def redacting(*labels: str, classifier: FakeClassifier | None = None, **on_error: str) -> rk.PolicyRouter:
    policy = rk.Policy([], rk.RouteTo("safe", redact=labels), on_error)
    return rk.PolicyRouter(policy, classifiers=[classifier or pii()])


def rewritten(router: rk.PolicyRouter, body: bytes) -> bytes:
    out = router.rewrite(body, router.route(body))
    assert isinstance(out, bytes)
    return out


def test_only_the_labels_that_the_policy_names_are_masked() -> None:
    body = chat("bo@x.org and 078-05-1120", system="from bo@x.org")
    out = rewritten(redacting("EMAIL_ADDRESS"), body)
    assert out == chat("[EMAIL_ADDRESS] and 078-05-1120", model="safe", system="from [EMAIL_ADDRESS]")


def test_trace_says_what_is_changed() -> None:
    decision = redacting("EMAIL_ADDRESS", "US_SSN").route(chat("hi"))
    assert decision.trace.transforms == ("redact:EMAIL_ADDRESS", "redact:US_SSN")
    assert "the policy changes the prompt: redact:EMAIL_ADDRESS" in decision.explain()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(["a", "bo@x.org", "é", "078-05-1120", "\n"]), max_size=5), min_size=1, max_size=4)
)
def test_every_segment_is_masked_in_its_place(said: list[list[str]]) -> None:
    texts = ["".join(words) for words in said]
    body = orjson.dumps({"model": "auto", "messages": [{"role": "user", "content": text} for text in texts]})
    expected = [text.replace("bo@x.org", "[EMAIL_ADDRESS]").replace("078-05-1120", "[US_SSN]") for text in texts]
    out = orjson.loads(rewritten(redacting("EMAIL_ADDRESS", "US_SSN"), body))
    assert [message["content"] for message in out["messages"]] == expected


def test_finding_across_a_seam_is_masked_on_both_sides() -> None:
    class Seam(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            spans = (rk.Span(2, 7, "EMAIL_ADDRESS"),)
            p = {"EMAIL_ADDRESS": 0.9, "US_SSN": 0.0, "none": 0.1}
            return [rk.Prediction("EMAIL_ADDRESS", p, spans) for _ in texts]

    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": c} for c in ("abcd", "efgh")]})
    out = orjson.loads(rewritten(redacting("EMAIL_ADDRESS", classifier=Seam("pii", MAIL, multi_label=True)), body))
    assert [m["content"] for m in out["messages"]] == ["ab[EMAIL_ADDRESS]", "[EMAIL_ADDRESS]gh"]


def test_scope_of_the_classifier_is_where_spans_point() -> None:
    body = chat("bo@x.org", system="bo@x.org")
    out = rewritten(redacting("EMAIL_ADDRESS", classifier=pii(scope="user")), body)
    assert out == chat("[EMAIL_ADDRESS]", model="safe", system="bo@x.org")


@pytest.mark.parametrize("remedy", ["block", "skip"])
def test_prompt_that_cannot_be_searched_is_not_forwarded(remedy: str) -> None:
    decision = redacting("US_SSN", classifier=pii(error=ValueError()), pii=remedy).route(chat("hi"))
    assert (decision.action, decision.rule, decision.status) == ("block", "default", 503)


def test_label_that_does_not_exist_is_refused() -> None:
    with pytest.raises(rk.PolicyError, match="redacts 'E_MAIL'; the labels of 'pii'"):
        redacting("E_MAIL")


def test_decision_without_findings_cannot_be_carried_out() -> None:
    router = redacting("US_SSN")
    decision = router.route(chat("hi"))
    stripped = rk.Decision("route", "safe", None, "default", trace=decision.trace)
    with pytest.raises(rk.UsageError, match="no prediction of the signal 'pii'"):
        router.rewrite(chat("hi"), stripped)


@given(st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_findings_anywhere_are_masked_where_they_lie(texts: list[str], data: st.DataObject) -> None:
    joined = "\n".join(texts)
    start = data.draw(st.integers(0, len(joined) - 1))
    end = data.draw(st.integers(start + 1, len(joined)))

    class Placed(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            p = {"EMAIL_ADDRESS": 0.9, "US_SSN": 0.0, "none": 0.1}
            return [rk.Prediction("EMAIL_ADDRESS", p, (rk.Span(start, end, "EMAIL_ADDRESS"),)) for _ in texts]

    body = orjson.dumps({"model": "m", "messages": [{"role": "user", "content": text} for text in texts]})
    out = orjson.loads(rewritten(redacting("EMAIL_ADDRESS", classifier=Placed("pii", MAIL, multi_label=True)), body))
    marked = "".join("#" if start <= i < end and c != "\n" else c for i, c in enumerate(joined))
    expected = [re.sub("#+", "[EMAIL_ADDRESS]", text) for text in marked.split("\n")]
    assert [message["content"] for message in out["messages"]] == expected


def test_finding_of_no_length_masks_nothing() -> None:
    class Empty(FakeClassifier):
        def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
            p = {"EMAIL_ADDRESS": 0.9, "US_SSN": 0.0, "none": 0.1}
            return [rk.Prediction("EMAIL_ADDRESS", p, (rk.Span(1, 1, "EMAIL_ADDRESS"),)) for _ in texts]

    router = redacting("EMAIL_ADDRESS", classifier=Empty("pii", MAIL, multi_label=True))
    assert rewritten(router, chat("abcd")) == chat("abcd", model="safe")


def test_compression_is_not_skipped_after_the_policy_changed() -> None:
    router = rk.PolicyRouter(rk.Policy([], rk.Keep(compress_to=5)))
    decision = router.route(chat("one two. " * 50))
    router.replace_policy(rk.Policy([], rk.Keep()))
    with pytest.raises(rk.UsageError, match="does not any more"):
        router.rewrite(chat("one two. " * 50), decision)


def test_real_classifier_masks_real_findings() -> None:
    router = rk.PolicyRouter(rk.Policy([], rk.Keep(redact=("EMAIL_ADDRESS", "CREDIT_CARD"))))
    out = rewritten(router, chat("bo@example.org paid with 4111 1111 1111 1111."))
    assert out == chat("[EMAIL_ADDRESS] paid with [CREDIT_CARD].")


def test_user_text_is_compressed_under_the_cap_and_nothing_else() -> None:
    filler = " ".join(f"Sentence number {i} says something about topic {i % 7}." for i in range(400))
    router = rk.PolicyRouter(rk.Policy([], rk.RouteTo("short", compress_to=128)))
    out = orjson.loads(rewritten(router, chat(filler, system=filler)))
    system, user = (message["content"] for message in out["messages"])
    assert system == filler
    assert 0 < len(user) < len(filler) / 4
    words = iter(filler.split())
    assert all(word in words for word in user.split())  # in their order: membership uses up the iterator


def test_prompt_under_the_cap_stays_as_it_is() -> None:
    router = rk.PolicyRouter(rk.Policy([], rk.RouteTo("short", compress_to=512)))
    assert rewritten(router, chat("A short question?")) == chat("A short question?", model="short")


def test_usage_of_a_prompt_that_held_nothing_to_mask_teaches_the_pools() -> None:
    pools = rk.PoolRouter([rk.PoolSpec("only", 8192)])
    router = rk.PolicyRouter(
        rk.Policy([], rk.RouteTo("safe", redact=("EMAIL_ADDRESS",))), classifiers=[pii()], pools=pools
    )
    pools.feedback(router.route(chat("no address " * 10)), {"prompt_tokens": 30})
    assert pools.estimator.n_ignored == 0
    pools.feedback(router.route(chat("bo@x.org " * 10)), {"prompt_tokens": 30})
    assert pools.estimator.n_ignored == 1
