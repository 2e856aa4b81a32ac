"""Identity, tax and health numbers of Asia, Australia, Africa and Turkey."""

from __future__ import annotations

import re

from routekit.pii.checksums import luhn, verhoeff, weighted
from routekit.pii.days import is_date, yymmdd
from routekit.pii.recogniser import Recogniser, Strength

_PAN = re.compile(r"[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]")
_GSTIN = re.compile(r"(?:0[1-9]|[12]\d|3[0-7])[A-Z]{3}[A-Z][A-Z]\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]")
_VOTER = re.compile(r"[A-Z]{3}\d{7}")
_UEN = re.compile(r"\d{8}[A-Z]|(?:19|20)\d{7}[A-Z]|[TSR]\d{2}[A-Z]{2}\d{4}[A-Z]")
_KR_PASSPORT = re.compile(r"[MSRODG]\d{3}[A-Z]\d{4}|[MSRODG]\d{8}")
#: First letter -> what is added to the sum, and the check letters by remainder.
_NRIC = {
    "S": (0, "JZIHGFEDCBA"),
    "T": (4, "JZIHGFEDCBA"),
    "F": (0, "XWUTRQPNMLK"),
    "G": (4, "XWUTRQPNMLK"),
    "M": (3, "XWUTRQPNJLK"),
}
_TW_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def abn(digits: str) -> bool:
    """Check mod 89 of an Australian business number.

    >>> abn("51824753556"), abn("52824753556")
    (True, False)
    """
    return digits[0] != "0" and (weighted(digits, (10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)) - 10) % 89 == 0


def acn(digits: str) -> bool:
    """Check the digit of an Australian company number."""
    return int(digits) > 0 and -weighted(digits[:8], range(8, 0, -1)) % 10 == int(digits[8])


