"""Identity, tax and health numbers of European countries other than Germany."""

from __future__ import annotations

import re

from routekit.pii.checksums import luhn, mod11_10, weighted
from routekit.pii.days import ddmmyy, is_date, yymmdd
from routekit.pii.recogniser import Recogniser, Strength

_NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_NINO = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
_FISCAL = re.compile(r"[A-Z]{6}[0-9L-NP-V]{2}[A-EHLMPR-T][0-9L-NP-V]{2}[A-Z][0-9L-NP-V]{3}[A-Z]")
_FISCAL_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_UK_LICENCE = re.compile(r"[A-Z]{1,5}9{0,4}\d[0156]\d[0-3]\d\d[A-Z9]{2}[A-Z0-9]{3}")


def nhs(digits: str) -> bool:
    """Check the mod-11 digit of a British health number.

    >>> nhs("4010232137"), nhs("4010232138")
    (True, False)
    """
    return len(set(digits)) > 1 and -weighted(digits, range(10, 1, -1)) % 11 == int(digits[-1])


def nino(text: str) -> bool:
    """Check the letters that a British national insurance number may have."""
    return _NINO.fullmatch(text) is not None and text[2:8] != "000000"


def uk_licence(text: str) -> bool:
    """Check name, birth date and form of a British driving licence."""
    if not _UK_LICENCE.fullmatch(text):
        return False
    month, day = int(text[6:8]) % 50, int(text[8:10])
    return 1 <= month <= 12 and 1 <= day <= 31


def nif(text: str) -> bool:
    """Check the letter of a Spanish DNI or NIE.

    >>> nif("12345678Z"), nif("X9613851N"), nif("12345678A")
    (True, True, False)
    """
    digits = text[:-1].translate({ord("X"): "0", ord("Y"): "1", ord("Z"): "2"})
    plain = text[:-1].isdigit() or (text[0] in "XYZ" and text[1:-1].isdigit())
    return plain and _NIF_LETTERS[int(digits) % 23] == text[-1]


def nie(text: str) -> bool:
    """Check a Spanish NIE: as `nif`, but it begins with X, Y or Z."""
    return text[0] in "XYZ" and nif(text)


def fiscal_code(text: str) -> bool:
    """Check form and last letter of an Italian fiscal code.

    >>> fiscal_code("RSSMRA85T10A562S"), fiscal_code("RSSMRA85T10A562T")
    (True, False)
    """
    if not _FISCAL.fullmatch(text):
        return False
    values = [ord(c) - 65 if c.isalpha() else int(c) for c in text[:15]]
    total = sum(_FISCAL_ODD[v] for v in values[0::2]) + sum(values[1::2])
    return chr(65 + total % 26) == text[15]


def vat_it(digits: str) -> bool:
    """Check Luhn of an Italian VAT number."""
    return len(set(digits)) > 1 and luhn(digits)


def pesel(digits: str) -> bool:
    """Check birth date and check digit of a Polish PESEL.

    >>> pesel("44051401458"), pesel("44051401459")
    (True, False)
    """
    month, day = int(digits[2:4]) % 20, int(digits[4:6])
    return 1 <= month <= 12 and 1 <= day <= 31 and weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def hetu(text: str) -> bool:
    """Check birth date, century sign and check character of a Finnish identity code.

    >>> hetu("131052308T")
    True
    """
    digits = text[:6] + text[-4:-1]
    return digits.isdigit() and ddmmyy(digits) and _HETU_LETTERS[int(digits) % 31] == text[-1]


def hetu_new(text: str) -> bool:
    """Check a Finnish identity code whose century sign is a letter."""
    return text[6] in "ABCDEFUVWXY" and hetu(text)


