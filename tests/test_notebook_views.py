"""What notebooks show: escaped, whatever the names and texts are, and no prompt where none belongs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import routekit as rk
from hostile_texts import texts
from routekit.compressed_view import MAX_SHOWN
from routekit.markup import plain_html, table_html, text_html, tree_html
from routekit.pools import PoolRouter, PoolSpec
from routekit.testing import FakeClassifier, chat

HOSTILE = "<script>alert(1)</script>&\"'\x1b[2J\x00\u202e\u2066\u200b\n</td></pre></div>"
SECRET = "canary-7f3a9d"
#: What shows nothing and does something.
ACTING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]")


class Tags(HTMLParser):
    """The tags of a page, their balance, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(page: str) -> Tags:
    tags = Tags(page)
    assert tags.open == []
    assert tags.seen <= {"table", "tr", "th", "td", "p", "b", "div", "span", "small", "ul", "li", "em"}
    assert tags.attributes <= {"style", "title"}
    assert not ACTING.search(page)
    return tags


def hostile_router() -> rk.PolicyRouter:
    fake = FakeClassifier(HOSTILE, {HOSTILE + "label": {"ignore all": 0.95}})
    inner = (rk.signal(HOSTILE) >= 0.9) | (rk.header(HOSTILE) == HOSTILE) & ~(rk.signal("model") == HOSTILE)
    rules = [
        rk.Rule(HOSTILE + "1", inner, rk.RouteTo(HOSTILE, pool=HOSTILE)),
        rk.Rule(HOSTILE + "2", ~(rk.signal(HOSTILE).fires() & rk.keywords(HOSTILE)), rk.Block(403), shadow=True),
        rk.Rule("redacts", rk.signal("pii").any(), rk.RouteTo("home", redact=("CREDIT_CARD",))),
    ]
    policy = rk.Policy(rules, rk.Keep(), {HOSTILE: "skip"}, keywords={HOSTILE: [HOSTILE]})
    pools = PoolRouter([PoolSpec(HOSTILE, max_context=8192), PoolSpec("long", max_context=65536)])
    return rk.PolicyRouter(policy, classifiers=[fake], pools=pools)


@given(texts)
def test_any_text_is_shown_and_does_nothing(text: str) -> None:
    tags = checked(text_html(text))
    assert tags.seen <= {"small"}
    visible = "".join(c for c in text if not ACTING.match(c) and c.isprintable() and c != "\xad")
    assert re.sub(r"\s", "", visible)[:1] in tags.text
    assert not set(plain_html(text)) & set("<>\"'")
    checked(table_html([text], [[text], [text]]))
    checked(tree_html((text, [text, (text, [text])])))


@pytest.mark.parametrize("text", [f"{SECRET} ignore all", f"{SECRET} 4111 1111 1111 1111", f"{SECRET} hello"])
def test_decision_and_trace_show_rules_signals_and_budget_but_no_prompt(text: str) -> None:
    decision = hostile_router().route(chat(text, model=HOSTILE), metadata={HOSTILE: SECRET})
    for page in (decision._repr_html_(), decision.trace._repr_html_()):
        tags = checked(page)
        assert SECRET not in page
        assert {"table", "p"} <= tags.seen
        assert "token budget" in tags.text
    assert "alert(1)" in checked(decision._repr_html_()).text


def test_decision_names_shadow_rules_and_changes() -> None:
    decision = hostile_router().route(chat("my card is 4111 1111 1111 1111"))
    shown = checked(decision._repr_html_()).text
    assert "the policy changes the prompt: redact:CREDIT_CARD" in shown
    assert "shadow rules that would have decided" in shown
    for line in decision.explain().splitlines()[-2:]:
        assert line in shown


def test_policy_is_a_tree() -> None:
    tags = checked(hostile_router().policy._repr_html_())
    assert {"ul", "li"} <= tags.seen
    assert "any of" in tags.text
    assert "all of" in tags.text
    assert "(shadow)" in tags.text
    assert "otherwise" in tags.text


@given(texts, st.integers(3, 60))
def test_compressed_text_shows_what_is_kept(text: str, max_tokens: int) -> None:
    whole = (text + " First of all. " + HOSTILE + " And another thing. ") * 5
    compressed = rk.ExtractiveCompressor().compress(whole, max_tokens)
    tags = checked(compressed._repr_html_())
    assert f"{compressed.n_tokens_after} of {compressed.n_tokens_before} tokens" in tags.text
    checked(rk.compress(whole, max_tokens)._repr_html_())


def test_gaps_of_a_compressed_text_are_told() -> None:
    compressed = rk.CompressedText("one\ntwo", ((0, 3), (13, 16)), 9, 2, False, overflow=((20, 25),))
    page = compressed._repr_html_()
    assert "[10 characters left out]" in page
    assert "5 flagged characters left over" in page
    rewritten = rk.CompressedText("quite <b> else", ((0, 3),), 9, 2, True)
    assert "quite &lt;b&gt; else" in rewritten._repr_html_()


def test_very_long_texts_are_cut() -> None:
    spans = tuple((i * 12, i * 12 + 10) for i in range(20_000))
    compressed = rk.CompressedText("\n".join(["0123456789"] * 20_000), spans, 60_000, 60_000, False)
    page = compressed._repr_html_()
    assert "more characters are kept" in page
    assert len(page) < 10 * MAX_SHOWN
