"""Check digits: golden numbers pass, and a changed character does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routekit.pii import americas, asia_pacific, checksums, europe, finance, germany

#: Published examples of each scheme. Those whose sum finds every changed digit say so.
GOLDEN: list[tuple[Callable[[str], bool], str, bool]] = [
    (checksums.luhn, "4111111111111111", True),
    (checksums.mod97, "GB82WEST12345698765432", True),
    (checksums.verhoeff, "312345678909", True),
    (checksums.mod11_10, "136695976", True),
    (checksums.base58check, "16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ", True),
    (checksums.bech32, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", True),
    (checksums.vin, "1M8GDM9AXKP042788", False),
    (finance.card, "378282246310005", True),
    (finance.iban, "DE89370400440532013000", True),
    (finance.iban, "FR1420041010050500013M02606", True),
    (finance.aba, "121000358", True),
    (americas.npi, "1234567893", True),
    (americas.dea, "BB1388568", False),
    (americas.cpf, "11144477735", False),
    (americas.cnpj, "11222333000181", False),
    (americas.sin, "130692544", True),
    (americas.rut, "306869574", False),
    (europe.nhs, "4010232137", True),
    (europe.nif, "12345678Z", True),
    (europe.nif, "X9613851N", True),
    (europe.fiscal_code, "RSSMRA85T10A562S", False),
    (europe.pesel, "44051401458", False),
    (europe.hetu, "131052308T", False),
    (europe.personnummer, "8712202384", True),
    (europe.bsn, "111222333", True),
    (europe.nir, "255081416802538", False),
    (europe.ahv, "7569217076985", True),
    (europe.belgian, "85073003328", False),
    (europe.fodselsnummer, "11077941012", False),
    (europe.cnp, "1630615123457", False),
    (europe.rodne_cislo, "7103192745", False),
    (germany.tax_id, "86095742719", False),
    (germany.health_insurance, "A123456780", False),
    (germany.pension, "15070649C103", False),
    (germany.passport, "C01X00T478", False),
    (asia_pacific.abn, "51824753556", True),
    (asia_pacific.acn, "005499981", False),
    (asia_pacific.tfn, "876543210", False),
    (asia_pacific.aadhaar, "399876543211", True),
    (asia_pacific.resident_cn, "11010519491231002X", False),
    (asia_pacific.brn, "1048656659", False),
    (asia_pacific.thai, "1234567890121", False),
    (asia_pacific.nric, "S1234567D", True),
    (asia_pacific.taiwan, "A123456789", False),
    (asia_pacific.my_number, "123456789018", False),
    (asia_pacific.tckn, "10000000146", False),
    (asia_pacific.south_african, "8001015009087", False),
    (asia_pacific.philippine_tin, "000123456", False),
]


@pytest.mark.parametrize(("check", "number", "finds_every_change"), GOLDEN, ids=lambda v: getattr(v, "__name__", None))
def test_check_accepts_the_published_number(
    check: Callable[[str], bool], number: str, finds_every_change: bool
) -> None:
    assert check(number)


@pytest.mark.parametrize(("check", "number", "finds_every_change"), GOLDEN, ids=lambda v: getattr(v, "__name__", None))
def test_check_refuses_a_changed_digit(check: Callable[[str], bool], number: str, finds_every_change: bool) -> None:
    changed = [
        number[:i] + digit + number[i + 1 :]
        for i, old in enumerate(number)
        if old.isdigit()
        for digit in "0123456789"
        if digit != old
    ]
    passed = sum(map(check, changed))
    assert passed <= (0 if finds_every_change else 0.15 * len(changed))


@given(st.text("0123456789", min_size=1, max_size=18))
def test_luhn_has_one_check_digit_for_every_number(digits: str) -> None:
    assert sum(checksums.luhn(digits + d) for d in "0123456789") == 1


@given(st.text("0123456789", min_size=1, max_size=18))
def test_verhoeff_has_one_check_digit_for_every_number(digits: str) -> None:
    assert sum(checksums.verhoeff(digits + d) for d in "0123456789") == 1


@given(st.text("0123456789", min_size=8, max_size=8).filter(lambda d: len(set(d)) > 1), st.integers(0, 6))
def test_verhoeff_finds_swapped_neighbours(digits: str, at: int) -> None:
    whole = next(digits + d for d in "0123456789" if checksums.verhoeff(digits + d))
    swapped = whole[:at] + whole[at + 1] + whole[at] + whole[at + 2 :]
    assert swapped == whole or not checksums.verhoeff(swapped)


@pytest.mark.parametrize("number", ["000121234", "666121234", "900121234", "123001234", "123120000", "078051120"])
def test_number_that_was_never_issued_is_no_ssn(number: str) -> None:
    assert not americas.ssn(number)