def tfn(digits: str) -> bool:
    """Check mod 11 of an Australian tax file number."""
    return len(set(digits)) > 1 and weighted(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def au_medicare(digits: str) -> bool:
    """Check the ninth digit of an Australian Medicare number."""
    return digits[0] in "23456" and weighted(digits[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(digits[8])


def aadhaar(digits: str) -> bool:
    """Check first digit and Verhoeff code of an Indian Aadhaar; a palindrome is refused."""
    return digits[0] not in "01" and digits != digits[::-1] and verhoeff(digits)


def pan(text: str) -> bool:
    """Check letters and holder type of an Indian PAN."""
    return _PAN.fullmatch(text) is not None


def gstin(text: str) -> bool:
    """Check state, PAN and form of an Indian GSTIN."""
    return _GSTIN.fullmatch(text) is not None


def resident_cn(text: str) -> bool:
    """Check birth date and ISO 7064 mod 11-2 of a Chinese identity number.

    >>> resident_cn("11010519491231002X")
    True
    """
    if not text[:17].isdigit() or not is_date(int(text[6:10]), int(text[10:12]), int(text[12:14])):
        return False
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return text[6:8] in ("19", "20") and "10X98765432"[weighted(text, weights) % 11] == text[17]


def rrn(digits: str) -> bool:
    """Check birth date and sex of a Korean resident number (numbers since 2020 have no check digit)."""
    return yymmdd(digits) and digits[6] in "1234"


def frn(digits: str) -> bool:
    """Check birth date and sex of a Korean foreigner number."""
    return yymmdd(digits) and digits[6] in "5678"


def rrn_checked(digits: str) -> bool:
    """Check also the digit that older Korean numbers have."""
    total = 11 - weighted(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11
    return rrn(digits) and total % 10 == int(digits[12])


def brn(digits: str) -> bool:
    """Check the digit of a Korean business number."""
    total = weighted(digits, (1, 3, 7, 1, 3, 7, 1, 3, 5)) + int(digits[8]) * 5 // 10
    return len(set(digits)) > 1 and -total % 10 == int(digits[9])


def kr_passport(text: str) -> bool:
    """Check the form of a Korean passport number."""
    return _KR_PASSPORT.fullmatch(text) is not None


def kr_licence(digits: str) -> bool:
    """Check the region of a Korean driving licence."""
    return 11 <= int(digits[:2]) <= 28


def letter_and_digits(text: str) -> bool:
    """Check the form of an Indian passport number: a letter and seven digits, the first not 0."""
    return text[0].isalpha() and text[1:].isdigit() and text[1] != "0"


def voter(text: str) -> bool:
    """Check the form of an Indian voter number."""
    return _VOTER.fullmatch(text) is not None


def thai(digits: str) -> bool:
    """Check the digit of a Thai citizen number.

    >>> thai("1234567890121"), thai("1234567890122")
    (True, False)
    """
    return (
        digits[0] in "12345678"
        and _is_thai_province(int(digits[1:3]))
        and (11 - weighted(digits, range(13, 1, -1)) % 11) % 10 == int(digits[12])
    )


def _is_thai_province(code: int) -> bool:
    return 10 <= code <= 96 and code not in (28, 29, 59, 68, 69, 78, 79, 87, 88, 89)


def nric(text: str) -> bool:
    """Check the letter of a Singapore NRIC or FIN.

    >>> nric("S1234567D"), nric("S1234567A")
    (True, False)
    """
    if text[0] not in _NRIC or not text[1:8].isdigit():
        return False
    total = weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"S": 0, "F": 0, "T": 4, "G": 4, "M": 3}[text[0]]
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "KLJNPQRTUWX"}[
        text[0]
    ]
    return letters[total % 11 if text[0] != "M" else 10 - total % 11] == text[8]


def uen(text: str) -> bool:
    """Check the form of a Singapore entity number."""
    return _UEN.fullmatch(text) is not None


def taiwan(text: str) -> bool:
    """Check the digit of a Taiwanese identity number."""
    if not (text[0].isalpha() and text[1:].isdigit() and text[1] in "1289"):
        return False
    code = 10 + _TW_LETTERS.index(text[0])
    return (code // 10 + code % 10 * 9 + weighted(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


def my_number(digits: str) -> bool:
    """Check the digit of a Japanese individual number."""
    remainder = weighted(digits[10::-1], (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)) % 11
    return len(set(digits)) > 1 and (0 if remainder < 2 else 11 - remainder) == int(digits[11])


def tckn(digits: str) -> bool:
    """Check both check digits of a Turkish identity number.

    >>> tckn("10000000146"), tckn("10000000145")
    (True, False)
    """
    numbers = [int(d) for d in digits]
    tenth = (sum(numbers[0:9:2]) * 7 - sum(numbers[1:8:2])) % 10
    return digits[0] != "0" and tenth == numbers[9] and sum(numbers[:10]) % 10 == numbers[10]


def south_african(digits: str) -> bool:
    """Check birth date, status and Luhn of a South African identity number."""
    return yymmdd(digits) and digits[10] in "012" and digits[11] in "89" and luhn(digits)


def israeli(digits: str) -> bool:
    """Check Luhn of an Israeli identity number."""
    return len(set(digits)) > 1 and luhn(digits)


def philippine_tin(digits: str) -> bool:
    """Check the ninth digit of a Philippine tax number; a branch code may follow."""
    return int(digits) > 0 and weighted(digits[:8], range(9, 1, -1)) % 11 == int(digits[8])


_NINE = ("d{3} d{3} d{3}",)
ASIA_PACIFIC = (
    Recogniser("AU_ABN", ("d{2} d{3} d{3} d{3}",), Strength.LIKELY, abn, ("au", "company_id")),
    Recogniser("AU_ABN", ("d{11}",), Strength.POSSIBLE, abn, ("au",)),
    Recogniser("AU_ACN", _NINE, Strength.POSSIBLE, acn, ("au", "company_id")),
    Recogniser("AU_ACN", ("d{9}",), Strength.WEAK, acn, ("au",)),
    Recogniser("AU_TFN", _NINE, Strength.POSSIBLE, tfn, ("au", "tax")),
    Recogniser("AU_TFN", ("d{9}", "d{3}-d{3}-d{3}"), Strength.WEAK, tfn, ("au",)),
    Recogniser("AU_MEDICARE", ("d{4} d{5} d{1}",), Strength.LIKELY, au_medicare, ("au", "health")),
    Recogniser("AU_MEDICARE", ("d{10}",), Strength.WEAK, au_medicare, ("au", "health")),
    Recogniser("IN_AADHAAR", ("d{4} d{4} d{4}", "d{4}-d{4}-d{4}", "d{4}:d{4}:d{4}"), Strength.LIKELY, aadhaar, ("in",)),
    Recogniser("IN_AADHAAR", ("d{12}",), Strength.POSSIBLE, aadhaar, ("in",)),
    Recogniser("IN_PAN", ("x{10}",), Strength.LIKELY, pan, ("in", "tax")),
    Recogniser("IN_GSTIN", ("x{15}",), Strength.CERTAIN, gstin, ("in",)),
    Recogniser("IN_VOTER", ("x{10}",), Strength.WEAK, voter, ("in",)),
    Recogniser(
        "IN_PASSPORT",
        ("x{8}",),
        Strength.WEAK,
        letter_and_digits,
        ("passport",),
    ),
    Recogniser("CN_RESIDENT_ID", ("x{18}", "d{18}"), Strength.CERTAIN, resident_cn, ("cn", "national_id")),
    Recogniser("KR_RRN", ("d{6}-d{7}",), Strength.CERTAIN, rrn, ("kr", "national_id")),
    Recogniser("KR_RRN", ("d{13}",), Strength.WEAK, rrn, ("kr",)),
    Recogniser("KR_RRN", ("d{13}",), Strength.POSSIBLE, rrn_checked, ("kr", "national_id")),
    Recogniser("KR_FRN", ("d{6}-d{7}",), Strength.CERTAIN, frn, ("kr", "national_id")),
    Recogniser("KR_FRN", ("d{13}",), Strength.WEAK, frn, ("kr",)),
    Recogniser("KR_BRN", ("d{3}-d{2}-d{5}",), Strength.LIKELY, brn, ("kr", "company_id")),
    Recogniser("KR_BRN", ("d{10}",), Strength.WEAK, brn, ("kr", "company_id")),
    Recogniser("KR_PASSPORT", ("x{9}",), Strength.WEAK, kr_passport, ("passport",)),
    Recogniser("KR_DRIVER_LICENSE", ("d{2}[- ]d{2}[- ]d{6}[- ]d{2}",), Strength.POSSIBLE, kr_licence, ("licence",)),
    Recogniser("TH_TNIN", ("d{1}[- ]d{4}[- ]d{5}[- ]d{2}[- ]d{1}",), Strength.CERTAIN, thai, ("th", "national_id")),
    Recogniser("TH_TNIN", ("d{13}",), Strength.POSSIBLE, thai, ("th", "national_id")),
    Recogniser("SG_NRIC_FIN", ("x{9}",), Strength.LIKELY, nric, ("sg", "national_id")),
    Recogniser("SG_UEN", ("x{9,10}",), Strength.WEAK, uen, ("sg", "company_id")),
    Recogniser("TW_NATIONAL_ID", ("x{10}",), Strength.POSSIBLE, taiwan, ("cn", "national_id")),
    Recogniser("JP_MY_NUMBER", ("d{12}", "d{4}[- ]d{4}[- ]d{4}"), Strength.WEAK, my_number, ("national_id",)),
    Recogniser("TR_NATIONAL_ID", ("d{11}",), Strength.POSSIBLE, tckn, ("tr",)),
    Recogniser("ZA_ID_NUMBER", ("d{13}", "d{6} d{4} d{3}"), Strength.POSSIBLE, south_african, ("za",)),
    Recogniser("IL_ID_NUMBER", ("d{9}",), Strength.WEAK, israeli, ("national_id",)),
    Recogniser("PH_TIN", ("d{3}-d{3}-d{3}-d{3}",), Strength.LIKELY, philippine_tin, ("ph", "tax")),
    Recogniser("PH_TIN", ("d{3}-d{3}-d{3}", "d{9}", "d{12}"), Strength.WEAK, philippine_tin, ("ph",)),
)
