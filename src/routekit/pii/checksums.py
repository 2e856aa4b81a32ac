"""Check digits. Every function takes the bare characters, upper case, separators removed, and answers yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VERHOEFF_PERMUTE = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def weighted(digits: str, weights: Sequence[int]) -> int:
    """Sum digits times weights.

    >>> weighted("123", (3, 2, 1))
    10
    """
    return sum(int(d) * w for d, w in zip(digits, weights, strict=False))


def luhn(digits: str) -> bool:
    """Check the Luhn sum of ISO/IEC 7812-1.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    doubled = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
    total = sum(map(int, digits[-1::-2])) + sum(doubled[int(d)] for d in digits[-2::-2])
    return total % 10 == 0


def mod97(text: str) -> bool:
    """Check ISO 7064 mod 97-10 of an IBAN.

    >>> mod97("GB82WEST12345698765432")
    True
    """
    return int("".join(str(_ALPHANUMERIC.index(c)) for c in text[4:] + text[:4])) % 97 == 1


def mod11_10(digits: str) -> bool:
    """Check ISO 7064 mod 11,10 (German tax and VAT numbers, Croatian OIB).

    >>> mod11_10("136695976")
    True
    """
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def verhoeff(digits: str) -> bool:
    """Check Verhoeff's dihedral code (Aadhaar).

    >>> verhoeff("312345678909")
    True
    """
    check = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit)
        for _ in range(position % 8):
            value = _VERHOEFF_PERMUTE[value]
        check = _dihedral(check, value)
    return check == 0


def _dihedral(a: int, b: int) -> int:
    """Multiply in the symmetry group of the pentagon; 0-4 turn, 5-9 mirror."""
    if a < 5:
        return (a + b) % 5 if b < 5 else 5 + (a + b - 5) % 5
    return 5 + (a - 5 - b) % 5 if b < 5 else (a - b) % 5


def base58check(text: str) -> bool:
    """Check the four bytes of double SHA-256 at the end of a Bitcoin address.

    >>> base58check("16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ")
    True
    """
    number = 0
    for character in text:
        value = _BASE58.find(character)
        if value < 0:
            return False
        number = number * 58 + value
    if number >> 200:
        return False
    raw = number.to_bytes(25, "big")
    return sha256(sha256(raw[:21]).digest()).digest()[:4] == raw[21:]


def bech32(text: str) -> bool:
    """Check the polymod of a segregated-witness address, BIP 173 and BIP 350.

    >>> bech32("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq")
    True
    """
    if text not in (text.lower(), text.upper()):
        return False
    prefix, _, data = text.lower().partition("1")
    values = [_BECH32.find(c) for c in data]
    if not prefix or len(data) < 6 or min(values) < 0:
        return False
    expanded = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + values
    return _polymod(expanded) in (1, 0x2BC830A3)


def _polymod(values: Sequence[int]) -> int:
    generators = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(generators):
            check ^= generator if top >> bit & 1 else 0
    return check


def vin(text: str) -> bool:
    """Check the ninth character of a vehicle identification number, 49 CFR 565.15.

    >>> vin("1M8GDM9AXKP042788")
    True
    """
    values = dict(
        zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", map(int, "12345678123457923456789" + "0123456789"), strict=True)
    )
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    if len(text) != 17 or any(c not in values for c in text):
        return False
    return "0123456789X"[sum(values[c] * w for c, w in zip(text, weights, strict=True)) % 11] == text[8]
