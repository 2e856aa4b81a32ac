"""A secret in the prompt appears nowhere but in the text itself: no error, repr, trace, log or warning tells it."""

from __future__ import annotations

import json
import logging
import traceback
import warnings
from collections.abc import Iterator, Sequence

import orjson
import pytest

import routekit as rk
from routekit.deliberation import Ask
from routekit.testing import FakeClassifier, chat, chunked, messages, responses

SECRET = "canary-7f3a9d"
BODY = orjson.dumps(
    {
        "model": "auto",
        "messages": [
            {"role": "system", "content": SECRET},
            {"role": "user", "content": [{"type": "text", "text": f"{SECRET} ignore all"}]},
        ],
        "metadata": {"note": SECRET},
    }
)


def malformed() -> Iterator[bytes]:
    """Bodies that parsers refuse at every place where they hold the secret."""
    yield from (BODY[:cut] for cut in range(1, len(BODY), 7))
    at = BODY.find(SECRET.encode())
    for junk in (b"\xff", b"\x00", b"\n", b'"', b"\\", b"\\ud800", b"\\x", b"}", b"]", b",", b":"):
        yield BODY[: at + 4] + junk + BODY[at + 4 :]
        yield BODY + junk
    yield BODY.replace(b'"content"', b'"role"')
    yield BODY.replace(b'"metadata"', b'"model"')
    yield BODY.replace(b'"metadata"', b'"Model"')
    yield BODY.replace(b'"auto"', f'["{SECRET}"]'.encode())
    yield f'{{"model":"auto","{SECRET}":{SECRET}}}'.encode()
    yield f'{{"model":"auto","messages":"{SECRET}"}}'.encode()
    yield f'{{"model":"auto","messages":["{SECRET}"]}}'.encode()
    yield f'{{"model":"auto","max_tokens":"{SECRET}","messages":[]}}'.encode()
    yield f'{{"{SECRET}":1}}'.encode()
    yield f'"{SECRET}"'.encode()
    yield SECRET.encode()
    yield b"\xef\xbb\xbf" + BODY
    yield BODY.decode().encode("utf-16")


def told(error: BaseException | None, seen: set[int]) -> Iterator[str]:
    """Everything an error tells whoever logs it, its chain included."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield str(error)
    yield repr(error)
    yield repr(error.args)
    yield from (repr(getattr(error, name, None)) for name in ("doc", "object", "__dict__", "__notes__", "decision"))
    yield from told(error.__cause__, seen)
    yield from told(error.__context__, seen)


def assert_silent(error: BaseException) -> None:
    assert SECRET not in "\n".join(told(error, set()))
    assert SECRET not in "".join(traceback.format_exception(error))


class Careless(FakeClassifier):
    """Raises with the prompt in its message, its arguments and its cause."""

    def classify(self, texts: Sequence[str]) -> list[rk.Prediction]:
        try:
            json.loads(texts[0])
        except ValueError as error:
            raise RuntimeError(f"cannot classify {texts[0]}", texts) from error
        return super().classify(texts)


def router(**on_error: str) -> rk.PolicyRouter:
    rules = [
        rk.Rule("jailbreak", rk.signal("jailbreak") >= 0.9, rk.Block(403)),
        rk.Rule("careless", rk.signal("careless") >= 0.9, rk.Block(403)),
        rk.Rule("words", rk.keywords("names") & rk.pattern("ticket"), rk.RouteTo("x")),
        rk.Rule("slow", rk.pattern("slow") & (rk.signal("language") == "zz"), rk.RouteTo("x")),
        rk.Rule("tenant", rk.header("authorization") == "Bearer x", rk.RouteTo("x")),
    ]
    policy = rk.Policy(
        rules,
        rk.RouteTo("general"),
        {"careless": "skip", "pattern": "skip", "language": "skip", **on_error},
        keywords={"names": [SECRET.upper()]},
        patterns={"ticket": SECRET, "slow": "(.|..)+$x"},
        pattern_seconds=0.002,
    )
    found = [FakeClassifier("jailbreak", {"never": 0.99}, incremental=True), Careless("careless", {})]

    def language(text: str) -> str:
        raise LookupError(text)

    return rk.PolicyRouter(policy, classifiers=found, language=language)


@pytest.fixture
def silent(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing logged and nothing warned tells the secret."""
    with caplog.at_level(logging.DEBUG), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert SECRET not in caplog.text
    assert SECRET not in "".join(str(warning.message) for warning in caught)


@pytest.mark.usefixtures("silent")
def test_errors_about_a_body_do_not_tell_it() -> None:
    judge, n_refused = router(), 0
    for body in malformed():
        for sizes in ([len(body)], [1], [13]):
            stream = judge.open()
            try:
                for chunk in chunked(body, sizes):
                    stream.feed(chunk)
                stream.finish()
            except rk.RoutekitError as error:
                n_refused += 1
                assert_silent(error)
        try:
            judge.route(body)
        except rk.RoutekitError as error:
            assert_silent(error)
    assert n_refused > 100


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("request_", [object(), {SECRET: object()}, {1: SECRET}, SECRET, {"messages": {SECRET}}])
def test_errors_about_an_argument_do_not_tell_it(request_: object) -> None:
    with pytest.raises(rk.RoutekitError) as caught:
        router().route(request_)  # type: ignore[arg-type]
    assert_silent(caught.value)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("remedy", ["skip", "block"])
@pytest.mark.parametrize("body", [BODY, chat(SECRET), messages(SECRET, system=SECRET), responses(SECRET)])
def test_decision_does_not_tell_the_prompt(remedy: str, body: bytes) -> None:
    judge = router(careless=remedy)
    headers = {"Authorization": f"Bearer {SECRET}"}
    stream = judge.open(metadata=headers)
    for chunk in chunked(body, 50):
        stream.feed(chunk)
    for decision in (judge.route(body, metadata=headers), stream.finish()):
        shown = [repr(decision), str(decision), decision.explain(), repr(decision.to_dict()), decision._repr_html_()]
        shown += [repr(decision.trace), repr(decision.signals), orjson.dumps(decision.to_dict()).decode()]
        assert SECRET not in "\n".join(shown)
        assert "RuntimeError" in decision.explain()
        try:
            decision.raise_if_blocked()
        except rk.Blocked as blocked:
            assert_silent(blocked)


@pytest.mark.usefixtures("silent")
def test_objects_on_the_way_do_not_tell_it_by_their_repr() -> None:
    judge = router()
    stream = judge.open(metadata={"authorization": SECRET})
    stream.feed(BODY)
    decision = stream.finish()
    with pytest.raises(rk.UsageError) as caught:
        stream.feed(BODY)
    assert_silent(caught.value)
    assert SECRET not in repr(stream) + repr(judge) + repr(stream.rewrite(decision)) + repr(stream.view)
    ask = next(judge.route_steps(BODY))
    assert isinstance(ask, Ask)
    assert SECRET in ask.text
    assert SECRET not in repr(ask)


@pytest.mark.usefixtures("silent")
def test_failing_compressor_does_not_tell_it() -> None:
    class Leaky:
        def compress(self, text: str, max_tokens: int, **_: object) -> rk.CompressedText:
            raise ValueError(text)

    policy = rk.Policy([], rk.RouteTo("x", compress_to=5))
    judge = rk.PolicyRouter(policy, compressor=Leaky())
    with pytest.raises(rk.InferenceError) as caught:
        judge.rewrite(BODY, judge.route(BODY))
    assert_silent(caught.value)
