"""Payment cards, bank accounts, routing numbers and coin addresses."""

from __future__ import annotations

import re
from types import MappingProxyType

from routekit.pii.checksums import base58check, bech32, luhn, mod97, weighted
from routekit.pii.recogniser import Recogniser, Strength

#: Length of an IBAN by country, from the SWIFT IBAN registry.
IBAN_LENGTH = MappingProxyType(
    {
        country: length
        for length, countries in {
            15: "NO",
            16: "BE",
            18: "DK FI FO GL NL SD FK",
            19: "MK SI",
            20: "AT BA EE KZ LT LU XK MN",
            21: "CH HR LI LV",
            22: "BG BH CR DE GB GE IE ME RS VA",
            23: "AE GI IL IQ OM SO TL",
            24: "AD CZ ES MD PK RO SA SE SK TN VG",
            25: "LY PT ST",
            26: "IS TR",
            27: "BI DJ FR GR IT MC SM",
            28: "AL AZ BY CY DO GT HU LB NI PL SV",
            29: "BR EG PS QA UA",
            30: "JO KW MU YE",
            31: "MT SC",
            32: "LC",
            33: "RU",
        }.items()
        for country in countries.split()
    }
)


def iban(text: str) -> bool:
    """Check country, length and check digits.

    >>> iban("GB82WEST12345698765432"), iban("GB82WEST12345698765433")
    (True, False)
    """
    return IBAN_LENGTH.get(text[:2]) == len(text) and text[2:4].isdigit() and mod97(text)


def issuer(digits: str) -> bool:
    """Say whether a card number has the prefix and length of a known network.

    Visa 13, 16 or 19 digits; Mastercard, Discover, JCB, UnionPay, Mir, RuPay 16 to 19; American Express 15; Diners 14;
    Maestro 12 to 19; the old JCB and UATP 15.
    """
    n, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if digits[0] == "4":
        return n in (13, 16, 19)
    if 51 <= two <= 55 or 2221 <= four <= 2720 or 2200 <= four <= 2204:
        return n == 16
    if two in (34, 37):
        return n == 15
    if two in (36, 38, 39) or 3000 <= four <= 3059 or four == 3095:
        return n in (14, 16)
    if digits[0] == "1" or four in (1800, 2131):
        return n == 15
    if two == 35 or two in (60, 62, 64, 65, 81, 82):
        return 16 <= n <= 19
    return 12 <= n <= 19 and (two in (50, 56, 57, 58, 67, 68, 69, 63) or digits[0] == "6")


def card(digits: str) -> bool:
    """Check issuer and Luhn sum; a row of one digit is a placeholder.

    >>> card("4111111111111111"), card("4111111111111112"), card("9999999999999995")
    (True, False, False)
    """
    return issuer(digits) and len(set(digits)) > 1 and luhn(digits)


def common_card(digits: str) -> bool:
    """Check a card of the networks and lengths that most people carry."""
    return (digits[0] in "3456" or 22 <= int(digits[:2]) <= 27) and len(digits) > 13 and card(digits)


def aba(digits: str) -> bool:
    """Check the Federal Reserve prefix and the weighted sum 3-7-1 of a US routing number.

    >>> aba("121000358"), aba("421042111")
    (True, False)
    """
    prefix = int(digits[:2])
    plausible = prefix <= 12 or 21 <= prefix <= 32 or 61 <= prefix <= 72 or prefix == 80
    return plausible and int(digits) > 0 and weighted(digits, (3, 7, 1) * 3) % 10 == 0


def bitcoin(text: str) -> bool:
    """Check a Bitcoin address of any of the three formats."""
    if text[:3].lower() == "bc1":
        return bech32(text)
    return text[0] in "13" and base58check(text)


def ethereum(text: str) -> bool:
    """Check for 0x and forty hexadecimal digits; case carries a checksum that needs Keccak, left out."""
    return text[:2].lower() == "0x" and all(c in "0123456789abcdefABCDEF" for c in text[2:])


_ACCOUNT = re.compile(
    r"(?:account|acct|a/c|konto|kontonummer|compte|cuenta|conto)"
    r"(?: ?(?:number|num|no\.?|nr\.?|#))?(?:,? is| =|:)? {0,2}#?\Z",
    re.IGNORECASE,
)
_CARD_GROUPED = (
    "d{4}-d{4}-d{4}-d{4}",
    "d{4} d{4} d{4} d{4}",
    "d{4}.d{4}.d{4}.d{4}",
    "d{4}-d{6}-d{5}",
    "d{4} d{6} d{5}",
    "d{4}-d{6}-d{4}",
    "d{4} d{6} d{4}",
    "d{4}[- ]d{4}[- ]d{4}[- ]d{4}[- ]d{3}",
)
_IBAN_GROUPED = tuple(
    "x{4}" + "".join(f"{glue}w{{4}}" for _ in range(n)) + (f"{glue}w{{1,3}}" if rest else "")
    for glue in " -"
    for n in range(3, 8)
    for rest in (False, True)
)

FINANCE = (
    Recogniser("CREDIT_CARD", _CARD_GROUPED, Strength.CERTAIN, card, ("card",)),
    Recogniser("CREDIT_CARD", ("d{14,19}",), Strength.LIKELY, common_card, ("card",)),
    Recogniser("CREDIT_CARD", ("d{12,19}",), Strength.POSSIBLE, card, ("card",)),
    Recogniser("CREDIT_CARD", ("d{12,19}",), Strength.WEAK, luhn, ("card",)),
    Recogniser("IBAN_CODE", ("x{15,34}",), Strength.CERTAIN, iban, ("iban",)),
    Recogniser("IBAN_CODE", _IBAN_GROUPED, Strength.CERTAIN, iban, ("iban",)),
    Recogniser("US_BANK_ROUTING", ("d{9}", "d{4}-d{4}-d{1}"), Strength.POSSIBLE, aba, ("routing",)),
    Recogniser("US_BANK_NUMBER", ("d{8,17}",), Strength.WEAK, context=("bank_account",), before=_ACCOUNT),
    Recogniser("CRYPTO", ("x{26,62}",), Strength.CERTAIN, bitcoin, ("crypto",), keep_case=True),
    Recogniser("CRYPTO", ("x{42}",), Strength.POSSIBLE, ethereum, ("crypto",), keep_case=True),
)
