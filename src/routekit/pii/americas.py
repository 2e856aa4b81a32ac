"""Identity, tax and health numbers of the United States, Canada and Latin America."""

from __future__ import annotations

import re

from routekit.pii.checksums import luhn, vin, weighted
from routekit.pii.days import yymmdd
from routekit.pii.recogniser import Recogniser, Strength

_MBI_LETTER = "[AC-HJKMNP-RT-Y]"
_MBI = re.compile(rf"[1-9]{_MBI_LETTER}[0-9AC-HJKMNP-RT-Y]\d{_MBI_LETTER}[0-9AC-HJKMNP-RT-Y]\d{_MBI_LETTER}{{2}}\d\d")
_DEA = re.compile(r"[ABCDEFGHJKLMPRSTUX][A-Z9]\d{7}")
_CURP = re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d")
_LICENCE = re.compile(r"[A-Z]{1,3}\d{5,13}|[A-Z]\d{3}[A-Z]{2}\d{4}|\d{2}[A-Z]{3}\d{4,5}")
#: Printed in advertisements, or a row: never anyone's.
_KNOWN_FALSE_SSN = {"078051120", "219099999", "123456789", "987654321"}


def ssn(digits: str) -> bool:
    """Check the ranges that were never issued: area 000, 666, 900 up; group 00; serial 0000.

    >>> ssn("460899847"), ssn("666121234"), ssn("078051120")
    (True, False, False)
    """
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    issued = area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"
    return issued and digits not in _KNOWN_FALSE_SSN and len(set(digits)) > 1


def itin(digits: str) -> bool:
    """Check the prefix 9 and the group ranges of an individual taxpayer number."""
    group = int(digits[3:5])
    return digits[0] == "9" and (50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or 94 <= group <= 99)


def npi(digits: str) -> bool:
    """Check Luhn over the prefix 80840 and a US provider number."""
    return digits[0] in "12" and len(set(digits[:-1])) > 1 and luhn("80840" + digits)


def mbi(text: str) -> bool:
    """Check the letters and digits of a Medicare beneficiary identifier."""
    return _MBI.fullmatch(text) is not None


def dea(text: str) -> bool:
    """Check a DEA registration: two letters, six digits, and a sum."""
    if not _DEA.fullmatch(text):
        return False
    return (weighted(text[2:8], (1, 2, 1, 2, 1, 2)) - int(text[8])) % 10 == 0


def us_passport(text: str) -> bool:
    """Check for nine digits, or a letter and eight."""
    return text[1:].isdigit() and text[0].isalnum()


def us_licence(text: str) -> bool:
    """Check for the forms that the states print on driving licences."""
    return text.isdigit() or _LICENCE.fullmatch(text) is not None


def sin(digits: str) -> bool:
    """Check Luhn and the first digit of a Canadian social insurance number."""
    return digits[0] not in "08" and len(set(digits)) > 1 and luhn(digits)


def cpf(digits: str) -> bool:
    """Check both check digits of a Brazilian CPF.

    >>> cpf("11144477735"), cpf("11144477736")
    (True, False)
    """
    first = weighted(digits, range(10, 1, -1)) * 10 % 11 % 10
    second = weighted(digits, range(11, 1, -1)) * 10 % 11 % 10
    return len(set(digits)) > 1 and digits[9:] == f"{first}{second}"


def cnpj(digits: str) -> bool:
    """Check both check digits of a Brazilian CNPJ.

    >>> cnpj("11222333000181"), cnpj("11222333000182")
    (True, False)
    """
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    first = -weighted(digits[:12], weights[1:]) % 11 % 10
    second = -weighted(digits[:13], weights) % 11 % 10
    return len(set(digits)) > 1 and digits[12:] == f"{first}{second}"


def rut(text: str) -> bool:
    """Check the digit of a Chilean RUT."""
    weights = [2 + i % 6 for i in range(len(text) - 1)]
    return text[:-1].isdigit() and "0K987654321"[weighted(text[-2::-1], weights) % 11] == text[-1]


def curp(text: str) -> bool:
    """Check letters, birth date and form of a Mexican CURP."""
    return _CURP.fullmatch(text) is not None and yymmdd(text[4:10])


AMERICAS = (
    Recogniser("US_SSN", ("d{3}-d{2}-d{4}",), Strength.CERTAIN, ssn, ("ssn",)),
    Recogniser("US_SSN", ("d{3} d{2} d{4}", "d{3}.d{2}.d{4}"), Strength.LIKELY, ssn, ("ssn",)),
    Recogniser("US_SSN", ("d{9}", "d{3}-d{6}", "d{5}-d{4}"), Strength.WEAK, ssn, ("ssn",)),
    # People write what they are given: with the word beside it, a number that was never issued is still shown.
    Recogniser("US_SSN", ("d{3}-d{2}-d{4}", "d{3} d{2} d{4}"), Strength.WEAK, context=("ssn",)),
    Recogniser("US_ITIN", ("d{3}-d{2}-d{4}",), Strength.LIKELY, itin, ("tax", "ssn")),
    Recogniser("US_ITIN", ("d{9}", "d{3}-d{6}", "d{5}-d{4}", "d{3} d{2} d{4}"), Strength.WEAK, itin, ("tax", "ssn")),
    Recogniser("US_NPI", ("d{10}", "d{4}[- ]d{3}[- ]d{3}"), Strength.POSSIBLE, npi, ("health",)),
    Recogniser("US_MBI", ("x{4}-x{3}-x{4}",), Strength.CERTAIN, mbi, ("health",)),
    Recogniser("US_MBI", ("x{11}",), Strength.LIKELY, mbi, ("health",)),
    Recogniser("MEDICAL_LICENSE", ("x{9}",), Strength.LIKELY, dea, ("health",)),
    Recogniser("US_PASSPORT", ("d{9}", "x{9}"), Strength.WEAK, us_passport, ("passport",)),
    Recogniser("US_DRIVER_LICENSE", ("x{6,14}", "d{7,13}"), Strength.WEAK, us_licence, ("licence",)),
    Recogniser("US_DRIVER_LICENSE", ("d{4}-d{2}-d{4}", "x{4}-d{4}-d{4}"), Strength.WEAK, context=("licence",)),
    Recogniser("VIN", ("x{17}",), Strength.CERTAIN, vin, ("vin",)),
    Recogniser("CA_SIN", ("d{3}-d{3}-d{3}",), Strength.LIKELY, sin, ("ca",)),
    Recogniser("CA_SIN", ("d{3} d{3} d{3}",), Strength.POSSIBLE, sin, ("ca",)),
    Recogniser("CA_SIN", ("d{9}",), Strength.WEAK, sin, ("ca",)),
    Recogniser("BR_CPF", ("d{3}.d{3}.d{3}-d{2}",), Strength.CERTAIN, cpf, ("br", "national_id")),
    Recogniser("BR_CPF", ("d{11}",), Strength.POSSIBLE, cpf, ("br", "national_id")),
    Recogniser("BR_CNPJ", ("d{2}.d{3}.d{3}/d{4}-d{2}",), Strength.CERTAIN, cnpj, ("br", "company_id")),
    Recogniser("CL_RUT", ("d{1,2}.d{3}.d{3}-w{1}",), Strength.CERTAIN, rut, ("national_id",)),
    Recogniser("CL_RUT", ("d{7,8}-w{1}",), Strength.POSSIBLE, rut, ("national_id",)),
    Recogniser("MX_CURP", ("x{18}",), Strength.CERTAIN, curp, ("national_id",)),
)
