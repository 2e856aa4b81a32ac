"""All recognisers. Where two find the same text with the same probability, the earlier one wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from routekit.pii.americas import AMERICAS
from routekit.pii.asia_pacific import ASIA_PACIFIC
from routekit.pii.dates import DATES, ages, chinese_dates
from routekit.pii.europe import EUROPE
from routekit.pii.finance import FINANCE
from routekit.pii.germany import GERMANY
from routekit.pii.internet import INTERNET, compressed_ipv6, domains, emails, spelled_emails, urls
from routekit.pii.phones import BARE_PHONES, PHONES, bracketed, international
from routekit.pii.postcodes import POSTCODES
from routekit.pii.recogniser import Found, Recogniser
from routekit.pii.vehicles import VEHICLES

RECOGNISERS: tuple[Recogniser, ...] = (
    *FINANCE,
    *INTERNET,
    *AMERICAS,
    *PHONES,
    *EUROPE,
    *GERMANY,
    *ASIA_PACIFIC,
    *BARE_PHONES,
    *VEHICLES,
    *POSTCODES,
    *DATES,
)

#: What stands in every text that a finder may find something in -> the finder.
FINDERS: tuple[tuple[str, Callable[[str], Iterator[Found]]], ...] = (
    ("@", emails),
    ("at", spelled_emails),
    ("://", urls),
    (".", domains),
    ("::", compressed_ipv6),
    ("+", international),
    ("(", bracketed),
    ("年", chinese_dates),
)

#: Set of context words -> the finder to run at each of its words.
WORD_FINDERS: tuple[tuple[str, Callable[[str, int], Iterator[Found]]], ...] = (("age", ages),)

#: Labels that finders give and no recogniser with a shape does.
FOUND_LABELS = ("EMAIL_ADDRESS", "DOMAIN_NAME", "AGE")
#: Labels that by themselves tell nobody apart; they are reported but are no hit by default.
INDIRECT = frozenset({"AGE", "DATE_TIME", "DOMAIN_NAME", "ZIP_CODE"})
LABELS: tuple[str, ...] = tuple(sorted({*FOUND_LABELS, *(r.label for r in RECOGNISERS)}))
