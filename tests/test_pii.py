"""What is found, what is not, and where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit import PatternPiiClassifier
from routekit.errors import ConfigError
from routekit.interfaces import Classifier
from routekit.pii.table import INDIRECT, LABELS, RECOGNISERS
from routekit.pii.words import CONTEXT

PII = PatternPiiClassifier()


def found(text: str) -> list[tuple[str, str]]:
    return [(span.label, text[span.start : span.end]) for span in PII.classify([text])[0].spans]


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("pay with 4111 1111 1111 1111 today", "CREDIT_CARD", "4111 1111 1111 1111"),
        ("pay with 3782-822463-10005 today", "CREDIT_CARD", "3782-822463-10005"),
        ("my debit card 6759649826438453 please", "CREDIT_CARD", "6759649826438453"),
        ("write to Ann.Lee+x@mail.example.co.uk.", "EMAIL_ADDRESS", "Ann.Lee+x@mail.example.co.uk"),
        ("schreib an jörg@müller-söhne.de!", "EMAIL_ADDRESS", "jörg@müller-söhne.de"),
        ("邮箱是zhang.san@qq.com谢谢", "EMAIL_ADDRESS", "zhang.san@qq.com"),
        ("mail ann.lee [at] example [dot] org now", "EMAIL_ADDRESS", "ann.lee [at] example [dot] org"),
        ("mail ann(at)example.com", "EMAIL_ADDRESS", "ann(at)example.com"),
        ("see https://www.shop.example.org/a?b=1.", "DOMAIN_NAME", "https://www.shop.example.org/a?b=1"),
        ("visit example.com now", "DOMAIN_NAME", "example.com"),
        ("from 192.168.17.4:8080", "IP_ADDRESS", "192.168.17.4"),
        ("from [2001:db8::8a2e:370:7334]:80", "IP_ADDRESS", "2001:db8::8a2e:370:7334"),
        ("mapped ::ffff:10.0.0.1 here", "IP_ADDRESS", "::ffff:10.0.0.1"),
        ("at 00:1A:2B:3C:4D:5E there", "MAC_ADDRESS", "00:1A:2B:3C:4D:5E"),
        ("call +44 20 7946 0958 or", "PHONE_NUMBER", "+44 20 7946 0958"),
        ("ring (212) 555-0199 ext. 44 now", "PHONE_NUMBER", "(212) 555-0199 ext. 44"),
        ("fax 345-899-3560x4587", "PHONE_NUMBER", "345-899-3560x4587"),
        ("Tel. 01 23 45 67 89", "PHONE_NUMBER", "01 23 45 67 89"),
        ("手机１３８１２３４５６７８", "PHONE_NUMBER", "１３８１２３４５６７８"),
        ("phone: 668 5702", "PHONE_NUMBER", "668 5702"),
        ("number 536-90-4399", "US_SSN", "536-90-4399"),
        ("ssn 536904399", "US_SSN", "536904399"),
        ("IBAN DE89 3704 0044 0532 0130 00 danke", "IBAN_CODE", "DE89 3704 0044 0532 0130 00"),
        ("an GB29NWBK60161331926819 senden", "IBAN_CODE", "GB29NWBK60161331926819"),
        ("routing number 121000358", "US_BANK_ROUTING", "121000358"),
        ("send to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "CRYPTO", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"),
        ("passport no. 912803456", "US_PASSPORT", "912803456"),
        ("the car 1M8GDM9AXKP042788 is", "VIN", "1M8GDM9AXKP042788"),
        ("身份证号11010519491231002X", "CN_RESIDENT_ID", "11010519491231002X"),
        ("PESEL: 44051401458", "PL_PESEL", "44051401458"),
        ("Aadhaar 3123 4567 8909", "IN_AADHAAR", "3123 4567 8909"),
        ("codice fiscale RSSMRA85T10A562S", "IT_FISCAL_CODE", "RSSMRA85T10A562S"),
        ("a 35-year-old man", "AGE", "35"),
        ("born 3 May 1990, in", "DATE_TIME", "3 May 1990"),
        ("on 2024-05-01T12:00:00Z it", "DATE_TIME", "2024-05-01T12:00:00Z"),
        ("ZIP: 94105-1234", "ZIP_CODE", "94105-1234"),
    ],
)
def test_span_is_found_with_its_offsets(text: str, label: str, value: str) -> None:
    assert (label, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "order 4111111111111112 shipped, invoice 20240501-000123, tracking 1Z999AA10123456784",
        "ISBN 978-3-16-148410-0, ISBN-10 0-306-40615-2, EAN 4006381333931",
        "commit 9fceb02d0ae598e95dc970b74767f19372d6191e",
        "uuid 123e4567-e89b-12d3-a456-426614174000 and 00000000-1111-2222-3333-444444444444",
        "price $1,234,567.89 and 12.345.678,90 EUR for 1234567890 units",
        "pi is 3.14159265358979, e is 2.71828182845905, 6.02214076e23",
        "epoch 1714521600 or 1714521600123 ms",
        "Chrome/124.0.0.0 Safari/537.36, version 10.2.3.4, oid 1.3.6.1.4.1.311",
        "std::vector<int> v; a::b; x[::2]; d[::-1]; Foo::bar",
        "pip install numpy==1.26.4 pkg@1.2.3 @decorator user@localhost git@github.com:foo/bar.git",
        "self.name, os.path.join(a), index.html, main.py, README.md, Node.js, asp.net, user.id",
        "the years 1964-1996, pages 123-4567, 1 2 3 4 5 6 7 8 9 10",
        "123 456 789 012 345 678 901 234 567 890 123 456",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "postgres://user:secret@db.internal:5432/x",
        "телефон и номер 4276 3800 1234 5678, phone book of 12 34 56 78 90 12 34 56 78",
        "51 Franklin St, Boston, MA 02110-1301, or call us",
        "f(at) = x[at].y, look(at)me",
        "12:34:56.789 99% of 0xDEADBEEF12345678",
        "If 3528 people pay 1234 each for 5 days, how much is 415 * 555 + 1212?",
        "bisect 10.5281/zenodo.3509134 arXiv:2603.12646",
    ],
)
def test_text_without_personal_data_stays_clean(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800", *("@", "://", "::", "+", "(", "年", "a@", "@b.com"), "\u200b"]
)
def test_degenerate_text_is_taken(text: str) -> None:
    [prediction] = PII.classify([text])
    assert prediction.label == "none"
    assert prediction.spans == ()


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060", "\ufeff"])
def test_invisible_characters_hide_nothing(hidden: str) -> None:
    text = "card " + hidden.join("4111111111111111")
    assert found(text) == [("CREDIT_CARD", text[5:])]


@pytest.mark.parametrize("dash", "‐‑‒–−－")
def test_any_dash_separates(dash: str) -> None:
    text = f"ssn 536{dash}90{dash}4399."
    assert found(text) == [("US_SSN", text[4:-1])]


@pytest.mark.parametrize("zero", [0x660, 0x6F0, 0x966, 0xFF10, 0x1D7CE])
def test_digits_of_any_script_count(zero: int) -> None:
    digits = "".join(chr(zero + int(d)) for d in "4111111111111111")
    assert found(f"card {digits} ok") == [("CREDIT_CARD", digits)]


def test_context_words_decide_what_a_number_is() -> None:
    assert found("reference 121000358 attached") == []
    assert found("routing 121000358 attached") == [("US_BANK_ROUTING", "121000358")]
    assert found("numéro de téléphone : 4155552671") == [("PHONE_NUMBER", "4155552671")]


def test_number_that_is_the_whole_text_needs_no_context() -> None:
    assert found("44051401458") == [("PL_PESEL", "44051401458")]
    assert found("given 44051401458 as a value") == []


def test_probability_rises_with_context() -> None:
    alone = PII.classify(["seen 4111111111111111 there"])[0]
    told = PII.classify(["my card 4111111111111111 there"])[0]
    assert 0.5 <= alone.probabilities["CREDIT_CARD"] < told.probabilities["CREDIT_CARD"]


def test_direct_identifier_wins_over_web_address() -> None:
    assert ("EMAIL_ADDRESS", "ann@example.org") in found("https://example.org/?mail=ann@example.org")


def test_indirect_labels_are_reported_but_are_no_hit() -> None:
    [prediction] = PII.classify(["see https://example.org, 3 May 1990"])
    assert prediction.label in INDIRECT
    assert not PII.positive & {span.label for span in prediction.spans}
    [both] = PII.classify(["see https://example.org, ann@example.org"])
    assert both.label == "EMAIL_ADDRESS"


def test_labels_limit_what_is_looked_for() -> None:
    cards = PatternPiiClassifier(labels=["CREDIT_CARD"])
    [prediction] = cards.classify(["4111 1111 1111 1111 ann@example.org"])
    assert [span.label for span in prediction.spans] == ["CREDIT_CARD"]
    assert cards.labels == ("CREDIT_CARD", "none")


@pytest.mark.parametrize("options", [{"labels": ["CARD"]}, {"threshold": 0.0}, {"threshold": 1.5}, {"positive": ["x"]}])
def test_bad_option_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        PatternPiiClassifier(**options)  # type: ignore[arg-type]


def test_classifier_has_the_interface() -> None:
    assert isinstance(PII, Classifier)
    assert PII.positive < set(PII.labels)
    assert len(set(PII.labels)) == len(PII.labels)


def test_recognisers_name_known_context() -> None:
    assert {name for row in RECOGNISERS for name in row.context} <= set(CONTEXT)
    assert {row.label for row in RECOGNISERS} <= set(LABELS)


@given(st.text(alphabet="01234567890 -.@:/+()ax\u200b４年一é", max_size=200))
def test_any_text_gives_ordered_disjoint_spans(text: str) -> None:
    [prediction] = PII.classify([text])
    ends = 0
    for span in prediction.spans:
        assert ends <= span.start < span.end <= len(text)
        ends = span.end
    assert set(prediction.probabilities) == set(PII.labels)
    assert all(0 <= p <= 1 for p in prediction.probabilities.values())


def test_windows_for_a_compressor_cover_every_span() -> None:
    text = "Dear Ann, " * 50 + "card 4111 1111 1111 1111, mail ann@example.org"
    windows = PII.screen(text)
    assert windows.name == "pii"
    assert windows.spans.tolist() == [[s.start, s.end] for s in PII.classify([text])[0].spans]
    assert (windows.scores >= windows.threshold).all()