def personnummer(digits: str) -> bool:
    """Check birth date and Luhn of a Swedish personal number of ten or twelve digits."""
    if len(digits) == 12 and digits[:2] not in ("18", "19", "20"):
        return False
    ten = digits[-10:]
    year = int(digits[:4]) if len(digits) == 12 else 2000 + int(ten[:2])
    day = int(ten[4:6])
    return is_date(year, int(ten[2:4]), day - 60 if day > 60 else day) and luhn(ten)


def organisationsnummer(digits: str) -> bool:
    """Check Luhn of a Swedish company number; its third digit is 2 or more."""
    return digits[2] >= "2" and digits[0] in "1235678" and luhn(digits)


def bsn(digits: str) -> bool:
    """Check the mod-11 sum of a Dutch citizen service number."""
    return len(set(digits)) > 1 and weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def nir(text: str) -> bool:
    """Check sex, month and key of a French social security number."""
    digits = text.replace("2A", "19").replace("2B", "18") if text[5:7] in ("2A", "2B") else text
    plausible = digits.isdigit() and digits[0] in "123478" and (1 <= int(digits[3:5]) <= 12 or int(digits[3:5]) >= 20)
    return plausible and 97 - int(digits[:13]) % 97 == int(digits[13:])


def ahv(digits: str) -> bool:
    """Check prefix and EAN digit of a Swiss social insurance number."""
    return digits[:3] == "756" and weighted(digits, (1, 3) * 7) % 10 == 0


def belgian(digits: str) -> bool:
    """Check birth date and mod-97 key of a Belgian national number."""
    key = int(digits[9:])
    born = int(digits[2:4]) <= 12 and int(digits[4:6]) <= 31
    return born and key in (97 - int(digits[:9]) % 97, 97 - int("2" + digits[:9]) % 97)


def portuguese(digits: str) -> bool:
    """Check the mod-11 digit of a Portuguese tax number."""
    return digits[0] in "12356789" and -weighted(digits[:8], range(9, 1, -1)) % 11 % 10 == int(digits[8])


def fodselsnummer(digits: str) -> bool:
    """Check birth date and both check digits of a Norwegian birth number."""
    first = -weighted(digits[:9], (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    second = -weighted(digits[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return ddmmyy(digits) and f"{first}{second}" == digits[9:]


def cnp(digits: str) -> bool:
    """Check sex, birth date and check digit of a Romanian personal code."""
    remainder = weighted(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return (
        digits[0] in "12345678"
        and yymmdd(digits[1:7])
        and min(remainder, 1 if remainder == 10 else 9) == int(digits[12])
    )


def oib(digits: str) -> bool:
    """Check a Croatian personal number."""
    return len(set(digits)) > 1 and mod11_10(digits)


def rodne_cislo(digits: str) -> bool:
    """Check birth date and mod 11 of a Czech or Slovak birth number."""
    month = int(digits[2:4]) % 50
    month = month - 20 if month > 20 else month
    return 1 <= month <= 12 and 1 <= int(digits[4:6]) <= 31 and int(digits) % 11 == 0


EUROPE = (
    Recogniser("UK_NHS", ("d{3}-d{3}-d{4}", "d{3} d{3} d{4}"), Strength.LIKELY, nhs, ("gb", "health")),
    Recogniser("UK_NHS", ("d{10}",), Strength.POSSIBLE, nhs, ("gb", "health")),
    Recogniser("UK_NINO", ("a{2} d{2} d{2} d{2} a{1}",), Strength.CERTAIN, nino, ("nino",)),
    Recogniser("UK_NINO", ("x{9}", "a{2} x{7}", "a{2}-d{2}-d{2}-d{2}-a{1}"), Strength.LIKELY, nino, ("nino",)),
    Recogniser("UK_DRIVING_LICENCE", ("x{16}",), Strength.LIKELY, uk_licence, ("licence",)),
    Recogniser("UK_PASSPORT", ("x{9}",), Strength.WEAK, lambda t: t[:2].isalpha() and t[2:].isdigit(), ("passport",)),
    Recogniser("ES_NIE", ("x{9}",), Strength.LIKELY, nie, ("es",)),
    Recogniser("ES_NIF", ("x{8,9}", "d{7,8}-a{1}", "d{2}.d{3}.d{3}-a{1}"), Strength.LIKELY, nif, ("es",)),
    Recogniser("ES_NIE", ("x{8}-a{1}", "a{1}-d{7}-a{1}"), Strength.LIKELY, nif, ("es",)),
    Recogniser("ES_PASSPORT", ("x{9}",), Strength.WEAK, lambda t: t[:3].isalpha() and t[3:].isdigit(), ("passport",)),
    Recogniser("IT_FISCAL_CODE", ("x{16}",), Strength.CERTAIN, fiscal_code, ("it",)),
    Recogniser("IT_VAT_CODE", ("d{11}", "d{8}_d{3}"), Strength.WEAK, vat_it, ("it",)),
    Recogniser("IT_IDENTITY_CARD", ("x{9}",), Strength.WEAK, lambda t: t[:2].isalpha() and t[2:7].isdigit(), ("it",)),
    Recogniser("PL_PESEL", ("d{11}",), Strength.POSSIBLE, pesel, ("pl",)),
    Recogniser("FI_PERSONAL_IDENTITY_CODE", ("d{6}-w{4}",), Strength.CERTAIN, hetu, ("fi",)),
    Recogniser("FI_PERSONAL_IDENTITY_CODE", ("x{11}",), Strength.CERTAIN, hetu_new, ("fi",)),
    Recogniser("SE_PERSONNUMMER", ("d{8}-d{4}", "d{6}-d{4}"), Strength.LIKELY, personnummer, ("se",)),
    Recogniser("SE_PERSONNUMMER", ("d{10}", "d{12}"), Strength.WEAK, personnummer, ("se", "national_id")),
    Recogniser("SE_ORGANISATIONSNUMMER", ("d{6}-d{4}",), Strength.LIKELY, organisationsnummer, ("se", "company_id")),
    Recogniser("SE_ORGANISATIONSNUMMER", ("d{10}",), Strength.WEAK, organisationsnummer, ("se", "company_id")),
    Recogniser("NL_BSN", ("d{9}", "d{4}.d{2}.d{3}"), Strength.WEAK, bsn, ("nl",)),
    Recogniser("FR_NIR", ("d{1} d{2} d{2} w{2} d{3} d{3} d{2}",), Strength.CERTAIN, nir, ("fr",)),
    Recogniser("FR_NIR", ("d{15}", "x{15}"), Strength.LIKELY, nir, ("fr",)),
    Recogniser("CH_AHV", ("d{3}.d{4}.d{4}.d{2}",), Strength.CERTAIN, ahv, ("health", "ssn")),
    Recogniser("CH_AHV", ("d{13}",), Strength.POSSIBLE, ahv, ("health", "ssn")),
    Recogniser("BE_NATIONAL_NUMBER", ("d{2}.d{2}.d{2}-d{3}.d{2}",), Strength.CERTAIN, belgian, ("national_id",)),
    Recogniser("BE_NATIONAL_NUMBER", ("d{11}",), Strength.POSSIBLE, belgian, ("national_id",)),
    Recogniser("PT_NIF", ("d{9}", "d{3} d{3} d{3}"), Strength.WEAK, portuguese, ("es",)),
    Recogniser("NO_FODSELSNUMMER", ("d{11}", "d{6} d{5}"), Strength.POSSIBLE, fodselsnummer, ("national_id",)),
    Recogniser("RO_CNP", ("d{13}",), Strength.POSSIBLE, cnp, ("national_id",)),
    Recogniser("HR_OIB", ("d{11}",), Strength.WEAK, oib, ("national_id", "tax")),
    Recogniser("CZ_RODNE_CISLO", ("d{6}/d{4}",), Strength.LIKELY, rodne_cislo, ("national_id",)),
)
